package fix

import (
	"bytes"
	"iter"
	"os"
	"slices"
	"strings"

	"codelinter/ast"
)

// metaCompares reports whether a class of a module may be a metaclass that defines ==.
func metaCompares(module *ast.Module) bool {
	var classes []*ast.ClassDef
	metas := map[string]bool{}
	ast.Inspect(module, func(n ast.Node) bool {
		if c, is := n.(*ast.ClassDef); is {
			classes = append(classes, c)
			for _, k := range c.Keywords {
				metas[lastName(k.Value)] = true
			}
		}
		return true
	})
	for range classes { // a metaclass may have another as its base
		for _, c := range classes {
			if slices.ContainsFunc(c.Bases, func(e ast.Expr) bool { return metas[lastName(e)] || isMetaName(lastName(e)) }) {
				metas[c.Name] = true
			}
		}
	}
	return slices.ContainsFunc(classes, func(c *ast.ClassDef) bool { return definesEquality(c, metas[c.Name]) })
}

// givesEquality reports whether a module sets the == of a class that is there already, or makes
// classes with one by a call.
func givesEquality(module *ast.Module) bool {
	gives := false
	ast.Inspect(module, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Attribute:
			gives = gives || n.Ctx == ast.Store && isEquality(n.Attr)
		case *ast.Constant:
			gives = gives || n.Type == ast.Str && isEquality(n.Text)
		}
		return !gives
	})
	return gives
}

// definesEquality reports whether a class that may be a metaclass defines ==. One whose methods
// call their first parameter cls is one too.
func definesEquality(c *ast.ClassDef, meta bool) bool {
	found := false
	ast.Inspect(c, func(n ast.Node) bool {
		name := ast.Binds(n)
		if !isEquality(name) {
			return true
		}
		if d, is := n.(*ast.FunctionDef); is && !meta {
			first := slices.Concat(d.Args.PosOnlyArgs, d.Args.Args)
			found = found || len(first) > 0 && (first[0].Arg == "cls" || first[0].Arg == "mcs")
			return true
		}
		found = found || meta
		return true
	})
	return found
}

func isEquality(name string) bool { return name == "__eq__" || name == "__ne__" }

func isMetaName(name string) bool {
	return name == "type" || strings.HasSuffix(name, "Meta") || strings.HasSuffix(name, "Type") || strings.Contains(strings.ToLower(name), "metaclass")
}

// lastName returns the last part of a dotted name.
func lastName(e ast.Expr) string {
	chain := dotted(e)
	return chain[strings.LastIndexByte(chain, '.')+1:]
}

// mayCompareTypes reports whether a file's text has what a metaclass with an == must have, so that
// it is worth parsing, see metaCompares: the name of a metaclass in the head of a class, or a first
// parameter cls of __eq__.
func mayCompareTypes(path string) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	for _, word := range [...]string{"__eq__", "__ne__"} {
		for at := range indices(data, word) {
			if after := data[at:min(at+40, len(data))]; bytes.Contains(after, []byte("cls")) || bytes.Contains(after, []byte("mcs")) {
				return true
			}
		}
	}
	for at := range indices(data, "class ") {
		if before := bytes.TrimRight(data[:at], " \t"); len(before) > 0 && before[len(before)-1] != '\n' {
			continue
		}
		head := data[at:min(at+2000, len(data))]
		if end := bytes.Index(head, []byte(":\n")); end >= 0 {
			head = head[:end]
		}
		if open := bytes.IndexByte(head, '('); open >= 0 && mayHaveMetaBase(data, string(head[open:])) {
			return true
		}
	}
	return false
}

// mayHaveMetaBase reports whether the arguments of a class may have a metaclass as a base, or a
// keyword with a class of the text.
func mayHaveMetaBase(text []byte, arguments string) bool {
	isMeta := func(bases string) bool {
		bases = strings.ToLower(bases)
		return strings.Contains(bases, "type") || strings.Contains(bases, "meta")
	}
	for {
		before, after, found := strings.Cut(arguments, "=")
		if !found {
			return isMeta(arguments)
		}
		if isMeta(strings.TrimSuffix(strings.TrimRight(before, " "), "metaclass")) {
			return true
		}
		value := strings.TrimLeft(after, " \n")
		end := strings.IndexFunc(value, func(c rune) bool { return c != '.' && c < 0x80 && !isWordByte(byte(c)) })
		if end < 0 {
			end = len(value)
		}
		name := value[strings.LastIndexByte(value[:end], '.')+1 : end]
		if bytes.Contains(text, []byte("class "+name)) {
			return true
		}
		arguments = value[end:]
	}
}

// indices yields the offsets of a word's occurrences in a text.
func indices(text []byte, word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(word) {
			next := bytes.Index(text[at:], []byte(word))
			if next < 0 || !yield(at+next) {
				return
			}
			at += next
		}
	}
}

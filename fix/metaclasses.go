package fix

import (
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

// givesEquality reports whether a module sets the == of a class that is there already, or makes classes with
// one by a call.
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

// definesEquality reports whether a class that may be a metaclass defines ==. One whose methods call their
// first parameter cls is one too.
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

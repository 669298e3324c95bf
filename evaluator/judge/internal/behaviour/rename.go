package behaviour

import (
	"strings"

	"codelinter/internal/guard"
)

// E741, E742 and E743 forbid the names l, O and I, so definitions may have other names in an answer.
// A renaming maps the names. An answer that runs has the program's names too.
type renaming struct {
	names   map[string]string // of the top level
	aliases string            // statements that give the answer's definitions the program's names
}

// renames returns the renaming that guards found, or nil.
func renames(report *guard.Report) *renaming {
	var r *renaming
	for _, d := range report.Renamed {
		if r == nil {
			r = &renaming{names: map[string]string{}}
		}
		_, was, ofClass := strings.Cut(d.Path, ".")
		class, is, _ := strings.Cut(d.Answer, ".")
		switch {
		case !ofClass:
			r.names[d.Path] = d.Answer
			r.aliases += d.Path + " = " + d.Answer + "\n"
		case was != is:
			r.aliases += class + "." + was + " = " + d.Answer + "\n"
		}
	}
	return r
}

// class returns the answer's name for the program's class.
func (r *renaming) class(name string) string {
	if r == nil {
		return name
	}
	if bare, mine := strings.CutPrefix(name, "__main__."); mine {
		if other, is := r.names[bare]; is {
			return "__main__." + other
		}
	}
	return name
}

// A splice replaces a part of a text.
type splice struct {
	start, end int
	text       string
}

// spliced applies splices, which must be in order.
func spliced(text string, list []splice) string {
	var out strings.Builder
	at := 0
	for _, s := range list {
		out.WriteString(text[at:s.start] + s.text)
		at = s.end
	}
	return out.String() + text[at:]
}

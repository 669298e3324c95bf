package flake8

import (
	"slices"

	"codelinter/lint"
	"codelinter/rule"
)

// A Formatter renders findings. One is used from several goroutines at once.
type Formatter interface {
	// Frame returns what stands around the files.
	Frame() Frame
	// AppendStart and AppendEnd append what stands before and after the
	// findings of a file, also of one without findings.
	AppendStart(dst []byte, file *File) []byte
	AppendEnd(dst []byte, file *File) []byte
	// AppendFinding appends file.Findings[i].
	AppendFinding(dst []byte, file *File, i int) ([]byte, error)
}

// A Frame is what a format puts around the texts of the files.
type Frame struct {
	Start   string
	Between string // between the texts of two files, unless one is empty
	End     string
	// Document reports whether the output is one whole, and no place for a line
	// of anything else.
	Document bool
	// Once reports whether files of one name are shown once.
	Once bool
}

// A File is what a Formatter is to render.
type File struct {
	Name     string
	Findings []rule.Finding

	result lint.Result // of the file; zero if it cannot be read
	// The line that was last asked for; the others of a long one need not be
	// looked for again.
	first, last int32
	text        string

	seen map[string]int
}

// Line returns the line of a finding: all rows up to the next line break that
// ends a statement or stands between brackets. There is none for a file that
// cannot be read or that makes no tokens.
func (f *File) Line(finding *rule.Finding) (text string, found bool) {
	row := finding.Row
	if f.first == 0 || row < f.first || row > f.last {
		f.first, f.last, f.text = f.result.PhysicalLine(row)
	}
	return f.text, f.first > 0
}

// ordinal counts the texts of this file that are equal: 0 for the first.
func (f *File) ordinal(text []byte) int {
	if f.seen == nil {
		f.seen = map[string]int{}
	}
	n := f.seen[string(text)]
	f.seen[string(text)] = n + 1
	return n
}

// lines is the part of a Formatter that has nothing around its findings.
type lines struct{}

func (lines) Frame() Frame                           { return Frame{} }
func (lines) AppendStart(dst []byte, _ *File) []byte { return dst }
func (lines) AppendEnd(dst []byte, _ *File) []byte   { return dst }

// documents are the formats that flake8 itself lacks, under their names.
var documents = []struct {
	name   string
	format func(o *lint.Options) Formatter
}{
	{"json", func(*lint.Options) Formatter { return JSON{} }},
	{"sarif", func(o *lint.Options) Formatter { return SARIF{Release: o.Release, Target: o.Target} }},
	{"github", func(*lint.Options) Formatter { return GitHub{} }},
	{"gitlab", func(*lint.Options) Formatter { return GitLab{} }},
	{"junit", func(*lint.Options) Formatter { return JUnit{} }},
}

func documentNames() (names []string) {
	for _, d := range documents {
		names = append(names, d.name)
	}
	return names
}

func formatNames() []string {
	return slices.Concat([]string{"default", "pylint", "quiet-filename", "quiet-nothing"}, documentNames())
}

// newFormatter returns the format of that name, which is a template if it is no
// name at all, for findings under options, which are resolved.
func newFormatter(name string, color bool, options *lint.Options) Formatter {
	switch name {
	case "pylint":
		return NewTemplate("%(path)s:%(row)d: [%(code)s] %(text)s", color)
	case "quiet-filename":
		return FilenameOnly{}
	case "quiet-nothing":
		return Nothing{}
	}
	for _, d := range documents {
		if d.name == name {
			return d.format(options)
		}
	}
	if !isDefault(name) {
		return NewTemplate(name, color)
	}
	if color {
		return NewTemplate(defaultTemplate, color)
	}
	return Default{}
}

// isError reports whether a finding is an error and not a matter of style: what
// does not run, and what pyflakes says of names.
func isError(code rule.Code) bool {
	text := code.String()
	return text[0] == 'F' || text[:2] == "E9"
}

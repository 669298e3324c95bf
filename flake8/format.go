package flake8

import (
	"slices"

	"codelinter/lint"
	"codelinter/rule"
)

// A formatter renders findings. One is used from several goroutines at once.
type formatter interface {
	// frame returns the text around the files' texts.
	frame() frame
	// appendStart and appendEnd append the text before and after a file's findings, even if there
	// are none.
	appendStart(dst []byte, file *lintedFile) []byte
	appendEnd(dst []byte, file *lintedFile) []byte
	// appendFinding appends file.Findings[i].
	appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error)
}

// A frame is the text that a format puts around the files' texts.
type frame struct {
	Start   string
	Between string // between the texts of two files, unless one is empty
	End     string
	// Document reports whether the output is one document, which may hold no other lines.
	Document bool
	// Once reports whether files of one name are shown once.
	Once bool
}

// A lintedFile is a file with its findings, for a formatter to render.
type lintedFile struct {
	Name     string
	Findings []rule.Finding
	Compared bool // these are only the new ones

	result lint.Result        // of the file; zero if it cannot be read
	again  func() lint.Result // lints the file again; nil unless its Linter has linted another text since
	said   []byte             // lines before the findings: what plugins printed, and how they failed
	failed bool               // plugins could not check it
	// The line that was last asked for; the others of a long one need not be
	// looked for again.
	first, last int32
	text        string

	seen map[string]int
}

// Line returns the line of a finding: all rows up to the next line break that ends a statement
// or stands between brackets. A file that cannot be read or tokenized has none.
func (f *lintedFile) Line(finding *rule.Finding) (text string, found bool) {
	row := finding.Row
	if f.first == 0 || row < f.first || row > f.last {
		f.first, f.last, f.text = f.linted().PhysicalLine(row)
	}
	return f.text, f.first > 0
}

// linted returns the file's result with what the Linter knows of its lines and tokens.
func (f *lintedFile) linted() *lint.Result {
	if f.again != nil {
		f.result, f.again = f.again(), nil
	}
	return &f.result
}

// ordinal counts the texts of this file that are equal: 0 for the first.
func (f *lintedFile) ordinal(text []byte) int {
	if f.seen == nil {
		f.seen = map[string]int{}
	}
	n := f.seen[string(text)]
	f.seen[string(text)] = n + 1
	return n
}

// lines is the part of a formatter that has nothing around its findings.
type lines struct{}

func (lines) frame() frame                                 { return frame{} }
func (lines) appendStart(dst []byte, _ *lintedFile) []byte { return dst }
func (lines) appendEnd(dst []byte, _ *lintedFile) []byte   { return dst }

// documents are the formats that flake8 itself lacks, under their names.
var documents = []struct {
	name   string
	format func(o *lint.Options) formatter
}{
	{"json", func(*lint.Options) formatter { return jsonFormat{} }},
	{"sarif", func(o *lint.Options) formatter { return sarif{Release: o.Release, Target: o.Target} }},
	{"github", func(*lint.Options) formatter { return github{} }},
	{"gitlab", func(*lint.Options) formatter { return gitlab{} }},
	{"junit", func(*lint.Options) formatter { return junit{} }},
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

// newFormatter returns the format of that name, for findings under options, which are resolved. An
// unknown name is a template.
func newFormatter(name string, color bool, options *lint.Options) formatter {
	switch name {
	case "pylint":
		return newTemplate("%(path)s:%(row)d: [%(code)s] %(text)s", color)
	case "quiet-filename":
		return filenameOnly{}
	case "quiet-nothing":
		return nothing{}
	}
	for _, d := range documents {
		if d.name == name {
			return d.format(options)
		}
	}
	if !isDefault(name) {
		return newTemplate(name, color)
	}
	if color {
		return newTemplate(defaultTemplate, color)
	}
	return defaultFormat{}
}

// isError reports whether a finding is an error and not a matter of style: code that does not
// run, or a fault that pyflakes finds in names.
func isError(code rule.Code) bool {
	if code.IsForeign() {
		return false
	}
	text := code.String()
	return text[0] == 'F' || text[:2] == "E9"
}

package flake8

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"codelinter/internal/python/pytext"
	"codelinter/internal/util/atomicfile"
	"codelinter/internal/util/lazy"
	"codelinter/rule"
	"codelinter/source"
)

// A baseline is a list of known findings, as lines of JSON, for those who adopt a linter in a
// project that has many:
//
//	{"codelinter":"baseline","version":1}
//	{"path":"src/spam.py","code":"E711","message":"comparison to None ...","line":"if b == None:"}
//
// It has the text of a finding's row and not its number, so that it survives edits elsewhere.
// Findings that agree in all stand as often as they are. Paths are relative to the baseline's
// folder.
type baseline struct {
	name    string
	folder  string // absolute
	writing bool
	entries map[known]int // known and not met yet; when writing, found
}

// A known is a finding of a baseline.
type known struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Line    string `json:"line"`
}

// A baselineHead is the first line of a baseline.
type baselineHead struct {
	Codelinter string `json:"codelinter"`
	Version    int    `json:"version"`
}

const mostBaseline = 1 << 30 // bytes

// openBaseline returns the baseline that the options name, nil for none.
func (s *settings) openBaseline(folder string) (*baseline, error) {
	name := cmp.Or(s.comparison.baseline, s.comparison.writeBaseline)
	if name == "" {
		return nil, nil
	}
	b := &baseline{name: name, folder: filepath.Dir(absoluteFrom(folder, name)), writing: s.comparison.writeBaseline != "", entries: map[known]int{}}
	if b.writing {
		return b, nil
	}
	data, err := readAny(name, nil)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %s", osErrorText(err, name))
	}
	if len(data) > mostBaseline {
		return nil, fmt.Errorf("--baseline: %s is larger than 1 GiB", name)
	}
	return b, b.parse(data)
}

func (b *baseline) parse(data []byte) error {
	row := 0
	for line := range bytes.Lines(data) {
		row++
		fault := func(expected string) error {
			return fmt.Errorf("%s:%d: expected %s, found %.80q: --write-baseline writes such a file", b.name, row, expected, strings.TrimSpace(string(line)))
		}
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if row == 1 {
			var head baselineHead
			if err := decoder.Decode(&head); err != nil || head != (baselineHead{"baseline", 1}) {
				return fault(`{"codelinter":"baseline","version":1}`)
			}
			continue
		}
		var e known
		if err := decoder.Decode(&e); err != nil || e.Path == "" || e.Code == "" {
			return fault("an object with path, code, message and line")
		}
		b.entries[e]++
	}
	if row == 0 {
		return fmt.Errorf("%s: expected a baseline, found an empty file: --write-baseline writes one", b.name)
	}
	return nil
}

// relative returns a path as the baseline has it.
func (b *baseline) relative(path string) string {
	if inside, err := filepath.Rel(b.folder, path); err == nil {
		path = inside
	}
	return filepath.ToSlash(path)
}

// rowNumber is the number of another row in a message.
var rowNumber = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`\bline \d+`) }}

func knownOf(path string, f *rule.Finding, rows *source.File) known {
	e := known{Path: path, Code: f.Code.String(), Message: rowNumber.Get().ReplaceAllString(f.Message(), "line N")}
	if row := int(f.Row); 1 <= row && row <= rows.Lines() {
		e.Line = strings.TrimFunc(rows.Line(row), pytext.IsSpace)
	}
	e.Line = strings.Clone(strings.ToValidUTF8(e.Line, "\ufffd")) // rows share the memory of the file, which is used again
	e.Message = strings.ToValidUTF8(e.Message, "\ufffd")
	return e
}

// settles reports whether a finding is known. When writing, every finding is, once it is noted.
func (b *baseline) settles(e known) bool {
	switch {
	case b.writing:
		b.entries[e]++
		return true
	case b.entries[e] > 0:
		b.entries[e]--
		return true
	}
	return false
}

// write writes the baseline's file, and returns the number of its findings.
func (b *baseline) write() (findings int, err error) {
	var list []known
	for e, n := range b.entries {
		findings += n
		for range n {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(x, y known) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Code, y.Code), cmp.Compare(x.Message, y.Message), cmp.Compare(x.Line, y.Line))
	})
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(baselineHead{"baseline", 1}); err != nil {
		return 0, err
	}
	for _, e := range list {
		if err := encoder.Encode(e); err != nil {
			return 0, err
		}
	}
	file, err := atomicfile.NewWhole(b.name, 0o644)
	if err != nil {
		return 0, err
	}
	if _, err := io.Copy(file, &out); err != nil {
		file.Abandon()
		return 0, err
	}
	return findings, file.Keep()
}

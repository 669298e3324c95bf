// Package patch reads unified diffs and takes them back from texts.
//
//	files, err := patch.Read("spam.diff", data)
//	before, err := files[0].Undo(after)
package patch

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A File is the part of a patch about one file.
type File struct {
	Name  string // the new one, without the b/ of git
	Added bool   // the file was not there before
	Row   int    // of the patch, where its first change is

	patch string // its name, for errors
	hunks []hunk
}

// A hunk is a change of consecutive rows.
type hunk struct {
	row   int // of the patch, for errors
	start int // first row of the new text, from 1
	lines []line
}

// A line has a sign: ' ', '+' or '-'.
type line struct {
	sign byte
	text []byte // with its line end
}

// Read reads a patch. name is that of the patch, for errors. Deleted files are left out, and so are
// files without a change of their text.
func Read(name string, data []byte) ([]*File, error) {
	r := reader{name: name}
	for text := range bytes.Lines(data) {
		r.row++
		if err := r.line(text); err != nil {
			return nil, err
		}
	}
	if err := r.endHunk(); err != nil {
		return nil, err
	}
	if !r.headed && len(bytes.TrimSpace(data)) > 0 {
		return nil, fmt.Errorf("%s: expected a unified diff, found a text without rows with --- and +++", name)
	}
	return r.files, nil
}

// A reader is within a patch.
type reader struct {
	name     string
	row      int
	files    []*File
	old, new string // names of the file
	headed   bool   // there was a file, perhaps without a change of its text
	isGit    bool   // names have an a/ or b/
	current  *File  // nil before its first hunk
	gone     bool   // the file was deleted
	oldLeft  int    // rows of the hunk that are still to come
	newLeft  int
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.name, r.row, fmt.Sprintf(format, args...))
}

// line reads a line of the patch.
func (r *reader) line(text []byte) error {
	switch {
	case bytes.HasPrefix(text, []byte(`\`)): // "\ No newline at end of file"
		return r.noLineEnd()
	case r.oldLeft > 0 || r.newLeft > 0:
		return r.content(text)
	case bytes.HasPrefix(text, []byte("diff --git ")):
		r.headed, r.isGit, r.current, r.old, r.new = true, true, nil, "", ""
	case bytes.HasPrefix(text, []byte("--- ")):
		r.current, r.old = nil, fileName(text[4:])
	case bytes.HasPrefix(text, []byte("+++ ")):
		r.headed, r.current, r.new = true, nil, fileName(text[4:])
	case bytes.HasPrefix(text, []byte("@@ -")):
		return r.hunk(string(text))
	}
	return nil // text around the patch
}

// fileName returns the name in the head of a file: up to a tab, after which there is a time, and
// perhaps quoted.
func fileName(text []byte) string {
	name, _, _ := strings.Cut(strings.TrimRight(string(text), "\r\n"), "\t")
	if strings.HasPrefix(name, `"`) {
		if plain, err := strconv.Unquote(name); err == nil {
			return plain
		}
	}
	return name
}

const nowhere = "/dev/null"

// begin begins the file that the last head names.
func (r *reader) begin() error {
	if r.old == "" || r.new == "" {
		return r.errorf("expected rows with --- and +++ before a change, found none")
	}
	name := r.new
	prefixed := len(name) > 2 && name[1] == '/' && (r.old == nowhere || len(r.old) > 2 && r.old[1] == '/')
	if r.gone = name == nowhere; !r.gone && (r.isGit || prefixed) && prefixed {
		name = name[2:]
	}
	r.current = &File{Name: name, Added: r.old == nowhere, Row: r.row, patch: r.name}
	if !r.gone {
		r.files = append(r.files, r.current)
	}
	return nil
}

// hunk begins a hunk: "@@ -FIRST,ROWS +FIRST,ROWS @@ words".
func (r *reader) hunk(text string) error {
	if r.current == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	ranges, _, found := strings.Cut(text[len("@@ -"):], " @@")
	before, after, both := strings.Cut(ranges, " +")
	_, oldRows, err := numbers(before)
	start, newRows, err2 := numbers(after)
	if !found || !both || err != nil || err2 != nil {
		return r.errorf("expected @@ -FIRST,ROWS +FIRST,ROWS @@, found %q", strings.TrimSpace(text))
	}
	r.oldLeft, r.newLeft = oldRows, newRows
	r.current.hunks = append(r.current.hunks, hunk{row: r.row, start: start})
	return nil
}

// numbers reads "FIRST,ROWS"; rows are 1 if only the first is there.
func numbers(text string) (first, rows int, err error) {
	start, count, both := strings.Cut(text, ",")
	if !both {
		count = "1"
	}
	if first, err = strconv.Atoi(start); err == nil {
		rows, err = strconv.Atoi(count)
	}
	if err == nil && (first < 0 || rows < 0) {
		err = strconv.ErrRange
	}
	return first, rows, err
}

// content reads a line of a hunk.
func (r *reader) content(text []byte) error {
	sign := text[0]
	if sign == '\n' || sign == '\r' { // an empty row of context whose blank an editor removed
		sign, text = ' ', append([]byte(" "), text...)
	}
	if sign != '+' {
		r.oldLeft--
	}
	if sign != '-' {
		r.newLeft--
	}
	if sign != ' ' && sign != '+' && sign != '-' || r.oldLeft < 0 || r.newLeft < 0 {
		return r.errorf("expected a row of the change that begins with a blank, + or -, found %q", strings.TrimSpace(string(text)))
	}
	h := &r.current.hunks[len(r.current.hunks)-1]
	h.lines = append(h.lines, line{sign, text[1:]})
	return nil
}

// noLineEnd removes the line end of the last row.
func (r *reader) noLineEnd() error {
	if r.current == nil || len(r.current.hunks) == 0 || len(r.current.hunks[len(r.current.hunks)-1].lines) == 0 {
		return r.errorf("expected a row of a change before this one")
	}
	h := &r.current.hunks[len(r.current.hunks)-1]
	last := &h.lines[len(h.lines)-1]
	last.text = bytes.TrimSuffix(last.text, []byte("\n"))
	return nil
}

func (r *reader) endHunk() error {
	if r.oldLeft > 0 || r.newLeft > 0 {
		return r.errorf("expected %d more rows of the change, found the end", max(r.oldLeft, r.newLeft))
	}
	return nil
}

// Undo returns the text that the patch was made for: the text before. The error is that after is
// not the text that the patch makes.
func (f *File) Undo(after []byte) ([]byte, error) {
	var before []byte
	rows := bytes.SplitAfter(after, []byte("\n"))
	next := 0 // row of after
	for _, h := range f.hunks {
		start := h.start - 1
		if h.count('-') == len(h.lines) { // of nothing in the new text, a hunk names the row before
			start = h.start
		}
		if start < next || start > len(rows) {
			return nil, f.mismatch(h, start)
		}
		for ; next < start; next++ {
			before = append(before, rows[next]...)
		}
		for _, l := range h.lines {
			if l.sign != '-' {
				if next >= len(rows) || !sameRow(rows[next], l.text) {
					return nil, f.mismatch(h, next)
				}
				next++
			}
			if l.sign == ' ' {
				before = append(before, rows[next-1]...)
			}
			if l.sign == '-' {
				before = append(before, l.text...)
			}
		}
	}
	for ; next < len(rows); next++ {
		before = append(before, rows[next]...)
	}
	return before, nil
}

func (h *hunk) count(sign byte) (n int) {
	for _, l := range h.lines {
		if l.sign == sign {
			n++
		}
	}
	return n
}

func (f *File) mismatch(h hunk, row int) error {
	return fmt.Errorf("%s:%d: the change is not in %s, row %d: expected the text after the patch", f.patch, h.row, f.Name, row+1)
}

// sameRow compares two rows. A patch may have lost carriage returns on its way.
func sameRow(a, b []byte) bool {
	return bytes.Equal(bytes.TrimSuffix(bytes.TrimSuffix(a, []byte("\n")), []byte("\r")), bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r")))
}

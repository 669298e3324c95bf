package flake8

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
)

// This file reads configuration files as Python's configparser does for flake8:
//
//	[flake8]
//	# a comment
//	max-line-length = 100
//	ignore =
//	    E203,
//	    W503
//
// No other reader of such files is used, because configparser differs from all of them. A line that
// is indented deeper than its option continues the value, even with an =. There are no comments
// after a value. Sections and options may not be repeated. All sections have the options of
// [DEFAULT]. Nothing is expanded or unquoted. The errors have configparser's messages.

const maxConfig = 4 << 20 // bytes of a configuration file

// A configuration is the content of one or several files by sections, later files over
// earlier ones. All sections have the options of defaultSection.
type configuration map[string]*section

const defaultSection = "DEFAULT"

// A section is a list of options in the order of their first appearance.
type section struct {
	keys     []string
	values   map[string]string
	comments map[string]string   // what looks like a comment in a value, see inlineComment
	lists    map[string][]string // the elements of values that are lists in a TOML file
	folders  bool                // plugins is a text or a list in a TOML file, which no other tool reads
}

func newSection() *section {
	return &section{values: map[string]string{}, comments: map[string]string{}, lists: map[string][]string{}}
}

func (s *section) set(key, value string) {
	if _, known := s.values[key]; !known {
		s.keys = append(s.keys, key)
	}
	s.values[key] = value
	delete(s.comments, key)
	delete(s.lists, key)
}

// add adds the options of another section.
func (s *section) add(other *section) {
	for _, key := range other.keys {
		s.set(key, other.values[key])
		if comment := other.comments[key]; comment != "" {
			s.comments[key] = comment
		}
		if list, is := other.lists[key]; is {
			s.lists[key] = list
		}
	}
}

// dropComments removes what looks like a comment from all values.
func (s *section) dropComments() {
	for key := range s.comments {
		s.set(key, withoutComments(s.values[key]))
	}
}

// section returns the options of a section, and then those of [DEFAULT] that it does not have. A
// section that does not exist has no options.
func (c configuration) section(name string) *section {
	all := newSection()
	if c[name] == nil {
		return all
	}
	all.folders = c[name].folders
	all.add(c[name])
	if c[defaultSection] != nil {
		all.add(c[defaultSection])
		all.add(c[name]) // which wins
	}
	return all
}

// A configError is a fault in a configuration. flake8 crashes with a traceback whose last line ends
// in this text.
type configError struct {
	text string
	// unparseable reports whether flake8 ignores a file with this fault, if it found
	// the file by itself.
	unparseable bool
}

func (e *configError) Error() string { return e.text }

func configErrorf(format string, args ...any) *configError {
	return &configError{text: fmt.Sprintf(format, args...)}
}

// read adds the file of that name. It reports whether the file can be read.
func (c configuration) read(name string) (found bool, err error) {
	data, err := readConfigFile(name)
	switch {
	case err == errLargeConfig:
		return true, configErrorf("%s: %v", name, err)
	case err != nil:
		return false, nil
	}
	if at := invalidUTF8(data); at >= 0 {
		return true, &configError{text: decodeError(data, at), unparseable: true}
	}
	return true, c.parse(string(data), name)
}

func readConfigFile(name string) ([]byte, error) {
	// Without O_NONBLOCK, a pipe that nobody writes to would hold the process up, and ^C.
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errors.New("is a directory")
	}
	data, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err == nil && len(data) > maxConfig {
		err = errLargeConfig
	}
	return data, err
}

// errLargeConfig is the error for a file that is too large for a configuration, such as an endless
// device. Reading a part of it would be guessing.
var errLargeConfig = fmt.Errorf("expected a configuration file of %d MiB at most, found a larger one", maxConfig>>20)

// parse adds the options of text, the content of the file of that name.
func (c configuration) parse(text, name string) error {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	r := configReader{file: configuration{}, name: name}
	for line := range strings.Lines(text) {
		r.row++
		if err := r.line(line); err != nil {
			return err
		}
	}
	r.store()
	if r.wrong.Len() > 0 {
		return &configError{
			text:        "Source contains parsing errors: " + pythonRepr(name) + r.wrong.String(),
			unparseable: true,
		}
	}
	for title, section := range r.file {
		if c[title] == nil {
			c[title] = newSection()
		}
		c[title].add(section)
	}
	return nil
}

// A configReader is within one file.
type configReader struct {
	file    configuration // what is read so far
	name    string
	row     int
	wrong   strings.Builder // lines that are neither
	section *section
	title   string
	key     string          // option that may be continued, "" for none
	value   strings.Builder // of key, so far
	indent  int             // of key
}

// store ends the option that is being read.
func (r *configReader) store() {
	if r.key != "" {
		value := strings.TrimRightFunc(r.value.String(), pytext.IsSpace)
		r.section.set(r.key, value)
		if comment := inlineComment(value); comment != "" {
			r.section.comments[r.key] = comment
		}
	}
	r.key = ""
	r.value.Reset()
}

func (r *configReader) line(line string) error {
	clean := strings.TrimFunc(line, pytext.IsSpace)
	switch {
	case clean == "":
		if r.key != "" {
			r.value.WriteByte('\n')
		}
		return nil
	case clean[0] == '#' || clean[0] == ';':
		return nil
	}
	indent := utf8.RuneCountInString(line[:strings.IndexFunc(line, isNoSpace)])
	if r.key != "" && indent > r.indent {
		r.value.WriteByte('\n')
		r.value.WriteString(clean)
		return nil
	}
	r.indent = indent
	if title, found := cutTitle(clean); found {
		r.store()
		return r.header(title)
	}
	if r.section == nil {
		return &configError{
			text: fmt.Sprintf("File contains no section headers.\nfile: %s, line: %d\n%s",
				pythonRepr(r.name), r.row, pythonRepr(line)),
			unparseable: true,
		}
	}
	return r.option(clean, line)
}

// cutTitle returns the text between the first character, a [, and the last ].
func cutTitle(line string) (title string, found bool) {
	end := strings.LastIndexByte(line, ']')
	if line[0] != '[' || end < 2 {
		return "", false
	}
	return line[1:end], true
}

func (r *configReader) header(title string) error {
	if r.file[title] != nil && title != defaultSection {
		return configErrorf("While reading from %s [line %2d]: section %s already exists",
			pythonRepr(r.name), r.row, pythonRepr(title))
	}
	if r.file[title] == nil {
		r.file[title] = newSection()
	}
	r.title, r.section = title, r.file[title]
	return nil
}

// option begins an option: all up to the first = or :, and the value after it.
func (r *configReader) option(clean, line string) error {
	at := strings.IndexAny(clean, "=:")
	if at <= 0 {
		fmt.Fprintf(&r.wrong, "\n\t[line %2d]: %s", r.row, pythonRepr(line))
	}
	if at < 0 {
		return nil // the previous option continues
	}
	r.store()
	key := strings.ToLower(strings.TrimRightFunc(clean[:at], pytext.IsSpace))
	if _, known := r.section.values[key]; known {
		return configErrorf("While reading from %s [line %2d]: option %s in section %s already exists",
			pythonRepr(r.name), r.row, pythonRepr(key), pythonRepr(r.title))
	}
	r.section.set(key, "")
	r.key = key
	r.value.WriteString(strings.TrimFunc(clean[at+1:], pytext.IsSpace))
	return nil
}

// inlineComment returns the first text in a value that people would take for a comment: what
// follows a # or ; after a blank. To configparser, and so to flake8, it is a part of the value. It
// returns "" if there is none.
func inlineComment(value string) string {
	for row := range strings.SplitSeq(value, "\n") {
		if at := commentStart(row); at < len(row) {
			return row[at:]
		}
	}
	return ""
}

// withoutComments returns a value without these texts.
func withoutComments(value string) string {
	rows := strings.Split(value, "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRightFunc(row[:commentStart(row)], pytext.IsSpace)
	}
	return strings.Join(rows, "\n")
}

// commentStart returns the offset at which the comment in a row begins, or its length.
func commentStart(row string) int {
	blank := true
	for i, c := range row {
		if blank && (c == '#' || c == ';') {
			return i
		}
		blank = pytext.IsSpace(c)
	}
	return len(row)
}

func isNoSpace(r rune) bool { return !pytext.IsSpace(r) }

// invalidUTF8 returns the offset of the first byte that is not UTF-8, -1 if
// there is none.
func invalidUTF8(data []byte) int {
	for i, r := range string(data) {
		if r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte(string(r))) {
			return i
		}
	}
	return -1
}

// decodeError returns the message of Python's UTF-8 decoder for the byte at offset at.
func decodeError(data []byte, at int) string {
	c, reason := data[at], "invalid start byte"
	if 0xc2 <= c && c <= 0xf4 {
		reason = "invalid continuation byte"
		if !utf8.FullRune(data[at:]) {
			reason, at = "unexpected end of data", 0 // CPython counts from the bytes it had put aside
		}
	}
	return fmt.Sprintf("'utf-8' codec can't decode byte 0x%02x in position %d: %s", c, at, reason)
}

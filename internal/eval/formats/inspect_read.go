package formats

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
)

// inspectReader reads a log of inspect_ai: an object with samples, or an archive
// with a file for each. A task's samples are its epochs.
//
//	{"id": 7, "epoch": 1, "output": {"choices": [{"message": {"content": "..."}}]}}
//
// A sample that failed before the model answered has no choices. The log's head names the tasks
// that were asked, with --limit the first ones. After a run that was cancelled some of them have no
// sample.
//
//	{"eval": {"dataset": {"samples": 121, "sample_ids": [7, 8]}}}
type inspectReader struct {
	choices
	failed int
	ids    []task.ID // of the head
}

// newInspectReader returns a reader of a log whose head begins so. Ids of other kinds than those of
// tasks are left out, and so are all if the head is cut within them.
func newInspectReader(head []byte) *inspectReader {
	r := new(inspectReader)
	ids := pyjson.Get(pyjson.Get(pyjson.Get(bytes.TrimSpace(head), "eval"), "dataset"), "sample_ids")
	if pyjson.Kind(ids) == "a list" {
		pyjson.Items(ids, func(_ int, item []byte) error {
			if id := task.ID(""); isID(item) && id.UnmarshalJSON(item) == nil {
				r.ids = append(r.ids, id)
			}
			return nil
		})
	}
	return r
}

func (l *inspectReader) asked() []task.ID { return l.ids }

// An answer's order is its epoch times maxChoices, plus its position among the
// row's choices.
const (
	maxChoices = 1 << 10
	maxEpoch   = math.MaxInt32/maxChoices - 1
)

func (l *inspectReader) answers(row rows.Row, f func(answer) error) error {
	fields, err := row.Find("id", "epoch", "output")
	if err != nil {
		return err
	}
	var a answer
	if err = row.ID("id", fields["id"], &a.id); err != nil {
		return err
	}
	number, output := fields["epoch"], fields["output"]
	epoch, err := strconv.ParseUint(string(number), 10, 31)
	switch {
	case number == nil:
		return row.Missing("epoch", "an integer")
	case err != nil || epoch > maxEpoch:
		return row.Errorf("epoch: expected an integer up to %d, found %.40s", maxEpoch, number)
	case pyjson.Kind(output) != "an object":
		return row.Missing("output", "an object")
	}
	a.order = int32(epoch) * maxChoices
	n, err := l.each(row, "output.choices", pyjson.Get(output, "choices"), a, f)
	if n == 0 && err == nil {
		l.failed++
		err = f(a)
	}
	return err
}

func (l *inspectReader) notes() []string {
	return append(numbered("samples without an output, as their runs ended in errors: %d", l.failed), l.choices.notes()...)
}

// numbered returns a note on a number, unless it is 0.
func numbered(format string, n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf(format, n)}
}

// choices reads the choices of models' outputs.
type choices struct{ silent int } // messages without content

func (c *choices) notes() []string {
	return numbered("messages without content, as of a model that only thought, taken for empty answers: %d", c.silent)
}

// each calls f for the answers in a list of choices, and returns their number. The first has the
// order of a, the others the next ones.
//
//	[{"message": {"content": "..."}}, {"message": {"content": [{"type": "text", "text": "..."}]}}, {"text": "..."}]
func (c *choices) each(row rows.Row, field string, list []byte, a answer, f func(answer) error) (n int, err error) {
	if !pyjson.Present(list) {
		return 0, nil
	}
	if list[0] != '[' {
		return 0, row.Errorf("%s: expected a list, found %s", field, pyjson.Kind(list))
	}
	first := a.order
	err = pyjson.Items(list, func(i int, choice []byte) error {
		a.order = first + int32(n)
		if n++; n > maxChoices {
			return row.Errorf("%s: expected %d at most, found more", field, maxChoices)
		}
		fields, _ := pyjson.Find(choice, "message", "text")
		message, content := fields["message"], fields["text"]
		place := fmt.Sprintf("%s[%d].message", field, i)
		switch {
		case pyjson.Present(message) && message[0] != '{':
			return row.Errorf("%s: expected an object, found %s", place, pyjson.Kind(message))
		case pyjson.Present(message):
			place += ".content"
			content = pyjson.Get(message, "content")
		case content == nil:
			return row.Missing(place, "an object")
		default:
			place = fmt.Sprintf("%s[%d].text", field, i)
		}
		if a.text, err = contentText(row, place, content); err != nil {
			return err
		}
		if a.text == nil {
			c.silent++
			a.text = []byte(`""`)
		}
		return f(a)
	})
	return n, err
}

// contentText returns a message's text as a JSON string: its text parts, joined
// with newlines. It is nil if there are none.
func contentText(row rows.Row, place string, content []byte) ([]byte, error) {
	switch {
	case !pyjson.Present(content):
		return nil, nil
	case content[0] == '"':
		return content, nil
	case content[0] != '[':
		return nil, row.Errorf("%s: expected a text or a list, found %s", place, pyjson.Kind(content))
	}
	var parts [][]byte
	err := pyjson.Items(content, func(i int, part []byte) error {
		fields, _ := pyjson.Find(part, "type", "text")
		of, text := fields["type"], fields["text"]
		if part[0] == '"' {
			of, text = []byte(`"text"`), part
		}
		if string(of) != `"text"` {
			return nil // another kind of part: thoughts, pictures
		}
		if pyjson.Kind(text) != "a text" {
			return row.Errorf("%s[%d].text: expected a text, found %s", place, i, pyjson.Kind(text))
		}
		parts = append(parts, text[1:len(text)-1])
		return nil
	})
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte{'"'}, bytes.Join(parts, []byte(`\n`)), []byte{'"'}), nil
}

// isInspect reports whether an archive is a log of inspect_ai.
func isInspect(archive *zip.Reader) bool {
	return slices.ContainsFunc(archive.File, func(file *zip.File) bool {
		return file.Name == "_journal/start.json" || file.Name == "header.json"
	})
}

// inspectHead returns the head of the log in an archive: header.json, or that of a run that did not
// end.
func inspectHead(name string, archive *zip.Reader) ([]byte, error) {
	var head []byte
	for _, file := range archive.File {
		if file.Name != "header.json" && (file.Name != "_journal/start.json" || head != nil) {
			continue
		}
		r, err := openEntry(name, file)
		if err != nil {
			return nil, err
		}
		head, err = io.ReadAll(io.LimitReader(r, headBytes))
		r.Close()
		if err != nil {
			return nil, &rows.Error{File: entryName(name, file), Err: err}
		}
	}
	return head, nil
}

// inspectFiles are the samples' files in an archive. A sample that was run again
// has several files of one name, and the last one counts.
type inspectFiles struct {
	name  string
	files []*zip.File
	all   packed.Bounded // bounds the sum of all files
	text  bytes.Buffer
}

func newInspectFiles(name string, archive *zip.Reader, read func() int64) *inspectFiles {
	last := map[string]int{}
	files := &inspectFiles{name: name, all: packed.Bounded{Packed: read}}
	for _, file := range archive.File {
		// samples/7_epoch_1.json, or samples/7_epoch_1/sample.json beside its parts
		base, ok := strings.CutSuffix(strings.TrimSuffix(file.Name, ".json"), "/sample")
		if !ok {
			base, ok = strings.CutSuffix(file.Name, ".json")
		}
		if underscore := strings.LastIndexByte(base, '_'); !ok || !strings.HasPrefix(base, "samples/") || !isEpoch(base[:underscore+1], base[underscore+1:]) {
			continue
		}
		if i, again := last[base]; again {
			files.files[i] = file
			continue
		}
		last[base] = len(files.files)
		files.files = append(files.files, file)
	}
	slices.SortFunc(files.files, func(a, b *zip.File) int { return cmp.Compare(offset(a), offset(b)) })
	return files
}

func isEpoch(name, number string) bool {
	_, err := strconv.ParseUint(number, 10, 31)
	return err == nil && strings.HasSuffix(name, "_epoch_")
}

// offset is where a file's data begin in its archive. Files are read in this order.
func offset(file *zip.File) int64 {
	at, _ := file.DataOffset()
	return at
}

func (f *inspectFiles) Next() (row rows.Row, err error) {
	if len(f.files) == 0 {
		return row, io.EOF
	}
	file := f.files[0]
	f.files = f.files[1:]
	row.File = entryName(f.name, file)
	r, err := openEntry(f.name, file)
	if err != nil {
		return row, err
	}
	defer r.Close()
	f.text.Reset()
	f.all.Reader = r
	switch _, err = f.text.ReadFrom(io.LimitReader(&f.all, rows.MaxLength+1)); {
	case err != nil:
		return row, &rows.Error{File: row.File, Err: err}
	case f.text.Len() > rows.MaxLength:
		return row, row.Errorf("expected a file of %d MiB at most, found a longer one", rows.MaxLength>>20)
	}
	if row.Text = bytes.Trim(f.text.Bytes(), pyjson.Blanks); len(row.Text) == 0 {
		return row, row.Errorf("expected a JSON object, found an empty file")
	}
	return row, nil
}

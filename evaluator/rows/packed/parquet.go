package packed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"codelinter/evaluator/rows"
)

// maxParquet is how many bytes of Parquet are read into memory from what is not a file.
const maxParquet = 1 << 30

// IsParquet reports whether a file that begins with head is Parquet.
func IsParquet(head []byte) bool { return bytes.HasPrefix(head, []byte("PAR1")) }

// parquetRows are the rows of a Parquet file, as JSON: groups are objects and
// repeated columns lists.
type parquetRows struct {
	name   string
	reader *parquet.GenericReader[any]
	batch  []any
	left   []any // of the batch
	row    int
	end    error // after the batch
	text   bytes.Buffer
}

func newParquet(name string, file io.ReaderAt, size int64) (table rows.Reader, err error) {
	defer recoverParquet(name, 0, &err)
	opened, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, notParquet(name, 0, err)
	}
	return &parquetRows{
		name:   name,
		reader: parquet.NewGenericReader[any](opened),
		batch:  make([]any, 64),
	}, nil
}

// recoverParquet turns a panic into an error: the library trusts much of what a file
// says about itself.
func recoverParquet(name string, row int, err *error) {
	if r := recover(); r != nil {
		*err = notParquet(name, row, fmt.Errorf("%v", r))
	}
}

func notParquet(name string, row int, err error) error {
	return &rows.Error{File: name, Row: row, Err: fmt.Errorf("expected a whole Parquet file: %w", err)}
}

func (p *parquetRows) Next() (line rows.Row, err error) {
	if len(p.left) == 0 {
		if err := p.read(); err != nil {
			return rows.Row{}, err
		}
	}
	p.row++
	line = rows.Row{File: p.name, Number: p.row}
	row, ok := plain(p.left[0])
	p.left = p.left[1:]
	if !ok {
		return line, line.Errorf("expected UTF-8, found other bytes")
	}
	p.text.Reset()
	encoder := json.NewEncoder(&p.text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(row); err != nil {
		return line, line.Errorf("%v", err)
	}
	line.Text = bytes.TrimSpace(p.text.Bytes())
	return line, nil
}

// read fills the batch.
func (p *parquetRows) read() (err error) {
	defer recoverParquet(p.name, p.row+1, &err)
	for {
		if p.end == io.EOF {
			return io.EOF
		}
		if p.end != nil {
			return notParquet(p.name, p.row+1, p.end)
		}
		clear(p.batch)
		n, err := p.reader.Read(p.batch)
		p.left, p.end = p.batch[:n], err
		if n > 0 {
			return nil
		}
		if err == nil {
			p.end = io.ErrNoProgress
		}
	}
}

// plain turns a value into what JSON can write: texts need not be marked as such
// in a schema, and a column that a row leaves out is no field of it. ok is false
// if a text is not UTF-8.
func plain(value any) (_ any, ok bool) {
	switch value := value.(type) {
	case []byte:
		return string(value), utf8.Valid(value)
	case string:
		return value, utf8.ValidString(value)
	case []any:
		for i := range value {
			if value[i], ok = plain(value[i]); !ok {
				return nil, false
			}
		}
	case map[string]any:
		for key, item := range value {
			if item == nil {
				delete(value, key)
				continue
			}
			if value[key], ok = plain(item); !ok {
				return nil, false
			}
		}
	}
	return value, true
}

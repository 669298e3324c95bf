package packed

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"codelinter/internal/parquet"
	"codelinter/internal/rows"
)

// maxParquet is how many bytes of Parquet are read into memory from what is not a file.
const maxParquet = 1 << 30

// IsParquet reports whether a file that begins with head is Parquet.
func IsParquet(head []byte) bool { return bytes.HasPrefix(head, []byte("PAR1")) }

// parquetRows are the rows of a Parquet file, as JSON: groups are objects and
// repeated columns lists.
type parquetRows struct {
	name   string
	reader *parquet.Reader
	row    int
}

func newParquet(name string, file io.ReaderAt, size int64, fields []string) (rows.Reader, error) {
	reader, err := parquet.Open(file, size, rows.MaxLength)
	if err != nil {
		return nil, notParquet(name, 0, err)
	}
	reader.Select(fields...)
	return &parquetRows{name: name, reader: reader}, nil
}

func notParquet(name string, row int, err error) error {
	return &rows.Error{File: name, Row: row, Err: fmt.Errorf("expected a whole Parquet file: %w", err)}
}

func (p *parquetRows) Next() (rows.Row, error) {
	row := rows.Row{File: p.name, Number: p.row + 1}
	text, err := p.reader.Next()
	switch {
	case err == nil:
		p.row++
		row.Text = text
		return row, nil
	case err == io.EOF:
		return rows.Row{}, io.EOF
	case errors.As(err, new(*parquet.ValueError)):
		p.row++
		return row, row.Errorf("%v", err)
	case errors.As(err, new(*parquet.BoundError)):
		return row, row.Errorf("%v", err)
	}
	return rows.Row{}, notParquet(p.name, p.row+1, err)
}

package parquet

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Reader reads the rows of a file.
type Reader struct {
	metadata metadata
	columns  []*column
	root     *node
	maxRow   int

	group  rowGroup
	row    int64 // rows of the group that were read
	values int   // of the row that were read, with lists and objects
	err    error // after which there are no rows

	text  []byte
	fault error // the first value of the row that is no JSON
}

// A ValueError is a value that JSON does not have. It concerns its row alone: those
// after it can be read.
type ValueError struct {
	Column string // the names of the fields around the value and its own, with points between them
	Err    error  // what was expected
}

// Error returns what was expected and the column.
func (e *ValueError) Error() string { return fmt.Sprintf("%v in column %s", e.Err, e.Column) }

// Unwrap returns Err.
func (e *ValueError) Unwrap() error { return e.Err }

// A BoundError is a row that becomes more than rows may. No row after it can be read.
type BoundError struct {
	Most int
	Unit string // "MiB" or "values"
}

// Error returns what was expected.
func (e *BoundError) Error() string {
	return fmt.Sprintf("expected a row of %d %s at most after unpacking, found more", e.Most, e.Unit)
}

// Open returns a reader of the rows in a file of some bytes, of which none is longer
// than maxRow bytes of JSON. The errors say what was expected of the file.
func Open(file io.ReaderAt, size int64, maxRow int) (_ *Reader, err error) {
	defer recovered(&err)
	footer, end, err := readFooter(file, size)
	if err != nil {
		return nil, err
	}
	r := &Reader{maxRow: maxRow}
	if r.metadata, err = readMetadata(footer); err != nil {
		return nil, err
	}
	schema := schemaBuilder{left: r.metadata.elements}
	root, err := schema.tree(nil, 0)
	if err != nil {
		return nil, err
	}
	if len(schema.left) > 0 {
		return nil, fmt.Errorf("expected one root of the schema, found %d fields beside it", len(schema.left))
	}
	if r.root, err = schema.item(root); err != nil {
		return nil, err
	}
	r.columns = schema.columns
	r.metadata.elements = nil
	memory := newMemory(file, size, end)
	r.maxRow = int(min(int64(maxRow), memory.limit))
	for _, c := range r.columns {
		c.memory = memory
	}
	return r, nil
}

// Select leaves out all columns but those of the root's fields of these names, before the
// first row is read: of others nothing is read or checked. If there is none of
// these fields, or none is given, all columns stay.
func (r *Reader) Select(names ...string) {
	var kept []field
	for _, f := range r.root.fields {
		if slices.Contains(names, f.column) {
			kept = append(kept, f)
		}
	}
	if len(kept) == 0 {
		return
	}
	r.root.fields = kept
	for _, c := range r.columns {
		c.unused = true
	}
	for _, f := range kept {
		for _, c := range f.node.columns {
			c.unused = false
		}
	}
}

// recovered turns a panic into an error, should there be one after all: in the libraries
// that decompress.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}

// Next returns the next row as a JSON object, valid until the next call, or io.EOF after
// the last. Fields stand sorted by name, and those that are null are left out; so are
// not the items of lists. After an error other than a [*ValueError] it returns the same
// again.
func (r *Reader) Next() ([]byte, error) {
	if r.err == nil {
		r.err = r.next()
	}
	if r.err != nil {
		return nil, r.err
	}
	if r.fault != nil {
		return nil, r.fault
	}
	return r.text, nil
}

func (r *Reader) next() (err error) {
	defer recovered(&err)
	for r.row == r.group.rows {
		if err := r.nextGroup(); err != nil {
			return err
		}
	}
	r.row++
	r.text, r.fault, r.values = r.text[:0], nil, 0
	return r.value(r.root, 0)
}

// nextGroup ends a row group and opens the next.
func (r *Reader) nextGroup() error {
	if r.group.chunks != nil {
		for _, c := range r.columns {
			if c.unused {
				continue
			}
			if err := c.peek(); err != nil {
				return err
			}
			if c.ready {
				return c.fault(fmt.Errorf("expected values of %d rows, found more", r.group.rows))
			}
		}
	}
	if r.metadata.count == 0 {
		return io.EOF
	}
	if err := r.metadata.nextGroup(&r.group); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	r.row = 0
	if len(r.group.chunks) != len(r.columns) {
		return fmt.Errorf("expected a row group of %d columns as in the schema, found %d", len(r.columns), len(r.group.chunks))
	}
	if len(r.columns) == 0 && r.group.rows > 0 {
		return errors.New("expected columns, found rows without any")
	}
	for i, c := range r.columns {
		if c.unused {
			continue
		}
		if err := c.open(r.group.chunks[i]); err != nil {
			return c.fault(err)
		}
	}
	return nil
}

// maxValues bounds the values of a row. A value may take no bytes of the file at all, so
// that a hundred of them become millions.
const maxValues = 1 << 22

// bound counts one more value of the row, and returns an error if they or its bytes are
// too many.
func (r *Reader) bound() error {
	switch r.values++; {
	case r.values > maxValues:
		return &BoundError{maxValues, "values"}
	case len(r.text) > r.maxRow:
		return &BoundError{r.maxRow >> 20, "MiB"}
	}
	return nil
}

// value appends the next value of a node, which is not null. What the columns have of it
// begins at a repetition level.
func (r *Reader) value(n *node, repetition int) error {
	if err := r.bound(); err != nil {
		return err
	}
	switch n.shape {
	case shapeLeaf:
		return r.leaf(n, repetition)
	case shapeObject:
		return r.object(n, repetition)
	}
	return r.list(n, repetition)
}

func (r *Reader) leaf(n *node, repetition int) error {
	if err := n.column.take(repetition, n.definition); err != nil {
		return err
	}
	value, err := n.column.values.next()
	if err != nil {
		return n.column.fault(err)
	}
	text, err := n.append(r.text, value)
	if err == nil {
		r.text = text
	} else if r.fault == nil {
		r.fault = &ValueError{n.column.element.String(), err}
	}
	return nil
}

func (r *Reader) object(n *node, repetition int) error {
	r.text = append(r.text, '{')
	empty := len(r.text)
	for i := range n.fields {
		f := &n.fields[i]
		null, err := r.null(f.node, repetition)
		if err != nil {
			return err
		}
		if null {
			continue
		}
		if len(r.text) > empty {
			r.text = append(r.text, ',')
		}
		r.text = append(r.text, f.name...)
		if err := r.value(f.node, repetition); err != nil {
			return err
		}
	}
	r.text = append(r.text, '}')
	return nil
}

// list appends a list, or a map: a list of keys and values.
func (r *Reader) list(n *node, repetition int) error {
	ends := "[]"
	if n.shape == shapeMap {
		ends = "{}"
	}
	r.text = append(r.text, ends[0])
	first := n.columns[0]
	if err := first.peek(); err != nil {
		return err
	}
	if first.ready && first.definition < n.item {
		if err := skip(n, repetition, n.item-1); err != nil {
			return err
		}
		r.text = append(r.text, ends[1])
		return nil
	}
	for {
		if n.shape == shapeMap {
			if null, err := r.null(n.key, repetition); err != nil {
				return err
			} else if null {
				return n.key.column.fault(errors.New("expected keys, found null"))
			}
			if err := r.value(n.key, repetition); err != nil {
				return err
			}
			r.text = append(r.text, ':')
		}
		null, err := r.null(n.value, repetition)
		switch {
		case err != nil:
			return err
		case null:
			r.text = append(r.text, "null"...)
			if err := r.bound(); err != nil {
				return err
			}
		default:
			if err := r.value(n.value, repetition); err != nil {
				return err
			}
		}
		if err := first.peek(); err != nil {
			return err
		}
		if !first.ready || first.repetition != n.repetition {
			r.text = append(r.text, ends[1])
			return nil
		}
		r.text = append(r.text, ',')
		repetition = n.repetition
	}
}

// null reports whether the next value of a node is null, and passes over it if it is.
func (r *Reader) null(n *node, repetition int) (bool, error) {
	if !n.optional {
		return false, nil
	}
	first := n.columns[0]
	if err := first.peek(); err != nil {
		return false, err
	}
	if !first.ready || first.definition >= n.definition {
		return false, nil
	}
	return true, skip(n, repetition, n.definition-1)
}

// skip passes over a value in all columns of a node, at which the node is not there.
func skip(n *node, repetition, definition int) error {
	for _, c := range n.columns {
		if err := c.take(repetition, definition); err != nil {
			return err
		}
	}
	return nil
}

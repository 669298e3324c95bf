package packed

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// Parquet does not store whole rows. Each leaf of the schema is a column of values, and
// each value has two numbers. The definition level says how many of the optional and
// repeated fields on the path to the leaf are present. The repetition level says which
// repeated field begins a new item; 0 begins a new row. (Melnik et al. 2010, Dremel:
// Interactive Analysis of Web-Scale Datasets.) To assemble a row, the table walks
// through the schema: a field takes the next values of its columns, and their levels
// must agree.

// A table gives the rows of a Parquet file as JSON objects. Fields are sorted by name.
// Null fields are omitted; null list items are kept.
type table struct {
	file    io.ReaderAt
	size    int64
	groups  []format.RowGroup // those that were not opened yet
	columns []*column
	root    *node
	left    int64 // rows left in the row group
	text    []byte
	values  int   // values in the row, lists and objects included
	fault   error // the row's first value that JSON cannot express
}

// A boundError says which bound a row exceeds.
type boundError string

func (e boundError) Error() string {
	return fmt.Sprintf("expected a row of %s at most after unpacking, found more", string(e))
}

// openTable opens a file of size bytes. If the file has any of the named columns, the
// others are not read.
func openTable(file io.ReaderAt, size int64, names []string) (_ *table, err error) {
	defer recovered(&err)
	metadata, err := readMetadata(file, size)
	if err != nil {
		return nil, err
	}
	root, err := readSchema(metadata.Schema)
	if err != nil {
		return nil, err
	}
	t := &table{file: file, size: size, groups: metadata.RowGroups}
	var schema schema
	if t.root, err = schema.item(root); err != nil {
		return nil, err
	}
	t.columns = schema.columns
	unnamed := func(f field) bool { return !slices.Contains(names, f.column) }
	if kept := slices.DeleteFunc(slices.Clone(t.root.fields), unnamed); len(kept) > 0 {
		t.root.fields = kept
	}
	for _, f := range t.root.fields {
		for _, c := range f.node.columns {
			c.used = true
		}
	}
	return t, nil
}

// recovered turns a panic of the library into an error.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}

// next returns the next row, valid until the next call, or io.EOF. If it sets fault, the
// row has a value that JSON cannot express; the next rows can still be read.
func (t *table) next() (_ []byte, err error) {
	defer recovered(&err)
	for t.left == 0 {
		if err := t.nextGroup(); err != nil {
			return nil, err
		}
	}
	t.left--
	t.text, t.fault, t.values = t.text[:0], nil, 0
	err = t.value(t.root, 0)
	return t.text, err
}

// nextGroup ends a row group and opens the next.
func (t *table) nextGroup() error {
	for _, c := range t.columns {
		if v, err := c.peek(); err != nil || v != nil {
			return cmp.Or(err, c.fault(errors.New("expected fewer values")))
		}
	}
	if len(t.groups) == 0 {
		return io.EOF
	}
	group := &t.groups[0]
	t.groups = t.groups[1:]
	t.left = group.NumRows
	switch {
	case t.left < 0:
		return fmt.Errorf("expected rows, found %d", t.left)
	case len(group.Columns) != len(t.columns):
		return fmt.Errorf("expected %d columns in a row group, found %d", len(t.columns), len(group.Columns))
	case len(t.columns) == 0 && t.left > 0:
		return errors.New("expected columns, found rows without any")
	}
	for i, c := range t.columns {
		if !c.used {
			continue
		}
		if err := c.open(t.file, t.size, &group.Columns[i].MetaData); err != nil {
			return c.fault(err)
		}
	}
	return nil
}

// maxValues bounds the values of a row. A value may take no bytes of the file, so a
// hundred bytes may become millions of values.
const maxValues = 1 << 22

// bound counts a value of the row. It returns an error if the values or their bytes are
// too many.
func (t *table) bound() error {
	switch t.values++; {
	case t.values > maxValues:
		return boundError(fmt.Sprint(maxValues, " values"))
	case len(t.text) > rows.MaxLength:
		return boundError(fmt.Sprint(rows.MaxLength>>20, " MiB"))
	}
	return nil
}

// value appends the next value of a node, which is not null. The columns' values for it
// begin with a repetition level.
func (t *table) value(n *node, repetition int) error {
	if err := t.bound(); err != nil {
		return err
	}
	switch {
	case n.leaf != nil:
		v, err := n.columns[0].take(repetition, n.definition)
		if err != nil {
			return err
		}
		text, err := appendValue(t.text, v, n.leaf)
		if err == nil {
			t.text = text
		} else if t.fault == nil {
			t.fault = fmt.Errorf("%w in column %s", err, n.columns[0].name)
		}
		return nil
	case n.list != nil:
		return t.list(n, repetition)
	}
	t.text = append(t.text, '{')
	empty := len(t.text)
	for _, f := range n.fields {
		if null, err := f.node.null(repetition); err != nil {
			return err
		} else if null {
			continue
		}
		if len(t.text) > empty {
			t.text = append(t.text, ',')
		}
		t.text = append(t.text, f.name...)
		if err := t.value(f.node, repetition); err != nil {
			return err
		}
	}
	t.text = append(t.text, '}')
	return nil
}

// list appends a list, or a map: a list of keys and values.
func (t *table) list(n *node, repetition int) error {
	ends := "[]"
	if n.key != nil {
		ends = "{}"
	}
	t.text = append(t.text, ends[0])
	first := n.columns[0]
	v, err := first.peek()
	if v != nil && v.definition < n.item {
		err = n.skip(repetition, n.item-1)
		t.text = append(t.text, ends[1])
		return err
	}
	for err == nil {
		if n.key != nil {
			if err := t.name(n.key, repetition); err != nil {
				return err
			}
		}
		var null bool
		if null, err = n.list.null(repetition); err != nil {
			return err
		} else if null {
			t.text = append(t.text, "null"...)
			err = t.bound()
		} else {
			err = t.value(n.list, repetition)
		}
		if err != nil {
			return err
		}
		if v, err = first.peek(); v == nil || v.repetition != n.repetition {
			break
		}
		t.text = append(t.text, ',')
		repetition = n.repetition
	}
	t.text = append(t.text, ends[1])
	return err
}

// name appends the next key of a map as a field name.
func (t *table) name(key *node, repetition int) error {
	start := len(t.text)
	null, err := key.null(repetition)
	if null {
		err = key.columns[0].fault(errors.New("expected keys, found null"))
	} else if err == nil {
		err = t.value(key, repetition)
	}
	if err != nil {
		return err
	}
	if value := string(t.text[start:]); !strings.HasPrefix(value, `"`) {
		t.text = pyjson.AppendText(t.text[:start], value)
	}
	t.text = append(t.text, ':')
	return nil
}

// A node is a JSON value in the rows, with the levels that determine it.
type node struct {
	columns []*column // its leaves, at least one

	// An optional node is present if the definition level is definition, and null if it
	// is lower. A list has items if the level is item. Items after the first have the
	// repetition level repetition.
	optional         bool
	definition       int
	item, repetition int

	leaf   *format.SchemaElement
	fields []field // of an object, sorted by name
	list   *node   // the items of a list or a map's values
	key    *node   // of a map
}

// A field is a field of an object.
type field struct {
	column string // its name
	name   []byte // as JSON, with the colon
	node   *node
}

// null reports whether the next value of a node is null, and skips it if so.
func (n *node) null(repetition int) (bool, error) {
	if !n.optional {
		return false, nil
	}
	v, err := n.columns[0].peek()
	if v == nil || v.definition >= n.definition {
		return false, err
	}
	return true, n.skip(repetition, n.definition-1)
}

// skip skips an absent value in all columns of a node.
func (n *node) skip(repetition, definition int) error {
	for _, c := range n.columns {
		if _, err := c.take(repetition, definition); err != nil {
			return err
		}
	}
	return nil
}

// A schema makes nodes from a file's columns.
type schema struct {
	columns []*column // made so far
}

// node returns the node of a column. A repeated field that is not of a list type is a
// list without nulls.
func (s *schema) node(e *element) (*node, error) {
	n, err := s.item(e)
	if err == nil && e.isRepeated() {
		n = &node{columns: n.columns, item: e.definition, repetition: e.repetition, list: n}
	} else if err == nil {
		n.optional = e.isOptional()
	}
	return n, err
}

// item returns the node of a column, without regard to repetition.
func (s *schema) item(e *element) (*node, error) {
	n := &node{definition: e.definition}
	first := len(s.columns)
	var err error
	entry := e
	if len(e.fields) == 1 && e.fields[0].isRepeated() {
		entry = e.fields[0]
		n.item, n.repetition = entry.definition, entry.repetition
	}
	switch {
	case e.isLeaf():
		n.leaf = e.SchemaElement
		s.columns = append(s.columns, newColumn(e))
		err = checkLeaf(e.SchemaElement)
	case len(e.fields) == 0 && len(e.path) > 0:
		err = fmt.Errorf("expected fields in group %q", e.Name)
	case isList(e) && entry != e && isItem(e, entry):
		n.list, err = s.item(entry)
	case isList(e) && entry != e:
		n.list, err = s.node(entry.fields[0])
	case isMap(e) && entry != e && isEntry(entry):
		if n.key, err = s.node(entry.fields[0]); err == nil {
			n.list, err = s.node(entry.fields[1])
		}
	default:
		err = s.group(n, e)
	}
	n.columns = s.columns[first:]
	return n, err
}

// group makes the fields of a group's node.
func (s *schema) group(n *node, e *element) error {
	for _, child := range e.fields {
		value, err := s.node(child)
		if err != nil {
			return err
		}
		name, err := appendText(nil, []byte(child.Name))
		if err != nil {
			return fmt.Errorf("expected names in UTF-8, found %q", child.Name)
		}
		n.fields = append(n.fields, field{child.Name, append(name, ':'), value})
	}
	slices.SortStableFunc(n.fields, func(a, b field) int { return strings.Compare(a.column, b.column) })
	return nil
}

func newColumn(e *element) *column {
	return &column{
		name: strings.ToValidUTF8(strings.Join(e.path, "."), "\ufffd"),
		kind: e.Type.V, length: int(e.TypeLength.V), repetition: e.repetition, definition: e.definition,
	}
}

func isList(e *element) bool {
	_, ok := e.LogicalType.Value.(*format.ListType)
	return ok || e.LogicalType.Value == nil && e.ConvertedType.Valid && e.ConvertedType.V == deprecated.List
}

// isMap reports whether a group is a map. Some old writers use MAP_KEY_VALUE for MAP.
func isMap(e *element) bool {
	_, ok := e.LogicalType.Value.(*format.MapType)
	return ok || e.LogicalType.Value == nil && e.ConvertedType.Valid &&
		(e.ConvertedType.V == deprecated.Map || e.ConvertedType.V == deprecated.MapKeyValue)
}

// isItem reports whether the repeated field of a list is the item itself. New writers
// make it a group with one field, the item, which may be null. The rules for old writers
// are those of parquet-format's LogicalTypes.md.
func isItem(list, entry *element) bool {
	fields := entry.fields
	return len(fields) != 1 || fields[0].isRepeated() || entry.Name == "array" || entry.Name == list.Name+"_tuple"
}

// isEntry reports whether a column is the key and value of a map. A key that is not a
// leaf cannot be a field name in JSON, so such a map becomes a list of its entries.
func isEntry(e *element) bool {
	return len(e.fields) == 2 && e.fields[0].isLeaf() && !e.fields[0].isRepeated()
}

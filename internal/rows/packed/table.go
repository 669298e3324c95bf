package packed

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
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
	file    *parquet.File
	group   int // number of row groups opened
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
	opened, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	if opened.Metadata().EncryptionAlgorithm.Value != nil {
		return nil, errors.New("expected a file that is not encrypted")
	}
	t := &table{file: opened}
	schema := schema{elements: opened.Metadata().Schema}
	if t.root, err = schema.item(opened.Root()); err != nil {
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
	if t.group == len(t.file.RowGroups()) {
		return io.EOF
	}
	group := t.file.RowGroups()[t.group]
	t.left = group.NumRows()
	if len(t.columns) == 0 && t.left > 0 {
		return errors.New("expected columns, found rows without any")
	}
	for i, c := range t.columns {
		if !c.used {
			continue
		}
		if err := t.check(i); err != nil {
			return c.fault(err)
		}
		c.open(group.ColumnChunks()[i])
	}
	t.group++
	return nil
}

// check returns an error if the library, version 0.32.0, would misread the next chunk of
// a column. The library uses a column's first codec for all row groups, loses pages of
// LZ4_RAW (its issue 608), and shifts booleans after a run of RLE that does not end at a
// byte. It takes the differences of INT32 for numbers of 32 bits; DuckDB writes longer ones.
func (t *table) check(column int) error {
	metadata := func(group int) *format.ColumnMetaData {
		return &t.file.Metadata().RowGroups[group].Columns[column].MetaData
	}
	chunk, first := metadata(t.group), metadata(0)
	switch {
	case chunk.Codec == format.Lz4Raw:
		return fmt.Errorf("expected a codec other than %s", chunk.Codec)
	case chunk.Codec != first.Codec:
		return fmt.Errorf("expected the codec of the first row group, %s, found %s", first.Codec, chunk.Codec)
	case chunk.Type == format.Boolean && chunk.NumValues > 0 && !slices.Contains(chunk.Encoding, format.Plain):
		return errors.New("expected booleans in PLAIN, found other encodings")
	case chunk.Type == format.Int32 && slices.Contains(chunk.Encoding, format.DeltaBinaryPacked) && strings.HasPrefix(t.file.Metadata().CreatedBy, "DuckDB"):
		return errors.New("expected INT32 in an encoding other than DuckDB's DELTA_BINARY_PACKED")
	}
	return nil
}

// A column gives the values of a leaf in a row group.
type column struct {
	name   string // with the names of the fields around it
	used   bool
	values parquet.ColumnChunkValueReader
	ahead  []parquet.Value // values read ahead
	buffer [32]parquet.Value
	left   int64 // values not read yet
}

func (c *column) open(chunk parquet.ColumnChunk) {
	if c.values != nil {
		c.values.Close()
	}
	c.values, c.left = parquet.NewColumnChunkValueReader(chunk), chunk.NumValues()
}

func (c *column) fault(err error) error { return fmt.Errorf("column %s: %w", c.name, err) }

// peek returns the next value of the row group, or nil after the last.
func (c *column) peek() (*parquet.Value, error) {
	for len(c.ahead) == 0 {
		if c.left <= 0 {
			return nil, nil
		}
		n, err := c.values.ReadValues(c.buffer[:])
		if err == io.EOF {
			err = fmt.Errorf("expected %d more values", c.left)
		}
		if err != nil {
			return nil, c.fault(err)
		}
		if c.left -= int64(n); c.left < 0 {
			return nil, c.fault(errors.New("expected fewer values"))
		}
		c.ahead = c.buffer[:n]
	}
	return &c.ahead[0], nil
}

// take returns the next value, which must have these levels.
func (c *column) take(repetition, definition int) (parquet.Value, error) {
	v, err := c.peek()
	if err == nil && v == nil {
		err = c.fault(errors.New("expected more values"))
	}
	if err != nil {
		return parquet.Value{}, err
	}
	if r, d := v.RepetitionLevel(), v.DefinitionLevel(); r != repetition || d != definition {
		return parquet.Value{}, c.fault(fmt.Errorf("expected the levels %d and %d, found %d and %d", repetition, definition, r, d))
	}
	c.ahead = c.ahead[1:]
	return *v, nil
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
	if v != nil && v.DefinitionLevel() < n.item {
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
		if v, err = first.peek(); v == nil || v.RepetitionLevel() != n.repetition {
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
	if v == nil || v.DefinitionLevel() >= n.definition {
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
	elements []format.SchemaElement // of the remaining columns, in order
	columns  []*column              // made so far
}

// node returns the node of a column. A repeated field that is not of a list type is a
// list without nulls.
func (s *schema) node(c *parquet.Column) (*node, error) {
	n, err := s.item(c)
	if err == nil && c.Repeated() {
		n = &node{columns: n.columns, item: c.MaxDefinitionLevel(), repetition: c.MaxRepetitionLevel(), list: n}
	} else if err == nil {
		n.optional = c.Optional()
	}
	return n, err
}

// item returns the node of a column, without regard to repetition.
func (s *schema) item(c *parquet.Column) (*node, error) {
	e := &s.elements[0]
	s.elements = s.elements[1:]
	n := &node{definition: c.MaxDefinitionLevel()}
	first := len(s.columns)
	var err error
	entry := c
	if fields := c.Columns(); len(fields) == 1 && fields[0].Repeated() {
		entry = fields[0]
		n.item, n.repetition = entry.MaxDefinitionLevel(), entry.MaxRepetitionLevel()
	}
	switch {
	case c.Leaf():
		n.leaf = e
		s.columns = append(s.columns, &column{name: strings.ToValidUTF8(strings.Join(c.Path(), "."), "\ufffd")})
		err = checkLeaf(e)
	case len(c.Columns()) == 0 && c.Depth() > 0:
		err = fmt.Errorf("expected fields in group %q", e.Name)
	case isList(e) && entry != c && isItem(c, entry):
		n.list, err = s.item(entry)
	case isList(e) && entry != c:
		s.elements = s.elements[1:]
		n.list, err = s.node(entry.Columns()[0])
	case isMap(e) && entry != c && isEntry(entry):
		s.elements = s.elements[1:]
		if n.key, err = s.node(entry.Columns()[0]); err == nil {
			n.list, err = s.node(entry.Columns()[1])
		}
	default:
		for _, child := range c.Columns() {
			value, err := s.node(child)
			if err != nil {
				return nil, err
			}
			name, err := appendText(nil, []byte(child.Name()))
			if err != nil {
				return nil, fmt.Errorf("expected names in UTF-8, found %q", child.Name())
			}
			n.fields = append(n.fields, field{child.Name(), append(name, ':'), value})
		}
		slices.SortStableFunc(n.fields, func(a, b field) int { return strings.Compare(a.column, b.column) })
	}
	n.columns = s.columns[first:]
	return n, err
}

func isList(e *format.SchemaElement) bool {
	_, ok := e.LogicalType.Value.(*format.ListType)
	return ok || e.LogicalType.Value == nil && e.ConvertedType.Valid && e.ConvertedType.V == deprecated.List
}

// isMap reports whether a group is a map. Some old writers use MAP_KEY_VALUE for MAP.
func isMap(e *format.SchemaElement) bool {
	_, ok := e.LogicalType.Value.(*format.MapType)
	return ok || e.LogicalType.Value == nil && e.ConvertedType.Valid &&
		(e.ConvertedType.V == deprecated.Map || e.ConvertedType.V == deprecated.MapKeyValue)
}

// isItem reports whether the repeated field of a list is the item itself. New writers
// make it a group with one field, the item, which may be null. The rules for old writers
// are those of parquet-format's LogicalTypes.md.
func isItem(list, entry *parquet.Column) bool {
	fields := entry.Columns()
	return len(fields) != 1 || fields[0].Repeated() || entry.Name() == "array" || entry.Name() == list.Name()+"_tuple"
}

// isEntry reports whether a column is the key and value of a map. A key that is not a
// leaf cannot be a field name in JSON, so such a map becomes a list of its entries.
func isEntry(c *parquet.Column) bool {
	fields := c.Columns()
	return len(fields) == 2 && fields[0].Leaf() && !fields[0].Repeated()
}

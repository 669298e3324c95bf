package parquet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Bounds on schemas.
const (
	maxElements = 1 << 16
	maxDepth    = 100 // levels fit in a byte
)

// A logical type is what values mean, as far as their JSON depends on it.
type logical byte

const (
	logicalNone logical = iota
	logicalList
	logicalMap
	logicalDecimal
	logicalUnsigned
	logicalJSON
	logicalUUID
	logicalFloat16
)

// An element is a field of the schema, as the footer has it.
type element struct {
	name       string
	parent     *element
	kind       kind
	length     int32 // of FIXED_LEN_BYTE_ARRAY
	repetition repetition
	logical    logical
	scale      int32 // of a decimal
	children   []*element
	claimed    int32 // how many children there must be
	column     *column
	first, end int // of the columns below it
	// The levels that values have at least if the field is there. Those of a leaf are
	// the highest of its column.
	definition, repetitionLevel int
}

// String returns the names from the root's fields on, with points between them. Where
// they are long, it has the last of them.
func (e *element) String() string {
	const long = 200
	path := e.name
	for e = e.parent; e != nil && e.parent != nil && len(path) < long; e = e.parent {
		path = e.name + "." + path
	}
	if len(path) > long {
		path = "..." + path[len(path)-long:]
	}
	return strings.ToValidUTF8(path, "\ufffd")
}

// readElement reads a SchemaElement.
func readElement(t *thriftReader) *element {
	e := &element{kind: kindGroup}
	converted, known := int32(-1), false
	t.structure(func(id int, kind byte) {
		switch id {
		case 1:
			if e.kind = physical(t.int32(kind)); e.kind == kindGroup {
				t.fail(errors.New("expected a physical type"))
			}
		case 2:
			e.length = t.int32(kind)
		case 3:
			e.repetition = repetition(t.int32(kind))
		case 4:
			e.name = string(t.binary(kind))
		case 5:
			e.claimed = t.int32(kind)
		case 6:
			converted = t.int32(kind)
		case 7:
			e.scale = t.int32(kind)
		case 10:
			t.expect(kind, thriftStruct)
			t.structure(func(id int, kind byte) {
				known = true
				e.readLogical(t, id, kind)
			})
		default:
			t.skip(kind)
		}
	})
	if !known {
		e.logical = logicalOfConverted(converted)
	}
	return e
}

func physical(value int32) kind {
	if value < 0 || kind(value) > kindFixed {
		return kindGroup
	}
	return kind(value)
}

// readLogical reads the member of a LogicalType that a field of it is.
func (e *element) readLogical(t *thriftReader, id int, kind byte) {
	switch id {
	case 2:
		e.logical = logicalMap
	case 3:
		e.logical = logicalList
	case 5:
		e.logical = logicalDecimal
		t.expect(kind, thriftStruct)
		t.structure(func(id int, kind byte) {
			if id == 1 {
				e.scale = t.int32(kind)
			} else {
				t.skip(kind)
			}
		})
		return
	case 10:
		t.expect(kind, thriftStruct)
		t.structure(func(id int, kind byte) {
			if id != 2 {
				t.skip(kind)
			} else if !t.bool(kind) {
				e.logical = logicalUnsigned
			}
		})
		return
	case 12:
		e.logical = logicalJSON
	case 14:
		e.logical = logicalUUID
	case 15:
		e.logical = logicalFloat16
	}
	t.skip(kind)
}

// logicalOfConverted returns the logical type of a ConvertedType, which files of old have.
func logicalOfConverted(converted int32) logical {
	switch converted {
	case 1, 2: // MAP, and MAP_KEY_VALUE, which some wrote in its place
		return logicalMap
	case 3:
		return logicalList
	case 5:
		return logicalDecimal
	case 11, 12, 13, 14:
		return logicalUnsigned
	case 19:
		return logicalJSON
	}
	return logicalNone
}

// A schemaBuilder makes a tree of the list of elements that a footer has: each group is
// followed by its fields.
type schemaBuilder struct {
	left    []*element
	columns []*column
}

// tree takes an element with all that is below it.
func (s *schemaBuilder) tree(parent *element, depth int) (*element, error) {
	if len(s.left) == 0 {
		return nil, errors.New("expected more fields in the schema")
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("expected a schema nested %d deep at most", maxDepth)
	}
	e := s.left[0]
	s.left = s.left[1:]
	e.first = len(s.columns)
	if parent != nil {
		e.parent = parent
		e.definition, e.repetitionLevel = parent.definition, parent.repetitionLevel
		switch e.repetition {
		case required:
		case optional:
			e.definition++
		case repeated:
			e.definition++
			e.repetitionLevel++
		default:
			return nil, fmt.Errorf("expected a field that is required, optional or repeated, found repetition %d of %s", e.repetition, e)
		}
	}
	if e.kind != kindGroup {
		if e.claimed > 0 || parent == nil {
			return nil, fmt.Errorf("expected a group of fields, found %s %s", e.kind, e)
		}
		if e.kind == kindFixed && e.length < 1 {
			return nil, fmt.Errorf("expected a length of %s, found %d", e, e.length)
		}
		e.column = newColumn(e)
		s.columns = append(s.columns, e.column)
		e.end = len(s.columns)
		return e, nil
	}
	if e.claimed < 0 || int(e.claimed) > len(s.left) {
		return nil, fmt.Errorf("expected %d fields in the schema, found %d", e.claimed, len(s.left))
	}
	if e.claimed == 0 && parent != nil {
		return nil, fmt.Errorf("expected fields in group %s, found none", e)
	}
	for range e.claimed {
		child, err := s.tree(e, depth+1)
		if err != nil {
			return nil, err
		}
		e.children = append(e.children, child)
	}
	e.end = len(s.columns)
	return e, nil
}

// A shape is what a node is in JSON.
type shape byte

const (
	shapeLeaf shape = iota
	shapeObject
	shapeList
	shapeMap
)

// A node is a value of JSON that rows have, and says which levels it follows from.
type node struct {
	shape   shape
	columns []*column // below it, one at least

	// An optional node is there if the definition level is definition, and null
	// below. Items of a list and entries of a map are there if it is item, and the
	// level of those after the first is repetition.
	optional         bool
	definition       int
	item, repetition int

	fields []field // of an object, sorted by name
	key    *node   // of a map's entries
	value  *node   // of a map's entries or a list's items

	column *column    // of a leaf
	append appendJSON // of a leaf
}

// A field is one of an object.
type field struct {
	column string // its name
	name   []byte // as JSON, with the colon
	node   *node
}

// node returns the node of an element. A field that is repeated and no list by its type
// is one all the same, without nulls.
func (s *schemaBuilder) node(e *element) (*node, error) {
	n, err := s.item(e)
	if err != nil {
		return nil, err
	}
	switch e.repetition {
	case repeated:
		n = &node{shape: shapeList, columns: n.columns, item: e.definition, repetition: e.repetitionLevel, value: n}
	case optional:
		n.optional = true
	}
	return n, nil
}

// item returns the node of an element that is there.
func (s *schemaBuilder) item(e *element) (n *node, err error) {
	n = &node{columns: s.columns[e.first:e.end], definition: e.definition}
	entry := onlyRepeated(e)
	switch {
	case e.kind != kindGroup:
		n.column = e.column
		n.append, err = appendOf(e)
		return n, err
	case e.logical == logicalList && entry != nil:
		n.shape = shapeList
		if itemIsEntry(e, entry) {
			n.value, err = s.item(entry)
		} else {
			n.value, err = s.node(entry.children[0])
		}
	case e.logical == logicalMap && entry != nil && isEntry(entry):
		n.shape = shapeMap
		if n.key, err = s.node(entry.children[0]); err != nil {
			return nil, err
		}
		n.key.append = asName(n.key.append)
		n.value, err = s.node(entry.children[1])
	default:
		n.shape = shapeObject
		children := slices.Clone(e.children)
		slices.SortStableFunc(children, func(a, b *element) int { return strings.Compare(a.name, b.name) })
		for _, child := range children {
			value, err := s.node(child)
			if err != nil {
				return nil, err
			}
			name, err := appendText(nil, []byte(child.name))
			if err != nil {
				return nil, fmt.Errorf("expected names in UTF-8, found %s", child)
			}
			n.fields = append(n.fields, field{child.name, append(name, ':'), value})
		}
		return n, nil
	}
	n.item, n.repetition = entry.definition, entry.repetitionLevel
	return n, err
}

// onlyRepeated returns the one field of a group if it is repeated, else nil.
func onlyRepeated(e *element) *element {
	if len(e.children) == 1 && e.children[0].repetition == repeated {
		return e.children[0]
	}
	return nil
}

// itemIsEntry reports whether the repeated field of a list is its item itself. As
// today's writers have it, it is a group of one field, which is the item and may be
// null; these are the rules of parquet-format's LogicalTypes.md for lists of old.
func itemIsEntry(list, entry *element) bool {
	return len(entry.children) != 1 ||
		entry.children[0].repetition == repeated ||
		entry.name == "array" ||
		entry.name == list.name+"_tuple"
}

// isEntry reports whether an element is a map's key and value. A key that is no leaf is
// no name of a field in JSON: such a map is a list of its entries.
func isEntry(e *element) bool {
	return len(e.children) == 2 && e.children[0].kind != kindGroup && e.children[0].repetition != repeated
}

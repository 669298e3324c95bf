package packed

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
)

// rowsOf reads all rows of a file.
func rowsOf(file []byte) (rows []string, err error) {
	t, err := openTable(bytes.NewReader(file), int64(len(file)), nil)
	if err != nil {
		return nil, err
	}
	for {
		row, err := t.next()
		if err == io.EOF {
			return rows, nil
		}
		if err = cmp.Or(err, t.fault); err != nil {
			return rows, err
		}
		rows = append(rows, string(row))
	}
}

// A maker makes random schemas and rows for them. It knows the JSON of what it made, and
// the levels, by rules of its own; the library turns these into pages.
type maker struct{ *rand.Rand }

// A made field is a node of the schema with all that makes values of it.
type madeField struct {
	node     parquet.Node
	leaf     func() (value parquet.Value, text string)
	names    []string // of a group, sorted
	fields   []*madeField
	list     bool // of fields[0], in entries of definition level 1
	pairs    bool // a map: fields[0] and fields[1] in entries
	optional bool
}

// typed is a group with a logical type that the library makes in one shape only.
type typed struct {
	parquet.Group
	kind parquet.Type
}

func (t typed) Type() parquet.Type { return t.kind }

var (
	listType = parquet.List(parquet.Leaf(parquet.BooleanType)).Type()
	mapType  = parquet.Map(parquet.String(), parquet.String()).Type()
)

func (m *maker) field(depth int) *madeField {
	var f *madeField
	kind := m.IntN(10)
	if depth == 0 {
		kind = 0
	}
	switch kind {
	case 5, 6:
		f = m.group(1+m.IntN(3), depth)
		f.node = f.groupNode()
	case 7:
		item := m.field(depth - 1)
		for item.node.Repeated() { // a list of old has no list in it that is none by its type
			item = m.field(depth - 1)
		}
		f = &madeField{list: true, fields: []*madeField{item}}
		switch {
		case item.optional || m.IntN(2) == 0:
			name := []string{"list", "bag", "element"}[m.IntN(3)]
			f.node = typed{parquet.Group{name: parquet.Repeated(parquet.Group{"item": item.node})}, listType}
			if item.isRepeatedGroup() && m.IntN(2) == 0 {
				f.node = parquet.Repeated(item.node) // no list by its type
			}
		case item.isRepeatedGroup():
			f.node = typed{parquet.Group{"array": parquet.Repeated(item.node)}, listType}
		default:
			f.node = parquet.Repeated(item.node)
			return f
		}
		if f.node.Repeated() {
			return f
		}
	case 8:
		key, value := m.leaf(), m.field(depth-1)
		name := []string{"key_value", "map"}[m.IntN(2)]
		f = &madeField{pairs: true, fields: []*madeField{key, value}}
		f.node = typed{parquet.Group{name: parquet.Repeated(parquet.Group{"key": key.node, "value": value.node})}, mapType}
	default:
		f = m.leaf()
	}
	if m.IntN(2) == 0 {
		f.node, f.optional = parquet.Optional(f.node), true
	}
	return f
}

// isRepeatedGroup reports whether a field may be a list's repeated group itself.
func (f *madeField) isRepeatedGroup() bool {
	return !f.optional && !f.node.Repeated() && f.names != nil
}

func (m *maker) group(n, depth int) *madeField {
	f := &madeField{}
	letters := []rune("ab !\"\né\u2028.")
	for range n {
		name := "a"
		for range m.IntN(3) {
			name += string(letters[m.IntN(len(letters))])
		}
		f.names = append(f.names, name)
	}
	slices.Sort(f.names)
	f.names = slices.Compact(f.names)
	for range f.names {
		f.fields = append(f.fields, m.field(depth-1))
	}
	return f
}

func (f *madeField) groupNode() parquet.Group {
	group := parquet.Group{}
	for i, name := range f.names {
		group[name] = f.fields[i].node
	}
	return group
}

func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.Encode(text)
	return strings.TrimSpace(out.String())
}

func number(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// leaf makes a leaf of a random type and encoding.
func (m *maker) leaf() *madeField {
	few := m.IntN(2) == 0 // values, as in a dictionary
	bits := func() uint64 {
		if few {
			return uint64(m.IntN(3))
		}
		return m.Uint64() >> m.IntN(64) * uint64(1-2*m.IntN(2))
	}
	text := func() string {
		const letters = "ab\"\\\n\x00\u2028é<&😀\x7f"
		n := m.IntN(12)
		if few {
			n = m.IntN(2)
		}
		var b strings.Builder
		for range n {
			all := []rune(letters)
			b.WriteRune(all[m.IntN(len(all))])
		}
		return b.String()
	}
	var node parquet.Node
	var make func() (parquet.Value, string)
	encodings := []encoding.Encoding{&parquet.Plain}
	switch m.IntN(16) {
	case 0:
		node = parquet.Leaf(parquet.BooleanType)
		make = func() (parquet.Value, string) {
			v := bits()&1 == 1
			return parquet.ValueOf(v), fmt.Sprint(v)
		}
		encodings = append(encodings, &parquet.RLE)
	case 1:
		node = parquet.Leaf(parquet.Int32Type)
		make = func() (parquet.Value, string) { v := int32(bits()); return parquet.ValueOf(v), fmt.Sprint(v) }
		encodings = append(encodings, &parquet.DeltaBinaryPacked, &parquet.RLEDictionary, &parquet.ByteStreamSplit)
	case 2:
		node = parquet.Leaf(parquet.Int64Type)
		make = func() (parquet.Value, string) { v := int64(bits()); return parquet.ValueOf(v), fmt.Sprint(v) }
		encodings = append(encodings, &parquet.DeltaBinaryPacked, &parquet.RLEDictionary, &parquet.ByteStreamSplit)
	case 3:
		node = parquet.Uint(32)
		make = func() (parquet.Value, string) {
			v := uint32(bits())
			return parquet.ValueOf(int32(v)), fmt.Sprint(v)
		}
		encodings = append(encodings, &parquet.DeltaBinaryPacked, &parquet.RLEDictionary)
	case 4:
		node = parquet.Uint(64)
		make = func() (parquet.Value, string) { v := bits(); return parquet.ValueOf(int64(v)), fmt.Sprint(v) }
		encodings = append(encodings, &parquet.DeltaBinaryPacked, &parquet.RLEDictionary)
	case 5:
		node = parquet.Leaf(parquet.FloatType)
		make = func() (parquet.Value, string) {
			v := math.Float32frombits(uint32(bits()))
			if v != v || math.IsInf(float64(v), 0) {
				v = 0.1
			}
			return parquet.ValueOf(v), number(v)
		}
		encodings = append(encodings, &parquet.RLEDictionary, &parquet.ByteStreamSplit)
	case 6:
		node = parquet.Leaf(parquet.DoubleType)
		make = func() (parquet.Value, string) {
			v := math.Float64frombits(bits())
			if v != v || math.IsInf(v, 0) {
				v = 1e-9
			}
			return parquet.ValueOf(v), number(v)
		}
		encodings = append(encodings, &parquet.RLEDictionary, &parquet.ByteStreamSplit)
	case 7:
		size := []int{1, 3, 5, 16, 17}[m.IntN(5)]
		node = parquet.Leaf(parquet.FixedLenByteArrayType(size))
		make = func() (parquet.Value, string) {
			v := strings.Repeat(string(rune('a'+bits()%26)), size)
			return parquet.FixedLenByteArrayValue([]byte(v)), quoted(v)
		}
		encodings = append(encodings, &parquet.RLEDictionary)
	case 8:
		node = parquet.Decimal(3, 9, parquet.Int32Type)
		make = func() (parquet.Value, string) {
			v := int32(bits()) % 1e9
			return parquet.ValueOf(v), decimalText(int64(v), 3)
		}
		encodings = append(encodings, &parquet.RLEDictionary)
	case 9:
		node = parquet.Decimal(5, 20, parquet.FixedLenByteArrayType(9))
		make = func() (parquet.Value, string) {
			v := int64(bits())
			sign := byte(0)
			if v < 0 {
				sign = 0xff
			}
			return parquet.FixedLenByteArrayValue(binary.BigEndian.AppendUint64([]byte{sign}, uint64(v))), decimalText(v, 5)
		}
	case 10:
		node = parquet.UUID()
		make = func() (parquet.Value, string) {
			var id [16]byte
			binary.BigEndian.PutUint64(id[3:], bits())
			return parquet.FixedLenByteArrayValue(id[:]), fmt.Sprintf(`"%x-%x-%x-%x-%x"`, id[:4], id[4:6], id[6:8], id[8:10], id[10:])
		}
		encodings = append(encodings, &parquet.RLEDictionary)
	case 11:
		node = parquet.JSON()
		make = func() (parquet.Value, string) {
			v := fmt.Sprintf(`{"a": [%d, "é"]}`, bits())
			return parquet.ByteArrayValue([]byte(v)), v
		}
	case 12:
		node = parquet.Leaf(parquet.Int96Type)
		make = func() (parquet.Value, string) {
			day, ns := int32(m.IntN(1<<22)), m.Int64N(86400e9)
			v := new(big.Int).Mul(big.NewInt(int64(day-2440588)), big.NewInt(86400e9))
			return parquet.ValueOf(deprecated.Int96{uint32(ns), uint32(ns >> 32), uint32(day)}), v.Add(v, big.NewInt(ns)).String()
		}
	default:
		node = []parquet.Node{parquet.String(), parquet.Leaf(parquet.ByteArrayType), parquet.Enum()}[m.IntN(3)]
		make = func() (parquet.Value, string) {
			v := text()
			return parquet.ByteArrayValue([]byte(v)), quoted(v)
		}
		encodings = append(encodings, &parquet.RLEDictionary, &parquet.DeltaLengthByteArray, &parquet.DeltaByteArray)
	}
	return &madeField{node: parquet.Encoded(node, encodings[m.IntN(len(encodings))]), leaf: make}
}

func decimalText(value int64, scale int) string {
	digits := new(big.Int).Abs(big.NewInt(value)).String()
	for len(digits) <= scale {
		digits = "0" + digits
	}
	sign := ""
	if value < 0 {
		sign = "-"
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// A shredder takes a row apart: a list of values for each column.
type shredder struct{ columns [][]parquet.Value }

func (s *shredder) put(column int, value parquet.Value, repetition, definition int) {
	s.columns[column] = append(s.columns[column], value.Level(repetition, definition, column))
}

// leaves returns how many columns a field has.
func (f *madeField) leaves() int {
	if f.leaf != nil {
		return 1
	}
	n := 0
	for _, field := range f.fields {
		n += field.leaves()
	}
	return n
}

// absent puts what says that a field is not there.
func (s *shredder) absent(f *madeField, column, repetition, definition int) {
	for i := range f.leaves() {
		s.put(column+i, parquet.Value{}, repetition, definition)
	}
}

// row makes a value of a field, puts it into columns from column on, and returns its
// JSON, or "" if it is null. repeats is how many repeated fields are around it.
func (m *maker) row(s *shredder, f *madeField, column, repetition, definition, repeats int) string {
	if f.optional {
		if m.IntN(4) == 0 {
			s.absent(f, column, repetition, definition)
			return ""
		}
		definition++
	}
	switch {
	case f.leaf != nil:
		value, text := f.leaf()
		s.put(column, value, repetition, definition)
		return text
	case f.list || f.pairs:
		var items []string
		for range m.IntN(4) {
			at, item := column, ""
			if f.pairs {
				item = m.row(s, f.fields[0], at, repetition, definition+1, repeats+1)
				if item[0] != '"' {
					item = quoted(item)
				}
				item += ":"
				at++
			}
			value := m.row(s, f.fields[len(f.fields)-1], at, repetition, definition+1, repeats+1)
			if value == "" {
				value = "null"
			}
			items = append(items, item+value)
			repetition = repeats + 1
		}
		if items == nil {
			s.absent(f, column, repetition, definition)
		}
		if f.pairs {
			return "{" + strings.Join(items, ",") + "}"
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	var fields []string
	for i, field := range f.fields {
		if value := m.row(s, field, column, repetition, definition, repeats); value != "" {
			fields = append(fields, quoted(f.names[i])+":"+value)
		}
		column += field.leaves()
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// Random rows of random schemas, in all encodings, codecs and versions of pages, which
// the library writes, are read as they were made.
func TestRandomFiles(t *testing.T) {
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd}
	for seed := range uint64(150) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 0))}
		root := m.group(1+m.IntN(4), m.IntN(4))
		rows := m.IntN(200)
		var want []string
		var file bytes.Buffer
		w := parquet.NewWriter(&file, parquet.NewSchema("root", root.groupNode()),
			parquet.Compression(codecs[m.IntN(len(codecs))]),
			parquet.DataPageVersion(1+m.IntN(2)),
			parquet.PageBufferSize(1<<m.IntN(13)),
			parquet.MaxRowsPerRowGroup(int64(1+m.IntN(300))))
		for range rows {
			s := &shredder{columns: make([][]parquet.Value, root.leaves())}
			want = append(want, m.row(s, root, 0, 0, 0, 0))
			var row parquet.Row
			for _, column := range s.columns {
				row = append(row, column...)
			}
			if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, err := rowsOf(file.Bytes())
		if err != nil {
			t.Errorf("seed %d, row %d: %v\n%v", seed, len(got)+1, err, w.Schema())
			continue
		}
		if len(got) != len(want) {
			t.Errorf("seed %d: %d rows, want %d", seed, len(got), len(want))
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("seed %d, row %d: %s\nwant %s\n%v", seed, i+1, got[i], want[i], w.Schema())
				break
			}
		}
	}
}

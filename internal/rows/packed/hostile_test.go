package packed

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"codelinter/internal/rows"
)

// A draft is a file of one column as a test wants it, right or wrong.
type draft struct {
	schema []draftElement // below the root
	rows   int64          // of its one row group
	values int64          // of its one chunk; 0 is rows
	kind   format.Type
	codec  format.CompressionCodec
	pages  []draftPage
	at     int64  // of the pages; 0 is where they are
	chunks int    // how often the row group has the chunk; 0 is once
	extra  []byte // fields of the metadata after the row groups
}

type draftElement struct {
	name       string
	kind       format.Type
	repetition format.FieldRepetitionType
	children   int32
	converted  deprecated.ConvertedType // 0 is none
	length     int32
	scale      int32
}

type draftPage struct {
	kind         format.PageType
	values       int32
	encoding     format.Encoding
	levels       format.Encoding // RLE if it is 0
	data         []byte
	uncompressed int32 // 0 is len(data)
	compressed   int32 // 0 is len(data)
	checksum     uint32
	lengths      [2]int32 // of levels, in version 2
}

func (d draft) file() []byte {
	file := []byte("PAR1")
	for _, page := range d.pages {
		size := int32(len(page.data))
		levels := cmp.Or(page.levels, format.RLE)
		header := format.PageHeader{
			Type:                 page.kind,
			UncompressedPageSize: cmp.Or(page.uncompressed, size),
			CompressedPageSize:   cmp.Or(page.compressed, size),
			CRC:                  int32(page.checksum),
		}
		switch page.kind {
		case format.DictionaryPage:
			header.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: page.values, Encoding: page.encoding})
		case format.DataPageV2:
			header.DataPageHeaderV2 = thrift.New(format.DataPageHeaderV2{
				NumValues: page.values, Encoding: page.encoding, DefinitionLevelsByteLength: page.lengths[1], RepetitionLevelsByteLength: page.lengths[0],
			})
		default:
			header.DataPageHeader = thrift.New(format.DataPageHeader{
				NumValues: page.values, Encoding: page.encoding, DefinitionLevelEncoding: levels, RepetitionLevelEncoding: levels,
			})
		}
		file = append(append(file, marshal(&header)...), page.data...)
	}
	children := int32(0)
	for i := 0; i < len(d.schema); children++ {
		i = d.end(i)
	}
	schema := []format.SchemaElement{{Name: "root", NumChildren: thrift.New(children)}}
	for _, e := range d.schema {
		element := format.SchemaElement{Name: e.name, RepetitionType: thrift.New(e.repetition)}
		if e.children == 0 {
			element.Type = thrift.New(e.kind)
			element.TypeLength = thrift.New(e.length)
			element.Scale = thrift.New(e.scale)
			element.Precision = thrift.New(int32(9))
		} else {
			element.NumChildren = thrift.New(e.children)
		}
		if e.converted != 0 {
			element.ConvertedType = thrift.New(e.converted)
		}
		schema = append(schema, element)
	}
	chunk := format.ColumnChunk{MetaData: format.ColumnMetaData{
		Type: d.kind, Codec: d.codec, NumValues: cmp.Or(d.values, d.rows), TotalCompressedSize: int64(len(file)), DataPageOffset: cmp.Or(d.at, 4),
	}}
	for _, page := range d.pages {
		chunk.MetaData.Encoding = append(chunk.MetaData.Encoding, page.encoding)
	}
	footer := marshal(&format.FileMetaData{
		Version: 1, Schema: schema, NumRows: d.rows,
		RowGroups: []format.RowGroup{{NumRows: d.rows, Columns: slices.Repeat([]format.ColumnChunk{chunk}, max(0, cmp.Or(d.chunks, 1)))}},
	})
	if d.extra != nil {
		footer = append(footer[:len(footer)-1], append(d.extra, 0)...) // before what ends the structure
	}
	file = append(file, footer...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(footer)))
	return append(file, "PAR1"...)
}

func marshal(value any) []byte {
	text, err := thrift.Marshal(new(thrift.CompactProtocol), value)
	if err != nil {
		panic(err)
	}
	return text
}

// end returns where the element after that at i and all below it is.
func (d draft) end(i int) int {
	children := d.schema[i].children
	for i++; children > 0 && i < len(d.schema); children-- {
		i = d.end(i)
	}
	return i
}

// levels are those of version 1, after their length.
func levels(runs ...byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(runs))), runs...)
}

func texts(values ...string) (data []byte) {
	for _, value := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(len(value)))
		data = append(data, value...)
	}
	return data
}

// uvarint is how RLE counts; a run of n repeats begins with twice n.
func uvarint(value uint64) []byte { return binary.AppendUvarint(nil, value) }

// What files of old have and the library does not write.
func TestFormsOfOld(t *testing.T) {
	number := []draftElement{{name: "a", kind: format.Int32}}
	list := func(elements ...draftElement) []draftElement {
		return append([]draftElement{{name: "l", repetition: format.Optional, children: 1, converted: 3}}, elements...)
	}
	// [1, 2], null, []: repetition levels 0 1 0 0, definition levels 2 2 0 1
	lists := slices.Concat(levels(3, 0b0010), levels(3, 0b01001010, 0), []byte{1, 0, 0, 0, 2, 0, 0, 0})
	const plainDictionary format.Encoding = 2
	for name, test := range map[string]struct {
		draft draft
		want  string
	}{
		"a dictionary in PLAIN_DICTIONARY": {
			draft{schema: number, rows: 3, kind: format.Int32, pages: []draftPage{
				{kind: format.DictionaryPage, values: 2, encoding: plainDictionary, data: []byte{7, 0, 0, 0, 8, 0, 0, 0}},
				{values: 3, encoding: plainDictionary, data: []byte{1, 3, 0b101}},
			}},
			`{"a":8} {"a":7} {"a":8}`,
		},
		"a group of eight that is cut": {
			draft{schema: number, rows: 2, kind: format.Int32, pages: []draftPage{
				{kind: format.DictionaryPage, values: 2, data: []byte{7, 0, 0, 0, 8, 0, 0, 0}},
				{values: 2, encoding: format.RLEDictionary, data: []byte{8, 3, 1, 0}},
			}},
			`{"a":8} {"a":7}`,
		},
		"a list of a repeated leaf": {
			draft{schema: list(draftElement{name: "element", kind: format.Int32, repetition: format.Repeated}), rows: 3, values: 4, kind: format.Int32, pages: []draftPage{{values: 4, data: lists}}},
			`{"l":[1,2]} {} {"l":[]}`,
		},
		"a list of groups called array": {
			draft{schema: list(draftElement{name: "array", repetition: format.Repeated, children: 1}, draftElement{name: "x", kind: format.Int32}), rows: 3, values: 4, kind: format.Int32, pages: []draftPage{{values: 4, data: lists}}},
			`{"l":[{"x":1},{"x":2}]} {} {"l":[]}`,
		},
		"a list of groups called after it": {
			draft{schema: list(draftElement{name: "l_tuple", repetition: format.Repeated, children: 1}, draftElement{name: "x", kind: format.Int32}), rows: 3, values: 4, kind: format.Int32, pages: []draftPage{{values: 4, data: lists}}},
			`{"l":[{"x":1},{"x":2}]} {} {"l":[]}`,
		},
		"a list of items of any name": {
			draft{schema: list(draftElement{name: "bag", repetition: format.Repeated, children: 1}, draftElement{name: "x", kind: format.Int32}), rows: 3, values: 4, kind: format.Int32, pages: []draftPage{{values: 4, data: lists}}},
			`{"l":[1,2]} {} {"l":[]}`,
		},
		"a list of groups of a repeated field": {
			draft{schema: list(draftElement{name: "list", repetition: format.Repeated, children: 1}, draftElement{name: "x", kind: format.Int32, repetition: format.Repeated}), rows: 1, values: 3, kind: format.Int32, pages: []draftPage{{values: 3, data: slices.Concat(
				levels(3, 0b011000, 0), levels(3, 0b101111, 0), []byte{1, 0, 0, 0, 2, 0, 0, 0})}}},
			`{"l":[{"x":[1,2]},{"x":[]}]}`,
		},
		"a repeated field": {
			draft{schema: []draftElement{{name: "g", repetition: format.Optional, children: 1}, {name: "x", kind: format.Int32, repetition: format.Repeated}}, rows: 3, values: 4, kind: format.Int32, pages: []draftPage{{values: 4, data: lists}}},
			`{"g":{"x":[1,2]}} {} {"g":{"x":[]}}`,
		},
		"pages without values": {
			draft{schema: number, rows: 1, kind: format.Int32, pages: []draftPage{{}, {values: 1, data: []byte{5, 0, 0, 0}}}},
			`{"a":5}`,
		},
		// 2^31-1, then -2^31: the difference takes 33 bits, which DuckDB writes as such.
		"differences of 33 bits": {
			draft{schema: number, rows: 2, kind: format.Int32, pages: []draftPage{{values: 2, encoding: format.DeltaBinaryPacked, data: slices.Concat(
				[]byte{0x80, 1, 4, 2}, uvarint(2*(1<<31-1)), uvarint(2*(1<<32-1)-1), []byte{0, 0, 0, 0})}}},
			`{"a":2147483647} {"a":-2147483648}`,
		},
		"booleans in runs": {
			draft{schema: []draftElement{{name: "a", kind: format.Boolean}}, rows: 4, kind: format.Boolean, pages: []draftPage{
				{values: 4, encoding: format.RLE, data: levels(6, 1, 3, 0)}}},
			`{"a":true} {"a":true} {"a":true} {"a":false}`,
		},
		"no rows": {draft{schema: number, kind: format.Int32, at: -1}, ``},
	} {
		rows, err := rowsOf(test.draft.file())
		if got := strings.Join(rows, " "); err != nil || got != test.want {
			t.Errorf("%s: %s, %v\nwant %s", name, got, err, test.want)
		}
	}
}

// A file that claims what it does not have, or that the library does not read, is an
// error that names the file and what is wrong with it, also if the child dies of it.
func TestHostile(t *testing.T) {
	number := []draftElement{{name: "a", kind: format.Int32}}
	maybe := []draftElement{{name: "a", kind: format.Int32, repetition: format.Optional}}
	text := []draftElement{{name: "a", kind: format.ByteArray}}
	list := []draftElement{{name: "a", kind: format.Int32, repetition: format.Repeated}}
	four := []byte{1, 0, 0, 0}
	file := func(schema []draftElement, pages ...draftPage) draft {
		return draft{schema: schema, rows: 1, kind: schema[len(schema)-1].kind, pages: pages}
	}
	two := func(schema []draftElement, page draftPage) draft {
		d := file(schema, page)
		d.rows = 2
		return d
	}
	coded := func(codec format.CompressionCodec, page draftPage) draft {
		return draft{schema: number, rows: 1, kind: format.Int32, codec: codec, pages: []draftPage{page}}
	}
	delta := func(encoding format.Encoding, data ...byte) draftPage { // blocks of 128 values
		return draftPage{values: 2, encoding: encoding, data: append([]byte{0x80, 1, 4, 2}, data...)}
	}
	deep := make([]draftElement, 300)
	for i := range deep {
		deep[i] = draftElement{name: "g", children: 1}
	}
	// These take memory: a row up to its bound, and the library for structures, as far as the child
	// lets it.
	claims := []string{"a list of 2^26 items in some bytes", "structures without end"}
	const died = "the process that read it, with 4 GiB of memory, ended: "
	for name, test := range map[string]struct {
		draft draft
		want  string
	}{
		"a page of 2 GiB":                     {file(number, draftPage{values: 1, data: four, compressed: 1<<31 - 1}), "column a: expected a page of at most 79 bytes, found one of 2147483647 and 4"},
		"a page of 2 GiB after decompression": {coded(format.Snappy, draftPage{values: 1, data: four, uncompressed: 1<<31 - 1}), "column a: expected a page of 2147483647 bytes, found another size"},
		"a negative size":                     {file(number, draftPage{values: 1, data: four, uncompressed: -1}), "column a: expected a page of at most 79 bytes, found one of 4 and -1"},
		"a codec unknown":                     {coded(99, draftPage{values: 1, data: four}), "column a: expected a codec other than CompressionCodec(?)"},
		"LZO":                                 {coded(format.LZO, draftPage{values: 1, data: four}), "column a: expected a codec other than LZO"},
		"LZ4_RAW":                             {coded(format.Lz4Raw, draftPage{values: 1, data: four}), "column a: expected a codec other than LZ4_RAW"},
		"LZ4 of Hadoop":                       {coded(format.Lz4, draftPage{values: 1, data: four}), "column a: expected a codec other than LZ4"},
		"an encoding unknown":                 {file(number, draftPage{values: 1, encoding: 77, data: four}), "column a: expected an encoding of INT32, found Encoding(?)"},
		"an encoding of others":               {file(text, draftPage{values: 1, encoding: format.DeltaBinaryPacked, data: four}), "column a: expected an encoding of BYTE_ARRAY, found DELTA_BINARY_PACKED"},
		"levels in BIT_PACKED":                {file(maybe, draftPage{values: 1, levels: format.BitPacked, data: append([]byte{0x80}, four...)}), "column a: definition levels: expected levels in RLE, found BIT_PACKED"},
		"a page of indices":                   {file(number, draftPage{kind: format.IndexPage, data: []byte("x")}), "column a: expected a page of data or a dictionary, found INDEX_PAGE"},
		"a checksum":                          {file(number, draftPage{values: 1, data: four, checksum: crc32.ChecksumIEEE(four) + 1}), "column a: expected a page with the checksum that it has, found another one"},
		"more values than the chunk has":      {file(number, draftPage{values: 2, data: append(four, four...)}), "column a: expected fewer values"},
		"more rows than there are":            {draft{schema: number, rows: 2, values: 1, kind: format.Int32, pages: []draftPage{{values: 1, data: four}}}, "t: row 2: expected a whole Parquet file: column a: expected more values"},
		"fewer rows than there are":           {draft{schema: number, rows: 1, values: 2, kind: format.Int32, pages: []draftPage{{values: 2, data: append(four, four...)}}}, "t: row 2: expected a whole Parquet file: column a: expected fewer values"},
		"a text longer than the page":         {file(text, draftPage{values: 1, data: []byte{255, 255, 255, 255, 'x'}}), "column a: expected a longer page"},
		"an index beyond the dictionary": {file(number,
			draftPage{kind: format.DictionaryPage, values: 1, data: four}, draftPage{values: 1, encoding: format.RLEDictionary, data: []byte{8, 2, 1}}), "column a: expected a value of a dictionary of 1, found the one at 1"},
		"a dictionary of more than there is":       {file(number, draftPage{kind: format.DictionaryPage, values: 1<<31 - 1, data: four}), "column a: expected a dictionary of 2147483647 values, found 4 bytes"},
		"a dictionary of texts that are not there": {file(text, draftPage{kind: format.DictionaryPage, values: 1<<31 - 1, data: four}), "column a: expected a dictionary of 2147483647 values, found 4 bytes"},
		"no dictionary": {file(number, draftPage{values: 1, encoding: format.RLEDictionary, data: []byte{8, 2, 0}}), "column a: expected a dictionary before the values"},
		"two dictionaries, and no values": {file(number,
			draftPage{kind: format.DictionaryPage, values: 1, data: four}, draftPage{kind: format.DictionaryPage, values: 1, data: four}), "column a: expected one dictionary, found two"},
		"indices of 33 bits": {file(number,
			draftPage{kind: format.DictionaryPage, values: 1, data: four}, draftPage{values: 1, encoding: format.RLEDictionary, data: []byte{33, 2, 0}}), "column a: expected numbers of 32 bits at most, found 33"},
		"a level above the highest": {file([]draftElement{{name: "g", repetition: format.Optional, children: 1}, {name: "a", kind: format.Int32, repetition: format.Optional}},
			draftPage{values: 1, data: append(levels(2, 3), four...)}), "column g.a: expected the levels 0 and 2, found 0 and 3"},
		"levels longer than the page":              {file(maybe, draftPage{values: 1, data: []byte{9, 0, 0, 0, 2, 1}}), "column a: definition levels: expected a longer page"},
		"levels that end":                          {draft{schema: maybe, rows: 2, kind: format.Int32, pages: []draftPage{{values: 2, data: append(levels(2, 1), four...)}}}, "t: row 2: expected a whole Parquet file: column a: definition levels: expected a longer page"},
		"levels of version 2 longer than the page": {file(maybe, draftPage{kind: format.DataPageV2, values: 1, data: four, lengths: [2]int32{0, 5}}), "column a: expected levels of at most 4 bytes, found 0 and 5"},
		"a row that begins within one":             {file(list, draftPage{values: 1, data: slices.Concat(levels(2, 1), levels(2, 1), four)}), "column a: expected the levels 0 and 1, found 1 and 1"},
		"a list of 2^26 items in some bytes": {draft{
			schema: []draftElement{{name: "l", children: 1, converted: deprecated.List}, {name: "list", repetition: format.Repeated, children: 1}, {name: "e", kind: format.Int32, repetition: format.Optional}},
			rows:   1, values: 1 << 26, kind: format.Int32, pages: []draftPage{{values: 1 << 26, data: slices.Concat(
				levels(append([]byte{2, 0}, append(uvarint(1<<27-2), 1)...)...), levels(append(uvarint(1<<27), 1)...))}},
		}, "t: row 1: expected a row of 4194304 values at most after unpacking, found more"},
		"differences of 65 bits":               {file(number, delta(format.DeltaBinaryPacked, append([]byte{0, 0, 65, 65, 65, 65}, make([]byte, 65*16)...)...)), "column a: expected fewer values"},
		"no miniblocks":                        {file(number, draftPage{values: 1, encoding: format.DeltaBinaryPacked, data: []byte{0x80, 1, 0, 1, 0}}), "invalid number of mini block (0)"},
		"a block of 2^40 values":               {file(number, draftPage{values: 1, encoding: format.DeltaBinaryPacked, data: slices.Concat(uvarint(1<<40), []byte{1, 1, 0})}), "invalid block size is too large (1099511627776)"},
		"2^60 values by differences":           {file(number, draftPage{values: 1, encoding: format.DeltaBinaryPacked, data: slices.Concat([]byte{0x80, 1, 4}, uvarint(1<<60), []byte{0, 0, 0})}), "too many values: 1152921504606846976"},
		"a negative length":                    {two(text, delta(format.DeltaLengthByteArray, 1, 0, 0, 0, 0, 0)), "invalid negative value length: -1"},
		"a length beyond the page":             {two(text, delta(format.DeltaLengthByteArray, 8, 0, 0, 0, 0, 0, 'x')), "value length is larger than the input size: 8 > 1"},
		"a prefix of what is not there":        {two(text, delta(format.DeltaByteArray, 2, 0, 0, 0, 0, 0, 0x80, 1, 4, 2, 0, 0, 0, 0, 0, 0)), "prefix length 1 is larger than the last value of size 0"},
		"pages outside of the file":            {draft{schema: number, rows: 1, kind: format.Int32, at: 1 << 40}, "column a: expected a page: EOF"},
		"pages in the footer":                  {draft{schema: number, rows: 1, kind: format.Int32, at: 5}, "column a: expected a page: missing required field: "},
		"too many chunks":                      {draft{schema: number, rows: 1, kind: format.Int32, chunks: 2}, "expected 1 columns in a row group, found 2"},
		"fields that are not there":            {draft{schema: []draftElement{{name: "g", children: 1 << 30}}}, `expected 1073741824 fields in group "g", found 0 at most`},
		"groups without end":                   {draft{schema: append(deep, number...)}, "expected at most 255 groups around a column, found more"},
		"a scale of 2^30":                      {draft{schema: []draftElement{{name: "a", kind: format.Int32, converted: deprecated.Decimal, scale: 1 << 30}}}, "expected decimals of a scale of 0 to 1000, found 1073741824 of"},
		"a name of other bytes":                {draft{schema: []draftElement{{name: "\xff", kind: format.Int32}}}, "expected names in UTF-8, found"},
		"rows without columns":                 {draft{rows: 1, chunks: -1}, "expected columns, found rows without any"},
		"structures without end":               {draft{schema: number, extra: bytes.Repeat([]byte{0x1c}, 1<<20)}, "expected metadata: decoding thrift payload: "},
		"a list of 2^31 items":                 {draft{schema: number, extra: []byte{0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07}}, died},
		"a page of 50 MiB after decompression": {coded(format.Snappy, draftPage{values: 1, data: four, uncompressed: 50 << 20}), "column a: expected a page of 52428800 bytes, found another size"},
		"another type than the schema":         {draft{schema: number, rows: 1, kind: format.Int64}, "column a: expected values of type INT32, found INT64"},
		"an encrypted file":                    {draft{schema: number, extra: []byte{0x4c, 0x1c, 0, 0}}, "expected a file that is not encrypted"},
	} {
		file := test.draft.file()
		err := refusal(t, file)
		if err == nil || !strings.HasPrefix(err.Error(), "t: ") || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 1000 {
			t.Errorf("%s: %v\nwant %s", name, err, test.want)
			continue
		}
		if test.want == died || slices.Contains(claims, name) {
			continue
		}
		if took := allocated(func() { rowsOf(file) }); took > 8<<20 {
			t.Errorf("%s: took %d MiB", name, took>>20)
		}
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// refusal returns the error that ends the reading of a file, or nil.
func refusal(t *testing.T, file []byte) error {
	reader, _, err := Open("t", bytes.NewReader(file))
	for err == nil {
		_, err = reader.Next()
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// An error of one value is one of its row.
func TestFaults(t *testing.T) {
	d := draft{schema: []draftElement{{name: "g", children: 1}, {name: "a", kind: format.ByteArray}}, rows: 3, kind: format.ByteArray, pages: []draftPage{{values: 3, data: texts("x", "\xff", "y")}}}
	reader, _, err := Open("t", bytes.NewReader(d.file()))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"g":{"a":"x"}}`, "t: row 2: expected UTF-8, found other bytes in column g.a", `{"g":{"a":"y"}}`, "EOF", "EOF"} {
		row, err := reader.Next()
		got := string(row.Text)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("row %d: %s, want %s", i+1, got, want)
		}
	}
}

type sampleRow struct {
	ID    int64               `parquet:"id,delta"`
	Text  *string             `parquet:"text,optional,dict"`
	Tags  []string            `parquet:"tags,list"`
	Long  []byte              `parquet:"long,delta"`
	Yes   bool                `parquet:"yes"`
	Map   map[string]int32    `parquet:"map"`
	Half  float32             `parquet:"half,split"`
	Inner struct{ X []int64 } `parquet:"inner"`
}

// sample returns a small file that has most of the format.
func sample(t testing.TB, options ...parquet.WriterOption) []byte {
	text := "é<\n"
	var rows []sampleRow
	for i := range int64(20) {
		row := sampleRow{ID: i * i, Tags: []string{"a", text}[:i%3%2+i%2], Long: bytes.Repeat([]byte("xy"), int(i)), Yes: i%3 == 0, Half: float32(i) / 3}
		if i%4 > 0 {
			row.Text = &text
			row.Map = map[string]int32{"k": int32(i)}
			row.Inner.X = []int64{i, -i}
		}
		rows = append(rows, row)
	}
	var out bytes.Buffer
	w := parquet.NewGenericWriter[sampleRow](&out, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var codecs = map[format.CompressionCodec]compress.Codec{
	format.Uncompressed: &parquet.Uncompressed, format.Snappy: &parquet.Snappy, format.Gzip: &parquet.Gzip,
	format.Brotli: &parquet.Brotli, format.Zstd: &parquet.Zstd,
}

func samples(t testing.TB) map[string][]byte {
	files := map[string][]byte{}
	for codec := range codecs {
		for version := 1; version <= 2; version++ {
			files[fmt.Sprint(codec, version)] = sample(t,
				parquet.Compression(codecs[codec]), parquet.DataPageVersion(version), parquet.MaxRowsPerRowGroup(13))
		}
	}
	return files
}

// sound reads a file that may be anything: rows are JSON, and errors name the file.
func sound(t *testing.T, file []byte) {
	reader, format, err := Open("t", bytes.NewReader(file))
	if format != Parquet {
		return
	}
	for n := 0; err == nil && n < 2000; n++ {
		var row rows.Row
		if row, err = reader.Next(); err == nil && !json.Valid(row.Text) {
			t.Fatalf("no JSON: %q", row.Text)
		}
	}
	if err != nil && err != io.EOF && !strings.HasPrefix(err.Error(), "t: ") {
		t.Fatalf("%v\n%q", err, file)
	}
}

// A file in which any byte is another is read or refused.
func TestBrokenBytes(t *testing.T) {
	for name, file := range samples(t) {
		if rows, err := rowsOf(file); err != nil || len(rows) != 20 {
			t.Fatalf("%s: %d rows, %v", name, len(rows), err)
		}
		for i := len(name); i < len(file); i += len(file) / 5 {
			broken := bytes.Clone(file)
			broken[i] ^= 1 << (i % 8)
			sound(t, broken)
		}
	}
}

// Each try starts a child, since some files end the process that reads them.
func FuzzParquet(f *testing.F) {
	for _, file := range samples(f) {
		f.Add(file)
	}
	f.Add(draft{schema: []draftElement{{name: "a", kind: format.ByteArray}}, rows: 2, kind: format.ByteArray, pages: []draftPage{{values: 2, data: texts("x", "yy")}}}.file())
	f.Fuzz(sound)
}

// A row that takes few bytes of a file, and very many values, is refused before they take
// memory: here a list of 50 million empty texts, all of them one entry of a dictionary.
func TestManyValues(t *testing.T) {
	const n = 50_000_000
	run := func(count int, value byte) []byte { return append(uvarint(uint64(count)<<1), value) }
	file := draft{
		schema: []draftElement{{name: "outputs", children: 1, converted: 3}, {name: "list", repetition: format.Repeated, children: 1}, {name: "element", kind: format.ByteArray}},
		rows:   1, values: n, kind: format.ByteArray,
		pages: []draftPage{
			{kind: format.DictionaryPage, values: 1, data: []byte{0, 0, 0, 0}},
			{values: n, encoding: format.RLEDictionary, data: slices.Concat(
				levels(append(run(1, 0), run(n-1, 1)...)...), levels(run(n, 1)...), []byte{1}, run(n, 0))},
		},
	}.file()
	const want = "t: row 1: expected a row of 4194304 values at most after unpacking, found more"
	if err := refusal(t, file); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if took := allocated(func() { rowsOf(file) }); took > 512<<20 {
		t.Errorf("%d MiB for a file of %d bytes", took>>20, len(file))
	}
}

// Of columns that nobody asks for nothing is read: neither bytes that are no text, nor a
// codec that there is not, nor pages that are not there.
func TestSelect(t *testing.T) {
	type row struct {
		ID    int64    `parquet:"id"`
		Image []byte   `parquet:"image"`
		Tags  []string `parquet:"tags,list"`
		Other struct {
			Raw []byte `parquet:"raw"`
		} `parquet:"other"`
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file)
	rows := []row{{ID: 1, Image: []byte{0xff}, Tags: []string{"a", "b"}}, {ID: 2, Image: []byte("x"), Tags: nil}}
	rows[0].Other.Raw = []byte{0x80}
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		names []string
		want  []string
	}{
		{[]string{"id"}, []string{`{"id":1}`, `{"id":2}`}},
		{[]string{"tags", "id", "none"}, []string{`{"id":1,"tags":["a","b"]}`, `{"id":2,"tags":[]}`}},
		{[]string{"image", "id"}, []string{"", `{"id":2,"image":"x"}`}},
		{[]string{"none"}, []string{"", `{"id":2,"image":"x","other":{"raw":""},"tags":[]}`}},
		{nil, []string{"", `{"id":2,"image":"x","other":{"raw":""},"tags":[]}`}},
	} {
		reader, _, err := Open("t", bytes.NewReader(file.Bytes()), test.names...)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range test.want {
			row, err := reader.Next()
			if string(row.Text) != want || (err != nil) != (want == "") {
				t.Errorf("%v, row %d: %s, %v; want %s", test.names, i+1, row.Text, err, want)
			}
		}
		if _, err := reader.Next(); err != io.EOF {
			t.Errorf("%v, after the last: %v", test.names, err)
		}
	}
}

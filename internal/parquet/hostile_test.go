package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	library "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/pierrec/lz4/v4"

	"codelinter/internal/pyjson"
)

// A draft is a file of one column as a test wants it, right or wrong.
type draft struct {
	schema []draftElement // below the root
	rows   int64          // of its one row group
	values int64          // of its one chunk; 0 is rows
	kind   kind
	codec  codec
	pages  []draftPage
	at     int64               // of the pages; 0 is where they are
	chunks int                 // how often the row group has the chunk; 0 is once
	extra  func(*thriftWriter) // fields of the metadata after the row groups
}

type draftElement struct {
	name       string
	kind       kind
	repetition repetition
	children   int
	converted  int // 0 is none
	length     int
	scale      int
}

type draftPage struct {
	kind         pageKind
	values       int
	encoding     encoding
	levels       encoding // RLE if it is 0
	data         []byte
	uncompressed int // 0 is len(data)
	compressed   int // 0 is len(data)
	checksum     uint32
	lengths      [2]int // of levels, in version 2
}

func (d draft) file() []byte {
	file := []byte(magic)
	for _, page := range d.pages {
		var t thriftWriter
		t.item(func() {
			t.int32(1, int32(page.kind))
			t.int32(2, int32(orElse(page.uncompressed, len(page.data))))
			t.int32(3, int32(orElse(page.compressed, len(page.data))))
			if page.checksum != 0 {
				t.int32(4, int32(page.checksum))
			}
			switch page.kind {
			case dictionaryPage:
				t.structure(7, func() {
					t.int32(1, int32(page.values))
					t.int32(2, int32(page.encoding))
				})
			case dataPageV2:
				t.structure(8, func() {
					t.int32(1, int32(page.values))
					t.int32(4, int32(page.encoding))
					t.int32(5, int32(page.lengths[1]))
					t.int32(6, int32(page.lengths[0]))
				})
			default:
				t.structure(5, func() {
					t.int32(1, int32(page.values))
					t.int32(2, int32(page.encoding))
					t.int32(3, int32(orElse(page.levels, encodingRLE)))
					t.int32(4, int32(orElse(page.levels, encodingRLE)))
				})
			}
		})
		file = append(file, t.data...)
		file = append(file, page.data...)
	}
	var t thriftWriter
	t.item(func() {
		t.int32(1, 1)
		t.list(2, thriftStruct, 1+len(d.schema))
		children := 0
		for i := 0; i < len(d.schema); children++ {
			i = d.end(i)
		}
		t.item(func() {
			t.string(4, "root")
			t.int32(5, int32(children))
		})
		for _, e := range d.schema {
			t.item(func() {
				if e.children == 0 {
					t.int32(1, int32(e.kind))
				}
				if e.length != 0 {
					t.int32(2, int32(e.length))
				}
				t.int32(3, int32(e.repetition))
				t.string(4, e.name)
				if e.children != 0 {
					t.int32(5, int32(e.children))
				}
				if e.converted != 0 {
					t.int32(6, int32(e.converted))
				}
				if e.scale != 0 {
					t.int32(7, int32(e.scale))
				}
			})
		}
		t.list(4, thriftStruct, 1)
		t.item(func() {
			t.list(1, thriftStruct, orElse(d.chunks, 1))
			for range orElse(d.chunks, 1) {
				t.item(func() {
					t.structure(3, func() {
						t.int32(1, int32(d.kind))
						t.int32(4, int32(d.codec))
						t.int64(5, orElse(d.values, d.rows))
						t.int64(7, int64(len(file)))
						t.int64(9, orElse(d.at, 4))
					})
				})
			}
			t.int64(3, d.rows)
		})
		if d.extra != nil {
			d.extra(&t)
		}
	})
	file = append(file, t.data...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(t.data)))
	return append(file, magic...)
}

// end returns where the element after that at i and all below it is.
func (d draft) end(i int) int {
	children := d.schema[i].children
	for i++; children > 0 && i < len(d.schema); children-- {
		i = d.end(i)
	}
	return i
}

func orElse[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
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
func TestReaderOnFormsOfOld(t *testing.T) {
	text := []draftElement{{name: "a", kind: kindByteArray, repetition: optional}}
	number := []draftElement{{name: "a", kind: kindInt32}}
	bare := texts("x", "yy")
	block := func(data []byte) []byte {
		packed := make([]byte, lz4.CompressBlockBound(len(data)))
		n, err := new(lz4.Compressor).CompressBlock(data, packed)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		return packed[:n]
	}
	long := strings.Repeat("abc", 100)
	page := texts(long, long)
	framed := binary.BigEndian.AppendUint32(nil, uint32(len(page)))
	for _, half := range [][]byte{page[:100], page[100:]} {
		framed = binary.BigEndian.AppendUint32(framed, uint32(len(block(half))))
		framed = append(framed, block(half)...)
	}
	list := func(elements ...draftElement) []draftElement {
		return append([]draftElement{{name: "l", repetition: optional, children: 1, converted: 3}}, elements...)
	}
	// [1, 2], null, []: repetition levels 0 1 0 0, definition levels 2 2 0 1
	lists := slices.Concat(levels(3, 0b0010), levels(3, 0b01001010, 0), []byte{1, 0, 0, 0, 2, 0, 0, 0})
	for name, test := range map[string]struct {
		draft draft
		want  string
	}{
		"levels in BIT_PACKED": {
			draft{schema: text, rows: 3, kind: kindByteArray, pages: []draftPage{{values: 3, levels: encodingBitPacked, data: append([]byte{0b10100000}, bare...)}}},
			`{"a":"x"} {} {"a":"yy"}`,
		},
		"a dictionary in PLAIN_DICTIONARY": {
			draft{schema: number, rows: 3, kind: kindInt32, pages: []draftPage{
				{kind: dictionaryPage, values: 2, encoding: encodingPlainDictionary, data: []byte{7, 0, 0, 0, 8, 0, 0, 0}},
				{values: 3, encoding: encodingPlainDictionary, data: []byte{1, 3, 0b101}},
			}},
			`{"a":8} {"a":7} {"a":8}`,
		},
		"a group of eight that is cut": {
			draft{schema: number, rows: 2, kind: kindInt32, pages: []draftPage{
				{kind: dictionaryPage, values: 2, data: []byte{7, 0, 0, 0, 8, 0, 0, 0}},
				{values: 2, encoding: encodingRLEDictionary, data: []byte{8, 3, 1, 0}},
			}},
			`{"a":8} {"a":7}`,
		},
		"LZ4 of Hadoop": {
			draft{schema: text, rows: 2, kind: kindByteArray, codec: codecLZ4, pages: []draftPage{
				{kind: dataPageV2, values: 2, data: append([]byte{4, 1}, framed...), uncompressed: 2 + len(page), lengths: [2]int{0, 2}},
			}},
			`{"a":"` + long + `"} {"a":"` + long + `"}`,
		},
		"LZ4 without frames": {
			draft{schema: text, rows: 2, kind: kindByteArray, codec: codecLZ4, pages: []draftPage{
				{kind: dataPageV2, values: 2, data: append([]byte{4, 1}, block(page)...), uncompressed: 2 + len(page), lengths: [2]int{0, 2}},
			}},
			`{"a":"` + long + `"} {"a":"` + long + `"}`,
		},
		"differences of 33 bits": {
			draft{schema: number, rows: 2, kind: kindInt32, pages: []draftPage{{values: 2, encoding: encodingDelta, data: slices.Concat(
				[]byte{8, 1, 2}, uvarint((1<<32-1)<<1), uvarint((1<<32)<<1-1), []byte{33, 7, 0, 0, 0, 1}, make([]byte, 28))}}},
			`{"a":-1} {"a":6}`,
		},
		"a list of a repeated leaf": {
			draft{schema: list(draftElement{name: "element", kind: kindInt32, repetition: repeated}), rows: 3, values: 4, kind: kindInt32, pages: []draftPage{{values: 4, data: lists}}},
			`{"l":[1,2]} {} {"l":[]}`,
		},
		"a list of groups called array": {
			draft{schema: list(draftElement{name: "array", repetition: repeated, children: 1}, draftElement{name: "x", kind: kindInt32}), rows: 3, values: 4, kind: kindInt32, pages: []draftPage{{values: 4, data: lists}}},
			`{"l":[{"x":1},{"x":2}]} {} {"l":[]}`,
		},
		"a list of groups called after it": {
			draft{schema: list(draftElement{name: "l_tuple", repetition: repeated, children: 1}, draftElement{name: "x", kind: kindInt32}), rows: 3, values: 4, kind: kindInt32, pages: []draftPage{{values: 4, data: lists}}},
			`{"l":[{"x":1},{"x":2}]} {} {"l":[]}`,
		},
		"a list of items of any name": {
			draft{schema: list(draftElement{name: "bag", repetition: repeated, children: 1}, draftElement{name: "x", kind: kindInt32}), rows: 3, values: 4, kind: kindInt32, pages: []draftPage{{values: 4, data: lists}}},
			`{"l":[1,2]} {} {"l":[]}`,
		},
		"a list of groups of a repeated field": {
			draft{schema: list(draftElement{name: "list", repetition: repeated, children: 1}, draftElement{name: "x", kind: kindInt32, repetition: repeated}), rows: 1, values: 3, kind: kindInt32, pages: []draftPage{{values: 3, data: slices.Concat(
				levels(3, 0b011000, 0), levels(3, 0b101111, 0), []byte{1, 0, 0, 0, 2, 0, 0, 0})}}},
			`{"l":[{"x":[1,2]},{"x":[]}]}`,
		},
		"a repeated field": {
			draft{schema: []draftElement{{name: "g", repetition: optional, children: 1}, {name: "x", kind: kindInt32, repetition: repeated}}, rows: 3, values: 4, kind: kindInt32, pages: []draftPage{{values: 4, data: lists}}},
			`{"g":{"x":[1,2]}} {} {"g":{"x":[]}}`,
		},
		"pages without values, and of kinds unknown": {
			draft{schema: number, rows: 1, kind: kindInt32, pages: []draftPage{{}, {kind: 1, data: []byte("x")}, {kind: 9}, {values: 1, data: []byte{5, 0, 0, 0}}}},
			`{"a":5}`,
		},
		"no rows": {draft{schema: number, kind: kindInt32, at: -1}, ``},
	} {
		rows, err := rowsOf(test.draft.file())
		if got := strings.Join(rows, " "); err != nil || got != test.want {
			t.Errorf("%s: %s, %v\nwant %s", name, got, err, test.want)
		}
	}
}

// What a file claims and does not have is an error that says so, and costs no memory.
func TestReaderRefuses(t *testing.T) {
	number := []draftElement{{name: "a", kind: kindInt32}}
	maybe := []draftElement{{name: "a", kind: kindInt32, repetition: optional}}
	text := []draftElement{{name: "a", kind: kindByteArray}}
	list := []draftElement{{name: "a", kind: kindInt32, repetition: repeated}}
	four := []byte{1, 0, 0, 0}
	one := func(schema []draftElement, page draftPage) draft {
		return draft{schema: schema, rows: 1, kind: schema[len(schema)-1].kind, pages: []draftPage{page}}
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	zeros := encoder.EncodeAll(make([]byte, 300<<20), nil)
	var zipped, brewed bytes.Buffer
	for _, w := range []io.WriteCloser{gzip.NewWriter(&zipped), brotli.NewWriter(&brewed)} {
		w.Write(make([]byte, 8))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	deep := make([]draftElement, maxDepth+1)
	for i := range deep {
		deep[i] = draftElement{name: "g", children: 1}
	}
	for name, test := range map[string]struct {
		draft draft
		want  string
	}{
		"a page of 2 GiB": {one(number, draftPage{values: 1, data: four, compressed: 1<<31 - 1}), "bytes more in the file, found"},
		"a page of 2 GiB after decompression": {
			draft{schema: number, rows: 1, kind: kindInt32, codec: codecSnappy, pages: []draftPage{{values: 1, data: four, uncompressed: 1<<31 - 1}}},
			"expected pages of which 64 MiB are enough",
		},
		"a page of 50 MiB after decompression": {
			draft{schema: number, rows: 1, kind: kindInt32, codec: codecSnappy, pages: []draftPage{{values: 1, data: four, uncompressed: 50 << 20}}},
			"expected a page of the size that its header says",
		},
		"a bomb": {
			draft{schema: number, rows: 1, kind: kindInt32, codec: codecZstd, pages: []draftPage{{values: 1, data: zeros, uncompressed: 300 << 20}}},
			"expected pages of which 64 MiB are enough",
		},
		"a bomb that its header does not own up to": {
			draft{schema: number, rows: 1, kind: kindInt32, codec: codecZstd, pages: []draftPage{{values: 1, data: zeros, uncompressed: 100}}},
			"ZSTD: ",
		},
		"GZIP that goes on": {
			draft{schema: number, rows: 1, kind: kindInt32, codec: codecGzip, pages: []draftPage{{values: 1, data: zipped.Bytes(), uncompressed: 4}}},
			"expected a page of the size that its header says",
		},
		"BROTLI that goes on": {
			draft{schema: number, rows: 1, kind: kindInt32, codec: codecBrotli, pages: []draftPage{{values: 1, data: brewed.Bytes(), uncompressed: 4}}},
			"expected a page of the size that its header says",
		},
		"a negative size":           {one(number, draftPage{values: 1, data: four, uncompressed: -1}), "found negative numbers"},
		"a page that is not packed": {one(number, draftPage{values: 1, data: four, uncompressed: 5}), "of the size that its header says"},
		"a codec unknown":           {draft{schema: number, rows: 1, kind: kindInt32, codec: 99, pages: []draftPage{{values: 1, data: four}}}, "codec 99"},
		"LZO":                       {draft{schema: number, rows: 1, kind: kindInt32, codec: codecLZO, pages: []draftPage{{values: 1, data: four}}}, "a codec other than LZO"},
		"an encoding unknown":       {one(number, draftPage{values: 1, encoding: 77, data: four}), "an encoding of INT32, found encoding 77"},
		"an encoding of others":     {one(text, draftPage{values: 1, encoding: encodingDelta, data: four}), "an encoding of BYTE_ARRAY, found DELTA_BINARY_PACKED"},
		"a checksum":                {one(number, draftPage{values: 1, data: four, checksum: crc32.ChecksumIEEE(four) + 1}), "expected a page with the checksum"},
		"more values than the chunk has": {
			one(number, draftPage{values: 2, data: append(four, four...)}), "expected 1 values at most, found a page of 2"},
		"more rows than there are": {
			draft{schema: number, rows: 2, values: 1, kind: kindInt32, pages: []draftPage{{values: 1, data: four}}}, "expected more values"},
		"fewer rows than there are": {
			draft{schema: number, rows: 1, values: 2, kind: kindInt32, pages: []draftPage{{values: 2, data: append(four, four...)}}}, "expected values of 1 rows, found more"},
		"no value in a page": {
			draft{schema: number, rows: 2, kind: kindInt32, pages: []draftPage{{values: 2, data: four}}}, "expected more values in the page"},
		"a text longer than the page": {one(text, draftPage{values: 1, data: []byte{255, 255, 255, 255, 'x'}}), "expected 4294967295 bytes in the page, found 1"},
		"an index beyond the dictionary": {
			draft{schema: number, rows: 1, kind: kindInt32, pages: []draftPage{{kind: dictionaryPage, values: 1, data: four}, {values: 1, encoding: encodingRLEDictionary, data: []byte{8, 2, 1}}}},
			"expected an index into a dictionary of 1 values, found 1"},
		"a dictionary of more than there is": {
			draft{schema: number, rows: 1, kind: kindInt32, pages: []draftPage{{kind: dictionaryPage, values: 1<<31 - 1, data: four}}},
			"expected a dictionary of 2147483647 values, found 1"},
		"a dictionary of texts that are not there": {
			draft{schema: text, rows: 1, kind: kindByteArray, pages: []draftPage{{kind: dictionaryPage, values: 1<<31 - 1, data: four}}},
			"expected a dictionary of 2147483647 values, found 4 bytes"},
		"no dictionary": {one(number, draftPage{values: 1, encoding: encodingRLEDictionary, data: []byte{8, 2, 0}}), "expected a dictionary before"},
		"two dictionaries": {
			draft{schema: number, rows: 1, kind: kindInt32, pages: []draftPage{{kind: dictionaryPage, values: 1, data: four}, {kind: dictionaryPage, values: 1, data: four}}},
			"expected one dictionary"},
		"indices of 33 bits": {
			draft{schema: number, rows: 1, kind: kindInt32, pages: []draftPage{{kind: dictionaryPage, values: 1, data: four}, {values: 1, encoding: encodingRLEDictionary, data: []byte{33, 2, 0}}}},
			"expected indices of 32 bits at most, found 33"},
		"a level above the highest":   {one([]draftElement{{name: "g", repetition: optional, children: 1}, {name: "a", kind: kindInt32, repetition: optional}}, draftPage{values: 1, data: append(levels(2, 3), four...)}), "expected levels of 2 at most, found 3"},
		"levels longer than the page": {one(maybe, draftPage{values: 1, data: []byte{9, 0, 0, 0, 2, 1}}), "expected 9 bytes in the page, found 2"},
		"levels that end":             {draft{schema: maybe, rows: 2, kind: kindInt32, pages: []draftPage{{values: 2, data: append(levels(2, 1), four...)}}}, "expected more values in the page"},
		"levels of version 2 longer than the page": {
			one(maybe, draftPage{kind: dataPageV2, values: 1, data: four, lengths: [2]int{0, 5}}), "expected levels of 5 bytes in the page, found 4"},
		"a row that begins within one": {one(list, draftPage{values: 1, data: slices.Concat(levels(2, 1), levels(2, 1), four)}), "expected a value of levels 0 and 1"},
		"a list of 2^30 items in some bytes": {
			draft{schema: []draftElement{{name: "l", children: 1, converted: 3}, {name: "list", repetition: repeated, children: 1}, {name: "e", kind: kindInt32, repetition: optional}},
				rows: 1, values: 1 << 30, kind: kindInt32, pages: []draftPage{{values: 1 << 30, data: slices.Concat(
					levels(append([]byte{2, 0}, append(uvarint(1<<31-2), 1)...)...), levels(append(uvarint(1<<31), 1)...))}}},
			"expected a row of 1 MiB at most after unpacking"},
		"differences of 65 bits": {
			draft{schema: []draftElement{{name: "a", kind: kindInt64}}, rows: 2, kind: kindInt64, pages: []draftPage{{values: 2, encoding: encodingDelta, data: append([]byte{8, 1, 2, 0, 0, 65}, make([]byte, 65)...)}}},
			"expected differences of 64 bits at most, found 65"},
		"a block of no miniblocks":      {one(number, draftPage{values: 1, encoding: encodingDelta, data: []byte{8, 0, 1, 0}}), "expected blocks of"},
		"a block of 2^40 values":        {one(number, draftPage{values: 1, encoding: encodingDelta, data: slices.Concat(uvarint(1<<40), []byte{1, 1, 0})}), "expected blocks of"},
		"2^60 values by differences":    {one(number, draftPage{values: 1, encoding: encodingDelta, data: slices.Concat([]byte{8, 1}, uvarint(1<<60), []byte{0, 0, 0})}), "expected more values in the page"},
		"a negative length":             {one(text, draftPage{values: 1, encoding: encodingDeltaLength, data: []byte{8, 1, 1, 1}}), "expected a length, found a negative number"},
		"a length beyond the page":      {one(text, draftPage{values: 1, encoding: encodingDeltaLength, data: []byte{8, 1, 1, 8, 'x'}}), "expected 4 bytes in the page, found 1"},
		"a prefix of what is not there": {one(text, draftPage{values: 1, encoding: encodingDeltaBytes, data: []byte{8, 1, 1, 2, 8, 1, 1, 0}}), "expected a prefix of the 0 bytes before, found one of 1"},
		"pages outside of the file":     {draft{schema: number, rows: 1, kind: kindInt32, at: 1 << 40}, "expected the place of its pages in the file"},
		"pages in the footer":           {draft{schema: number, rows: 1, kind: kindInt32, at: 5}, "column a"},
		"another type than the schema":  {draft{schema: number, rows: 1, kind: kindInt64}, "expected INT32 as in the schema, found INT64"},
		"too many chunks":               {draft{schema: number, rows: 1, kind: kindInt32, chunks: 2}, "expected a row group of 1 columns as in the schema, found 2"},
		"fields that are not there":     {draft{schema: []draftElement{{name: "g", children: 1 << 30}}}, "expected 1073741824 fields in the schema, found 0"},
		"groups without end":            {draft{schema: append(deep, number...)}, "expected a schema nested 100 deep at most"},
		"a repetition unknown":          {draft{schema: []draftElement{{name: "a", repetition: 3}}}, "found repetition 3 of a"},
		"a length of nothing":           {draft{schema: []draftElement{{name: "a", kind: kindFixed}}}, "expected a length of a, found 0"},
		"a scale of 2^30":               {draft{schema: []draftElement{{name: "a", kind: kindInt32, converted: 5, scale: 1 << 30}}}, "expected decimals of a scale of 0 to 1000, found 1073741824 of a"},
		"a name of other bytes":         {draft{schema: []draftElement{{name: "\xff", kind: kindInt32}}}, "expected names in UTF-8"},
		"rows without columns":          {draft{rows: 1, chunks: -1}, "footer: "},
		"structures without end":        {draft{schema: number, extra: func(t *thriftWriter) { t.data = append(t.data, bytes.Repeat([]byte{0x1c}, 1<<20)...) }}, "expected structures nested 32 deep at most"},
		"a list of 2^31 items":          {draft{schema: number, extra: func(t *thriftWriter) { t.data = append(t.data, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07) }}, "footer: expected the rest of a structure"},
		"an encrypted file":             {draft{schema: number, extra: func(t *thriftWriter) { t.structure(8, func() {}) }}, "expected a file that is not encrypted"},
	} {
		file := test.draft.file()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := rowsOf(file)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v\nwant %s", name, err, test.want)
		}
		// Only a page that claims 50 MiB may take them, until they turn out not to be
		// there: that is under the bound for a file of any size.
		if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 && !strings.HasPrefix(name, "a page of 50") && !strings.HasPrefix(name, "a bomb") {
			t.Errorf("%s: took %d MiB", name, took>>20)
		}
	}
}

// An error of one value is one of its row.
func TestReaderGoesOnAfterValues(t *testing.T) {
	d := draft{schema: []draftElement{{name: "g", children: 1}, {name: "a", kind: kindByteArray}}, rows: 3, kind: kindByteArray, pages: []draftPage{{values: 3, data: texts("x", "\xff", "y")}}}
	file := d.file()
	r, err := Open(bytes.NewReader(file), int64(len(file)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"g":{"a":"x"}}`, "expected UTF-8, found other bytes in column g.a", `{"g":{"a":"y"}}`, "EOF", "EOF"} {
		row, err := r.Next()
		got := string(row)
		if err != nil {
			got = err.Error()
		}
		if got != want || errors.As(err, new(*ValueError)) != (i == 1) {
			t.Errorf("row %d: %s, want %s", i+1, got, want)
		}
	}
}

// sound reads a file that may be anything: what comes is JSON or an error, none of which
// was a panic.
func sound(t *testing.T, file []byte) {
	r, err := Open(bytes.NewReader(file), int64(len(file)), 1<<16)
	for n := 0; err == nil && n < 2000; n++ {
		var row []byte
		row, err = r.Next()
		if err == nil && pyjson.End(row, 0) != len(row) {
			t.Fatalf("no JSON: %q", row)
		}
		if errors.As(err, new(*ValueError)) {
			err = nil
		}
	}
	if err != nil && err != io.EOF && strings.Contains(err.Error(), "runtime error") {
		t.Fatalf("%v\n%q", err, file)
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
func sample(t testing.TB, options ...library.WriterOption) []byte {
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
	w := library.NewGenericWriter[sampleRow](&out, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var libraryCodecs = map[codec]compress.Codec{
	codecNone: &library.Uncompressed, codecSnappy: &library.Snappy, codecGzip: &library.Gzip,
	codecBrotli: &library.Brotli, codecZstd: &library.Zstd, codecLZ4Raw: &library.Lz4Raw,
}

func samples(t testing.TB) map[string][]byte {
	files := map[string][]byte{}
	for codec := range libraryCodecs {
		for version := 1; version <= 2; version++ {
			files[fmt.Sprint(codec, version)] = sample(t,
				library.Compression(libraryCodecs[codec]), library.DataPageVersion(version), library.MaxRowsPerRowGroup(13))
		}
	}
	return files
}

// A file in which any byte is another is read or refused.
func TestReaderOnBrokenBytes(t *testing.T) {
	for name, file := range samples(t) {
		if rows, err := rowsOf(file); err != nil || len(rows) != 20 {
			t.Fatalf("%s: %d rows, %v", name, len(rows), err)
		}
		for i := 0; i < len(file); i += 11 {
			for _, other := range []byte{0, 1, 0x7f, 0x80, 0xff, file[i] ^ 1<<(i%8)} {
				broken := bytes.Clone(file)
				broken[i] = other
				sound(t, broken)
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, file := range samples(f) {
		f.Add(file)
	}
	f.Add(draft{schema: []draftElement{{name: "a", kind: kindByteArray, repetition: optional}}, rows: 3, kind: kindByteArray, pages: []draftPage{{values: 3, levels: encodingBitPacked, data: append([]byte{0b10100000}, texts("x", "yy")...)}}}.file())
	f.Fuzz(sound)
}

// A row that takes few bytes of a file, and very many values, is refused before they take
// memory: here a list of 50 million empty texts, all of them one entry of a dictionary.
func TestManyValues(t *testing.T) {
	const n = 50_000_000
	run := func(count int, value byte) []byte { return append(uvarint(uint64(count)<<1), value) }
	file := draft{
		schema: []draftElement{{name: "outputs", children: 1, converted: 3}, {name: "list", repetition: repeated, children: 1}, {name: "element", kind: kindByteArray}},
		rows:   1, values: n, kind: kindByteArray,
		pages: []draftPage{
			{kind: dictionaryPage, values: 1, data: []byte{0, 0, 0, 0}},
			{values: n, encoding: encodingRLEDictionary, data: slices.Concat(
				levels(append(run(1, 0), run(n-1, 1)...)...), levels(run(n, 1)...), []byte{1}, run(n, 0))},
		},
	}.file()
	reader, err := Open(bytes.NewReader(file), int64(len(file)), 256<<20)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = reader.Next()
	runtime.ReadMemStats(&after)
	var bound *BoundError
	if !errors.As(err, &bound) || err.Error() != "expected a row of 4194304 values at most after unpacking, found more" {
		t.Errorf("%v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
		t.Errorf("%d MiB for a file of %d bytes", took>>20, len(file))
	}
	if _, again := reader.Next(); again != err {
		t.Errorf("then %v", again)
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
	w := library.NewGenericWriter[row](&file)
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
		reader, err := Open(bytes.NewReader(file.Bytes()), int64(file.Len()), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		reader.Select(test.names...)
		for i, want := range test.want {
			row, err := reader.Next()
			if string(row) != want || (err != nil) != (want == "") {
				t.Errorf("%v, row %d: %s, %v; want %s", test.names, i+1, row, err, want)
			}
		}
		if _, err := reader.Next(); err != io.EOF {
			t.Errorf("%v, after the last: %v", test.names, err)
		}
	}
}

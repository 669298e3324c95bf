// Package parquet reads rows of Parquet as JSON, and writes rows of structs.
//
//	reader, err := parquet.Open(file, size, 256<<20)
//	row, err := reader.Next() // {"id":7,"tags":["a","b"]}
//
// # The format
//
// A file is a schema of nested fields, and rows. Each leaf of the schema is a column,
// and rows are kept in groups, which hold their columns one after another: a column
// chunk is a run of pages, each compressed by itself, perhaps after a page that is the
// dictionary of what they refer to. The footer at the file's end says where each chunk
// begins.
//
// A page does not hold rows but, for each value, two small numbers, and the value
// unless it is null. The definition level counts how many of the optional and repeated
// fields on the path to the leaf are there: it says which of them is null, or is a list
// without items. The repetition level says at which of the repeated fields on the path
// the value begins a new item; it is 0 where it begins a new row. (Melnik et al. 2010,
// Dremel: Interactive Analysis of Web-Scale Datasets.) A row is put together by going
// through the schema: a field takes the next levels of the columns below it, and these
// must say the same of it, as all columns of a group are there or not there together.
//
// # Why here
//
// github.com/parquet-go/parquet-go, which the tests compare with, reads and writes all this
// and much more, but it trusts what it reads. Of the hostile files of the tests, four made
// version 0.32 ask for 8 to 64 GB, which ends the process: a list in the footer, a
// dictionary and the values of a page are allocated by the number that the file claims. A
// broken page of LZ4 doubles its memory without end. None of that is a panic that could be
// caught. To check each file before would take what is here: its headers, its codecs and
// its runs. Of the forms that old files have, it refuses six of fourteen.
//
// The library writes well, but it is not linked for that alone. The binary would grow from
// 28.1 to 34.7 MB. Each start would take 6.4 ms of processor time instead of 5.5, as its
// packages, protobuf and go-geom initialize for every command.
//
// Here everything is pulled from a page when a row asks for it, so the bytes that are
// there bound it. Compression is left to libraries.
//
// # Bounds
//
// Files come from outside. What is held of one is its footer, and of each column the
// page at hand with its dictionary: at most 64 MiB and 16 times the file's size in
// all, and 2 GiB. A row's text is bounded by that and by the caller, and its values by
// their number. Whatever a file claims beyond what it holds is an error, and so is what
// is left over.
package parquet

import "fmt"

// A kind is a physical type.
type kind int32

const (
	kindBoolean kind = iota
	kindInt32
	kindInt64
	kindInt96
	kindFloat
	kindDouble
	kindByteArray
	kindFixed      // FIXED_LEN_BYTE_ARRAY
	kindGroup kind = -1
)

func (k kind) String() string {
	names := [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}
	if k >= 0 && int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("type %d", int32(k))
}

// A repetition says how often a field is there.
type repetition int32

const (
	required repetition = iota
	optional
	repeated
)

// An encoding is how values are written in a page.
type encoding int32

const (
	encodingPlain           encoding = 0
	encodingPlainDictionary encoding = 2 // RLE_DICTIONARY in files of old, PLAIN for the dictionary itself
	encodingRLE             encoding = 3
	encodingBitPacked       encoding = 4 // of levels; deprecated
	encodingDelta           encoding = 5 // DELTA_BINARY_PACKED
	encodingDeltaLength     encoding = 6 // DELTA_LENGTH_BYTE_ARRAY
	encodingDeltaBytes      encoding = 7 // DELTA_BYTE_ARRAY
	encodingRLEDictionary   encoding = 8
	encodingSplit           encoding = 9 // BYTE_STREAM_SPLIT
)

func (e encoding) String() string {
	names := map[encoding]string{
		encodingPlain: "PLAIN", encodingPlainDictionary: "PLAIN_DICTIONARY", encodingRLE: "RLE",
		encodingBitPacked: "BIT_PACKED", encodingDelta: "DELTA_BINARY_PACKED",
		encodingDeltaLength: "DELTA_LENGTH_BYTE_ARRAY", encodingDeltaBytes: "DELTA_BYTE_ARRAY",
		encodingRLEDictionary: "RLE_DICTIONARY", encodingSplit: "BYTE_STREAM_SPLIT",
	}
	if name, ok := names[e]; ok {
		return name
	}
	return fmt.Sprintf("encoding %d", int32(e))
}

// A codec compresses pages.
type codec int32

const (
	codecNone codec = iota
	codecSnappy
	codecGzip
	codecLZO
	codecBrotli
	codecLZ4 // as Hadoop frames it; deprecated
	codecZstd
	codecLZ4Raw
)

func (c codec) String() string {
	names := [...]string{"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"}
	if c >= 0 && int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("codec %d", int32(c))
}

// A pageKind is what a page holds.
type pageKind int32

const (
	dataPage       pageKind = 0
	dictionaryPage pageKind = 2
	dataPageV2     pageKind = 3
)

// magic begins and ends a file.
const magic = "PAR1"

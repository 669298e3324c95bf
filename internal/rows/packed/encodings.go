package packed

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// values returns the values in the text of a page.
func (c *column) values(encoding format.Encoding, text []byte) (values, error) {
	isBytes, isFixed := c.kind == format.ByteArray, c.kind == format.FixedLenByteArray
	isInt := c.kind == format.Int32 || c.kind == format.Int64
	switch encoding {
	case format.Plain:
		return c.plain(text), nil
	case format.PlainDictionary, format.RLEDictionary: //lint:ignore SA1019 old files have it
		return c.indices(text)
	case format.RLE:
		if c.kind == format.Boolean {
			list, _, err := prefixed(text)
			return &booleans{runs{data: list, width: 1}}, err
		}
	case format.DeltaBinaryPacked:
		if isInt {
			// Also of INT32: sums are right modulo 2^32, however wide the differences are.
			numbers, err := new(delta.BinaryPackedEncoding).DecodeInt64(nil, text)
			return &integers{c.kind, numbers}, err
		}
	case format.DeltaLengthByteArray:
		if isBytes {
			list, offsets, err := new(delta.LengthByteArrayEncoding).DecodeByteArray(nil, text, nil)
			return &byteArrays{c.kind, list, offsets}, err
		}
	case format.DeltaByteArray:
		if isBytes || isFixed {
			list, offsets, err := new(delta.ByteArrayEncoding).DecodeByteArray(nil, text, nil)
			return &byteArrays{c.kind, list, offsets}, err
		}
	case format.ByteStreamSplit:
		if size := c.size(); size > 0 && c.kind != format.Int96 && len(text)%size == 0 {
			return &streams{c.kind, text, size, 0}, nil
		}
	}
	return nil, fmt.Errorf("expected an encoding of %s, found %s", c.kind, encoding)
}

// size returns the bytes of a value, 0 if they differ.
func (c *column) size() int {
	switch c.kind {
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	case format.Int96:
		return 12
	case format.FixedLenByteArray:
		return c.length
	}
	return 0
}

// valueOf returns a value of so many bytes as [column.size] gives.
func valueOf(kind format.Type, text []byte) value {
	switch kind {
	case format.Int32, format.Float:
		return value{kind: kind, number: uint64(binary.LittleEndian.Uint32(text))}
	case format.Int64, format.Double:
		return value{kind: kind, number: binary.LittleEndian.Uint64(text)}
	}
	return value{kind: kind, bytes: text}
}

// plain are values one after the other.
type plain struct {
	kind format.Type
	size int
	text []byte
	bit  int // of the next boolean
}

func (c *column) plain(text []byte) *plain { return &plain{c.kind, c.size(), text, 0} }

func (p *plain) next() (v value, err error) {
	switch {
	case p.kind == format.Boolean:
		if p.bit >= 8*len(p.text) {
			return v, errShort
		}
		v = value{kind: p.kind, number: uint64(p.text[p.bit/8] >> (p.bit % 8) & 1)}
		p.bit++
	case p.kind == format.ByteArray:
		v.kind = p.kind
		v.bytes, p.text, err = prefixed(p.text)
	case len(p.text) < p.size:
		return v, errShort
	default:
		v = valueOf(p.kind, p.text[:p.size])
		p.text = p.text[p.size:]
	}
	return v, err
}

// indices are values of a dictionary, by their numbers.
type indices struct {
	dictionary []value
	runs       runs
}

func (c *column) indices(text []byte) (*indices, error) {
	if c.dictionary == nil {
		return nil, fmt.Errorf("expected a dictionary before the values")
	}
	i := &indices{dictionary: c.dictionary}
	if len(text) > 0 {
		if i.runs = (runs{data: text[1:], width: uint(text[0])}); i.runs.width > 32 {
			return nil, fmt.Errorf("expected numbers of 32 bits at most, found %d", i.runs.width)
		}
	}
	return i, nil
}

func (i *indices) next() (value, error) {
	at, err := i.runs.next()
	if err == nil && int64(at) >= int64(len(i.dictionary)) {
		err = fmt.Errorf("expected a value of a dictionary of %d, found the one at %d", len(i.dictionary), at)
	}
	if err != nil {
		return value{}, err
	}
	return i.dictionary[at], nil
}

// booleans are bits in runs.
type booleans struct{ runs runs }

func (b *booleans) next() (value, error) {
	bit, err := b.runs.next()
	return value{kind: format.Boolean, number: uint64(bit)}, err
}

// integers are decoded ones.
type integers struct {
	kind    format.Type
	numbers []int64
}

func (i *integers) next() (value, error) {
	if len(i.numbers) == 0 {
		return value{}, errShort
	}
	v := value{kind: i.kind, number: uint64(i.numbers[0])}
	i.numbers = i.numbers[1:]
	return v, nil
}

// byteArrays are decoded ones, each from an offset to the next.
type byteArrays struct {
	kind    format.Type
	text    []byte
	offsets []uint32
}

func (b *byteArrays) next() (value, error) {
	if len(b.offsets) < 2 {
		return value{}, errShort
	}
	v := value{kind: b.kind, bytes: b.text[b.offsets[0]:b.offsets[1]]}
	b.offsets = b.offsets[1:]
	return v, nil
}

// streams are values of which first all first bytes stand, then all second ones ...
type streams struct {
	kind format.Type
	text []byte
	size int
	at   int
}

func (s *streams) next() (value, error) {
	n := len(s.text) / s.size
	if s.at == n {
		return value{}, errShort
	}
	text := make([]byte, s.size)
	for i := range text {
		text[i] = s.text[i*n+s.at]
	}
	s.at++
	return valueOf(s.kind, text), nil
}

// runs are small numbers as Parquet's RLE writes them: runs of a number, and groups of eight
// numbers of width bits each. The last group may be cut.
type runs struct {
	data  []byte
	width uint

	left   uint64 // numbers of the run that were not read yet
	same   bool   // the run is one number
	number uint32
	bit    uint64 // of the next number of the run, if it is not the same
	bytes  uint64 // of the run, if it is not the same
}

// levelsOf returns levels up to most. There are none if that is 0.
func levelsOf(data []byte, most int) runs { return runs{data: data, width: uint(bits.Len(uint(most)))} }

// level returns the next level.
func (r *runs) level() (int, error) {
	if r.width == 0 {
		return 0, nil
	}
	level, err := r.next()
	return int(level), err
}

func (r *runs) next() (uint32, error) {
	for r.left == 0 {
		if err := r.begin(); err != nil {
			return 0, err
		}
	}
	r.left--
	if r.same {
		return r.number, nil
	}
	at, shift := r.bit/8, uint(r.bit%8)
	r.bit += uint64(r.width)
	var some [8]byte
	if n := uint64(shift+r.width+7) / 8; at+n > uint64(len(r.data)) {
		return 0, errShort
	}
	copy(some[:], r.data[at:])
	return uint32(binary.LittleEndian.Uint64(some[:]) >> shift & (1<<r.width - 1)), nil
}

// begin begins the next run.
func (r *runs) begin() error {
	r.data = r.data[min(r.bytes, uint64(len(r.data))):]
	head, n := binary.Uvarint(r.data)
	if n <= 0 {
		return errShort
	}
	r.data = r.data[n:]
	r.left, r.same, r.bit, r.bytes = head>>1, head&1 == 0, 0, 0
	if !r.same {
		r.left = min(r.left, 1<<60) * 8
		r.bytes = min(head>>1, 1<<56) * uint64(r.width)
		return nil
	}
	size := int(r.width+7) / 8
	if size > len(r.data) {
		return errShort
	}
	r.number = 0
	for i, b := range r.data[:size] {
		r.number |= uint32(b) << (8 * i)
	}
	r.data = r.data[size:]
	return nil
}

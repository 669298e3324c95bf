package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Values are decoded one at a time, when a row asks for them, so that a run of 2^31
// repeats costs a row what it takes and no memory. Whatever their encoding, they come
// as PLAIN has them: a little-endian number, the bytes of a text without their length,
// or one byte for a boolean.

// A decoder gives the values of a page.
type decoder interface {
	// next returns the next value, valid until the next call.
	next() ([]byte, error)
}

var (
	errValues   = errors.New("expected more values in the page")
	errNegative = errors.New("expected a length, found a negative number")
)

// newDecoder returns a decoder of a page's values.
func (c *column) newDecoder(encoding encoding, data []byte) (decoder, error) {
	size := c.size()
	if len(data) == 0 {
		return &plainTexts{}, nil // all values are null
	}
	switch encoding {
	case encodingPlain:
		return newPlain(c.kind, size, data), nil
	case encodingPlainDictionary, encodingRLEDictionary:
		if c.dictionary == nil {
			return nil, errors.New("expected a dictionary before a page that refers to one")
		}
		if data[0] > 32 {
			return nil, fmt.Errorf("expected indices of 32 bits at most, found %d", data[0])
		}
		return &dictionaryValues{dictionary: c.dictionary, indices: hybrid{data: data[1:], width: int(data[0])}}, nil
	case encodingRLE:
		if c.kind == kindBoolean {
			data, _, err := prefixed(data)
			return &booleans{hybrid: hybrid{data: data, width: 1}}, err
		}
	case encodingDelta:
		if c.kind == kindInt32 || c.kind == kindInt64 {
			numbers, _, err := newDelta(data)
			return &deltaNumbers{delta: numbers, size: size}, err
		}
	case encodingDeltaLength:
		if c.kind == kindByteArray {
			lengths, rest, err := newDelta(data)
			return &deltaLength{lengths: lengths, data: rest}, err
		}
	case encodingDeltaBytes:
		if c.kind == kindByteArray || c.kind == kindFixed {
			prefixes, rest, err := newDelta(data)
			if err != nil {
				return nil, err
			}
			lengths, rest, err := newDelta(rest)
			return &deltaBytes{prefixes: prefixes, suffixes: deltaLength{lengths: lengths, data: rest}, size: size}, err
		}
	case encodingSplit:
		if c.kind != kindBoolean && size > 0 {
			if len(data)%size != 0 {
				return nil, fmt.Errorf("expected values of %d bytes, found %d bytes", size, len(data))
			}
			return &split{data: data, count: len(data) / size, value: make([]byte, min(size, len(data)))}, nil
		}
	}
	return nil, fmt.Errorf("expected an encoding of %s, found %s", c.kind, encoding)
}

// prefixed cuts data that stands after its length in 4 bytes.
func prefixed(data []byte) (found, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, errValues
	}
	n := binary.LittleEndian.Uint32(data)
	if uint64(n) > uint64(len(data)-4) {
		return nil, nil, fmt.Errorf("expected %d bytes in the page, found %d", n, len(data)-4)
	}
	return data[4 : 4+n], data[4+n:], nil
}

// newPlain returns a decoder of PLAIN. size is 0 for texts.
func newPlain(kind kind, size int, data []byte) decoder {
	switch {
	case kind == kindBoolean:
		return &booleans{hybrid: hybrid{data: data, width: 1, packed: len(data) * 8}}
	case size == 0:
		return &plainTexts{data}
	}
	return &plainNumbers{data, size}
}

type plainNumbers struct {
	data []byte
	size int
}

func (p *plainNumbers) next() ([]byte, error) {
	if len(p.data) < p.size {
		return nil, errValues
	}
	value := p.data[:p.size]
	p.data = p.data[p.size:]
	return value, nil
}

type plainTexts struct{ data []byte }

func (p *plainTexts) next() (value []byte, err error) {
	value, p.data, err = prefixed(p.data)
	return value, err
}

// A hybrid reads numbers of some bits in runs, of which each is a number with a count
// or eight numbers at a time, packed: levels, indices of dictionaries and booleans.
type hybrid struct {
	data   []byte
	width  int    // bits, 32 at most
	repeat uint64 // how often value comes yet
	value  uint32
	packed int // how many packed numbers are left; the first is at bit of data
	bit    int
	// most says that packed numbers have their most significant bits first, as
	// levels have in the deprecated BIT_PACKED.
	most bool
}

func (h *hybrid) next() (uint32, error) {
	for {
		switch {
		case h.repeat > 0:
			h.repeat--
			return h.value, nil
		case h.packed > 0:
			h.packed--
			h.bit += h.width
			if h.most {
				return unpackMost(h.data, h.bit-h.width, h.width), nil
			}
			return uint32(unpack(h.data, h.bit-h.width, h.width)), nil
		}
		h.data = h.data[(h.bit+7)/8:]
		h.bit = 0
		head, n := binary.Uvarint(h.data)
		if n <= 0 {
			return 0, errValues
		}
		h.data = h.data[n:]
		if head&1 == 0 {
			bytes := (h.width + 7) / 8
			if len(h.data) < bytes {
				return 0, errValues
			}
			var value [4]byte
			copy(value[:], h.data[:bytes])
			h.data = h.data[bytes:]
			h.repeat, h.value = head>>1, binary.LittleEndian.Uint32(value[:])
			continue
		}
		if h.width == 0 {
			h.repeat, h.value = head>>1<<3, 0
			continue
		}
		h.packed = int(min(head>>1, uint64(len(h.data)))) * 8 // eight take a byte at least
		if there := len(h.data) * 8 / h.width; h.packed > there {
			// Some writers cut what the last group of eight does not need. Nothing
			// comes after it.
			h.packed = there
			h.data = h.data[:(there*h.width+7)/8]
		}
	}
}

// unpackMost is unpack of numbers whose most significant bits come first.
func unpackMost(data []byte, bit, width int) (value uint32) {
	for i := bit; i < bit+width; i++ {
		value = value<<1 | uint32(data[i>>3]>>(7-i&7)&1)
	}
	return value
}

// unpack returns the number of some bits, 64 at most, that begins at a bit of data,
// which has them all. The least significant bits come first.
func unpack(data []byte, bit, width int) uint64 {
	at, shift := bit>>3, uint(bit&7)
	if len(data)-at < 9 {
		var tail [9]byte
		copy(tail[:], data[at:])
		return unpack9(&tail, shift, width)
	}
	return unpack9((*[9]byte)(data[at:]), shift, width)
}

func unpack9(data *[9]byte, shift uint, width int) uint64 {
	value := binary.LittleEndian.Uint64(data[:8])>>shift | uint64(data[8])<<(64-shift)
	return value & (1<<width - 1)
}

// booleans are one bit each.
type booleans struct {
	hybrid hybrid
	value  [1]byte
}

func (b *booleans) next() ([]byte, error) {
	value, err := b.hybrid.next()
	b.value[0] = byte(value)
	return b.value[:], err
}

// A dictionary holds the values of a dictionary page.
type dictionary struct {
	data  []byte
	size  int      // of each value; 0 if they are texts
	count int      // how many there are
	ends  []uint32 // of each text in data
}

// newDictionary takes count values of PLAIN from data, which it keeps.
func newDictionary(data []byte, size, count int) (*dictionary, error) {
	d := &dictionary{data: data, size: size, count: count}
	if size > 0 {
		if count > len(data)/size {
			return nil, fmt.Errorf("expected a dictionary of %d values, found %d", count, len(data)/size)
		}
		return d, nil
	}
	if count > len(data)/4 { // each has a length
		return nil, fmt.Errorf("expected a dictionary of %d values, found %d bytes", count, len(data))
	}
	d.ends = make([]uint32, 0, count)
	rest := data
	for range count {
		var err error
		if _, rest, err = prefixed(rest); err != nil {
			return nil, err
		}
		d.ends = append(d.ends, uint32(len(data)-len(rest)))
	}
	return d, nil
}

func (d *dictionary) value(i uint32) ([]byte, error) {
	if uint64(i) >= uint64(d.count) {
		return nil, fmt.Errorf("expected an index into a dictionary of %d values, found %d", d.count, i)
	}
	if d.size > 0 {
		at := int(i) * d.size
		return d.data[at : at+d.size], nil
	}
	start := uint32(4)
	if i > 0 {
		start += d.ends[i-1]
	}
	return d.data[start:d.ends[i]], nil
}

type dictionaryValues struct {
	*dictionary
	indices hybrid
}

func (d *dictionaryValues) next() ([]byte, error) {
	i, err := d.indices.next()
	if err != nil {
		return nil, err
	}
	return d.value(i)
}

// A delta reads DELTA_BINARY_PACKED: integers as their differences, in blocks of
// miniblocks, of which each packs its differences from the block's least in as many
// bits as the largest needs.
type delta struct {
	data    []byte // from the next block or miniblock on
	left    uint64 // values not yet read
	first   bool   // whether the next value is the header's
	value   int64
	least   int64  // of the block's differences
	size    int    // values in a miniblock
	blocks  int    // miniblocks in a block
	widths  []byte // of the block's miniblocks to come
	packed  []byte // the miniblock
	width   int
	bit     int // of the next difference in packed
	inBlock int // differences of the miniblock not yet read
}

// maxDeltaBlock bounds the values of a block. Writers use 128.
const maxDeltaBlock = 1 << 16

// newDelta returns a decoder of integers, and what stands after them.
func newDelta(data []byte) (d delta, rest []byte, err error) {
	var head [3]uint64
	for i := range head {
		n := 0
		if head[i], n = binary.Uvarint(data); n <= 0 {
			return delta{}, nil, errValues
		}
		data = data[n:]
	}
	first, n := binary.Varint(data)
	if n <= 0 {
		return delta{}, nil, errValues
	}
	block, blocks, count := head[0], head[1], head[2]
	if block == 0 || block > maxDeltaBlock || blocks == 0 || block%blocks != 0 || block/blocks%8 != 0 {
		return delta{}, nil, fmt.Errorf("expected blocks of %d values at most in miniblocks of a multiple of 8, found %d in %d", maxDeltaBlock, block, blocks)
	}
	d = delta{data: data[n:], left: count, first: true, value: first, size: int(block / blocks), blocks: int(blocks)}
	// Where the last block ends is known only by going through their heads. The loop
	// is bounded by the bytes: every block has a head.
	over := d
	for left := count; left > 1; {
		if err := over.nextBlock(); err != nil {
			return delta{}, nil, err
		}
		for len(over.widths) > 0 && left > 1 {
			if err := over.nextMiniblock(); err != nil {
				return delta{}, nil, err
			}
			left -= min(left-1, uint64(over.size))
		}
	}
	return d, over.data, nil
}

func (d *delta) nextBlock() error {
	least, n := binary.Varint(d.data)
	if n <= 0 || len(d.data)-n < d.blocks {
		return errValues
	}
	d.least = least
	d.widths = d.data[n : n+d.blocks]
	d.data = d.data[n+d.blocks:]
	return nil
}

func (d *delta) nextMiniblock() error {
	// Those of DuckDB's unsigned integers of 32 bits have more.
	d.width = int(d.widths[0])
	d.widths = d.widths[1:]
	if d.width > 64 {
		return fmt.Errorf("expected differences of 64 bits at most, found %d", d.width)
	}
	n := d.size / 8 * d.width
	if n > len(d.data) {
		return errValues
	}
	d.packed, d.data = d.data[:n], d.data[n:]
	d.bit, d.inBlock = 0, d.size
	return nil
}

func (d *delta) next() (int64, error) {
	if d.left == 0 {
		return 0, errValues
	}
	d.left--
	if d.first {
		d.first = false
		return d.value, nil
	}
	if d.inBlock == 0 {
		if len(d.widths) == 0 {
			if err := d.nextBlock(); err != nil {
				return 0, err
			}
		}
		if err := d.nextMiniblock(); err != nil {
			return 0, err
		}
	}
	d.inBlock--
	d.value += d.least + int64(unpack(d.packed, d.bit, d.width))
	d.bit += d.width
	return d.value, nil
}

type deltaNumbers struct {
	delta
	size  int
	value [8]byte
}

func (d *deltaNumbers) next() ([]byte, error) {
	value, err := d.delta.next() // of 32 bits, sums wrap around
	binary.LittleEndian.PutUint64(d.value[:], uint64(value))
	return d.value[:d.size], err
}

// deltaLength is DELTA_LENGTH_BYTE_ARRAY: the lengths of all texts, and then the texts.
type deltaLength struct {
	lengths delta
	data    []byte
}

func (d *deltaLength) next() ([]byte, error) {
	n, err := d.lengths.next()
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, errNegative
	case n > int64(len(d.data)):
		return nil, fmt.Errorf("expected %d bytes in the page, found %d", n, len(d.data))
	}
	value := d.data[:n]
	d.data = d.data[n:]
	return value, nil
}

// deltaBytes is DELTA_BYTE_ARRAY: how much of the text before each begins with, and
// the rest. A page of n bytes may hold texts of n^2 bytes, but one of them is no longer
// than the page.
type deltaBytes struct {
	prefixes delta
	suffixes deltaLength
	value    []byte
	size     int // of each value; 0 if they are texts
}

func (d *deltaBytes) next() ([]byte, error) {
	prefix, err := d.prefixes.next()
	if err != nil {
		return nil, err
	}
	suffix, err := d.suffixes.next()
	switch {
	case err != nil:
		return nil, err
	case prefix < 0:
		return nil, errNegative
	case prefix > int64(len(d.value)):
		return nil, fmt.Errorf("expected a prefix of the %d bytes before, found one of %d", len(d.value), prefix)
	}
	d.value = append(d.value[:prefix], suffix...)
	if d.size > 0 && len(d.value) != d.size {
		return nil, fmt.Errorf("expected a value of %d bytes, found %d", d.size, len(d.value))
	}
	return d.value, nil
}

// split is BYTE_STREAM_SPLIT: the first bytes of all values, then their second bytes,
// and so on.
type split struct {
	data  []byte
	count int
	i     int
	value []byte
}

func (s *split) next() ([]byte, error) {
	if s.i >= s.count {
		return nil, errValues
	}
	for j := range s.value {
		s.value[j] = s.data[j*s.count+s.i]
	}
	s.i++
	return s.value, nil
}

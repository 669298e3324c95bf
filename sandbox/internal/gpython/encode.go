package gpython

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/go-python/gpython/py"
)

// Bounds of a reply, as on CPython's side.
const (
	maxNodes = 200_000
	maxDepth = 1000
	maxReply = 8 << 20
)

// An encoder appends values to a reply. A value without an exact encoding is an
// error; what is appended after it is not used.
type encoder struct {
	reply []byte
	err   error
	nodes int
	ids   map[any]uint64 // of the objects in the reply, by identity
}

func (e *encoder) fail(format string, a ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, a...)
	}
}

// value encodes a value. There are never elements of iterators.
func (e *encoder) value(v py.Object) {
	e.node(v, 0)
	e.reply = append(e.reply, 0)
}

func (e *encoder) bytes(tag byte, b string) {
	e.reply = binary.AppendUvarint(append(e.reply, tag), uint64(len(b)))
	e.reply = append(e.reply, b...)
}

func (e *encoder) float(f float64) {
	e.reply = binary.LittleEndian.AppendUint64(e.reply, math.Float64bits(f))
}

// again encodes a known object as a reference and returns true. A new object
// gets the next number.
func (e *encoder) again(identity any) bool {
	if id, ok := e.ids[identity]; ok {
		e.reply = binary.AppendUvarint(append(e.reply, 'r'), id)
		return true
	}
	e.ids[identity] = uint64(len(e.ids))
	return false
}

// An array is the identity of a tuple: the address of its elements and their
// number.
type array struct {
	first *py.Object
	n     int
}

func (e *encoder) node(v py.Object, depth int) {
	e.nodes++
	if e.nodes > maxNodes || depth > maxDepth || len(e.reply) > maxReply {
		e.fail("a value is too large")
	}
	if e.err != nil {
		return
	}
	switch v := v.(type) {
	case py.NoneType:
		e.reply = append(e.reply, 'N')
	case py.EllipsisType:
		e.reply = append(e.reply, '.')
	case py.Bool:
		if v {
			e.reply = append(e.reply, 'T')
		} else {
			e.reply = append(e.reply, 'F')
		}
	case py.Int:
		e.integer(big.NewInt(int64(v)))
	case *py.BigInt:
		e.integer((*big.Int)(v))
	case py.Float:
		e.reply = append(e.reply, 'f')
		e.float(float64(v))
	case py.Complex:
		e.reply = append(e.reply, 'c')
		e.float(real(complex128(v)))
		e.float(imag(complex128(v)))
	case py.String:
		// gpython also uses this rune for a surrogate, which it cannot hold.
		if !utf8.ValidString(string(v)) || strings.ContainsRune(string(v), utf8.RuneError) {
			e.fail("a str has characters that it cannot tell apart")
			return
		}
		e.bytes('s', string(v))
	case py.Bytes:
		e.bytes('b', string(v))
	case *py.Range:
		if !e.again(v) {
			e.reply = append(e.reply, 'R')
			for _, n := range []py.Int{v.Start, v.Stop, v.Step} {
				e.node(n, depth+1)
			}
		}
	case py.Tuple:
		if !e.again(array{unsafe.SliceData([]py.Object(v)), len(v)}) {
			e.list('(', v, depth)
		}
	case *py.List:
		if !e.again(v) {
			e.list('[', v.Items, depth)
		}
	case py.StringDict:
		e.dict(v, depth)
	case *py.Set:
		e.set('{', v, depth)
	case *py.FrozenSet:
		e.set('<', v, depth)
	default:
		e.fail("a value is a %s, which cannot be encoded", v.Type().Name)
	}
}

func (e *encoder) list(tag byte, items []py.Object, depth int) {
	e.reply = binary.AppendUvarint(append(e.reply, tag), uint64(len(items)))
	for _, item := range items {
		e.node(item, depth+1)
	}
}

// integer encodes n in two's complement, little endian, in as few bytes as
// possible.
func (e *encoder) integer(n *big.Int) {
	if n.Sign() == 0 {
		e.bytes('i', "")
		return
	}
	m := n
	if n.Sign() < 0 {
		m = new(big.Int).Not(n) // -n - 1, the bits of n inverted
	}
	b := make([]byte, m.BitLen()/8+1) // with a sign bit
	m.FillBytes(b)
	slices.Reverse(b)
	if n.Sign() < 0 {
		for i := range b {
			b[i] = ^b[i]
		}
	}
	e.bytes('i', string(b))
}

// dict encodes a dict of at most one pair, as gpython does not keep the order.
func (e *encoder) dict(d py.StringDict, depth int) {
	if len(d) > 1 {
		e.fail("a value is a dict with several keys, whose order is not known")
		return
	}
	if e.again(reflect.ValueOf(d).Pointer()) {
		return
	}
	e.reply = binary.AppendUvarint(append(e.reply, 'd'), uint64(len(d)))
	for key, value := range d {
		e.node(py.String(key), depth+1)
		e.node(value, depth+1)
	}
}

// set encodes a set in the order of its elements' encodings. They must be all
// int or all str: for gpython 1 and 1.0 are different elements, and so are two
// equal ints beyond 64 bits.
func (e *encoder) set(tag byte, s py.Object, depth int) {
	if e.again(s) {
		return
	}
	var encoded []string
	ints, strs := 0, 0
	err := py.Iterate(s, func(item py.Object) bool {
		switch item.(type) {
		case py.Int:
			ints++
		case py.String:
			strs++
		default:
			e.fail("a value is a set of what it may count twice")
			return true
		}
		element := encoder{nodes: e.nodes + len(encoded)}
		element.node(item, depth+1)
		if element.err != nil {
			e.fail("%w", element.err)
			return true
		}
		encoded = append(encoded, string(element.reply))
		return false
	})
	if err != nil {
		e.fail("%w", err)
	}
	if ints > 0 && strs > 0 {
		e.fail("a value is a set of int and str")
	}
	slices.Sort(encoded)
	e.nodes += len(encoded)
	e.reply = binary.AppendUvarint(append(e.reply, tag), uint64(len(encoded)))
	for _, element := range encoded {
		e.reply = append(e.reply, element...)
	}
}

package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"codelinter/internal/pyjson"
)

// What values become in JSON:
//
//	texts, ENUM, BSON, bytes of any kind   a string, if they are UTF-8; else the row is refused
//	integers of all widths                 a number
//	DATE, TIME, TIMESTAMP, INT96           the number of their days, or of the column's unit (INT96: ns)
//	FLOAT, DOUBLE, FLOAT16                 a number, or NaN, Infinity, -Infinity as Python writes them
//	DECIMAL                                a number with all its digits
//	UUID                                   a string of 36 characters
//	JSON                                   the value itself, as it is written

// An appendJSON appends a value, as PLAIN has it, as JSON. The error is one of the value
// alone: the rows around it are whole.
type appendJSON func(dst, value []byte) ([]byte, error)

// size returns how many bytes each value of a column has, and 0 if they differ.
func (c *column) size() int {
	switch c.kind {
	case kindBoolean:
		return 1
	case kindInt32, kindFloat:
		return 4
	case kindInt64, kindDouble:
		return 8
	case kindInt96:
		return 12
	case kindFixed:
		return int(c.element.length)
	}
	return 0
}

// appendOf returns what writes a leaf's values.
func appendOf(e *element) (appendJSON, error) {
	numbers := e.kind == kindInt32 || e.kind == kindInt64
	texts := e.kind == kindByteArray || e.kind == kindFixed
	switch {
	case e.logical == logicalDecimal && (numbers || texts):
		if e.scale < 0 || e.scale > maxScale {
			return nil, fmt.Errorf("expected decimals of a scale of 0 to %d, found %d of %s", maxScale, e.scale, e)
		}
		scale := int(e.scale)
		return func(dst, value []byte) ([]byte, error) { return appendDecimal(dst, value, scale, numbers) }, nil
	case e.logical == logicalUnsigned && numbers:
		return appendUnsigned, nil
	case e.logical == logicalJSON && texts:
		return appendRaw, nil
	case e.logical == logicalUUID && e.kind == kindFixed && e.length == 16:
		return appendUUID, nil
	case e.logical == logicalFloat16 && e.kind == kindFixed && e.length == 2:
		return appendFloat16, nil
	case texts:
		return appendText, nil
	}
	return [...]appendJSON{
		kindBoolean: appendBoolean,
		kindInt32:   appendInteger,
		kindInt64:   appendInteger,
		kindInt96:   appendInt96,
		kindFloat:   appendFloat,
		kindDouble:  appendDouble,
	}[e.kind], nil
}

// asName returns what writes the same values as names of fields.
func asName(value appendJSON) appendJSON {
	return func(dst, name []byte) ([]byte, error) {
		start := len(dst)
		dst, err := value(dst, name)
		if err != nil || dst[start] == '"' {
			return dst, err
		}
		text := bytes.Clone(dst[start:])
		return appendText(dst[:start], text)
	}
}

func appendBoolean(dst, value []byte) ([]byte, error) {
	return strconv.AppendBool(dst, value[0] != 0), nil
}

func appendInteger(dst, value []byte) ([]byte, error) {
	return strconv.AppendInt(dst, integer(value), 10), nil
}

// integer returns an INT32 or INT64.
func integer(value []byte) int64 {
	if len(value) == 4 {
		return int64(int32(binary.LittleEndian.Uint32(value)))
	}
	return int64(binary.LittleEndian.Uint64(value))
}

func appendUnsigned(dst, value []byte) ([]byte, error) {
	if len(value) == 4 {
		return strconv.AppendUint(dst, uint64(binary.LittleEndian.Uint32(value)), 10), nil
	}
	return strconv.AppendUint(dst, binary.LittleEndian.Uint64(value), 10), nil
}

// appendInt96 writes a time of Impala and Spark: nanoseconds of the day, and the Julian
// day.
func appendInt96(dst, value []byte) ([]byte, error) {
	const epoch = 2440588 // the Julian day of 1970-01-01
	day := int64(int32(binary.LittleEndian.Uint32(value[8:]))) - epoch
	ns := big.NewInt(day)
	ns.Mul(ns, big.NewInt(24*60*60*1e9))
	ns.Add(ns, big.NewInt(int64(binary.LittleEndian.Uint64(value))))
	return ns.Append(dst, 10), nil
}

func appendFloat(dst, value []byte) ([]byte, error) {
	return appendNumber(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(value))), 32), nil
}

func appendDouble(dst, value []byte) ([]byte, error) {
	return appendNumber(dst, math.Float64frombits(binary.LittleEndian.Uint64(value)), 64), nil
}

func appendFloat16(dst, value []byte) ([]byte, error) {
	bits := binary.LittleEndian.Uint16(value)
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	var number float64
	switch exponent {
	case 0:
		number = math.Ldexp(fraction, -24)
	case 31:
		if number = math.Inf(1); fraction != 0 {
			number = math.NaN()
		}
	default:
		number = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 != 0 {
		number = -number
	}
	return appendNumber(dst, number, 32), nil
}

// appendNumber writes a number of some bits as encoding/json does, with as many digits
// as it needs, and what is none as Python's json does.
func appendNumber(dst []byte, number float64, bits int) []byte {
	switch {
	case math.IsNaN(number):
		return append(dst, "NaN"...)
	case math.IsInf(number, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(number, -1):
		return append(dst, "-Infinity"...)
	}
	format := byte('f')
	if abs := math.Abs(number); abs != 0 {
		if bits == 64 && (abs < 1e-6 || abs >= 1e21) || bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21) {
			format = 'e'
		}
	}
	dst = strconv.AppendFloat(dst, number, format, -1, bits)
	if n := len(dst); format == 'e' && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst = append(dst[:n-2], dst[n-1]) // e-09 to e-9
	}
	return dst
}

// Bounds on decimals, as the time to write one grows with the square of its digits.
// Arrow's largest has 32 bytes.
const (
	maxDecimal = 256 // bytes
	maxScale   = 1000
)

// appendDecimal writes a number without its last scale digits' point: little-endian if
// it is an integer of the format, else big-endian.
func appendDecimal(dst, value []byte, scale int, numbers bool) ([]byte, error) {
	if len(value) > maxDecimal {
		return dst, fmt.Errorf("expected a decimal of %d bytes at most, found %d", maxDecimal, len(value))
	}
	var number big.Int
	if numbers {
		number.SetInt64(integer(value))
	} else if number.SetBytes(value); len(value) > 0 && value[0]&0x80 != 0 {
		one := big.NewInt(1)
		number.Sub(&number, one.Lsh(one, uint(len(value)*8)))
	}
	if number.Sign() < 0 {
		dst = append(dst, '-')
		number.Neg(&number)
	}
	start := len(dst)
	dst = number.Append(dst, 10)
	if scale == 0 {
		return dst, nil
	}
	digits := bytes.Clone(dst[start:])
	dst = dst[:start]
	if len(digits) <= scale {
		digits = append(bytes.Repeat([]byte{'0'}, scale+1-len(digits)), digits...)
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	dst = append(dst, '.')
	return append(dst, digits[len(digits)-scale:]...), nil
}

func appendUUID(dst, value []byte) ([]byte, error) {
	return fmt.Appendf(dst, `"%x-%x-%x-%x-%x"`, value[:4], value[4:6], value[6:8], value[8:10], value[10:]), nil
}

// appendRaw writes what is JSON already.
func appendRaw(dst, value []byte) ([]byte, error) {
	value = bytes.Trim(value, pyjson.Blanks)
	if !utf8.Valid(value) {
		return dst, errNotUTF8
	}
	if len(value) == 0 || pyjson.End(value, 0) != len(value) {
		return dst, fmt.Errorf("expected JSON, found %.40q", value)
	}
	return append(dst, value...), nil
}

var errNotUTF8 = errors.New("expected UTF-8, found other bytes")

// appendText writes a string as encoding/json does. Nothing of text is kept.
func appendText(dst, text []byte) ([]byte, error) {
	if !utf8.Valid(text) {
		return dst, errNotUTF8
	}
	return pyjson.AppendText(dst, unsafe.String(unsafe.SliceData(text), len(text))), nil
}

package packed

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"codelinter/internal/python/pyjson"
)

// Bounds of decimals, as the time to write one grows with the square of its digits.
// Arrow's largest has 32 bytes.
const (
	maxDecimal = 256 // bytes
	maxScale   = 1000
)

// checkLeaf gives a leaf of an old file the logical type for its converted type,
// and checks it.
func checkLeaf(e *format.SchemaElement) error {
	if e.LogicalType.Value == nil && e.ConvertedType.Valid {
		switch e.ConvertedType.V {
		case deprecated.Decimal:
			e.LogicalType.Value = &format.DecimalType{Scale: e.Scale.V}
		case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
			e.LogicalType.Value = &format.IntType{}
		case deprecated.Json:
			e.LogicalType.Value = &format.JsonType{}
		}
	}
	if decimal, ok := e.LogicalType.Value.(*format.DecimalType); ok && (decimal.Scale < 0 || decimal.Scale > maxScale) {
		return fmt.Errorf("expected decimals of a scale of 0 to %d, found %d of %q", maxScale, decimal.Scale, e.Name)
	}
	return nil
}

// appendValue appends a value of a leaf as JSON:
//
//	texts, ENUM, BSON, bytes of any kind   a string, if they are UTF-8; else the row is refused
//	integers of all widths                 a number
//	DATE, TIME, TIMESTAMP, INT96           the number of their days, or of the column's unit (INT96: ns)
//	FLOAT, DOUBLE, FLOAT16                 a number, or NaN, Infinity, -Infinity as Python writes them
//	DECIMAL                                a number with all its digits
//	UUID                                   a string of 36 characters
//	JSON                                   the value itself, as it is written
//
// After an error the other rows can still be read.
func appendValue(dst []byte, v value, e *format.SchemaElement) ([]byte, error) {
	switch v.kind {
	case format.Boolean:
		return strconv.AppendBool(dst, v.number != 0), nil
	case format.Int32, format.Int64:
		number, unsigned := int64(v.number), v.number
		if v.kind == format.Int32 {
			number, unsigned = int64(int32(v.number)), uint64(uint32(v.number))
		}
		switch logical := e.LogicalType.Value.(type) {
		case *format.DecimalType:
			return appendDecimal(dst, big.NewInt(number), logical.Scale)
		case *format.IntType:
			if !logical.IsSigned {
				return strconv.AppendUint(dst, unsigned, 10), nil
			}
		}
		return strconv.AppendInt(dst, number, 10), nil
	case format.Int96: // a time of Impala and Spark: nanoseconds of the day, and the Julian day
		const epoch = 2440588 // the Julian day of 1970-01-01
		ns := big.NewInt(int64(int32(binary.LittleEndian.Uint32(v.bytes[8:]))) - epoch)
		ns.Mul(ns, big.NewInt(24*60*60*1e9))
		ns.Add(ns, big.NewInt(int64(binary.LittleEndian.Uint64(v.bytes))))
		return ns.Append(dst, 10), nil
	case format.Float:
		return appendNumber(dst, math.Float32frombits(uint32(v.number))), nil
	case format.Double:
		return appendNumber(dst, math.Float64frombits(v.number)), nil
	}
	value := v.bytes
	switch logical := e.LogicalType.Value.(type) {
	case *format.DecimalType:
		if len(value) > maxDecimal {
			return dst, fmt.Errorf("expected a decimal of %d bytes at most, found %d", maxDecimal, len(value))
		}
		number := new(big.Int).SetBytes(value)
		if len(value) > 0 && value[0]&0x80 != 0 {
			number.Sub(number, new(big.Int).Lsh(big.NewInt(1), uint(len(value)*8)))
		}
		return appendDecimal(dst, number, logical.Scale)
	case *format.UUIDType:
		if len(value) == 16 {
			return fmt.Appendf(dst, `"%x-%x-%x-%x-%x"`, value[:4], value[4:6], value[6:8], value[8:10], value[10:]), nil
		}
	case *format.Float16Type:
		if len(value) == 2 {
			return appendNumber(dst, float16(binary.LittleEndian.Uint16(value))), nil
		}
	case *format.JsonType:
		value = bytes.Trim(value, pyjson.Blanks)
		if !utf8.Valid(value) {
			return dst, errNotUTF8
		}
		if len(value) == 0 || pyjson.End(value, 0) != len(value) {
			return dst, fmt.Errorf("expected JSON, found %.40q", value)
		}
		return append(dst, value...), nil
	}
	return appendText(dst, value)
}

var errNotUTF8 = errors.New("expected UTF-8, found other bytes")

// appendText writes a string as encoding/json does.
func appendText(dst, text []byte) ([]byte, error) {
	if !utf8.Valid(text) {
		return dst, errNotUTF8
	}
	return pyjson.AppendText(dst, string(text)), nil
}

// appendDecimal writes number / 10^scale.
func appendDecimal(dst []byte, number *big.Int, scale int32) ([]byte, error) {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	return append(dst, new(big.Rat).SetFrac(number, ten).FloatString(int(scale))...), nil
}

// appendNumber writes a number as encoding/json does, and NaN and infinities as
// Python's json does.
func appendNumber[F float32 | float64](dst []byte, number F) []byte {
	switch float := float64(number); {
	case math.IsNaN(float):
		return append(dst, "NaN"...)
	case math.IsInf(float, 0):
		return append(dst, map[bool]string{true: "Infinity", false: "-Infinity"}[float > 0]...)
	}
	text, _ := json.Marshal(number)
	return append(dst, text...)
}

// float16 returns the number of an IEEE 754 binary16.
func float16(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, uint32(bits>>10&31), uint32(bits&1023)
	switch exponent {
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)/(1<<24)))
	case 31:
		exponent = 255 - 127 + 15
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

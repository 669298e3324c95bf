package packed

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// What the library does not write, and the ends of what it does.
func TestValues(t *testing.T) {
	fixed := func(text string) value { return value{kind: format.FixedLenByteArray, bytes: []byte(text)} }
	text := func(text string) value { return value{kind: format.ByteArray, bytes: []byte(text)} }
	int32s := func(number int32) value { return value{kind: format.Int32, number: uint64(uint32(number))} }
	int64s := func(number int64) value { return value{kind: format.Int64, number: uint64(number)} }
	double := func(number float64) value { return value{kind: format.Double, number: math.Float64bits(number)} }
	half := func(bits uint16) value { return fixed(string(binary.LittleEndian.AppendUint16(nil, bits))) }
	float := func(bits uint32) value { return value{kind: format.Float, number: uint64(bits)} }
	decimal := func(scale int32) format.LogicalTypeValue { return &format.DecimalType{Scale: scale} }
	raw, float16 := &format.JsonType{}, &format.Float16Type{}
	for _, test := range []struct {
		logical format.LogicalTypeValue
		value   value
		want    string // JSON, or the error
	}{
		{float16, half(0), "0"},
		{float16, half(0x8000), "-0"},
		{float16, half(1), "5.9604645e-8"},
		{float16, half(0x3ff), "0.00006097555"},
		{float16, half(0x400), "0.000061035156"},
		{float16, half(0x3c00), "1"},
		{float16, half(0xc100), "-2.5"},
		{float16, half(0x7bff), "65504"},
		{float16, half(0x7c00), "Infinity"},
		{float16, half(0xfc00), "-Infinity"},
		{float16, half(0x7e00), "NaN"},
		{nil, float(0x7f800000), "Infinity"},
		{nil, float(0x7fc00000), "NaN"},
		{nil, double(math.Inf(-1)), "-Infinity"},
		{nil, double(1e21), "1e+21"},
		{nil, double(1e-7), "1e-7"},
		{nil, double(math.SmallestNonzeroFloat64), "5e-324"},
		{nil, double(123456), "123456"},
		{nil, value{kind: format.Int96, bytes: []byte("\x01\x00\x00\x00\x02\x00\x00\x00\x8b\x3d\x25\x00")}, "-86391410065407"},
		{&format.IntType{BitWidth: 32}, int32s(-1), "4294967295"},
		{&format.IntType{BitWidth: 64}, int64s(-1), "18446744073709551615"},
		{&format.IntType{BitWidth: 64, IsSigned: true}, int64s(-1), "-1"},
		{decimal(0), int32s(-1), "-1"},
		{decimal(2), int32s(5), "0.05"},
		{decimal(1), int32s(math.MinInt32), "-214748364.8"},
		{decimal(3), int64s(math.MinInt64), "-9223372036854775.808"},
		{decimal(2), text(""), "0.00"},
		{decimal(2), text("\x80"), "-1.28"},
		{decimal(0), text("\x00\x80"), "128"},
		{decimal(0), text(strings.Repeat("\x01", maxDecimal+1)), "expected a decimal of 256 bytes at most, found 257"},
		{decimal(18), fixed("\xff\xff\xff\xff\xff\xff\xff\xff\xff"), "-0.000000000000000001"},
		{nil, text("\u2027\u2028\u2029\u202a\u00e2"), `"` + "\u2027\\u2028\\u2029\u202a\u00e2" + `"`},
		{nil, text("\x00\x1f\b\f\n\r\t\"\\/<>&\x7f"), `"\u0000\u001f\b\f\n\r\t\"\\/<>&` + "\x7f\""},
		{nil, text("\xe2\x80"), "expected UTF-8, found other bytes"},
		{raw, text(" [1,\n2.0] "), "[1,\n2.0]"},
		{raw, text(""), `expected JSON, found ""`},
		{raw, text("{} x"), `expected JSON, found "{} x"`},
		{raw, text("\"\xff\""), "expected UTF-8, found other bytes"},
	} {
		e := &format.SchemaElement{LogicalType: format.LogicalType{Value: test.logical}}
		got, err := appendValue([]byte("x"), test.value, e)
		if err != nil {
			got = []byte("x" + err.Error())
		}
		if string(got[1:]) != test.want {
			t.Errorf("%v %v: %s, want %s", test.logical, test.value, got[1:], test.want)
		}
	}
}

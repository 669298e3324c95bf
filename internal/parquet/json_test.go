package parquet

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// What the library does not write, and the ends of what it does.
func TestValues(t *testing.T) {
	half := func(bits uint16) string { return string(binary.LittleEndian.AppendUint16(nil, bits)) }
	float := func(bits uint32) string { return string(binary.LittleEndian.AppendUint32(nil, bits)) }
	double := func(value float64) string {
		return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(value)))
	}
	float16 := &element{kind: kindFixed, length: 2, logical: logicalFloat16}
	decimal := func(kind kind, scale int32) *element {
		return &element{kind: kind, length: 9, logical: logicalDecimal, scale: scale}
	}
	text := &element{kind: kindByteArray}
	raw := &element{kind: kindByteArray, logical: logicalJSON}
	for _, test := range []struct {
		element *element
		value   string
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
		{&element{kind: kindFloat}, float(0x7f800000), "Infinity"},
		{&element{kind: kindFloat}, float(0x7fc00000), "NaN"},
		{&element{kind: kindDouble}, double(math.Inf(-1)), "-Infinity"},
		{&element{kind: kindDouble}, double(1e21), "1e+21"},
		{&element{kind: kindDouble}, double(1e-7), "1e-7"},
		{&element{kind: kindDouble}, double(math.SmallestNonzeroFloat64), "5e-324"},
		{&element{kind: kindDouble}, double(123456), "123456"},
		{decimal(kindInt32, 0), "\xff\xff\xff\xff", "-1"},
		{decimal(kindInt32, 2), "\x05\x00\x00\x00", "0.05"},
		{decimal(kindInt32, 1), "\x00\x00\x00\x80", "-214748364.8"},
		{decimal(kindInt64, 3), "\x00\x00\x00\x00\x00\x00\x00\x80", "-9223372036854775.808"},
		{decimal(kindByteArray, 2), "", "0.00"},
		{decimal(kindByteArray, 2), "\x80", "-1.28"},
		{decimal(kindByteArray, 0), "\x00\x80", "128"},
		{decimal(kindByteArray, 0), strings.Repeat("\x01", maxDecimal+1), "expected a decimal of 256 bytes at most, found 257"},
		{decimal(kindFixed, 18), "\xff\xff\xff\xff\xff\xff\xff\xff\xff", "-0.000000000000000001"},
		{text, "\u2027\u2028\u2029\u202a\u00e2", `"` + "\u2027\\u2028\\u2029\u202a\u00e2" + `"`},
		{text, "\x00\x1f\b\f\n\r\t\"\\/<>&\x7f", `"\u0000\u001f\b\f\n\r\t\"\\/<>&` + "\x7f\""},
		{text, "\xe2\x80", "expected UTF-8, found other bytes"},
		{raw, " [1,\n2.0] ", "[1,\n2.0]"},
		{raw, "", `expected JSON, found ""`},
		{raw, "{} x", `expected JSON, found "{} x"`},
		{raw, "\"\xff\"", "expected UTF-8, found other bytes"},
	} {
		value, err := appendOf(test.element)
		if err != nil {
			t.Fatal(err)
		}
		got, err := value([]byte("x"), []byte(test.value))
		if err != nil {
			got = []byte("x" + err.Error())
		}
		if string(got[1:]) != test.want {
			t.Errorf("%v %q: %s, want %s", test.element.kind, test.value, got[1:], test.want)
		}
	}
}

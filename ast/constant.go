package ast

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// ConstantType is the Python type of a constant's value; None, False, True and
// Ellipsis are types of their own.
type ConstantType uint8

// The types of constants.
const (
	None ConstantType = iota
	False
	True
	Ellipsis
	Str
	Bytes
	Int
	Float
	Complex
)

// Int64 returns the value of an Int that fits in 64 bits.
func (c *Constant) Int64() (value int64, ok bool) {
	if len(c.Text) == 1 { // most are 0 and 1
		return int64(c.Text[0] - '0'), true
	}
	// Base 0 takes Python's prefixes and underscores, but reads 00 as octal,
	// which is 0 in either.
	value, err := strconv.ParseInt(c.Text, 0, 64)
	return value, err == nil
}

// BigInt returns the value of an Int of any size.
func (c *Constant) BigInt() *big.Int {
	text := c.Text
	if len(text) > 2 && text[1]|0x20 == 'o' { // math/big reads base 8 in quadratic time, and base 2 in linear time
		text = "0b" + strings.NewReplacer("0", "000", "1", "001", "2", "010", "3", "011", "4", "100", "5", "101", "6", "110", "7", "111").Replace(text[2:])
	}
	value, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return new(big.Int)
	}
	return value
}

// Float64 returns the value of a Float, or the imaginary part of a Complex.
func (c *Constant) Float64() float64 {
	text := strings.ReplaceAll(c.Text, "_", "")
	if c.Type == Complex {
		text = text[:len(text)-1]
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(value, 0) {
		return math.NaN()
	}
	return value
}

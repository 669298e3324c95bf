package pyflakes

import (
	"math"
	"math/bits"
)

// A natural is a number as words of 64 bits, the lowest first
// and the highest not 0. Its memory is used again, where math/big would allocate some for
// each literal.
type natural []uint64

// setLiteral returns the value of an integer literal, such as 42, 0x2A or 4_2, in w's memory. The
// time for a decimal literal grows with the square of its digits, at most 4,300.
func (w natural) setLiteral(text string) natural {
	w = w[:0]
	shift := 0 // bits of a digit
	if len(text) > 2 && text[0] == '0' {
		switch text[1] | 0x20 {
		case 'x':
			shift = 4
		case 'o':
			shift = 3
		case 'b':
			shift = 1
		}
	}
	if shift != 0 {
		word, filled := uint64(0), 0
		for i := len(text) - 1; i > 1; i-- {
			if text[i] == '_' {
				continue
			}
			digit := digitValue(text[i])
			word |= digit << filled
			if filled += shift; filled >= 64 {
				filled -= 64
				w = append(w, word)
				word = digit >> (shift - filled)
			}
		}
		return append(w, word).trimmed()
	}
	const chunk = 1e18 // digits are gathered up to this
	digits, scale := uint64(0), uint64(1)
	for i := range len(text) {
		if text[i] == '_' {
			continue
		}
		digits, scale = 10*digits+digitValue(text[i]), 10*scale
		if scale == chunk {
			w = w.multiplyAdd(scale, digits)
			digits, scale = 0, 1
		}
	}
	return w.multiplyAdd(scale, digits).trimmed()
}

func digitValue(c byte) uint64 {
	if c <= '9' {
		return uint64(c - '0')
	}
	return uint64(c|0x20-'a') + 10
}

// multiplyAdd returns w*factor + carry, in the memory of w.
func (w natural) multiplyAdd(factor, carry uint64) natural {
	for i, word := range w {
		high, low := bits.Mul64(word, factor)
		low, over := bits.Add64(low, carry, 0)
		w[i], carry = low, high+over
	}
	if carry != 0 {
		w = append(w, carry)
	}
	return w
}

// setFloat returns w as the number of a float of at least 2**53, all of which are whole.
func (w natural) setFloat(value float64) natural {
	const mantissa = 52
	b := math.Float64bits(value)
	shift := int(b>>mantissa) - 1023 - mantissa
	significand := b&(1<<mantissa-1) | 1<<mantissa
	w = w[:0]
	for range shift / 64 {
		w = append(w, 0)
	}
	return append(w, significand<<(shift%64), significand>>(64-shift%64)).trimmed()
}

func (w natural) trimmed() natural {
	for len(w) > 0 && w[len(w)-1] == 0 {
		w = w[:len(w)-1]
	}
	return w
}

// float returns w as a float, with all bits below the highest 64 as zeros. It is +Inf if w is too
// large.
func (w natural) float() float64 {
	n := len(w)
	if n == 0 {
		return 0
	}
	top, zeros := w[n-1], bits.LeadingZeros64(w[n-1])
	if n > 1 {
		top = top<<zeros | w[n-2]>>(64-zeros)
		return math.Ldexp(float64(top), 64*(n-1)-zeros)
	}
	return float64(top)
}

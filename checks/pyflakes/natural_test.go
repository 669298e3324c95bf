package pyflakes

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// asBig returns w as a number of math/big.
func (w natural) asBig() *big.Int {
	value := new(big.Int)
	for i := len(w) - 1; i >= 0; i-- {
		value.Lsh(value, 64).Or(value, new(big.Int).SetUint64(w[i]))
	}
	return value
}

func TestWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := []string{"0", "00", "0_0", "7", "18446744073709551615", "18446744073709551616", "1_000_000_000_000_000_000_000",
		"0x0", "0X_ffff_FFFF_ffff_FFFF", "0x1_0000_0000_0000_0000", "0o2000000000000000000000", "0O1777777777777777777777", "0b" + strings.Repeat("1", 64),
		"0b" + strings.Repeat("1", 65), "1" + strings.Repeat("0", 18), "1" + strings.Repeat("0", 19), "1" + strings.Repeat("0", 4299), "0x" + strings.Repeat("f", 300)}
	for range 2000 {
		words := make([]uint64, 1+rng.IntN(5))
		for i := range words {
			words[i] = rng.Uint64() >> (rng.IntN(4) * 16)
		}
		value := natural(words).asBig()
		texts = append(texts, fmt.Sprintf("%d", value), fmt.Sprintf("0x%x", value), fmt.Sprintf("0o%o", value), fmt.Sprintf("0b%b", value))
	}
	var w natural
	for _, text := range texts {
		want, ok := new(big.Int).SetString(text, 0)
		if !ok {
			t.Fatal(text)
		}
		w = w.setLiteral(text)
		if got := w.asBig(); got.Cmp(want) != 0 || len(w) > 0 && w[len(w)-1] == 0 {
			t.Errorf("%s is %v", text, got)
		}
		// The float is the number where there is one, and never further than the next.
		exact, accuracy := new(big.Float).SetInt(want).Float64()
		if got := w.float(); accuracy == big.Exact && got != exact || got != exact && got != math.Nextafter(exact, got) {
			t.Errorf("%s is about %v, want %v", text, got, exact)
		}
	}
	for _, value := range []float64{1 << 53, 1<<53 + 2, 1 << 63, 1 << 64, 1e22, 1e23, 1e300, math.MaxFloat64} {
		want, _ := big.NewFloat(value).Int(nil)
		w = w.setFloat(value)
		if w.asBig().Cmp(want) != 0 || w.float() != value {
			t.Errorf("%v is %v, about %v", value, w.asBig(), w.float())
		}
	}
}

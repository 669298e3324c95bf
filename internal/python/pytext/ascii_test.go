package pytext

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRuneCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	characters := []string{"a", " ", "\x7f", "\u0080", "é", "\u07ff", "漢", "\uffff", "𝒳", "\U0010ffff"}
	for range 2000 {
		var text strings.Builder
		for range r.IntN(40) {
			text.WriteString(characters[r.IntN(len(characters))])
		}
		if got, want := RuneCount(text.String()), utf8.RuneCountInString(text.String()); got != want {
			t.Fatalf("RuneCount(%q) = %d, want %d", text.String(), got, want)
		}
	}
}

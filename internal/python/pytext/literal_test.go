package pytext

import "testing"

func TestParseLiteral(t *testing.T) {
	for text, want := range map[string]Literal{
		`''`: {}, `""""""`: {}, `'a'`: {Body: "a"}, `"""a"b"""`: {Body: `a"b`}, `''' '''`: {Body: " "},
		`u'a'`: {Body: "a"}, `bR"a"`: {Body: "a", Bytes: true, Raw: true}, `Rb'''a'''`: {Body: "a", Bytes: true, Raw: true},
		`'\''`: {Body: `\'`},
	} {
		if got := ParseLiteral(text); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

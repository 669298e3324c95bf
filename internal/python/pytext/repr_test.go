package pytext

import (
	"testing"

	"codelinter/internal/python/characters"
)

// What CPython 3.14 prints.
func TestAppendRepr(t *testing.T) {
	for text, want := range map[string]string{
		"": "''", "it's": `"it's"`, `say "it's"`: `'say "it\'s"'`, `back\slash`: `'back\\slash'`,
		"\n\r\t\x00\x1b\x7f": `'\n\r\t\x00\x1b\x7f'`, "\u0080\u00a0\u00ad": `'\x80\xa0\xad'`, "é中😀": "'é中😀'",
		"\u200b\u2028\U000e0001":   `'\u200b\u2028\U000e0001'`,
		"\U0001ccf0\u1c89":         "'\U0001ccf0\u1c89'", // of Unicode 16
		"\xed\xa0\x80\xed\xbf\xbf": `'\ud800\udfff'`,
	} {
		if got := string(AppendRepr([]byte("x"), text, characters.Latest)); got != "x"+want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for u, want := range map[characters.Unicode]string{characters.Unicode13: `'\u0870\U00011f00'`, characters.Unicode14: "'\u0870\\U00011f00'", characters.Unicode15: "'\u0870\U00011f00'"} {
		if got := string(AppendRepr(nil, "\u0870\U00011f00", u)); got != want {
			t.Errorf("%d: %s, want %s", u, got, want)
		}
	}
	if got := string(AppendBytesRepr(nil, "a'\x80\n\"")); got != `b'a\'\x80\n"'` {
		t.Error(got)
	}
}

func TestFSDecode(t *testing.T) {
	for text, want := range map[string]string{"é\ufffd": `'é` + "\ufffd" + `'`, "a\xff\x80b": `'a\udcff\udc80b'`, "\xed\xa0\x80": `'\udced\udca0\udc80'`} {
		if got := string(AppendRepr(nil, FSDecode(text), characters.Latest)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

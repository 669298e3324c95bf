package extract

import (
	"strings"
	"testing"
)

func TestForgiving(t *testing.T) {
	for _, test := range []struct {
		text, code, used string
	}{
		{"", "", ""},
		{"x = 1\n", "x = 1\n", ""},
		{"```python\nx = 1\n```", "\nx = 1\n", ""},
		{"```py\nx = 1\n```", "\nx = 1\n", "py"},
		{"```python3\nx = 1\n```", "\nx = 1\n", "py"},
		{"```Python\nx = 1\n```", "\nx = 1\n", "Python"},
		{"```PY\nx = 1\n```", "\nx = 1\n", "py Python"},
		{"```\nx = 1\n```", "\nx = 1\n", "bare"},
		{"Here:\n\n```\nx = 1\n```\nDone.", "\nx = 1\n", "bare"},
		{"```python\r\nx = 1\r\ny = 2\r\n```\r\n", "\nx = 1\ny = 2\n", "CRLF"},
		{"- so:\n  ```python\n  if x:\n      y = 1\n  ```\n", "\nif x:\n    y = 1\n", "indented"},
		{"```python \nx = 1\n```", "\nx = 1\n", "trailing"},
		{"```python title=\"a\"\nx = 1\n```", "\nx = 1\n", "trailing"},
		{"````python\nx = 1\n````", "\nx = 1\n", ""},
		{"```py\nx = 1\n", "\nx = 1\n", "py"},
		{"```\nx = 1", "\nx = 1", "bare"},
		{"```py\nx = 1\n```\n```py\ny = 2\n```", "\nx = 1\n\ny = 2\n", "py"},
		// What is bare counts only where nothing is named, what is open only
		// where nothing is closed, and another language never.
		{"```py\nx = 1\n```\nprints\n```\n1\n```", "\nx = 1\n", "py"},
		{"```\nx = 1\n```\n```py\ny", "\nx = 1\n", "bare"},
		{"```js\nx = 1\n```", "```js\nx = 1\n```", ""},
		{"```js\nx = 1\n```\n```py\ny = 2\n```", "\ny = 2\n", "py"},
		{"say ```x``` twice", "say ```x``` twice", ""},
		{"```x```\n", "```x```\n", ""},
	} {
		code, used := Forgiving(test.text)
		var names []string
		for _, l := range Leniencies() {
			if used&l != 0 {
				names = append(names, l.String())
			}
		}
		if got := strings.Join(names, " "); code != test.code || got != test.used {
			t.Errorf("Forgiving(%q) = %q, %q; want %q, %q", test.text, code, got, test.code, test.used)
		}
	}
}

func FuzzForgiving(f *testing.F) {
	f.Add("a\n```py\r\nx\n  ```\n````\n```Python x\ny")
	f.Fuzz(func(t *testing.T, text string) {
		code, used := Forgiving(text)
		if used == 0 && code != text && !strings.Contains(text, fence) {
			t.Errorf("Forgiving(%q) = %q", text, code)
		}
		if len(code) > 2*len(text)+1 {
			t.Errorf("Forgiving(%q) has %d bytes", text, len(code))
		}
	})
}

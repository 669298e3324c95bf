package extract

import (
	"fmt"
	"strings"
	"testing"

	"codelinter/internal/python/characters"
	"codelinter/internal/testenv/bench"
)

func TestCode(t *testing.T) {
	tests := []struct{ name, text, want, found string }{
		{"one block", "```python\nx\n```", "\nx\n", "closed 1/1"},
		{"words around it", "Sure:\n```python\nx\n```\nDone.", "\nx\n", "closed 1/1"},
		{"two blocks", "```python\nx\n```\nand\n```python\ny\n```", "\nx\n\ny\n", "closed 2/2"},
		{"three blocks", "```python\nx\n```\n```python\ny\n```\n```python\nz\n```", "\nx\n\ny\n\nz\n", "closed 3/3"},
		{"another language between", "```python\nx\n```\n```sh\nls\n```\n```python\ny\n```", "\nx\n\ny\n", "closed 2/3"},
		{"another language only", "```js\nx\n```", "\n", "closed 0/1"},
		{"python3 is another language", "```python3\nx\n```", "\n", "closed 0/1"},
		{"Python is another language", "```Python\nx\n```", "\n", "closed 0/1"},
		{"py is another language", "```py\nx\n```", "\n", "closed 0/1"},
		{"left open", "```python\nx = 1", "\nx = 1", "open 1/1"},
		{"left open, newline at the end", "```python\nx\n", "\nx\n", "open 1/1"},
		{"left open and empty", "```python\n", "\n", "open 1/1"},
		{"left open, another language", "```js\nx\n", "\n", "open 0/1"},
		{"left open after a closed one", "```python\nx\n```\n```python\ny", "\nx\n", "closed 1/1"},
		{"left open after a closed one in another language", "```js\nx\n```\n```python\ny", "\n", "closed 0/1"},
		{"two openings on adjacent lines", "```python\n```text\nx", "\n```text\nx", "open 1/1"},
		{"two openings on adjacent lines, python below", "```text\n```python\nx", "\n", "open 0/1"},
		{"no fence", "x = 1\n", "x = 1\n", "whole 0/0"},
		{"empty", "", "", "whole 0/0"},
		{"newline only", "\n", "\n", "whole 0/0"},
		{"bare fence", "```\nx\n```", "```\nx\n```", "whole 0/0"},
		{"bare fence, then a block", "```\n\n```python\nx\n```", "\nx\n", "closed 1/1"},
		{"bare fence closes", "```python\nx\n```\ny\n```\n", "\nx\n", "closed 1/1"},
		{"blank after the language", "```python \nx\n```", "```python \nx\n```", "whole 0/0"},
		{"blank before the language", "``` python\nx\n```", "``` python\nx\n```", "whole 0/0"},
		{"text after the language", "```python x=1\nx\n```", "```python x=1\nx\n```", "whole 0/0"},
		{"CRLF", "```python\r\nx\r\n```\r\n", "```python\r\nx\r\n```\r\n", "whole 0/0"},
		{"CRLF inside", "```python\nx\r\n```\r\n", "\nx\r\n", "closed 1/1"},
		{"a lone CR begins no line", "a\r```python\nx\n```", "a\r```python\nx\n```", "whole 0/0"},
		{"a lone CR ends no line", "```python\nx\r```\n", "\nx\r```\n", "open 1/1"},
		{"indented fence", " ```python\nx\n ```", " ```python\nx\n ```", "whole 0/0"},
		{"indented closing fence", "```python\nx\n ```\n", "\nx\n ```\n", "open 1/1"},
		{"fence within a line", "so ```python\nx\n```", "so ```python\nx\n```", "whole 0/0"},
		{"four backquotes open nothing", "````python\nx\n````", "````python\nx\n````", "whole 0/0"},
		{"four backquotes close", "```python\nx\n````\n", "\nx\n", "closed 1/1"},
		{"two backquotes", "``python\nx\n``", "``python\nx\n``", "whole 0/0"},
		{"text after the closing fence", "```python\nx\n```y\n", "\nx\n", "closed 1/1"},
		{"a closing fence opens nothing", "```python\nx\n```python\ny\n```\n", "\nx\n", "closed 1/1"},
		{"nested", "```python\n'''\n```sh\nls\n```\n'''\n```", "\n'''\n", "closed 1/1"},
		{"empty block runs on", "```python\n```\nx\n```", "\n```\nx\n", "closed 1/1"},
		{"empty block at the end", "```python\n```", "\n```", "open 1/1"},
		{"block of one empty line", "```python\n\n```", "\n\n", "closed 1/1"},
		{"opening at the very end", "x\n```python", "x\n```python", "whole 0/0"},
		{"fence at the very end", "x\n```", "x\n```", "whole 0/0"},
		{"dashes and digits", "```objective-c_2\nx\n```", "\n", "closed 0/1"},
		{"dash only", "```-\nx\n```", "\n", "closed 0/1"},
		{"plus", "```c++\nx\n```", "```c++\nx\n```", "whole 0/0"},
		{"letters of another script", "```питон\nx\n```", "\n", "closed 0/1"},
		{"ideographs", "```蟒蛇\nx\n```", "\n", "closed 0/1"},
		{"a superscript is a digit", "```x²\nx\n```", "\n", "closed 0/1"},
		{"a combining mark is no letter", "```e\u0301\nx\n```", "```e\u0301\nx\n```", "whole 0/0"},
		{"a symbol is no letter", "```🐍\nx\n```", "```🐍\nx\n```", "whole 0/0"},
		{"invalid UTF-8", "```\xff\nx\n```", "```\xff\nx\n```", "whole 0/0"},
		{"NUL", "```python\n\x00\n```", "\n\x00\n", "closed 1/1"},
		{"after a fence that opens nothing", "```a b\n```python\nx\n```", "\nx\n", "closed 1/1"},
		{"line separators of Unicode begin no line", "\u2028```python\nx\n```", "\u2028```python\nx\n```", "whole 0/0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Code(test.text)
			if got.Text != test.want {
				t.Errorf("Code(%q).Text = %q, want %q", test.text, got.Text, test.want)
			}
			if found := fmt.Sprintf("%v %d/%d", got.Place, got.Python, got.Blocks); found != test.found {
				t.Errorf("Code(%q) = %s, want %s", test.text, found, test.found)
			}
		})
	}
}

// Nothing in a text makes the search slower than linear.
func TestCodeHostile(t *testing.T) {
	for name, text := range map[string]func(size int) string{
		"backquotes":       func(size int) string { return strings.Repeat("`", size) },
		"fences":           func(size int) string { return strings.Repeat("```\n", size/4) },
		"openings":         func(size int) string { return strings.Repeat("```python\n", size/10) },
		"empty openings":   func(size int) string { return strings.Repeat("\n```a\n", size/6) },
		"almost fences":    func(size int) string { return strings.Repeat("\n``", size/3) },
		"one language":     func(size int) string { return "```" + strings.Repeat("a", size) },
		"almost openings":  func(size int) string { return strings.Repeat("```aaaaaaaa\r\n", size/13) },
		"blocks":           func(size int) string { return strings.Repeat("```python\nx\n```\n", size/16) },
		"open, many lines": func(size int) string { return "```python\n" + strings.Repeat("\n", size) },
	} {
		t.Run(name, func(t *testing.T) {
			bench.Linear(t, 1<<18, func(n int) func() {
				text := text(n)
				return func() { Code(text) }
			})
		})
	}
}

func TestCodeShares(t *testing.T) {
	texts := []string{"```python\nx = 1\n```\n", "x = 1\n", "```python\nx = 1", "```js\nx\n```\n"}
	if n := testing.AllocsPerRun(100, func() {
		for _, text := range texts {
			Code(text)
		}
	}); n != 0 {
		t.Errorf("%v allocations for texts of one python block at most, want 0", n)
	}
}

// FuzzCode compares the search with the rules said another way: line by line.
func FuzzCode(f *testing.F) {
	for _, seed := range []string{
		"```python\nx\n```", "```python\n```\nx\n```", "```python\n```text\nx", "```js\nx\n```\n```python\ny",
		"```\n```python\nx\n```python\ny\n```\n", "````python\nx\n````", "```python\r\nx\n```", "```é-1\n\n```", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := Code(text).Text, byLines(text); got != want {
			t.Errorf("Code(%q) = %q, by lines %q", text, got, want)
		}
	})
}

// byLines is [Code] as a reader of lines: slow, and with no offsets to get
// wrong.
func byLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var blocks, langs []string
	opened, first := "", true // first: the line right below the opening fence
	inside := false
	block := ""
	for _, line := range lines {
		switch {
		case !inside:
			lang, ok := strings.CutPrefix(line, "```")
			lang, newline := strings.CutSuffix(lang, "\n")
			if ok && newline && lang != "" && strings.IndexFunc(lang, func(r rune) bool { return !characters.IsWord(r) && r != '-' }) < 0 {
				inside, first, opened, block = true, true, lang, ""
			}
		case !first && strings.HasPrefix(line, "```"):
			blocks, langs = append(blocks, block), append(langs, opened)
			inside = false
		default:
			block += line
			first = false
		}
	}
	if inside && len(blocks) == 0 {
		blocks, langs = append(blocks, block), append(langs, opened)
	}
	if len(blocks) == 0 {
		return text
	}
	var kept []string
	for i, lang := range langs {
		if lang == "python" {
			kept = append(kept, blocks[i])
		}
	}
	return "\n" + strings.Join(kept, "\n")
}

func BenchmarkCode(b *testing.B) {
	body := strings.Repeat("    total += values[i] * weights[i]\n", 8)
	for _, c := range []struct{ name, text string }{
		{"one block", "Here is the code.\n\n```python\ndef f():\n" + body + "```\nDone.\n"},
		{"whole", "def f():\n" + body},
		{"two blocks", "```python\ndef f():\n" + body + "```\n\n```python\ndef g():\n" + body + "```\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				Code(c.text)
			}
		})
	}
}

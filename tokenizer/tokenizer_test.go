package tokenizer

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/internal/python/pytext"
	"codelinter/internal/testenv/bench"
	"codelinter/source"
)

func TestKeywords(t *testing.T) {
	for keyword := NotKeyword + 1; int(keyword) < keywordCount; keyword++ {
		if name := keyword.String(); len(name) > maxKeyword {
			t.Errorf("%s is longer than maxKeyword", name)
		} else if LookupKeyword(name) != keyword {
			t.Errorf("%s is not found: its hash collides", name)
		}
	}
	if got := NotKeyword.String(); got != "" {
		t.Errorf("what is no keyword is spelt %q", got)
	}
	for _, name := range ambiguousNames {
		if word := wordOf(name); keywords[hashKeyword(word)].word != word {
			t.Errorf("%s is not found: its hash collides", name)
		}
	}
	for _, name := range []string{"", "x", "l", "iff", "none", "Classes", "print", "__", "continues"} {
		if k := LookupKeyword(name); k != NotKeyword {
			t.Errorf("%s is taken for the keyword %s", name, k)
		}
	}
}

func TestNameStops(t *testing.T) {
	for b := range 256 {
		for _, other := range []byte{0, 'a', '.', 'Z', 0x7f, 0x80, 0xff} {
			for at := range 8 {
				word := bytes.Repeat([]byte{other}, 8)
				word[at] = byte(b)
				stops := nameStops(pytext.Word(string(word)))
				for i := range word {
					if want := class[word[i]]&identClass == 0; want != (stops>>(8*i+7)&1 != 0) {
						t.Fatalf("% x: byte %d stops a name: %v", word, i, !want)
					}
				}
				if stops&^highBits != 0 {
					t.Fatalf("% x: marks %x", word, stops)
				}
			}
		}
	}
}

func TestPlain(t *testing.T) {
	var tokenizer Tokenizer
	for text, want := range map[string]string{
		"spam.ham  .x = 1 + l + ab\\\n  cd\n":                                     "spam . ham x = 1 + + ab",
		"if x:\n\ty = 'a' 'b\\n' b'c' r'''d\n'''  'e'\n":                          "if x : y = 'a'",
		"f(  a, b,\n  c = é, print, type, O, 1.5,\t2, abcdefgh, continue)":        "f , b , c , print , , , 1.5 , abcdefgh , )",
		"x = f(a=1, b = 2, *c, -d)[1:2]\n":                                        "x = f ( a = 1 , b 2 , c , d ) [ 1 2 ]",
		"if x :y=a +b\nelse: z = (~a,)\n":                                         "if x y a b else z = ~ a , )",
		"def f(a: int, b:int) -> {c: d}: pass\nx = [ a ,b ][0]\n":                 "def f ( a : int , b int ) { c : d } pass x = a b [ 0 ]",
		"return(x)\nexcept  x as\ty:\n\treturn\nx = None if not y in z else(a)\n": "( x ) except : return x = if y z ( a )",
		"f'{a.b!r:{c}}' 'd'":                                                      "a b r c 'd'",
	} {
		text += "# so that the end is far\n"
		tokens, _ := tokenizer.Tokenize(text, Options{})
		var plain []string
		for _, token := range tokens {
			if token.Flags&Plain != 0 {
				plain = append(plain, token.Text(text))
			}
		}
		if got := strings.Join(plain, " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// spell writes tokens as "KIND text" words, operators as themselves.
func spell(text string, options Options) string {
	var t Tokenizer
	tokens, err := t.Tokenize(text, options)
	var words []string
	for _, token := range tokens {
		word := token.Text(text)
		if !token.Kind.IsOp() && token.Kind != NAME && token.Kind != NUMBER && token.Kind != STRING {
			word = token.Kind.Name()
			if token.Kind == COMMENT || token.Kind == FSTRING_MIDDLE {
				word += ":" + token.Text(text)
			}
		}
		words = append(words, word)
	}
	if err != nil {
		words = append(words, err.Error())
	}
	return strings.Join(words, " ")
}

func TestStrict(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "ENDMARKER",
		"# c\n\nx # d\n":          "x NEWLINE ENDMARKER",
		"f(\n a, # b\n)":          "f ( a , ) NEWLINE ENDMARKER",
		"if x:\n  y\n":            "if x : NEWLINE INDENT y NEWLINE DEDENT ENDMARKER",
		"1if":                     "1 if NEWLINE ENDMARKER",
		"1a":                      "1:1: SyntaxError: invalid decimal literal",
		"x = 0777":                "x = 1:5: SyntaxError: leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
		"(]":                      "( 1:2: SyntaxError: closing parenthesis ']' does not match opening parenthesis '('",
		"(\n]":                    "( 2:1: SyntaxError: closing parenthesis ']' does not match opening parenthesis '(' on line 1",
		"é€":                      "1:2: SyntaxError: invalid character '€' (U+20AC)",
		"a\u00a0b":                "1:2: SyntaxError: invalid non-printable character U+00A0",
		"'é'; ub''":               "'é' ; 1:6: SyntaxError: 'u' and 'b' prefixes are incompatible",
		"f'{a)}'":                 "FSTRING_START { a 1:5: SyntaxError: f-string: unmatched ')'",
		"'''a":                    "1:1: SyntaxError: unterminated triple-quoted string literal (detected at line 1)",
		"x\n\x00":                 "x NEWLINE 2:0: SyntaxError: source code cannot contain null bytes",
		"x = '''\n\x00\n'''":      "x = 2:0: SyntaxError: source code cannot contain null bytes",
		"x = 'a\n\x00":            "x = 1:5: SyntaxError: unterminated string literal (detected at line 1)",
		"x = f'''\n\x00\n'''":     "x = FSTRING_START 2:0: SyntaxError: source code cannot contain null bytes",
		"a $ b":                   "a $ b NEWLINE ENDMARKER",
		"f'{x!r:>{w}}' f\"\"":     "FSTRING_START { x ! r : FSTRING_MIDDLE:> { w } FSTRING_MIDDLE: } FSTRING_END FSTRING_START FSTRING_END NEWLINE ENDMARKER",
		"rb'\\'' Rf'''{x}''' t''": "rb'\\'' FSTRING_START { x } FSTRING_END TSTRING_START TSTRING_END NEWLINE ENDMARKER",
	} {
		if got := spell(text, Options{Strict: true}); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
	// Before 3.15 this column counts bytes.
	want := "'é' ; 1:7: SyntaxError: 'u' and 'b' prefixes are incompatible"
	if got := spell("'é'; ub''", Options{Strict: true, Target: source.Python314}); got != want {
		t.Errorf("on 3.14: got %s, want %s", got, want)
	}
}

// checkInvariants requires that tokens stand in order, that only blanks, line
// ends after backslashes and second braces lie between them, and that rows are
// right.
// What Python's tokenize makes of carriage returns.
func TestReturns(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\rb=2 \r\n":         "a = 1 \rb = 2 NEWLINE ENDMARKER",
		"x # c\rb\n":              "x COMMENT:# c \rb NEWLINE ENDMARKER",
		"# c\r\n\rx = 1\n":        "COMMENT:# c NL \rx = 1 NEWLINE ENDMARKER",
		"a\r1 \r.5 \r'x\ry'\n":    "a \r1 \r.5 \r'x\ry' NEWLINE ENDMARKER",
		"a\r(1)\r== \ré\n":        "a \r( 1 ) \r== \ré NEWLINE ENDMARKER",
		"f'{a\r}\\\r\n'\n":        "FSTRING_START { a \r} FSTRING_MIDDLE:\\\r\n FSTRING_END NEWLINE ENDMARKER",
		"a \\\r\nb \r\\\nc\r":     "a b c NEWLINE ENDMARKER",
		"a\r\r\n":                 "a 1:3: TokenError: invalid non-printable character U+000D",
		"a\r\tb\n":                "a 1:3: TokenError: invalid non-printable character U+0009",
		"x\na \\\r+ 2\n":          "x NEWLINE a 2:8: TokenError: unexpected character after line continuation character",
		"if x:\r\n  y\r\n\r\nz\n": "if x : NEWLINE INDENT y NEWLINE NL DEDENT z NEWLINE ENDMARKER",
	} {
		if got := spell(text, Options{CarriageReturns: true}); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func checkInvariants(t *testing.T, text string, tokens []Token, complete bool) {
	t.Helper()
	at := 0
	row := 1
	for i, token := range tokens {
		if int(token.Start) < at && token.Kind != INDENT || token.End < token.Start || int(token.End) > len(text) {
			t.Fatalf("%q: token %d %+v begins before %d", text, i, token, at)
		}
		if at <= int(token.Start) {
			gap := text[at:token.Start]
			rest := strings.TrimLeft(strings.ReplaceAll(gap, "\\\n", ""), " \t\f")
			if rest != "" && !(rest == gap && (gap == "{" || gap == "}")) {
				t.Fatalf("%q: %q lies between tokens", text, gap)
			}
			row += strings.Count(gap, "\n")
		}
		trailing := int(token.Start) == len(text) && (token.Kind == ENDMARKER || token.Kind == DEDENT)
		if int(token.Row) != row && !trailing {
			t.Fatalf("%q: token %d %+v is in row %d", text, i, token, row)
		}
		body := token.Text(text)
		row += strings.Count(body, "\n")
		if multiline := strings.Contains(body, "\n"); multiline != (token.Flags&Multiline != 0) && token.Kind.IsStringPart() {
			t.Fatalf("%q: token %d %+v has the wrong Multiline flag", text, i, token)
		}
		at = int(token.End)
	}
	if complete && (len(tokens) == 0 || tokens[len(tokens)-1].Kind != ENDMARKER || strings.TrimLeft(text[at:], " \t\f") != "") {
		t.Fatalf("%q: %q lies after the last token", text, text[at:])
	}
}

// checkModes requires of a text that the strict mode takes that it gives the same tokens
// without COMMENT and NL. It reads them without common.
func checkModes(t *testing.T, text string, tokens []Token) {
	t.Helper()
	var tokenizer Tokenizer
	strict, err := tokenizer.Tokenize(text, Options{Strict: true})
	if err != nil {
		return
	}
	for _, token := range tokens {
		if token.Kind == COMMENT || token.Kind == NL {
			continue
		}
		if len(strict) == 0 {
			t.Fatalf("%q: strict tokenizing has no %+v", text, token)
		}
		want := strict[0]
		strict = strict[1:]
		token.Flags &^= Plain
		want.Flags &^= Plain
		if token.Kind == NEWLINE { // the parser's begins at a comment, and ends before the newline
			token.Start, token.End = want.Start, want.End
		}
		if int(token.Start) >= len(text) { // tokenize's are in a row of their own
			token.Row = want.Row
		}
		if token != want {
			t.Fatalf("%q: %+v, strictly %+v", text, token, want)
		}
	}
	if len(strict) > 0 {
		t.Fatalf("%q: strict tokenizing has %+v too", text, strict)
	}
}

// TestCommon requires that common reads what regular would, token by token.
func TestCommon(t *testing.T) {
	texts := bench.Goldens(t)
	if root := os.Getenv("CODELINTER_CORPUS"); root != "" {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".py" {
				return err
			}
			text, err := os.ReadFile(path)
			texts = append(texts, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var fast, slow Tokenizer
	slow.withoutCommon = true
	for _, text := range texts {
		for end := len(text); end > 0; end /= 2 { // cut anywhere, too
			compareCommon(t, &fast, &slow, text[:end])
		}
	}
}

func FuzzCommon(f *testing.F) {
	for _, text := range bench.Goldens(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		compareCommon(t, new(Tokenizer), &Tokenizer{withoutCommon: true}, text)
	})
}

func compareCommon(t *testing.T, fast, slow *Tokenizer, text string) {
	t.Helper()
	for _, options := range []Options{{}, {Target: source.Python312}, {Target: source.Python312, CarriageReturns: true}, {MaxTokens: 1 + len(text)%50}} {
		got, gotErr := fast.Tokenize(text, options)
		want, wantErr := slow.Tokenize(text, options)
		for i := range min(len(got), len(want)) {
			if got[i].Kind.IsOp() && want[i].Flags == 0 {
				got[i].Flags &^= Plain // which other operators never are
			}
			if got[i] != want[i] {
				t.Fatalf("%q, %+v: token %d is %+v, without common %+v", text, options, i, got[i], want[i])
			}
		}
		if len(got) != len(want) || (gotErr == nil) != (wantErr == nil) || gotErr != nil && *gotErr != *wantErr {
			t.Fatalf("%q, %+v: %d tokens, %v; without common %d, %v", text, options, len(got), gotErr, len(want), wantErr)
		}
	}
}

func TestBeforePEP701(t *testing.T) {
	for text, want := range map[string]string{
		"x = f'{a!r}'":            "x = f'{a!r}' NEWLINE ENDMARKER",
		"'a\\\nb' c":              "'a\\\nb' c NEWLINE ENDMARKER",
		"'''c\nd\ne'''":           "'''c\nd\ne''' NEWLINE ENDMARKER",
		"'a\\\nb\n'''c'''":        "ERRORTOKEN '''c''' NEWLINE ENDMARKER",
		"'a\\\nb\n'''c\nd\n":      "ERRORTOKEN ERRORTOKEN ENDMARKER",
		"'a\\\nb\n'''c\nd\\\ne''": "ERRORTOKEN ERRORTOKEN NEWLINE ENDMARKER",
		// A string that ends in a later row takes back what the broken one asked for.
		"'a\\\nb\n'''c\n'''\n'''d\n\ne'''": "ERRORTOKEN '''c\n''' NEWLINE '''d\n\ne''' NEWLINE ENDMARKER",
	} {
		if got := spell(text, Options{Target: source.Python311}); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestInvariants(t *testing.T) {
	var tokenizer Tokenizer
	for _, text := range append(bench.Goldens(t), "x", "x\n  ", "'''\n'''", "f'''{\nx}\n'''", "a \\\n  b", "  \\\n x") {
		text = strings.ReplaceAll(text, "\r", "\n")
		tokens, err := tokenizer.Tokenize(text, Options{})
		checkInvariants(t, text, tokens, err == nil)
		checkModes(t, text, tokens)
	}
}

// TestStepwise requires that Next and Tokenize give the same.
func TestStepwise(t *testing.T) {
	var whole, single Tokenizer
	for _, text := range bench.Goldens(t) {
		text = strings.ReplaceAll(text, "\r", "\n")
		for _, strict := range []bool{false, true} {
			tokens, _ := whole.Tokenize(text, Options{Strict: strict})
			single.Reset(text, Options{Strict: strict})
			for i := 0; ; i++ {
				token, ok := single.Next()
				if !ok {
					if i != len(tokens) {
						t.Errorf("%q: Next stops at token %d of %d", text, i, len(tokens))
					}
					break
				}
				if token != tokens[i] {
					t.Errorf("%q: token %d is %+v and %+v", text, i, token, tokens[i])
					break
				}
			}
		}
	}
}

func FuzzTokenize(f *testing.F) {
	for _, text := range bench.Goldens(f) {
		f.Add(text)
	}
	for _, text := range []string{"f'{a:{b:{c:{d}}}}'", "'\\", "f'\\", "\x00", "(\n", "  \\", "t'''{x!r:\n}'''", "0x_", "1_"} {
		f.Add(text)
	}
	var tokenizer Tokenizer
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\r", "\n")
		tokens, err := tokenizer.Tokenize(text, Options{})
		checkInvariants(t, text, tokens, err == nil)
		checkModes(t, text, tokens)
		if _, strict := tokenizer.Tokenize(text, Options{Strict: true}); err != nil && strict == nil {
			t.Fatalf("%q: strict tokenizing passes, the lenient one says %v", text, err)
		}
	})
}

package lint

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codelinter/internal/testenv/bench"
	"codelinter/rule"
)

// What flake8's regular expression and its split of the codes make of a line.
func TestNoqaCodes(t *testing.T) {
	for _, test := range []struct {
		line     string
		silenced string // of E501, E502, W291, W605, F401, C901; "all" for blanket, "-" for no noqa
	}{
		{"x  # noqa", "all"},
		{"x  # NoQA", "all"},
		{"x  #noqa", "-"},
		{"x  #  noqa", "-"},
		{"x  #\tnoqa", "-"},
		{"x  # noq", "-"},
		{"x  # noqaa", "all"},
		{"'# noqa'", "all"},
		{"noqa", "-"},
		{"# qnoqa", "-"},
		{"x  # noqa : E501", "all"},
		{"x  # noqa:", "all"},
		{"x  # noqa: later", "all"},
		{"x  # noqa:  E501", "all"}, // one blank at most
		{"x  # noqa:,E501", "all"},
		{"x  # noqa:E501", "E501"},
		{"x  # noqa: E501", "E501"},
		{"x  # noqa:\tE501", "E501"},
		{"x  # noqa:\u3000E501", "E501"},
		{"x  # noqa: E501,W291", "E501 W291"},
		{"x  # noqa: E501 W291", "E501 W291"},
		{"x  # noqa: E501 ,, W291", "E501 W291"},
		{"x  # noqa: E501\u00a0W291", "E501 W291"},
		{"x  # noqa: E501\x1cW291", "E501 W291"},
		{"x  # noqa: E501;W291", "E501"},
		{"x  # noqa: E501, because W291", "E501"},
		{"x  # noqa: E501W291", ""}, // one code, of eight letters
		{"x  # noqa: E501x", "E501"},
		{"x  # noqa: E501x1", ""},
		{"x  # noqa: e501", ""},
		{"x  # noqa: E5", "E501 E502"},
		{"x  # noqa: E", "all"}, // not a code: no digit
		{"x  # noqa: E,W2", "all"},
		{"x  # noqa: W2, E", "W291"},
		{"x  # noqa: E5011", ""},
		{"x  # noqa: ABC123,C9", "C901"},
		{"x  # noqa: \u212a1,E501", "E501"}, // the Kelvin sign is a letter
		{"x  # noqa: ſ1,E501", "E501"},
		{"x  # noqa: İ1,ı1,E501", "E501"},
		{"x  # noqa: é1,E501", "all"},
		{"x  # noqa: E501 # noqa", "E501"}, // the first counts
		{"x  # noqa # noqa: E501", "all"},
		{"x  # noqa:E501#noqa", "E501"},
	} {
		_, at := findNoqa(test.line)
		if (at < 0) != (test.silenced == "-") {
			t.Errorf("%q: found at %d", test.line, at)
			continue
		}
		if at < 0 {
			continue
		}
		var l Linter
		if err := l.file.Load([]byte(test.line)); err != nil {
			t.Fatal(err)
		}
		comment := l.noqaAt(at)
		var silenced []string
		for _, code := range []rule.Code{rule.E501, rule.E502, rule.W291, rule.W605, rule.F401, rule.C901} {
			if comment.silences(code) {
				silenced = append(silenced, code.String())
			}
		}
		got := strings.Join(silenced, " ")
		if len(silenced) == 6 {
			got = "all"
		}
		if got != test.silenced {
			t.Errorf("%q silences %q, want %q", test.line, got, test.silenced)
		}
	}
}

func TestWholeFile(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{
		{"# flake8: noqa", true},
		{"# flake8:noqa", true},
		{"# flake8=noqa", true},
		{"# FLAKE8:   NoQa", true},
		{"# fla\u212ae8: noqa", true},
		{"# flake8: noqa: E501", true},
		{"# flake8: noqa and more", true},
		{"# flake8:\u3000\x1cnoqa", true},
		{"  \t\x0b# flake8: noqa", true},
		{"\u2028# flake8: noqa", true},
		{"import os\n\n# flake8: noqa\n", true},
		{"import os\n# noqa\n    # flake8: noqa\n", true},
		{"'''\n# flake8: noqa\n'''", true},
		{"x = 1  # flake8: noqa", false},
		{"## flake8: noqa", false},
		{"#flake8: noqa", false},
		{"# flake8 : noqa", false},
		{"# flake8 noqa", false},
		{"# flake8:\nnoqa", false},
		{"# flake8\n: noqa", false},
		{"# lake8: noqa", false},
		{": noqa", false},
		{"noqa", false},
		{"", false},
	} {
		if got, _ := findNoqa(test.text); got != test.want {
			t.Errorf("%q: %v", test.text, got)
		}
	}
}

// What findNoqa skips to a # and to a q has no comment that counts.
func TestFindNoqa(t *testing.T) {
	anywhere := regexp.MustCompile(`(?i)# noqa`)
	wholeLine := regexp.MustCompile(`(?im)^\s*# flake8[:=]\s*noqa`)
	pieces := []string{"# noqa", "#", " ", "noqa", "NOQA", "# NoQa", "# flake8: noqa", "# flake8=NOQA", "\n", "\n", "q", "x = 1", "Q"}
	random := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		var text strings.Builder
		for range random.IntN(8) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		want := -1
		whole := wholeLine.MatchString(text.String())
		if at := anywhere.FindStringIndex(text.String()); at != nil {
			want = at[0]
		}
		got, first := findNoqa(text.String())
		if got != whole || !whole && first != want {
			t.Errorf("%q: whole file %v, first at %d; want %v, %d", text.String(), got, first, whole, want)
		}
	}
}

// Texts that make a careless search start over at every hit.
func TestNoqaIsLinear(t *testing.T) {
	for name, unit := range map[string]string{
		"q":          "q",
		"noqa":       "noqa",
		"Q and q":    "qQ",
		"comments":   "# noqa",
		"codes":      "# noqa: E501,W291,",
		"letters":    "# noqa: EEEEEEEEEEEEEEEE",
		"whole file": "# flake8: noq ",
		"blanks":     "noqa\u3000\u3000\u3000\u3000\u3000",
		"lines":      "# noqa\n",
	} {
		t.Run(name, func(t *testing.T) {
			bench.Linear(t, 1<<18, func(n int) func() {
				text := strings.Repeat(unit, n/len(unit))
				return func() {
					var l Linter
					if err := l.file.Load([]byte(text)); err != nil {
						t.Fatal(err)
					}
					whole, first := findNoqa(text)
					if whole {
						t.Fatal("taken for a whole-file comment")
					}
					if first >= 0 {
						findings := make([]rule.Finding, 0, l.file.Lines())
						for row := range l.file.Lines() {
							findings = append(findings, rule.Finding{Row: int32(row + 1), Code: rule.F401})
						}
						l.dropSilenced(findings, first)
					}
				}
			})
		})
	}
}

// TestSilenced returns what comments take away, in order, and nothing unless it is asked for.
func TestSilenced(t *testing.T) {
	l, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	const text = "import os, sys  # noqa: E401\nx=1  # noqa\ny=2\n"
	r := l.Lint(Input{Data: []byte(text), Silenced: true})
	var got []string
	for i := range r.Silenced {
		got = append(got, fmt.Sprint(r.Silenced[i].Row, r.Silenced[i].Code))
	}
	if want := []string{"1 E401", "2 E225"}; !slices.Equal(got, want) || len(r.Findings) != 3 {
		t.Errorf("%v and %d findings, expected %v and 3", got, len(r.Findings), want)
	}
	if r := l.Lint(Input{Data: []byte(text)}); len(r.Silenced) > 0 {
		t.Errorf("%v are there without being asked for", r.Silenced)
	}
}

package diagnose

import (
	"slices"
	"strings"
	"testing"

	"codelinter/source"
	"codelinter/tokenizer"
)

func TestGrammarIsWhole(t *testing.T) {
	used := map[string]bool{} // by some version
	for _, target := range source.Versions() {
		g := pythonGrammar(target)
		checkGrammar(t, g)
		for i, reached := range g.reached(g.file, g.field) {
			if reached {
				used[g.rules[i].name] = true
			}
		}
	}
	for _, r := range pythonGrammar(source.Python315).rules {
		if r.name != "" && !used[r.name] {
			t.Errorf("rule %s is never used", r.name)
		}
	}
}

func checkGrammar(t *testing.T, g *grammar) {
	t.Helper()
	memos := 0
	for _, r := range g.rules {
		if r.memo >= 0 {
			memos++
		}
		explains := strings.HasPrefix(r.name, "bad_")
		for _, a := range r.alternatives {
			if a.secondPass && (len(a.items) != 1 || !strings.HasPrefix(g.rules[a.items[0].rule].name, "bad_")) {
				t.Errorf("rule %s: ? goes with a bad_ rule alone", r.name)
			}
			if a.action.do == raiseError && r.name != "" && !explains {
				t.Errorf("rule %s: only bad_ rules raise errors", r.name)
			}
			if a.recursive != (r.left && a.items[0].op == opRule && g.rules[a.items[0].rule].name == r.name) {
				t.Errorf("rule %s: left recursion", r.name)
			}
		}
	}
	if memos > 64 {
		t.Errorf("%d memos do not fit a token", memos)
	}
	if last := firstKeyword + symbol(tokenizer.Underscore); last > 128 {
		t.Errorf("%d symbols do not fit a set", last)
	}
	if top := g.rules[g.statements]; top.shape != repeatOne {
		t.Error("statements is no repetition")
	}
}

// TestAgain requires that no rule marked "again" is tried where alternatives of the
// second pass are not: what is remembered of it there would count elsewhere.
func TestAgain(t *testing.T) {
	var again []string
	for line := range strings.Lines(grammarText) {
		if name, found := strings.CutSuffix(line, " again:\n"); found {
			again = append(again, name)
		}
	}
	if len(again) == 0 {
		t.Fatal("no rule is marked")
	}
	for _, target := range source.Versions() {
		g := pythonGrammar(target)
		var quiet []uint16
		for i, r := range g.rules {
			if r.quiet {
				quiet = append(quiet, uint16(i))
			}
		}
		for i, reached := range g.reached(quiet...) {
			if reached && slices.Contains(again, g.rules[i].name) {
				t.Errorf("%v: %s is below a quiet rule", target, g.rules[i].name)
			}
		}
	}
}

// reached returns which rules are used by those given, and by those that they use.
func (g *grammar) reached(from ...uint16) []bool {
	seen := make([]bool, len(g.rules))
	for len(from) > 0 {
		i := from[len(from)-1]
		from = from[:len(from)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		for _, a := range g.rules[i].alternatives {
			for _, it := range a.items {
				if it.op == opRule {
					from = append(from, it.rule)
				}
			}
		}
	}
	return seen
}

// TestOperators checks that the operators are listed in the order of their
// kinds: the tokenizer must give each the symbol that the grammar has for it.
func TestOperators(t *testing.T) {
	names := symbolNames()
	var tz tokenizer.Tokenizer
	for _, operator := range strings.Fields(operators) {
		tokens, _ := tz.Tokenize(operator+"\n", tokenizer.Options{})
		if len(tokens) == 0 || symbolOf(tokens[0]) != names[operator] {
			t.Errorf("%s is not symbol %d", operator, names[operator])
		}
	}
}

func TestBadGrammars(t *testing.T) {
	for _, text := range []string{
		"a:\n    | b\n",
		"a what:\n    | NAME\n",
		"a:\n    | (NAME\n",
		"a:\n    | NAME ) NAME\n",
		"a:\n    | NAME => @nothing\n",
		"a:\n    | NAME => Nothing\n",
		"a:\n    | NAME => 99\n",
		"a:\n    | ','.NAME\n",
		"a:\n    | NAME => error 1 text\n",
		"file:\n    | [NAME]\nfstring_expression:\n    | NAME\nstatements:\n    | file+\n",
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q compiled", text)
				}
			}()
			compile(text, source.Python314)
		}()
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		compile(grammarText, source.Python314)
	}
}

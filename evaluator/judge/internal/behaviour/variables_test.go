package behaviour

import (
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/sandbox"
)

// TestWhatIsLeft judges answers that give what the program gives and leave something
// else behind. Each is the program with one replacement.
func TestWhatIsLeft(t *testing.T) {
	const shop = `from dataclasses import dataclass, field

STOCK = {"tea": 3}
BASE = ["tea"]
LIMIT = 4


class ShopError(Exception):
    def __init__(self, name, count):
        super().__init__(name)
        self.count = count


@dataclass(frozen=True)
class Item:
    name: str
    tags: list = field(default_factory=list, compare=False)

    @property
    def title(self):
        return self.name.title()


class Counter:
    made = 0

    def __init__(self, rows):
        Counter.made += 1
        self.rows = list(rows)


def base():
    return list(BASE)


def sell(name: str, count: int):
    sell.calls += 1
    STOCK[name] = STOCK.get(name, 0) - count
    return count * 2


def check(count: int):
    if count < LIMIT :
        raise ShopError("few", count) from KeyError("count")
    return count


sell.calls = 0
`
	tests := []struct{ name, from, to, want string }{
		{"in other words", "return count * 2", "twice = count * 2\n    return twice", "pass runs"},
		{"a constant by another name", "LIMIT", "AT_LEAST", "pass runs"},
		{"no constant", "LIMIT :", "4:", "pass runs"},
		{"another constant", "LIMIT = 4", "LIMIT = 5", "fail"},
		{"a table that is not written", "    STOCK[name] = STOCK.get(name, 0) - count\n", "", "fail result"},
		{"a table of another name", "STOCK", "STORE", "unknown state"},
		{"an attribute of a function", "    sell.calls += 1\n", "", "fail result"},
		{"an attribute of a class", "        Counter.made += 1\n", "", "fail result"},
		{"the variable itself", "return list(BASE)", "return BASE", "fail argument"},
		{"an argument that is kept", "self.rows = list(rows)", "self.rows = rows", "fail argument"},
		{"not frozen", "@dataclass(frozen=True)", "@dataclass", "fail declaration"},
		{"no property", "    @property\n", "", "fail declaration"},
		{"a field that is compared", ", compare=False", "", "fail declaration"},
		{"another base", "ShopError(Exception)", "ShopError(ValueError)", "fail declaration"},
		{"no cause", ` from KeyError("count")`, "", "fail exception"},
		{"an attribute of an exception", "self.count = count", "self.count = 0", "fail argument"},
	}
	task := &Task{ID: "shop", Program: shop, Tests: []string{"assert sell('tea', 1) == 2", "assert base() == ['tea']", "assert Counter([[1], [2]]).rows == [[1], [2]]"}}
	j := newJudge(t, Options{})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			answer := strings.ReplaceAll(shop, test.from, test.to)
			if answer == shop {
				t.Fatalf("%q is not in the program", test.from)
			}
			v := judgeAnswer(t, j, task, answer)
			text := v.Outcome.String() + " " + v.Proof
			if len(v.Reasons) > 0 {
				text = v.Outcome.String() + " " + v.Reasons[0].Name
			}
			if !strings.HasPrefix(text, test.want) {
				t.Errorf("%s %v; want %s", text, v.Reasons, test.want)
			}
		})
	}
}

// TestAddresses judges a program whose results follow from where its objects are.
func TestAddresses(t *testing.T) {
	const program = "class Item:\n    def __init__(self, name: str):\n        self.name = name\n        self.mark = hash(self) % 1000\n\n\ndef made(name: str):\n    return Item(name) \n"
	j := newJudge(t, Options{})
	task := &Task{ID: "addresses", Program: program}
	for answer, want := range map[string]evaluator.Outcome{
		strings.ReplaceAll(program, "Item(name) ", "Item(name)"):     evaluator.Pass,
		strings.ReplaceAll(program, "Item(name) ", "Item(*[name])"):  evaluator.Pass,
		strings.ReplaceAll(program, "Item(name) ", "Item(name * 2)"): evaluator.Fail,
	} {
		if v := judgeAnswer(t, j, task, answer); v.Outcome != want {
			t.Errorf("%s\n%s %v, want %s", answer, v.Outcome, v.Reasons, want)
		}
	}
}

// The steps that read what a call raised are held against an answer as the call itself is.
func TestRaisedStepsOfOddCalls(t *testing.T) {
	raised := expectation{Outcome: sandbox.Outcome{End: sandbox.Raised, Exception: &sandbox.Exception{Type: "KeyError"}}, binding: true}
	s := &session{steps: []step{{expr: "f(1)", shown: "f(1)"}, {expr: "f('a')", shown: "f('a')", odd: true}, {expr: "f(b)", shown: "f(b)", odd: true, strange: true}}}
	s.want = []expectation{raised, raised, raised}
	s.want[2].Outcome = sandbox.Outcome{End: sandbox.Raised, Exception: &sandbox.Exception{Type: "TypeError"}}
	got := s.raisedSteps()
	if len(got) != len(s.steps) {
		t.Fatalf("%d steps for %d calls", len(got), len(s.steps))
	}
	for i := range got {
		if got[i].odd != s.steps[i].odd || got[i].strange != s.steps[i].strange {
			t.Errorf("%s: odd %v, strange %v", got[i].shown, got[i].odd, got[i].strange)
		}
	}
}

// A variable may hold another hint. What calls give is compared, and so are other types.
func TestHintVariables(t *testing.T) {
	const program = "from typing import List, Optional, Tuple\nNames = List[str]\nPair = Tuple[int, int]\nMaybe = Optional[int]\nBare = List\n\n\ndef pair(n : int) -> Pair:\n    return n, n\n"
	const kinds = "from typing import List\nKind = int\n\n\ndef kind(n: int):\n    return List[int], n \n"
	judgedAs(t, []struct{ name, program, answer, want string }{
		{"newer hints", program, "Names = list[str]\nPair = tuple[int, int]\nMaybe = int | None\nBare = list\n\n\ndef pair(n: int) -> Pair:\n    return n, n\n", "pass runs"},
		{"no hint", program, "Names = [str]\nPair = tuple[int, int]\nMaybe = int | None\nBare = list\n\n\ndef pair(n: int) -> Pair:\n    return n, n\n", "fail result"},
		{"another result", kinds, "from typing import List\nKind = int\n\n\ndef kind(n: int):\n    return List[str], n\n", "fail result"},
		{"another type", kinds, "from typing import List\nKind = str\n\n\ndef kind(n: int):\n    return List[int], n\n", "fail result"},
	})
}

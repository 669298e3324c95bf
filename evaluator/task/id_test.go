package task

import (
	"encoding/json"
	"testing"
)

func TestIDJSON(t *testing.T) {
	for _, test := range []struct{ id, want string }{
		{"0", `0`}, {"7", `7`}, {"-7", `-7`}, {"9007199254740993", `9007199254740993`},
		{"", `""`}, {"-", `"-"`}, {"07", `"07"`}, {"-0", `"-0"`}, {"+7", `"+7"`}, {"7.0", `"7.0"`}, {"a\"", `"a\""`}, {"a<", `"a\u003c"`},
	} {
		got, err := json.Marshal(ID(test.id))
		if err != nil || string(got) != test.want {
			t.Errorf("ID(%q) is written as %s, %v; want %s", test.id, got, err, test.want)
		}
	}
}

func TestIDString(t *testing.T) {
	for _, test := range []struct{ id, want string }{
		{"7", "7"}, {"HumanEval/7", "HumanEval/7"}, {"задача 7", "задача 7"}, {"a\x1b[2J", `"a\x1b[2J"`}, {" ", `" "`}, {"a\"", `"a\""`},
	} {
		if got := ID(test.id).String(); got != test.want {
			t.Errorf("ID(%q) is shown as %s, want %s", test.id, got, test.want)
		}
	}
}

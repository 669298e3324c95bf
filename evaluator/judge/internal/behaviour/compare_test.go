package behaviour

import (
	"math"
	"math/big"
	"testing"

	"codelinter/internal/guard"
	"codelinter/sandbox"
)

func intValue(n int64) sandbox.Value {
	return sandbox.Value{Kind: sandbox.Int, Int: big.NewInt(n)}
}

func boolValue(n int64) sandbox.Value {
	return sandbox.Value{Kind: sandbox.Bool, Int: big.NewInt(n)}
}

func floatValue(f float64) sandbox.Value {
	return sandbox.Value{Kind: sandbox.Float, Float: [2]float64{f, 0}}
}

func strValue(s string) sandbox.Value { return sandbox.Value{Kind: sandbox.Str, Str: s} }

func group(kind sandbox.Kind, items ...sandbox.Value) sandbox.Value {
	return sandbox.Value{Kind: kind, Items: items}
}

func listValue(items ...sandbox.Value) sandbox.Value { return group(sandbox.List, items...) }

func instance(class string, attributes ...sandbox.Value) sandbox.Value {
	v := sandbox.Value{Kind: sandbox.Instance, Class: class}
	for i := 0; i < len(attributes); i += 2 {
		v.Keys, v.Items = append(v.Keys, attributes[i]), append(v.Items, attributes[i+1])
	}
	return v
}

func numbered(id int, v sandbox.Value) sandbox.Value {
	v.ID = id
	return v
}

func reference2(id int) sandbox.Value { return sandbox.Value{Kind: sandbox.Reference, ID: id} }

func dictValue(pairs ...sandbox.Value) sandbox.Value {
	v := instance("", pairs...)
	v.Kind = sandbox.Dict
	return v
}

func TestSame(t *testing.T) {
	one, two := intValue(1), intValue(2)
	r := renames(&guard.Report{Renamed: []guard.Renaming{{Path: "I", Answer: "Item"}}})
	iterator := func(class string, items ...sandbox.Value) sandbox.Value {
		return sandbox.Value{Kind: sandbox.Iterator, Class: class, Items: items}
	}
	text := func(base string) sandbox.Value {
		b := strValue(base)
		return sandbox.Value{Kind: sandbox.Instance, Class: "__main__.Text", Base: &b}
	}
	shared := numbered(1, listValue(one))
	loop := numbered(1, listValue(reference2(1)))
	deeper := numbered(1, listValue(numbered(2, listValue(reference2(1)))))
	tests := []struct {
		name string
		a, b sandbox.Value
		want bool
	}{
		{"int", one, one, true},
		{"other int", one, two, false},
		{"bool for int", one, boolValue(1), false},
		{"float for int", one, floatValue(1), false},
		{"large ints", sandbox.Value{Kind: sandbox.Int, Int: new(big.Int).Lsh(big.NewInt(1), 900)}, sandbox.Value{Kind: sandbox.Int, Int: new(big.Int).Lsh(big.NewInt(1), 901)}, false},
		{"float within 1e-9", floatValue(1), floatValue(1 + 5e-10), true},
		{"float beyond 1e-9", floatValue(1), floatValue(1 + 2e-9), false},
		{"nan", floatValue(math.NaN()), floatValue(-math.NaN()), true},
		{"nan for 0", floatValue(math.NaN()), floatValue(0), false},
		{"inf", floatValue(math.Inf(1)), floatValue(math.Inf(1)), true},
		{"inf for -inf", floatValue(math.Inf(1)), floatValue(math.Inf(-1)), false},
		{"inf for large", floatValue(math.Inf(1)), floatValue(math.MaxFloat64), false},
		{"str", strValue("a"), strValue("a "), false},
		{"bytes for str", strValue("a"), sandbox.Value{Kind: sandbox.Bytes, Str: "a"}, false},
		{"addresses", strValue("<A object at 0x7f00>"), strValue("<A object at 0x5>"), true},
		{"list for tuple", listValue(one), group(sandbox.Tuple, one), false},
		{"list order", listValue(one, two), listValue(two, one), false},
		{"list length", listValue(one), listValue(one, one), false},
		{"set order", group(sandbox.Set, one, two), group(sandbox.Set, two, one), true},
		{"set of other", group(sandbox.Set, one, one), group(sandbox.Set, one, two), false},
		{"frozenset for set", group(sandbox.Set, one), group(sandbox.FrozenSet, one), false},
		{"dict", dictValue(one, two), dictValue(one, two), true},
		{"dict order", dictValue(one, one, two, two), dictValue(two, two, one, one), false},
		{"dict values", dictValue(one, two), dictValue(one, one), false},
		{"generator for map", iterator("builtins.map", one), iterator("builtins.generator", one), true},
		{"iterator for list", listValue(one), iterator("builtins.map", one), false},
		{"iterators' items", iterator("builtins.map", one), iterator("builtins.map", two), false},
		{"instances", instance("__main__.A", strValue("x"), one), instance("__main__.A", strValue("x"), one), true},
		{"instances' state", instance("__main__.A", strValue("x"), one), instance("__main__.A", strValue("x"), two), false},
		{"instances' attributes", instance("__main__.A", strValue("x"), one), instance("__main__.A", strValue("y"), one), false},
		{"E741 in attributes", instance("__main__.A", strValue("l"), one), instance("__main__.A", strValue("left"), one), true},
		{"E741 and another value", instance("__main__.A", strValue("l"), one), instance("__main__.A", strValue("left"), two), false},
		{"instances' class", instance("__main__.A"), instance("__main__.B"), false},
		{"a renamed class", instance("__main__.I"), instance("__main__.Item"), true},
		{"a subclass of str for str", strValue("a"), text("a"), false},
		{"subclasses of str", text("a"), text("a"), true},
		{"subclasses of str with other text", text("a"), text("b"), false},
		{"shared for other", listValue(shared, reference2(1)), listValue(listValue(one), listValue(two)), false},
		{"loops", loop, loop, true},
		{"loops of other lengths", loop, deeper, true},
		{"a loop for what ends", loop, listValue(listValue()), false},
		{"functions", sandbox.Value{Kind: sandbox.Function, Str: "f"}, sandbox.Value{Kind: sandbox.Function, Str: "g"}, true},
		{"a class for a function", sandbox.Value{Kind: sandbox.Function, Str: "f"}, sandbox.Value{Kind: sandbox.Class, Str: "f"}, false},
		{"too large", sandbox.Value{Kind: sandbox.TooLarge, Class: "list"}, listValue(), false},
		{"None for nothing", sandbox.Value{Kind: sandbox.None}, sandbox.Value{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := same(&test.a, &test.b, r); got != test.want {
				t.Errorf("same is %t", got)
			}
			if test.name == "a renamed class" {
				return
			}
			if test.name != "E741 in attributes" {
				if got := same(&test.b, &test.a, r); got != test.want {
					t.Errorf("the other way round, same is %t", got)
				}
			}
			if !same(&test.a, &test.a, nil) || !same(&test.b, &test.b, nil) {
				t.Error("a value is not the same as itself")
			}
		})
	}
}

// TestSameAliases requires that an answer may part what the program has in two
// places, and not the other way round.
func TestSameAliases(t *testing.T) {
	one := intValue(1)
	twice := func(v sandbox.Value) sandbox.Value { return listValue(numbered(1, v), reference2(1)) }
	parted := func(v sandbox.Value) sandbox.Value { return listValue(numbered(1, v), numbered(2, v)) }
	loop := numbered(1, listValue(reference2(1)))
	tests := []struct {
		name            string
		program, answer sandbox.Value
		want            bool
	}{
		{"a list parted", twice(listValue(one)), parted(listValue(one)), true},
		{"a list in two places", parted(listValue(one)), twice(listValue(one)), false},
		{"empty lists", parted(listValue()), twice(listValue()), false},
		{"a dict", parted(dictValue(strValue("a"), one)), twice(dictValue(strValue("a"), one)), false},
		{"a set", parted(group(sandbox.Set, one)), twice(group(sandbox.Set, one)), false},
		{"a tuple", parted(group(sandbox.Tuple, one)), twice(group(sandbox.Tuple, one)), true},
		{"a frozenset", parted(group(sandbox.FrozenSet, one)), twice(group(sandbox.FrozenSet, one)), true},
		{"an instance", parted(instance("datetime.date", strValue("a"), one)), twice(instance("datetime.date", strValue("a"), one)), true},
		{"both in two places", twice(listValue(one)), twice(listValue(one)), true},
		{"a loop, unrolled once more", numbered(1, listValue(numbered(2, listValue(reference2(1))))), loop, true},
	}
	for _, test := range tests {
		if got := same(&test.program, &test.answer, nil); got != test.want {
			t.Errorf("%s: same is %v", test.name, got)
		}
	}
}

func TestWithoutRows(t *testing.T) {
	tests := []struct{ output, want string }{
		{"", ""},
		{"hello\n", "hello\n"},
		{"<string>:4: SyntaxWarning: invalid escape sequence '\\d'\n  re.findall('\\d')\nhello\n", "hello\n"},
		{"a\n<string>:14: DeprecationWarning: old\n<string>:15: UserWarning: b: c\nb\n", "a\nb\n"},
		{"a\nTraceback (most recent call last):\n  File \"/program.py\", line 3, in f\n    g()\n    ~^^\nValueError: b\n  c\n", "a\nValueError: b\n  c\n"},
		{"+ Exception Group Traceback (most recent call last):\n  |   File\nb\n", "b\n"},
		{"Warning: 3\n", "Warning: 3\n"},
		{"x:y: Warning: 3\n", "x:y: Warning: 3\n"},
		{"  indented\n", "  indented\n"},
		{"a row:3: Warning: b\n", "a row:3: Warning: b\n"},
	}
	for _, test := range tests {
		if got := withoutRows(test.output); got != test.want {
			t.Errorf("withoutRows(%q) = %q", test.output, got)
		}
	}
}

func TestRenames(t *testing.T) {
	r := renames(&guard.Report{Renamed: []guard.Renaming{{Path: "l", Answer: "length"}, {Path: "Box.I", Answer: "Box.item"}}})
	if want := "l = length\nBox.I = Box.item\n"; r.aliases != want || r.class("__main__.l") != "__main__.length" || r.class("__main__.Box") != "__main__.Box" {
		t.Errorf("%q, want %q", r.aliases, want)
	}
	if renames(&guard.Report{}) != nil {
		t.Error("a renaming where nothing is renamed")
	}
}

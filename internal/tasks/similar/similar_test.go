package similar_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"codelinter/internal/tasks/openset"
	"codelinter/internal/tasks/similar"
	"codelinter/tokenizer"
)

func Example() {
	var print similar.Printer
	index := similar.NewIndex()
	index.Add(print.Shingles("def total(items):\n    s = 0\n    for i in items:\n        s += i.price * i.count\n    return round(s, 2)\n"))
	copied := "def f(a):\n    # all of them\n    x = 0\n    for b in a:\n        x += (b.price*b.count)\n    return round(x, 2)\n"
	fmt.Println(index.Near(print.Shingles(copied)))
	fmt.Println(index.Near(print.Shingles("def total(items):\n    return sum(i.price for i in items)\n")))
	// Output:
	// true
	// false
}

func openPrograms(t *testing.T) (programs []string) {
	tasks, err := openset.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tasks.All() {
		programs = append(programs, one.Meta.CanonicalCode)
	}
	return programs
}

// A copy is what people make of a program that they take: other names, comments and texts, another
// layout, up to three statements changed, and half of them within a larger program.
func copyOf(program string, chance *rand.Rand) string {
	tokens, _ := new(tokenizer.Tokenizer).Tokenize(program, tokenizer.Options{})
	names := map[string]string{}
	var out strings.Builder
	at := int32(0)
	for i, token := range tokens {
		text := token.Text(program)
		out.WriteString(program[at:token.Start])
		at = token.End
		switch {
		case token.Kind == tokenizer.COMMENT:
			text = "# another comment"
		case token.Kind == tokenizer.STRING && chance.IntN(3) == 0:
			text = `"other"`
		case token.Kind == tokenizer.NAME && token.Keyword == tokenizer.NotKeyword && (i == 0 || tokens[i-1].Kind != tokenizer.DOT) && !isBuiltin(text):
			if names[text] == "" {
				names[text] = fmt.Sprintf("v%d", len(names))
			}
			text = names[text]
		case token.Kind == tokenizer.EQUAL:
			text = " = "
		}
		out.WriteString(text)
	}
	lines := strings.Split(out.String(), "\n")
	for range chance.IntN(4) {
		at := chance.IntN(len(lines))
		indent := lines[at][:len(lines[at])-len(strings.TrimLeft(lines[at], " "))]
		switch chance.IntN(3) {
		case 0:
			lines = slices.Insert(lines, at, indent+"counter = counter + 1")
		case 1:
			lines[at] = indent + "value = compute(value, other)"
		case 2:
			if len(lines) > 4 {
				lines = slices.Delete(lines, at, at+1)
			}
		}
	}
	text := strings.Join(lines, "\n")
	if chance.IntN(2) == 0 {
		text = "import os\n\n\ndef helper(path):\n    with open(path) as file:\n        return [line.strip() for line in file if os.path.exists(line)]\n\n\n" + text
	}
	return text
}

func isBuiltin(name string) bool {
	switch name {
	case "len", "range", "print", "str", "int", "list", "dict", "set", "sum", "min", "max", "sorted", "enumerate", "zip", "isinstance", "float", "tuple", "type", "map", "any", "all":
		return true
	}
	return false
}

// changed returns a program with one to three statements changed in other ways than copyOf does.
func changed(program string, chance *rand.Rand) string {
	lines := strings.Split(strings.TrimRight(program, "\n"), "\n")
	indent := func(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }
	for range 1 + chance.IntN(3) {
		at := chance.IntN(len(lines))
		line := lines[at]
		switch chance.IntN(5) {
		case 0:
			if at+1 < len(lines) && indent(line) == indent(lines[at+1]) && !strings.HasSuffix(line, ":") {
				lines[at], lines[at+1] = lines[at+1], line
			}
		case 1:
			lines[at] = strings.NewReplacer("+", "-", "<", ">", "1", "2", "and", "or").Replace(line)
		case 2:
			if value, ok := strings.CutPrefix(strings.TrimSpace(line), "return "); ok {
				lines[at] = indent(line) + "result = " + value
				lines = slices.Insert(lines, at+1, indent(line)+"return result")
			}
		case 3:
			lines = slices.Insert(lines, at, indent(line)+"print('here', data)")
		case 4:
			lines = slices.Insert(lines, at, indent(line)+"assert isinstance(data, list), 'no list'")
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// Of 4,000 copies of the programs of the open set, which are small, at least 97.5 % are found:
// half of them are changed once more.
func TestNear(t *testing.T) {
	programs := openPrograms(t)
	index := similar.NewIndex()
	var print similar.Printer
	for _, p := range programs {
		index.Add(print.Shingles(p))
	}
	chance := rand.New(rand.NewPCG(1, 2))
	const all = 4000
	found := 0
	for i := range all {
		program := programs[i/2%len(programs)]
		if i%2 == 0 {
			program = changed(program, chance)
		}
		if index.Near(print.Shingles(copyOf(program, chance))) {
			found++
		}
	}
	t.Logf("%d of %d copies are found", found, all)
	if found < all*975/1000 {
		t.Errorf("%d of %d copies are found", found, all)
	}
}

// The programs of the open set were written one by one, and none is near another but for three
// pairs.
func TestOthers(t *testing.T) {
	var print similar.Printer
	programs := openPrograms(t)
	near1 := 0
	for i, p := range programs {
		index := similar.NewIndex()
		for j, q := range programs {
			if i != j {
				index.Add(print.Shingles(q))
			}
		}
		if index.Near(print.Shingles(p)) {
			near1++
		}
	}
	if near1 > 6 {
		t.Errorf("%d of %d programs are near others", near1, len(programs))
	}
}

// Seen finds what differs by names and layout, and keeps what differs by more.
func TestSeen(t *testing.T) {
	seen := similar.NewSeen()
	var print similar.Printer
	programs := openPrograms(t)
	for _, p := range programs {
		if seen.Again(print.Shingles(p)) {
			t.Errorf("seen before:\n%s", p)
		}
	}
	for _, p := range programs {
		if !seen.Again(print.Shingles("# A copy.\n" + strings.ReplaceAll(p, "    ", "  "))) {
			t.Errorf("not seen again:\n%s", p)
		}
	}
	if seen.Again(print.Shingles("")) || seen.Again(print.Shingles("x = 1\n")) {
		t.Error("a program without shingles was seen")
	}
}

package behaviour

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/ast"
	"codelinter/source"
)

// Texts with one tree have one plain text, whose rows are known in the original.
func TestPlainText(t *testing.T) {
	texts := []string{
		"def f(a, b=1, *c) :\n  # first\n  if a<b: return -a ** 2 ;\n  elif not(a) : x = {1:2}\n  else :\n\n      x=[a [1:-1], b. real,\n         1 .real]\n  try: pass\n  except (KeyError) as e: raise\n  return f\"{ a = }\", '''p\nq''', lambda: x\n",
		"def f(a,b = 1,* c):\n    if a < b:\n        return - a**2\n    elif not (a):\n        x = {1: 2}\n    else:\n        x = [a[1 : - 1], b.real, 1 .real]  # last\n    try:\n        pass\n    except(KeyError)as e:\n        raise\n    return f\"{ a = }\", '''p\nq''', lambda : x",
	}
	first := newPlainText(texts[0])
	if second := newPlainText(texts[1]); first.text != second.text {
		t.Errorf("%s\nis not\n%s", first.text, second.text)
	}
	if again := newPlainText(first.text); again.text != first.text {
		t.Errorf("%s\nbecomes\n%s", first.text, again.text)
	}
	for row, text := range strings.Split(strings.TrimSuffix(first.text, "\n"), "\n") {
		if word := strings.Fields(text)[0]; !strings.Contains(strings.Split(texts[0], "\n")[first.row(row+1)-1], strings.TrimSuffix(word, ":")) {
			t.Errorf("row %d is %d in the original, which has no %s", row+1, first.row(row+1), word)
		}
	}
}

// A plain text has the tree of its program.
func TestPlainTextKeepsTrees(t *testing.T) {
	var files []string
	err := filepath.WalkDir("../../../../testdata", func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".py") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	valid := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, ok := parse(string(data))
		if !ok {
			continue
		}
		valid++
		plain := newPlainText(string(data))
		again, ok := parse(plain.text)
		if !ok {
			t.Errorf("%s: the plain text is not valid\n%.300s", file, plain.text)
			continue
		}
		if len(m.body) != len(again.body) {
			t.Errorf("%s: %d statements", file, len(again.body))
			continue
		}
		for i := range m.body {
			if a, b := ast.Dump(m.body[i], nil, source.Newest), ast.Dump(again.body[i], nil, source.Newest); a != b {
				at := m.body[i].Bounds()
				t.Errorf("%s: %.300s", file, m.text[at.Start:at.End])
				break
			}
		}
		if strings.Count(plain.text, "\n") != len(plain.rows) {
			t.Errorf("%s: %d rows of %d", file, len(plain.rows), strings.Count(plain.text, "\n"))
		}
	}
	if valid < 100 {
		t.Errorf("only %d programs are valid", valid)
	}
}

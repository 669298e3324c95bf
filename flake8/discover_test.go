package flake8

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// joined is a text in which | stands for what os.path.join puts between names: flake8 keeps
// the separators that it is given.
func joined(text string) string { return strings.ReplaceAll(text, "|", string(filepath.Separator)) }

// grow makes files below the current folder, links from "name -> target".
func grow(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		name, link, isLink := strings.Cut(name, " -> ")
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		err := error(nil)
		if isLink {
			err = os.Symlink(link, name)
		} else {
			err = os.WriteFile(name, nil, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// set returns settings that are changed.
func set(change func(*settings)) *settings {
	s := newSettings()
	change(s)
	return s
}

func expand(s *settings, paths ...string) string {
	var names []string
	for _, input := range newDiscovery(s, func(error) {}).expand(paths) {
		if input.stdin {
			input.name += "!"
		}
		names = append(names, input.name)
	}
	return strings.Join(names, " ")
}

func TestExpand(t *testing.T) {
	grow(t, "a.py", "b.txt", "B.py", "script", "sub/c.py", "sub/deep/d.py", "sub.py",
		".git/e.py", "sub/.git", "sub/x.egg/f.py", "sub/__pycache__/g.py", "egg/.egg", "egg/h.py",
		"-dash.py", "é.py")
	for _, test := range []struct{ paths, want string }{
		{"", ".|-dash.py .|B.py .|a.py .|egg|h.py .|sub.py .|sub|c.py .|sub|deep|d.py .|é.py"},
		{".", ".|-dash.py .|B.py .|a.py .|egg|h.py .|sub.py .|sub|c.py .|sub|deep|d.py .|é.py"},
		{"sub", "sub|c.py sub|deep|d.py"},
		{"sub/", "sub/c.py sub/deep|d.py"},
		{"sub//", "sub//c.py sub//deep|d.py"},
		{"./sub", "./sub|c.py ./sub|deep|d.py"},
		{"sub/../sub", "sub/../sub|c.py sub/../sub|deep|d.py"},
		{"script b.txt", "b.txt script"},                 // files that are named always count,
		{"sub/x.egg sub/x.egg/", ""},                     // unless a pattern
		{".git sub/.git __pycache__/x", "__pycache__/x"}, // excludes their own name
		{"sub/x.egg/f.py .git/e.py", ".git/e.py sub/x.egg/f.py"},
		{"a.py ./a.py a.py", "./a.py a.py a.py"},
		{"sub sub/c.py", "sub/c.py sub|c.py sub|deep|d.py"},
		{"nope.py nope", "nope nope.py"},
		{"-", "stdin!"},
		{"- a.py -", "a.py stdin! stdin!"},
	} {
		if got, want := expand(newSettings(), strings.Fields(test.paths)...), joined(test.want); got != want {
			t.Errorf("%s:\n got %s\nwant %s", test.paths, got, want)
		}
	}
}

// A walk takes links to files, and does not go into those to folders, but a path that is
// given may go through one.
func TestExpandLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right that Windows gives few users")
	}
	grow(t, "a.py", "sub/c.py", "sub/deep/d.py",
		"links/dangling.py -> nowhere", "links/file.py -> ../a.py", "links/folder.py -> ../sub", "links/up -> ..")
	for _, test := range []struct{ paths, want string }{
		{"", "./a.py ./links/dangling.py ./links/file.py ./sub/c.py ./sub/deep/d.py"},
		{"links/up/sub", "links/up/sub/c.py links/up/sub/deep/d.py"},
		{"links/folder.py", "links/folder.py/c.py links/folder.py/deep/d.py"},
	} {
		if got := expand(newSettings(), strings.Fields(test.paths)...); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.paths, got, test.want)
		}
	}
}

// A walk finds what [filepath.WalkDir] finds, and in the order of the whole names: also where
// a folder has more entries than the system gives at once, where names differ after many
// bytes, and between folders and the files beside them.
func TestExpandFindsAll(t *testing.T) {
	var names []string
	random := rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		folder := [...]string{"", "a/", "a.b/", "a/a/", "a-very-long-name-of-a-folder/"}[random.IntN(5)]
		name := [...]string{"", "a", "aa", "aaaaaaaa", "aaaaaaaaa", "é", "test_of_the_same_thing_"}[random.IntN(7)]
		kind := [...]string{".py", ".py", ".pyi", "_.py"}[random.IntN(4)]
		names = append(names, folder+name+strconv.Itoa(random.IntN(1e4))+kind)
	}
	grow(t, names...)
	var want []string
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".py") {
			want = append(want, joined(".|")+path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if got := strings.Split(expand(newSettings(), "."), " "); !slices.Equal(got, want) {
		t.Errorf("found %d files, want %d in this order: %q", len(got), len(want), want)
	}
}

func TestExpandPatterns(t *testing.T) {
	grow(t, "a.py", "b.txt", "build/c.py", "sub/build/d.py", "sub/e.py")
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		s     *settings
		paths string
		want  string
	}{
		{set(func(s *settings) { s.exclude = []string{"build"} }), ".", ".|a.py .|sub|e.py"},
		{set(func(s *settings) { s.exclude = []string{folder + "/build"} }), ".", ".|a.py .|sub|build|d.py .|sub|e.py"},
		{set(func(s *settings) { s.exclude = []string{folder + "/sub/*"} }), ". sub/e.py", ".|a.py .|build|c.py"},
		{set(func(s *settings) { s.exclude = []string{} }), "sub", "sub|build|d.py sub|e.py"},
		{set(func(s *settings) { s.exclude = []string{"*"} }), ". a.py", ""},
		{set(func(s *settings) { s.filename = []string{"*.txt", "*/c.py"} }), ".", ".|b.txt .|build|c.py"},
		{set(func(s *settings) { s.filename = []string{"a.py"} }), ". a.py", "a.py"},           // patterns are for "./a.py"
		{set(func(s *settings) { s.filename = []string{} }), "sub", "sub|build|d.py sub|e.py"}, // no pattern lets in all

		{set(func(s *settings) { s.exclude = []string{"build"}; s.stdinDisplayName = "x/build" }), "-", ""},
		{set(func(s *settings) { s.exclude = []string{"stdin"}; s.stdinDisplayName = "stdin" }), "- stdin", "stdin!"},
		{set(func(s *settings) { s.stdinDisplayName = "a b.py" }), "-", "a b.py!"},
	} {
		if got, want := expand(test.s, strings.Fields(test.paths)...), joined(test.want); got != want {
			t.Errorf("%+v %s:\n got %s\nwant %s", test.s, test.paths, got, want)
		}
	}
}

// What Python's fnmatch says.
func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"*.egg", ".egg", true},
		{"*.egg", "a.eggs", false},
		{"a?c", "abc", true},
		{"a?c", "aéc", true},
		{"a?c", "ac", false},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXcYb", false},
		{"[ab]", "b", true},
		{"[!ab]", "b", false},
		{"[!ab]", "é", true},
		{"[a-c]", "b", true},
		{"[c-a]", "b", false},
		{"[a-]", "-", true},
		{"[-a]", "-", true},
		{"[a-b-c]", "-", true},
		{"[a-b-c]", "c", true},
		{"[]a]", "]", true},
		{"[!]a]", "]", false},
		{"[]", "[]", true},
		{"[!]", "[!]", true},
		{"[a", "[a", true},
		{"[a", "a", false},
		{"[^a]", "^", true},
		{"[!!]", "!", false},
		{`\*`, `\a`, true},
		{"*\xff", "a\xff", true},
		{"?\xff", "\xfe\xff", true},
	} {
		patterns := compile([]string{test.pattern})
		if got := patterns.match(test.name); got != test.want {
			t.Errorf("%q matches %q: %v", test.pattern, test.name, got)
		}
	}
	// Of several one is to match, whatever the others are.
	texts := []string{".git", "CVS", "*.egg", "a?c", "", "*", "é"}
	for mask := range 1 << len(texts) {
		var chosen []string
		for i, text := range texts {
			if mask>>i&1 != 0 {
				chosen = append(chosen, text)
			}
		}
		for _, name := range []string{".git", ".gi", "CVS", "CV", "x.egg", "abc", "", "é", "\u00e8", "z"} {
			together := compile(chosen)
			want := slices.ContainsFunc(chosen, func(text string) bool {
				one := compile([]string{text})
				return one.match(name)
			})
			if chosen == nil {
				continue // stands for the defaults
			}
			if got := together.match(name); got != want {
				t.Errorf("%q match %q: %v", chosen, name, got)
			}
		}
	}
	long := compile([]string{strings.Repeat("a*", 100) + "[b]"})
	if long.match(strings.Repeat("a", 10000)) {
		t.Error("a pattern that ends in b matches a text of a")
	}
}

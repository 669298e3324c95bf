package flake8

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// On Windows files are found, excluded and printed as flake8 does it there.
func TestWindowsPaths(t *testing.T) {
	grow(t, "a.py", "sub/B.py", "sub/deep/c.py")
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		s           *settings
		paths, want string
	}{
		{newSettings(), ".", `.\a.py .\sub\B.py .\sub\deep\c.py`},
		{newSettings(), "sub", `sub\B.py sub\deep\c.py`},
		{newSettings(), "sub/", `sub/B.py sub/deep\c.py`},
		{newSettings(), `sub\ ./a.py`, `./a.py sub\B.py sub\deep\c.py`},
		{newSettings(), folder + `\sub\deep`, folder + `\sub\deep\c.py`},
		{set(func(s *settings) { s.filename = []string{"b.*"} }), "", ``}, // a name is not a path
		{set(func(s *settings) { s.filename = []string{"*b.PY"} }), "", `.\sub\B.py`},
		{set(func(s *settings) { s.exclude = []string{"DEEP"} }), "", `.\a.py .\sub\B.py`},
		{set(func(s *settings) { s.exclude = normalizePaths([]string{"Sub/deep"}, ".") }), "", `.\a.py .\sub\B.py`},
		{set(func(s *settings) { s.exclude = normalizePaths([]string{`sub\*`}, folder) }), "", `.\a.py`},
	} {
		if got := expand(test.s, strings.Fields(test.paths)...); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.paths, got, test.want)
		}
	}
	files, err := set(func(s *settings) { s.perFileIgnores = "SUB/*:E1 b.py:E2" }).files(func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{`.\sub\deep\c.py`: 1, "sub/B.py": 1, "a.py": 0, `C:b.py`: 2} {
		if got := files.guideFor(name); got != want {
			t.Errorf("guideFor(%s) = %d, want %d", name, got, want)
		}
	}
	for number, want := range map[syscall.Errno]string{
		syscall.ERROR_FILE_NOT_FOUND: "FileNotFoundError: [Errno 2] No such file or directory: ",
		syscall.ERROR_PATH_NOT_FOUND: "FileNotFoundError: [Errno 2] No such file or directory: ",
		syscall.ERROR_ACCESS_DENIED:  "PermissionError: [Errno 13] Permission denied: ",
		syscall.Errno(123):           "OSError: [Errno 22] Invalid argument: ", // a name with a character that none has
	} {
		if got, want := osErrorText(&os.PathError{Err: number}, `a\b.py`), want+`'a\\b.py'`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got, want := sarifURI(`C:\a b\c.py`)+" "+sarifURI(`.\a b\c.py`), "file:///C:/a%20b/c.py a%20b/c.py"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

package plugins

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A member is a file of a wheel.
type member struct{ name, data string }

const metadataOf = "Metadata-Version: 2.1\nName: %s\nVersion: %s\nLicense: MIT\n\nName: of the description\n"

// writeWheel writes a wheel with members into a folder.
func writeWheel(t *testing.T, folder, name string, members ...member) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.Create(m.name)
		if err == nil {
			_, err = w.Write([]byte(m.data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// filesOf returns what folders hold for the guest, but for flake8 itself.
func filesOf(folders ...string) (names []string, found []Distribution, err error) {
	s, err := findSite(folders)
	if err != nil {
		return nil, nil, err
	}
	files, found, err := s.files()
	for _, file := range files {
		if name, of := strings.CutPrefix(file.Name, siteFolder+"/"); of {
			names = append(names, name)
		}
	}
	return names, found, err
}

// A wheel's files go where pip puts them, and those that the guest cannot use stay away.
func TestWheel(t *testing.T) {
	folder := t.TempDir()
	writeWheel(t, folder, "spam-1.0-cp313-cp313-linux_x86_64.whl",
		member{"spam/__init__.py", ""}, member{"spam/_fast.cpython-313-x86_64-linux-gnu.so", "ELF"}, member{"spam/old.pyc", ""},
		member{"../outside.py", ""}, member{"/absolute.py", ""}, member{"spam-1.0.data/purelib/eggs.py", ""}, member{"spam-1.0.data/scripts/eggs", ""},
		member{"spam/__init__.py", "again"}, member{"spam-1.0.dist-info/METADATA", fmt.Sprintf(metadataOf, "Spam", "1.0")})
	names, found, err := filesOf(folder, folder+"/.") // the same one
	if got, want := fmt.Sprint(names), "[eggs.py spam-1.0.dist-info/METADATA spam/__init__.py]"; err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if len(found) != 1 || found[0].Name != "Spam" || found[0].Version != "1.0" || found[0].License != "MIT" || len(found[0].Compiled) != 1 {
		t.Errorf("%+v", found)
	}
}

// What is no wheel, or too much, is an error that names the file.
func TestBadWheels(t *testing.T) {
	defer func(n int) { maxFiles = n }(maxFiles)
	maxFiles = 1 << 20
	ofSpam := member{"spam-1.0.dist-info/METADATA", fmt.Sprintf(metadataOf, "spam", "1.0")}
	large := strings.Repeat("#", maxFiles/2+1)
	for want, make := range map[string]func(folder string){
		"expected wheels (*.whl) or installed packages (*.dist-info), found none": func(string) {},
		"spam-1.0-py3-none-any.whl: expected a wheel: zip: not a valid zip file": func(folder string) {
			os.WriteFile(filepath.Join(folder, "spam-1.0-py3-none-any.whl"), []byte("PK\x03\x04 and nothing"), 0o600)
		},
		"spam-1.0-py3-none-any.whl: expected a wheel, found no METADATA in it": func(folder string) {
			writeWheel(t, folder, "spam-1.0-py3-none-any.whl", member{"spam.py", ""}, member{"below/spam-1.0.dist-info/METADATA", ofSpam.data})
		},
		"spam-2-py3-none-any.whl: spam is there twice, also as ": func(folder string) {
			writeWheel(t, folder, "spam-1-py3-none-any.whl", ofSpam)
			writeWheel(t, folder, "spam-2-py3-none-any.whl", ofSpam)
		},
		"spam.py: expected a file of 1 MB at most, found more": func(folder string) {
			writeWheel(t, folder, "spam-1.0-py3-none-any.whl", ofSpam, member{"spam.py", large + large})
		},
		"expected plugins of 1 MB at most, found more": func(folder string) {
			writeWheel(t, folder, "spam-1.0-py3-none-any.whl", ofSpam, member{"a.py", large}, member{"b.py", large})
		},
		"spam-1.0.tar.gz: expected a wheel, found a source archive": func(folder string) {
			os.WriteFile(filepath.Join(folder, "spam-1.0.tar.gz"), nil, 0o600)
		},
		"spam-1.0-py3-none-any.whl: expected files of 1 MB at most, found one of 1024": func(folder string) {
			name := filepath.Join(folder, "spam-1.0-py3-none-any.whl")
			os.WriteFile(name, nil, 0o600)
			os.Truncate(name, 1<<30)
		},
	} {
		folder := t.TempDir()
		make(folder)
		if _, _, err := filesOf(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, _, err := filesOf(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "expected a folder of wheels") {
		t.Error(err)
	}
}

// A file that a zip names a thousand times is read once.
func TestRepeatedMembers(t *testing.T) {
	defer func(n int) { maxFiles = n }(maxFiles)
	maxFiles = 1 << 20
	folder := t.TempDir()
	members := []member{{"spam-1.0.dist-info/METADATA", fmt.Sprintf(metadataOf, "spam", "1.0")}}
	for range 1000 {
		members = append(members, member{"spam.py", strings.Repeat("#", 10_000)})
	}
	writeWheel(t, folder, "spam-1.0-py3-none-any.whl", members...)
	names, _, err := filesOf(folder)
	if err != nil || len(names) != 2 {
		t.Errorf("%v, %v", names, err)
	}
}

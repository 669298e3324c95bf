package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codelinter/rule"
	"codelinter/source"
)

// serve answers for an index and for python.org, by path.
func serve(t *testing.T, pages map[string]string) where {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, found := pages[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		kind := "text/html"
		if strings.HasPrefix(page, "{") {
			kind = "application/vnd.pypi.simple.v1+json"
		}
		w.Header().Set("Content-Type", kind)
		w.Write([]byte(page))
	}))
	t.Cleanup(server.Close)
	return where{server.URL + "/simple/", []string{server.URL + "/first", server.URL + "/second"}}
}

// followed are pages that know of nothing new: what is followed, older releases, and newer
// ones that are not final or were withdrawn.
func followed() map[string]string {
	r := slices.Max(rule.Releases())
	python := slices.Max(source.Versions()).Release()
	return map[string]string{
		"/simple/flake8/": `<a href="x">flake8-` + r.Version(rule.Flake8) + `-py2.py3-none-any.whl</a><a href="x">flake8-99.0.0a1.tar.gz</a>
			<a href="x" data-yanked="broken">flake8-99.1.0.tar.gz</a><a>flake8-3.9.2.tar.gz</a><a>flake8-json-99.0.tar.gz</a>`,
		"/simple/pycodestyle/": `{"files": [{"filename": "pycodestyle-` + r.Version(rule.Pycodestyle) + `.tar.gz", "yanked": false},
			{"filename": "pycodestyle-99.0.0.tar.gz", "yanked": "broken"}, {"filename": "pycodestyle-98.0.0.tar.gz", "yanked": true}]}`,
		"/simple/pyflakes/": `<a>pyflakes-` + r.Version(rule.Pyflakes) + `.tar.gz</a>`,
		"/simple/mccabe/":   `<a>mccabe-` + strings.TrimSuffix(r.Version(rule.McCabe), ".0") + `.tar.gz</a>`,
		"/second":           `[{"name": "Python ` + python + `"}, {"name": "Python 3.9.9"}, {"name": "Python 4.0.0rc1"}, {"name": "Python install manager 26.0"}]`,
	}
}

func TestRun(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(pages map[string]string)
		code   int
		want   string // in the table
		said   string // on standard error
	}{
		{"nothing new", func(map[string]string) {}, exitSame, "", ""},
		{"a newer package", func(p map[string]string) { p["/simple/mccabe/"] += `<a>mccabe-0.10.0.tar.gz</a>` }, exitNews,
			"mccabe       0.7.0     0.10.0  yes\n", ""},
		{"a newer CPython", func(p map[string]string) { p["/first"] = `[{"latest": "3.99.0"}, {"latest": "3.9.1"}]` }, exitNews,
			"3.99.0  yes\n", ""},
		{"no index", func(p map[string]string) { delete(p, "/simple/flake8/") }, exitUnasked, "not known", "upstream: flake8 could not be asked about: "},
		{"no CPython", func(p map[string]string) { p["/second"] = `[]` }, exitUnasked, "not known", "upstream: CPython could not be asked about: "},
		{"news, and one that is not asked", func(p map[string]string) {
			delete(p, "/simple/flake8/")
			p["/first"] = `[{"latest": "3.99.0"}]`
		}, exitNews, "yes\n", "upstream: flake8 could not"},
	} {
		t.Run(test.name, func(t *testing.T) {
			pages := followed()
			test.change(pages)
			var out, err strings.Builder
			if code := run(serve(t, pages), &out, &err); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if !strings.Contains(out.String(), test.want) || strings.Count(out.String(), "\n") != 6 || (strings.Contains(out.String(), "yes") != (test.code == exitNews)) {
				t.Errorf("%s\nwant %s", out.String(), test.want)
			}
			if !strings.Contains(err.String(), test.said) || (err.String() == "") != (test.said == "") {
				t.Errorf("%s\nwant %s", err.String(), test.said)
			}
		})
	}
}

func TestPackageIndex(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PIP_INDEX_URL", "")
	t.Setenv("HOME", folder)
	t.Setenv("XDG_CONFIG_HOME", folder)
	t.Setenv("PIP_CONFIG_FILE", filepath.Join(folder, "pip.conf"))
	if err := os.WriteFile(filepath.Join(folder, "pip.conf"), []byte("[install]\nindex-url = no\n[global]\ntimeout = 1\nindex_url = https://one/simple\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := packageIndex(); got != "https://one/simple" {
		t.Error(got)
	}
	t.Setenv("PIP_INDEX_URL", "https://two/simple")
	if got := packageIndex(); got != "https://two/simple" {
		t.Error(got)
	}
}

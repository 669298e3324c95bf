package upstream

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"codelinter/rule"
	"codelinter/source"
)

// serve answers as python.org by path, and as pip by a package's name.
func serve(t *testing.T, pages map[string]string) where {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, found := pages[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(page))
	}))
	t.Cleanup(server.Close)
	pip := func(name string) ([]byte, error) {
		if version, found := pages[name]; found {
			return fmt.Appendf(nil, `{"version": "1", "install": [{"is_direct": false, "metadata": {"name": %q, "version": %q}}]}`, name, version), nil
		}
		return nil, errors.New("exit status 1")
	}
	return where{pip, []string{server.URL + "/first", server.URL + "/second"}}
}

// followed are answers that know of nothing new.
func followed() map[string]string {
	r := slices.Max(rule.Releases())
	python := slices.Max(source.Versions()).Release()
	return map[string]string{
		"flake8":      r.Version(rule.Flake8),
		"pycodestyle": r.Version(rule.Pycodestyle),
		"pyflakes":    r.Version(rule.Pyflakes),
		"mccabe":      strings.TrimSuffix(r.Version(rule.McCabe), ".0"),
		"/second":     `[{"name": "Python ` + python + `"}, {"name": "Python 3.9.9"}, {"name": "Python 4.0.0rc1"}, {"name": "Python install manager 26.0"}]`,
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
		{"a newer package", func(p map[string]string) { p["mccabe"] = "0.10.0" }, exitNews,
			"mccabe       0.7.0     0.10.0  yes\n", ""},
		{"a newer CPython", func(p map[string]string) { p["/first"] = `[{"latest": "3.99.0"}, {"latest": "3.9.1"}]` }, exitNews,
			"3.99.0  yes\n", ""},
		{"no index", func(p map[string]string) { delete(p, "flake8") }, exitUnasked, "not known", "upstream: flake8 could not be asked about: "},
		{"no CPython", func(p map[string]string) { p["/second"] = `[]` }, exitUnasked, "not known", "upstream: CPython could not be asked about: "},
		{"news, and one that is not asked", func(p map[string]string) {
			delete(p, "flake8")
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

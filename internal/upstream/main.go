// Command upstream lists releases of flake8, its plugins and CPython that are newer than
// those that are followed:
//
//	$ make upstream
//	name         followed  newest  news
//	flake8       7.5.0     7.5.0
//	pycodestyle  2.15.0    2.16.0  yes
//	...
//
// It asks the package index of pip's configuration, and python.org. Exit codes:
//
//	0  nothing is new
//	1  something is new
//	2  the command line is invalid
//
// 3  a source did not answer, and the others have nothing new
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/mod/semver"

	"codelinter/rule"
	"codelinter/source"
)

// Exit codes.
const (
	exitSame    = 0
	exitNews    = 1
	exitMisuse  = 2
	exitUnasked = 3
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: upstream")
		os.Exit(exitMisuse)
	}
	w := where{index: packageIndex(), pythons: []string{
		"https://www.python.org/api/v2/downloads/release/?is_published=true&pre_release=false",
		"https://endoflife.date/api/python.json",
	}}
	os.Exit(run(w, os.Stdout, os.Stderr))
}

// where says who is asked.
type where struct {
	index   string   // of packages, by PEP 503 or 691
	pythons []string // each is asked in turn until one answers
}

// run asks, prints the table, and returns the exit code.
func run(w where, stdout, stderr io.Writer) int {
	code := exitSame
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "name\tfollowed\tnewest\tnews")
	row := func(name, followed, newest string, err error) {
		news := ""
		switch {
		case err != nil:
			fmt.Fprintf(stderr, "upstream: %s could not be asked about: %v\n", name, err)
			newest = "not known"
			if code == exitSame {
				code = exitUnasked
			}
		case compare(newest, followed) > 0:
			news, code = "yes", exitNews
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", name, followed, newest, news)
	}
	newest := slices.Max(rule.Releases())
	for _, tool := range []rule.Tool{rule.Flake8, rule.Pycodestyle, rule.Pyflakes, rule.McCabe} {
		version, err := newestPackage(w.index, tool.String())
		row(tool.String(), newest.Version(tool), version, err)
	}
	version, err := newestPython(w.pythons)
	row("CPython", slices.Max(source.Versions()).Release(), version, err)
	if err := table.Flush(); err != nil {
		fmt.Fprintln(stderr, "upstream:", err)
		return exitUnasked
	}
	return code
}

// get returns what is at an address, of at most 64 MB, and its type.
func get(address, accept string) (text []byte, kind string, err error) {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Accept", accept)
	client := http.Client{Timeout: time.Minute}
	reply, err := client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("%s: %s", request.URL.Redacted(), reply.Status)
	}
	text, err = io.ReadAll(io.LimitReader(reply.Body, 64<<20))
	return text, reply.Header.Get("Content-Type"), err
}

// anchor is a link of an index in HTML: its attributes, and a file's name.
var anchor = regexp.MustCompile(`(?s)<a\b([^>]*)>\s*([^<]*?)\s*</a>`)

// newestPackage returns the newest release of a package that is final and not withdrawn.
func newestPackage(index, name string) (string, error) {
	text, kind, err := get(strings.TrimSuffix(index, "/")+"/"+name+"/", "application/vnd.pypi.simple.v1+json, text/html;q=0.5")
	if err != nil {
		return "", err
	}
	var files []string
	if strings.Contains(kind, "json") {
		var page struct {
			Files []struct {
				Filename string
				Yanked   any // true, or the reason
			}
		}
		if err := json.Unmarshal(text, &page); err != nil {
			return "", err
		}
		for _, file := range page.Files {
			if file.Yanked == nil || file.Yanked == false {
				files = append(files, file.Filename)
			}
		}
	} else {
		for _, link := range anchor.FindAllSubmatch(text, -1) {
			if !strings.Contains(string(link[1]), "data-yanked") {
				files = append(files, string(link[2]))
			}
		}
	}
	var versions []string
	for _, file := range files {
		if version, ok := fileVersion(file, name); ok {
			versions = append(versions, version)
		}
	}
	return newestOf(versions)
}

// fileVersion returns the version in the name of a package's wheel or source.
func fileVersion(file, name string) (version string, ok bool) {
	rest, ok := strings.CutPrefix(strings.ToLower(file), name+"-")
	if !ok {
		return "", false
	}
	if version, _, ok = strings.Cut(rest, "-"); ok { // of a wheel
		return version, strings.HasSuffix(rest, ".whl")
	}
	for _, extension := range []string{".tar.gz", ".zip"} {
		if version, ok = strings.CutSuffix(rest, extension); ok {
			return version, true
		}
	}
	return "", false
}

// newestPython returns the newest release of CPython, as the first of addresses says that
// answers.
func newestPython(addresses []string) (string, error) {
	var faults []error
	for _, address := range addresses {
		text, _, err := get(address, "application/json")
		if err == nil {
			var releases []struct {
				Name   string // "Python 3.15.2", of python.org
				Latest string // "3.15.2", of endoflife.date
			}
			if err = json.Unmarshal(text, &releases); err == nil {
				var versions []string
				for _, r := range releases {
					versions = append(versions, cmp.Or(r.Latest, strings.TrimPrefix(r.Name, "Python ")))
				}
				var newest string
				if newest, err = newestOf(versions); err == nil {
					return newest, nil
				}
			}
		}
		faults = append(faults, err)
	}
	return "", errors.Join(faults...)
}

// newestOf returns the greatest of versions, among those that are final.
func newestOf(versions []string) (string, error) {
	final := slices.DeleteFunc(slices.Clone(versions), func(version string) bool {
		return !semver.IsValid("v"+version) || semver.Prerelease("v"+version) != ""
	})
	if len(final) == 0 {
		return "", fmt.Errorf("expected releases, found none among %d versions", len(versions))
	}
	return slices.MaxFunc(final, compare), nil
}

func compare(a, b string) int { return semver.Compare("v"+a, "v"+b) }

// packageIndex returns the index that pip uses: of its environment, of its configuration,
// or the public one.
func packageIndex() string {
	if index := os.Getenv("PIP_INDEX_URL"); index != "" {
		return index
	}
	var files []string
	if file := os.Getenv("PIP_CONFIG_FILE"); file != "" {
		files = append(files, file)
	}
	if folder, err := os.UserConfigDir(); err == nil {
		files = append(files, filepath.Join(folder, "pip", "pip.conf"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".pip", "pip.conf"))
	}
	for _, file := range append(files, "/etc/xdg/pip/pip.conf", "/etc/pip.conf") {
		if index := indexOf(file); index != "" {
			return index
		}
	}
	return "https://pypi.org/simple"
}

// indexOf returns the index-url in the section global of a pip.conf, "" if it has none.
func indexOf(file string) string {
	text, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer text.Close()
	global := false
	for lines := bufio.NewScanner(text); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			global = line == "[global]"
		}
		name, value, found := strings.Cut(line, "=")
		if global && found && strings.ReplaceAll(strings.TrimSpace(name), "_", "-") == "index-url" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Package upstream is a command: it lists releases of flake8, its plugins and CPython that are
// newer than those that are followed:
//
//	$ make upstream
//	name         followed  newest  news
//	flake8       7.5.0     7.5.0
//	pycodestyle  2.15.0    2.16.0  yes
//	...
//
// It asks the package index through pip, and python.org. Exit codes:
//
//	0  nothing is new
//	1  something is new
//	2  the command line is invalid
//
// 3  a source did not answer, and the others have nothing new
package upstream

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
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

// Main is the command.
func Main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: upstream")
		os.Exit(exitMisuse)
	}
	w := where{pip: pip, pythons: []string{
		"https://www.python.org/api/v2/downloads/release/?is_published=true&pre_release=false",
		"https://endoflife.date/api/python.json",
	}}
	os.Exit(run(w, os.Stdout, os.Stderr))
}

// where says who is asked.
type where struct {
	pip     func(name string) (report []byte, err error) // see [pip]
	pythons []string                                     // each is asked in turn until one answers
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
		version, err := newestPackage(w, tool.String())
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

// pip returns the report of what pip would install for a package: its newest release that is
// final and not withdrawn.
func pip(name string) ([]byte, error) {
	command := exec.Command("python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--report", "-",
		"--ignore-installed", "--ignore-requires-python", "--no-deps", name)
	command.Stderr = os.Stderr
	return command.Output()
}

// newestPackage returns the newest release of a package.
func newestPackage(w where, name string) (string, error) {
	text, err := w.pip(name)
	if err != nil {
		return "", err
	}
	var report struct {
		Install []struct {
			Metadata struct{ Version string }
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return "", err
	}
	if len(report.Install) != 1 {
		return "", fmt.Errorf("expected one release, found %d", len(report.Install))
	}
	return report.Install[0].Metadata.Version, nil
}

// get returns what is at an address, of at most 64 MB.
func get(address string) ([]byte, error) {
	client := http.Client{Timeout: time.Minute}
	reply, err := client.Get(address)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", address, reply.Status)
	}
	return io.ReadAll(io.LimitReader(reply.Body, 64<<20))
}

// newestPython returns the newest release of CPython, as the first of addresses says that
// answers.
func newestPython(addresses []string) (string, error) {
	var faults []error
	for _, address := range addresses {
		text, err := get(address)
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

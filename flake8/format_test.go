package flake8

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// odd names files, and odd is what they hold.
var odd = map[string]string{
	"clean.py":  "x = 1\n",
	"spam.py":   "import os\nx=1 \nx=1 \n",
	"broken.py": "def f(:\n",
	escaped:     "naïve = '\\é' ; x=1\n",
	markup:      "x=1",
}

// Names with characters that have a meaning in some format, those that the system allows.
var (
	escaped = bySystem("a b/50%,:\n.py", "a b/50%,;.py")
	markup  = bySystem("\xff<&>\".py", "é&'.py")
)

func bySystem(posix, windows string) string {
	if runtime.GOOS == "windows" {
		return windows
	}
	return posix
}

// render lints the odd files, and one that does not exist, and returns what the
// format of that name makes of it.
func render(t *testing.T, format string, paths ...string) string {
	t.Helper()
	grow(t, "a b/x")
	for name, text := range odd {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if paths == nil {
		paths = []string{".", "nope.py"}
	}
	var out bytes.Buffer
	_, err := lintPaths(t.Context(), optionsFor(paths, 0, newFormatter(format, false, &lint.Options{Release: rule.Flake8730, Target: source.Python311})), nil, &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func countFindings(t *testing.T) int { return strings.Count(render(t, "%(row)d"), "\n") }

func TestJSON(t *testing.T) {
	text := render(t, "json")
	var report map[string][]struct {
		Code         string  `json:"code"`
		Filename     string  `json:"filename"`
		Line         int     `json:"line_number"`
		Column       int     `json:"column_number"`
		Text         string  `json:"text"`
		PhysicalLine *string `json:"physical_line"`
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&report); err != nil {
		t.Fatal(err, text)
	}
	if len(report) != len(odd)+1 || len(report[joined(".|clean.py")]) != 0 || report[joined(".|clean.py")] == nil {
		t.Errorf("got %v", report)
	}
	spam := report[joined(".|spam.py")]
	last := spam[len(spam)-1]
	if last.Code != "W291" || last.Filename != joined(".|spam.py") || last.Line != 3 || last.Column != 4 ||
		last.Text != "trailing whitespace" || *last.PhysicalLine != "x=1 \n" {
		t.Errorf("got %+v", last)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		t.Errorf("not all is ASCII: %q", text)
	}
}

// What the schema of SARIF 2.1.0 requires of what we write, and that its parts
// fit together.
func TestSARIF(t *testing.T) {
	type object = map[string]any
	text := render(t, "sarif")
	var log object
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err, text)
	}
	allowed := func(where string, o object, required string, optional ...string) {
		for _, key := range strings.Fields(required) {
			if o[key] == nil {
				t.Errorf("%s has no %s: %v", where, key, o)
			}
		}
		for key := range o {
			if !slices.Contains(append(strings.Fields(required), optional...), key) {
				t.Errorf("%s has %s: %v", where, key, o)
			}
		}
	}
	levels := []string{"none", "note", "warning", "error"}
	allowed("log", log, "$schema version runs")
	if log["version"] != "2.1.0" || len(log["runs"].([]any)) != 1 {
		t.Errorf("version %v", log["version"])
	}
	run := log["runs"].([]any)[0].(object)
	allowed("run", run, "tool columnKind results")
	driver := run["tool"].(object)["driver"].(object)
	allowed("driver", driver, "name version fullName rules")
	if name := driver["fullName"].(string); !strings.HasSuffix(name, "as flake8 7.3.0 on CPython 3.11.11") {
		t.Errorf("fullName %q", name)
	}
	rules := driver["rules"].([]any)
	ids := map[string]bool{}
	for _, r := range rules {
		r := r.(object)
		allowed("rule", r, "id name shortDescription help defaultConfiguration")
		allowed("help", r["help"].(object), "text", "markdown")
		allowed("message", r["shortDescription"].(object), "text")
		configuration := r["defaultConfiguration"].(object)
		allowed("configuration", configuration, "enabled level")
		if !slices.Contains(levels, configuration["level"].(string)) || ids[r["id"].(string)] {
			t.Errorf("rule %v", r)
		}
		ids[r["id"].(string)] = true
	}
	results := run["results"].([]any)
	if want := countFindings(t); len(results) != want {
		t.Errorf("%d results, want %d", len(results), want)
	}
	for _, result := range results {
		result := result.(object)
		allowed("result", result, "ruleId ruleIndex level message locations partialFingerprints")
		if index := int(result["ruleIndex"].(float64)); rules[index].(object)["id"] != result["ruleId"] {
			t.Errorf("rule %d is not %v", index, result["ruleId"])
		}
		if !slices.Contains(levels, result["level"].(string)) || result["message"].(object)["text"] == "" {
			t.Errorf("result %v", result)
		}
		location := result["locations"].([]any)[0].(object)["physicalLocation"].(object)
		allowed("location", location, "artifactLocation", "region")
		uri := location["artifactLocation"].(object)["uri"].(string)
		if parsed, err := url.Parse(uri); err != nil || parsed.Scheme != "" || strings.ContainsAny(uri, " \n<>\"") {
			t.Errorf("uri %q: %v", uri, err)
		}
		if region, found := location["region"].(object); found {
			allowed("region", region, "startLine startColumn")
			if region["startLine"].(float64) < 1 || region["startColumn"].(float64) < 1 {
				t.Errorf("region %v", region)
			}
		} else if result["ruleId"] != "E902" {
			t.Errorf("no region: %v", result)
		}
	}
	// Two equal findings of one file differ, and lines before them change nothing.
	prints := regexp.MustCompile(`"lineText/v1":"([0-9a-f]{32})"`)
	before := prints.FindAllStringSubmatch(render(t, "sarif", "spam.py"), -1)
	odd["spam.py"] = "\n\n" + odd["spam.py"]
	after := prints.FindAllStringSubmatch(render(t, "sarif", "spam.py"), -1)
	odd["spam.py"] = odd["spam.py"][2:]
	seen := map[string]bool{}
	for _, fingerprint := range before {
		if seen[fingerprint[1]] || !slices.ContainsFunc(after, func(other []string) bool { return other[1] == fingerprint[1] }) {
			t.Errorf("fingerprint %s: twice, or gone after lines before it came", fingerprint[1])
		}
		seen[fingerprint[1]] = true
	}
	if len(before) == 0 {
		t.Error("no fingerprints")
	}
	if got := sarifURI("/a b/c.py"); got != bySystem("file:///a%20b/c.py", "/a%20b/c.py") {
		t.Errorf("got %s", got)
	}
}

func TestGitLab(t *testing.T) {
	var issues []struct {
		Description, Fingerprint, Severity string
		Check                              string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	text := render(t, "gitlab")
	if err := json.Unmarshal([]byte(text), &issues); err != nil {
		t.Fatal(err, text)
	}
	if want := countFindings(t); len(issues) != want {
		t.Errorf("%d issues, want %d", len(issues), want)
	}
	seen := map[string]bool{}
	for _, issue := range issues {
		if seen[issue.Fingerprint] {
			t.Errorf("twice the same fingerprint: %+v", issue)
		}
		seen[issue.Fingerprint] = true
		if issue.Location.Lines.Begin < 1 || strings.HasPrefix(issue.Location.Path, "./") ||
			!strings.HasPrefix(issue.Description, issue.Check+" ") || issue.Severity == "" {
			t.Errorf("got %+v", issue)
		}
	}
	// A file's name has a byte that is not UTF-8. Readers in Ruby and Rust refuse half a surrogate
	// pair.
	if name := bySystem(`"path":"\ufffd<&>\".py"`, `"path":"\u00e9&'.py"`); !strings.Contains(text, name) {
		t.Errorf("no %s in\n%s", name, text)
	}
	if empty := render(t, "gitlab", "clean.py"); strings.Join(strings.Fields(empty), "") != "[]" {
		t.Errorf("got %q for a clean file", empty)
	}
}

// Lines that come before a finding leave its fingerprint as it is.
func TestFingerprint(t *testing.T) {
	prints := func(text string) (all []string) {
		linter, err := lint.New(lint.Options{})
		if err != nil {
			t.Fatal(err)
		}
		result := linter.Lint(lint.Input{Data: []byte(text)})
		file := lintedFile{Name: "a.py", Findings: result.Findings, result: result}
		for i := range file.Findings {
			digest := fingerprint(&file, &file.Findings[i])
			all = append(all, string(digest[:]))
		}
		return all
	}
	before, after := prints("x=1\nx=1\n"), prints("y = 1\nx=1\nx=1\n")
	if len(before) != 2 || before[0] == before[1] || !slices.Equal(before, after) {
		t.Errorf("%q, then %q", before, after)
	}
}

func TestJUnit(t *testing.T) {
	var report struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Cases    []struct {
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	text := render(t, "junit")
	if err := xml.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err, text)
	}
	if len(report.Suites) != len(odd)+1 {
		t.Errorf("%d suites", len(report.Suites))
	}
	for _, suite := range report.Suites {
		failures := 0
		for _, c := range suite.Cases {
			if c.Failure != nil {
				failures++
			}
		}
		if suite.Tests != len(suite.Cases) || suite.Failures != failures || (suite.Name == joined(".|clean.py")) != (failures == 0) {
			t.Errorf("got %+v", suite)
		}
	}
}

func TestGitHub(t *testing.T) {
	text := render(t, "github")
	for _, want := range []string{
		"::error file=broken.py,line=1,col=8,title=E999::SyntaxError: invalid syntax\n",
		"::warning file=spam.py,line=2,col=2,title=E225::missing whitespace around operator\n",
		"::error file=nope.py,title=E902::FileNotFoundError: [Errno 2] No such file or directory: 'nope.py'\n",
		"::warning file=" + bySystem("a b/50%25%2C%3A%0A.py", "a b/50%25%2C;.py") + ",line=1,col=",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "\n") != countFindings(t) {
		t.Errorf("not a line for each finding:\n%s", text)
	}
}

// A run that finds nothing, or has no files, makes whole documents too.
func TestEmptyDocuments(t *testing.T) {
	for _, d := range documents {
		for _, paths := range [][]string{{"clean.py"}, {".git"}, {"a b/x", "clean.py", "clean.py"}} {
			text := render(t, d.name, paths...)
			var err error
			switch {
			case !d.format(&lint.Options{}).frame().Document:
				if text != "" {
					t.Errorf("%s %s: %q", d.name, paths, text)
				}
			case d.name == "junit":
				err = xml.Unmarshal([]byte(text), new(struct{}))
			default:
				err = json.Unmarshal([]byte(text), new(any))
			}
			if err != nil {
				t.Errorf("%s %s: %v: %s", d.name, paths, err, text)
			}
		}
	}
}

func TestIsError(t *testing.T) {
	for code, want := range map[rule.Code]bool{rule.E501: false, rule.E999: true, rule.E902: true, rule.W605: false, rule.C901: false} {
		if isError(code) != want {
			t.Errorf("%s: %v", code, !want)
		}
	}
	if code, found := rule.Find("F821"); !found || !isError(code) {
		t.Error("F821 is no error")
	}
}

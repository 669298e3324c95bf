package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/google/go-cmp/cmp"

	"codelinter/flake8"
)

type published struct {
	URI         string       `json:"uri"`
	Version     int32        `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// A client is an editor.
type client struct {
	*jrpc2.Client
	t         testing.TB
	published chan published
	messages  chan string
	ended     chan error
}

// start starts a session in a folder. The test's working folder is that folder then.
func start(t testing.TB, folder string, o Options, capabilities map[string]any) *client {
	c := connect(t, folder, o)
	c.call("initialize", map[string]any{"rootUri": uri(folder), "capabilities": capabilities}, nil)
	c.notify("initialized", map[string]any{})
	return c
}

// connect is start without initialize.
func connect(t testing.TB, folder string, o Options) *client {
	t.Chdir(folder)
	clientIn, serverOut := io.Pipe()
	serverIn, clientOut := io.Pipe()
	c := &client{t: t, published: make(chan published, 100), messages: make(chan string, 10), ended: make(chan error, 1)}
	go func() {
		c.ended <- Serve(t.Context(), serverIn, serverOut, o)
		serverOut.Close()
	}()
	c.Client = jrpc2.NewClient(channel.Header("")(clientIn, clientOut), &jrpc2.ClientOptions{
		OnNotify: func(r *jrpc2.Request) {
			switch r.Method() {
			case "textDocument/publishDiagnostics":
				var p published
				if err := r.UnmarshalParams(&p); err != nil {
					t.Error(err)
				}
				c.published <- p
			case "window/showMessage":
				var p struct{ Message string }
				if err := r.UnmarshalParams(&p); err != nil {
					t.Error(err)
				}
				c.messages <- p.Message
			}
		},
		OnCallback: func(_ context.Context, r *jrpc2.Request) (any, error) {
			if r.Method() != "client/registerCapability" {
				t.Errorf("the server calls %s", r.Method())
			}
			return nil, nil
		},
	})
	return c
}

func uri(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	r, err := c.Call(context.Background(), method, params)
	if err == nil && result != nil {
		err = r.UnmarshalResult(result)
	}
	if err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// open opens a document and returns its diagnostics.
func (c *client) open(path, text string) published {
	c.t.Helper()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": textDocument{URI: uri(path), LanguageID: "python", Version: 1, Text: text}})
	return c.next()
}

// next returns what is published next.
func (c *client) next() published {
	c.t.Helper()
	select {
	case p := <-c.published:
		return p
	case err := <-c.ended:
		c.t.Fatalf("the session ended: %v", err)
	}
	return published{}
}

// leave ends the session as an editor does.
func (c *client) leave() {
	c.t.Helper()
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	if err := <-c.ended; err != nil {
		c.t.Error(err)
	}
}

// check returns what `codelinter check` prints of a file of that text, as rows, codes and
// messages.
func check(t testing.TB, name, text string) []string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	flake8.Main(t.Context(), flake8.Command{Name: "flake8", Args: []string{"--format=%(row)d: %(code)s %(text)s", name}, Stdout: &out, Stderr: &stderr})
	if stderr.Len() > 0 {
		t.Fatal(stderr.String())
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func shown(p published) []string {
	var all []string
	for _, d := range p.Diagnostics {
		all = append(all, fmt.Sprintf("%d: %s %s", d.Range.Start.Line+1, d.Code, d.Message))
	}
	if all == nil {
		return []string{""}
	}
	return all
}

// An edited is a file that an editor has open and changes.
type edited struct {
	name, path string
	text       string
	version    int32
}

// openFiles opens 50 files in a folder with a configuration file.
func openFiles(t testing.TB, rng *rand.Rand) (*client, []*edited) {
	t.Helper()
	goldens, err := filepath.Glob(filepath.FromSlash("../../testdata/flake8-golden/*/*.py"))
	if err != nil {
		t.Fatal(err)
	}
	rng.Shuffle(len(goldens), func(i, j int) { goldens[i], goldens[j] = goldens[j], goldens[i] })
	var files []*edited
	for _, golden := range goldens {
		text, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		// An editor has text, whatever the bytes of the file were.
		if len(text) < 4000 && string(text) == string([]rune(string(text))) && !bytes.HasPrefix(text, []byte("\ufeff")) && !bytes.Contains(text, []byte("coding")) {
			files = append(files, &edited{name: filepath.Base(golden), text: string(text), version: 1})
		}
		if len(files) == 50 {
			break
		}
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "setup.cfg"), []byte("[flake8]\nmax-line-length = 60\nmax-complexity = 3\nper-file-ignores =\n    E7*.py: E70,W291\n    F*: E3\nexclude = W6*.py\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := start(t, folder, Options{}, nil)
	for _, f := range files {
		f.path = filepath.Join(folder, f.name)
		c.open(f.path, f.text)
	}
	return c, files
}

// change makes a random edit of a file, and returns what the editor sends of it.
func (f *edited) change(rng *rand.Rand) map[string]any {
	pieces := []string{"", "\n", " ", "x", "    ", "é", "𝒳 = 1\n", "import os\n", "(", ")", "\"", "'''", "# noqa\n", "def f():\n    return 1\n", "\t", ";", "\r\n", "\\\n", "0", "lambda: 0"}
	runes := []rune(f.text)
	from := rng.IntN(len(runes) + 1)
	to := min(len(runes), from+rng.IntN(4))
	if rng.IntN(20) == 0 {
		to = min(len(runes), from+rng.IntN(200))
	}
	piece := pieces[rng.IntN(len(pieces))]
	// A position within a line end is none.
	for from > 0 && from < len(runes) && runes[from-1] == '\r' && runes[from] == '\n' {
		from--
	}
	for to < len(runes) && to > 0 && runes[to-1] == '\r' && runes[to] == '\n' {
		to++
	}
	f.text = string(runes[:from]) + piece + string(runes[to:])
	f.version++
	return map[string]any{
		"textDocument": textDocument{URI: uri(f.path), Version: f.version},
		"contentChanges": []any{map[string]any{
			"range": textRange{utf16Position(runes[:from]), utf16Position(runes[:to])},
			"text":  piece,
		}},
	}
}

// After each of 1,000 edits of 50 files, the diagnostics are what check prints of the file
// with that text.
func TestEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c, files := openFiles(t, rng)
	for range 1000 {
		f := files[rng.IntN(len(files))]
		change := f.change(rng)
		c.notify("textDocument/didChange", change)
		got := c.next()
		if got.URI != uri(f.path) || got.Version != f.version {
			t.Fatalf("published %s of version %d, want %s of %d", got.URI, got.Version, uri(f.path), f.version)
		}
		if diff := cmp.Diff(check(t, f.name, f.text), shown(got)); diff != "" {
			t.Fatalf("%s after %v: check (-), diagnostics (+):\n%s\n%q", f.name, change, diff, f.text)
		}
	}
	c.leave()
}

// BenchmarkEdits measures the time from an edit to its diagnostics, over 50 files:
//
//	go test ./internal/lsp -run XXX -bench Edits -benchtime 1000x
func BenchmarkEdits(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	c, files := openFiles(b, rng)
	var took []time.Duration
	for b.Loop() {
		change := files[rng.IntN(len(files))].change(rng)
		began := time.Now()
		c.notify("textDocument/didChange", change)
		c.next()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	for name, share := range map[string]int{"p50": 50, "p99": 99} {
		b.ReportMetric(float64(took[len(took)*share/100].Microseconds())/1000, name+"-ms")
	}
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "most-ms")
	c.leave()
}

// utf16Position returns the position after a text.
func utf16Position(text []rune) position {
	var p position
	start := 0
	for i, r := range text {
		if r == '\n' || r == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			p.Line++
			start = i + 1
		}
	}
	p.Character = len(utf16.Encode(text[start:]))
	return p
}

func TestRanges(t *testing.T) {
	ofFlake8 := &codeDescription{"https://flake8.pycqa.org/en/stable/user/error-codes.html"}
	ofPycodestyle := &codeDescription{"https://pycodestyle.pycqa.org/en/stable/intro.html#error-codes"}
	const text = "import os\né = '𝒳' ;x = 1\n"
	for _, test := range []struct {
		capabilities map[string]any
		want         []diagnostic
	}{
		{nil, []diagnostic{
			{textRange{position{0, 0}, position{0, 9}}, severityWarning, "F401", "codelinter", "'os' imported but unused", []int{tagUnnecessary}, ofFlake8},
			{textRange{position{1, 8}, position{1, 9}}, severityWarning, "E203", "codelinter", "whitespace before ';'", nil, ofPycodestyle},
			{textRange{position{1, 9}, position{1, 10}}, severityWarning, "E702", "codelinter", "multiple statements on one line (semicolon)", nil, ofPycodestyle},
			{textRange{position{1, 9}, position{1, 10}}, severityWarning, "E231", "codelinter", "missing whitespace after ';'", nil, ofPycodestyle},
		}},
		{map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-32", "utf-8", "utf-16"}}}, []diagnostic{
			{textRange{position{0, 0}, position{0, 9}}, severityWarning, "F401", "codelinter", "'os' imported but unused", []int{tagUnnecessary}, ofFlake8},
			{textRange{position{1, 11}, position{1, 12}}, severityWarning, "E203", "codelinter", "whitespace before ';'", nil, ofPycodestyle},
			{textRange{position{1, 12}, position{1, 13}}, severityWarning, "E702", "codelinter", "multiple statements on one line (semicolon)", nil, ofPycodestyle},
			{textRange{position{1, 12}, position{1, 13}}, severityWarning, "E231", "codelinter", "missing whitespace after ';'", nil, ofPycodestyle},
		}},
	} {
		folder := t.TempDir()
		c := start(t, folder, Options{}, test.capabilities)
		if diff := cmp.Diff(test.want, c.open(filepath.Join(folder, "a.py"), text).Diagnostics); diff != "" {
			t.Error(diff)
		}
		c.leave()
	}
}

// Hovering shows the page of each rule at that place, once, and null elsewhere.
func TestHover(t *testing.T) {
	folder := t.TempDir()
	c := start(t, folder, Options{}, nil)
	path := filepath.Join(folder, "a.py")
	c.open(path, "import os\nx = 1 ;y = 2\n")
	hover := func(at position) (value string) {
		var result *struct{ Contents struct{ Value string } }
		c.call("textDocument/hover", map[string]any{"textDocument": textDocument{URI: uri(path)}, "position": at}, &result)
		if result == nil {
			return ""
		}
		return result.Contents.Value
	}
	if got := hover(position{0, 4}); !strings.HasPrefix(got, "# F401 ") || strings.Count(got, "\n# ") > 0 {
		t.Errorf("%.100q", got)
	}
	if got := hover(position{1, 6}); !strings.HasPrefix(got, "# E203 ") || !strings.Contains(got, "\n---\n\n# E702 ") {
		t.Errorf("%.100q", got)
	}
	if got := hover(position{1, 0}); got != "" {
		t.Errorf("%.100q", got)
	}
	c.leave()
}

// Configuration files are read again when they change, errors in them are shown once, and
// options of the command line go before them.
func TestConfiguration(t *testing.T) {
	folder := t.TempDir()
	config := filepath.Join(folder, ".flake8")
	write := func(text string) {
		if err := os.WriteFile(config, []byte("[flake8]\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := start(t, folder, Options{Args: []string{"--max-line-length=50"}}, map[string]any{"workspace": map[string]any{"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true}}})
	long := "x = '" + strings.Repeat("x", 50) + "'\n"
	path := filepath.Join(folder, "a.py")
	if got := shown(c.open(path, "import os\n"+long)); len(got) != 2 {
		t.Errorf("%q", got)
	}
	write("ignore = F\nmax-line-length = 100\n")
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{}})
	if got := shown(c.next()); !slices.Equal(got, []string{"2: E501 line too long (56 > 50 characters)"}) {
		t.Errorf("%q", got)
	}
	// The table of a pyproject.toml goes before the files that flake8 looks for, as in check.
	table := filepath.Join(folder, "pyproject.toml")
	if err := os.WriteFile(table, []byte("[tool.flake8]\nignore = [\"E\"]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{}})
	if got := shown(c.next()); !slices.Equal(got, []string{"1: F401 'os' imported but unused"}) {
		t.Errorf("%q", got)
	}
	if err := os.Remove(table); err != nil {
		t.Fatal(err)
	}
	write("max-line-length = wide\n")
	for range 2 {
		c.notify("textDocument/didSave", map[string]any{"textDocument": textDocument{URI: uri(config)}})
		if got := shown(c.next()); got[0] != "" {
			t.Errorf("%q", got)
		}
	}
	if message := <-c.messages; !strings.Contains(message, "wide") {
		t.Errorf("%q", message)
	}
	write("")
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
	if got := shown(c.next()); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if len(c.messages) > 0 {
		t.Errorf("said twice: %q", <-c.messages)
	}
	// A document that is closed has no diagnostics.
	c.notify("textDocument/didClose", map[string]any{"textDocument": textDocument{URI: uri(path)}})
	if got := c.next(); len(got.Diagnostics) != 0 {
		t.Errorf("%v", got)
	}
	c.leave()
}

// A document below an excluded folder has no findings and no actions, as check does not enter the
// folder. One that --filename does not match has findings.
func TestExcludedFolders(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tox.ini"), []byte("[flake8]\nextend-exclude = build,lib/old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := start(t, folder, Options{}, nil)
	for name, want := range map[string]int{
		"a.py": 1, "SConstruct": 1, "lib/a.py": 1, "lib/build.py": 1, "old/a.py": 1,
		"build/a.py": 0, "build/x/y/a.py": 0, "x/build/a.py": 0, ".tox/a.py": 0, "lib/old/a.py": 0, "lib/old/x/a.py": 0,
	} {
		path, text := filepath.Join(folder, name), "x=1\n"
		if got := c.open(path, text); len(got.Diagnostics) != want {
			t.Errorf("%s: %d findings, want %d", name, len(got.Diagnostics), want)
		}
		if got := c.actions(path, text, textRange{}, fixAll); len(got) != want {
			t.Errorf("%s: %d actions, want %d", name, len(got), want)
		}
	}
	c.leave()
}

// A configuration file of the command line that is missing is told.
func TestMissingConfiguration(t *testing.T) {
	folder := t.TempDir()
	c := start(t, folder, Options{Args: []string{"--config=" + filepath.Join(folder, "nothing.ini")}}, nil)
	c.open(filepath.Join(folder, "a.py"), "x = 1\n")
	if message := <-c.messages; !strings.Contains(message, "nothing.ini") {
		t.Errorf("%q", message)
	}
	c.leave()
}

// Documents that are not files, not Python, or in no folder of the workspace.
func TestOtherDocuments(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, ".flake8"), []byte("[flake8]\nignore = F401\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := start(t, folder, Options{}, nil)
	c.notify("textDocument/didOpen", map[string]any{"textDocument": textDocument{URI: uri(filepath.Join(folder, "a.go")), LanguageID: "go", Version: 1, Text: "package a"}})
	c.notify("textDocument/didOpen", map[string]any{"textDocument": textDocument{URI: "untitled:Untitled-1", LanguageID: "python", Version: 1, Text: "import os\n"}})
	if got := c.next(); got.URI != "untitled:Untitled-1" || len(got.Diagnostics) != 1 {
		t.Errorf("%v", got)
	}
	if got := c.open(filepath.Join(other, "a.py"), "import os\nx=1\n"); len(got.Diagnostics) != 1 || got.Diagnostics[0].Code != "E225" {
		t.Errorf("%v", got)
	}
	// It is of the workspace later, and another document is linted where it was.
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []workspaceFolder{{uri(other)}}, "removed": []workspaceFolder{{uri(folder)}},
	}})
	for range 2 {
		if got := c.next(); len(got.Diagnostics) > 1 {
			t.Errorf("%v", got)
		}
	}
	c.leave()
}

// What is not in the protocol ends no session; a client that is gone ends it.
func TestBadClients(t *testing.T) {
	folder := t.TempDir()
	c := start(t, folder, Options{}, nil)
	if _, err := c.Call(t.Context(), "textDocument/completion", map[string]any{}); jrpc2.ErrorCode(err) != jrpc2.MethodNotFound {
		t.Error(err)
	}
	c.notify("$/nothing", nil)
	c.notify("textDocument/didChange", map[string]any{"textDocument": textDocument{URI: uri("nothing.py"), Version: 2}})
	path := filepath.Join(folder, "a.py")
	c.open(path, "x = 1\n")
	for _, at := range []textRange{{position{5, 5}, position{9, 9}}, {position{-1, -1}, position{0, -5}}, {position{0, 4}, position{0, 2}}, {position{1 << 40, 0}, position{0, 0}}} {
		c.notify("textDocument/didChange", map[string]any{"textDocument": textDocument{URI: uri(path), Version: 2}, "contentChanges": []any{map[string]any{"range": at, "text": ""}}})
		if got := c.next(); len(got.Diagnostics) != 0 {
			t.Errorf("%v: %v", at, got)
		}
	}
	c.Close()
	if err := <-c.ended; !errors.Is(err, ErrNotShutDown) {
		t.Error(err)
	}
}

// Requests before initialize and after shutdown are errors.
func TestOrder(t *testing.T) {
	folder := t.TempDir()
	c := connect(t, folder, Options{})
	refused := func(method string, want jrpc2.Code) {
		t.Helper()
		if _, err := c.Call(t.Context(), method, map[string]any{}); jrpc2.ErrorCode(err) != want {
			t.Errorf("%s: %v", method, err)
		}
	}
	refused("textDocument/hover", notInitialized)
	refused("textDocument/completion", notInitialized)
	refused("shutdown", notInitialized)
	c.notify("textDocument/didOpen", map[string]any{"textDocument": textDocument{URI: "untitled:a", LanguageID: "python", Text: "x=1\n"}})
	c.call("initialize", map[string]any{}, nil)
	refused("textDocument/completion", jrpc2.MethodNotFound)
	c.call("textDocument/hover", map[string]any{"textDocument": textDocument{URI: "untitled:a"}}, nil)
	c.call("shutdown", nil, nil)
	refused("textDocument/hover", jrpc2.InvalidRequest)
	refused("initialize", jrpc2.InvalidRequest)
	refused("shutdown", jrpc2.InvalidRequest)
	c.notify("exit", nil)
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
	if len(c.published) > 0 {
		t.Errorf("published %v of a document from before initialize", <-c.published)
	}
}

// A client need not wait for the answers to initialize and shutdown.
func TestImpatientClient(t *testing.T) {
	in, write := io.Pipe()
	defer write.Close()
	go func() {
		for _, message := range []string{
			`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}`,
			`{"jsonrpc": "2.0", "method": "initialized", "params": {}}`,
			`{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}`,
			`{"jsonrpc": "2.0", "method": "exit"}`,
		} {
			fmt.Fprintf(write, "Content-Length: %d\r\n\r\n%s", len(message), message)
		}
	}()
	if err := Serve(t.Context(), in, closer{io.Discard}, Options{}); err != nil {
		t.Error(err)
	}
}

// A session ends with its context, though the client is silent.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	in, write := io.Pipe()
	defer write.Close()
	_, out := io.Pipe()
	ended := make(chan error)
	go func() { ended <- Serve(ctx, in, out, Options{}) }()
	cause := errors.New("stopped")
	cancel(cause)
	if err := <-ended; !errors.Is(err, cause) {
		t.Error(err)
	}
}

// An edit of a file of 1,000 lines, until its diagnostics are there.
func BenchmarkEdit(b *testing.B) {
	folder := b.TempDir()
	c := start(b, folder, Options{}, nil)
	path := filepath.Join(folder, "a.py")
	c.open(path, strings.Repeat("def f(a, b):\n    return a + b\n\n\n", 250))
	for i := range b.N {
		c.notify("textDocument/didChange", map[string]any{"textDocument": textDocument{URI: uri(path), Version: int32(i + 2)},
			"contentChanges": []any{map[string]any{"range": textRange{position{500, 0}, position{500, 0}}, "text": "#"}}})
		c.next()
	}
	c.leave()
}

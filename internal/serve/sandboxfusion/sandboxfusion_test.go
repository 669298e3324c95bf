package sandboxfusion

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"codelinter/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.RunChild()
	os.Exit(m.Run())
}

// again asks until there was time for an answer, as clients do. On a busy machine the first program
// has none, as its sandbox is compiled then.
func again[T any](ask func() (T, error)) (T, error) {
	for {
		if reply, err := ask(); !errors.Is(err, context.DeadlineExceeded) {
			return reply, err
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for body, want := range map[string]string{
		`{`:                               "expected one whole JSON object, found its end missing",
		`{"code": "", "language": "cpp"}`: "language: expected python, found \"cpp\"",
		`{"code": "", "language": "python", "files": {"a": "%"}}`:                                       "base64",
		`{"code": "", "language": "python", "memory_limit_MB": 1e9}`:                                    "memory_limit_MB",
		`{"code": "", "language": "python"} 1`:                                                          "expected one whole JSON object, found ' ' at byte 35",
		`{"code": "", "language": "python", "timeout": 1}`:                                              `unknown key "timeout": expected one of code, language`,
		`{"code": "", "Code": "x", "language": "python"}`:                                               `unknown key "Code": did you mean "code"?`,
		`{"code": "", "language": "python", "code": "x"}`:                                               `found "code" again`,
		`{"code": "", "language": "python", "files": {"a": "", "a": "eA=="}}`:                           `found "a" again`,
		`{"code": "", "language": "python", "fetch_files": {"a": "b"}}`:                                 "fetch_files: expected a list of names, found an object",
		`{"code": "", "language": "python", "fetch_files": [` + strings.Repeat(`"",`, 20000) + `""]}`:   "fetch_files: expected at most 20000 names",
		`{"code": "", "language": "python", "fetch_files": ["a", "` + strings.Repeat("x", 4097) + `"]}`: "fetch_files[1]: expected a name of at most 4096 bytes",
		`{"code": "", "language": "python", "run_timeout": true}`:                                       "run_timeout: expected seconds, above 0 and 120 at most, found true",
	} {
		if _, err := Decode([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

func TestRun(t *testing.T) {
	runner := New(Options{Workers: 2})
	t.Cleanup(func() { runner.Close() })
	for _, test := range []struct{ request, want string }{
		{`{"code": "print(int(input()) * 2)", "stdin": "21\n"}`, `Success||Finished 0|42|`},
		{`{"code": "import sys; print('x', file=sys.stderr); sys.exit(3)"}`, `Failed||Finished 3||x`},
		{`{"code": "1/0"}`, `Failed||Finished 1||ZeroDivisionError`},
		{`{"code": "def f(:"}`, `Failed||Finished 1||SyntaxError`},
		{`{"code": "while True: pass", "run_timeout": 0.05}`, `Failed||TimeLimitExceeded||`},
		{`{"code": "import time; time.sleep(9); print('slept')"}`, `Success||Finished 0|slept|`},
		{`{"code": "x = bytearray(100 << 20)", "memory_limit_MB": 64}`, `Failed|MemoryLimitExceeded|Finished 1||MemoryError`},
		{`{"code": "x = bytearray(700 << 20); print(len(x))", "memory_limit_MB": 1024}`, `Success||Finished 0|734003200|`},
		{`{"code": "import numpy"}`, `SandboxError|ModuleNotHere: numpy`},
		{`{"code": "import nunpy"}`, `Failed||Finished 1||No module named 'nunpy'`},
		{`{"code": "try:\n    import numpy\nexcept ImportError: print('none')"}`, `Success||Finished 0|none|`},
		{`{"code": "print(open('d/a').read()); open('b', 'w').write('new')", "files": {"d/a": "aGk="}, "fetch_files": ["b", "/work/d/a", "c"]}`, `Success||Finished 0|hi|` + `|/work/d/a=aGk= b=bmV3`},
	} {
		request, err := Decode([]byte(strings.TrimSuffix(test.request, "}") + `, "language": "python"}`))
		if err != nil {
			t.Fatal(err)
		}
		reply, err := again(func() (*Reply, error) { return runner.Run(t.Context(), &request, nil) })
		if err != nil {
			t.Errorf("%s: %v", test.request, err)
			continue
		}
		code := ""
		if reply.Run.Code != nil {
			code = fmt.Sprint(" ", *reply.Run.Code)
		}
		got := fmt.Sprintf("%s|%s|%s%s|%s|%s", reply.Status, reply.Message, reply.Run.Status, code, strings.TrimSpace(string(reply.Run.Stdout)), reply.Run.Stderr)
		want := strings.Split(test.want, "|")
		if len(want) == 2 {
			want = []string{want[0], want[1]}
		}
		for i, part := range strings.SplitN(got, "|", 5) {
			if i < len(want) && (part != want[i] && !(i == 4 || i == 1 && want[i] != "") || !strings.Contains(part, want[i])) {
				t.Errorf("%s: %q, want %q", test.request, got, test.want)
				break
			}
		}
		if len(want) == 6 {
			if files := fmt.Sprintf("%s", reply.Files); files != `[{b new} {/work/d/a hi}]` {
				t.Error(files)
			}
		}
	}
}

// Whoever asks is given the result of its own program, however many ask.
func TestRunMany(t *testing.T) {
	runner := New(Options{Workers: 2})
	t.Cleanup(func() { runner.Close() })
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			request := Request{Code: fmt.Sprintf("print(input(), %d)", i), Stdin: fmt.Sprint(i * 7), RunTimeout: DefaultTimeout, CompileTimeout: MaxTimeout, Memory: DefaultMemory}
			reply, err := again(func() (*Reply, error) { return runner.Run(context.Background(), &request, nil) })
			if err != nil || string(reply.Run.Stdout) != fmt.Sprintf("%d %d\n", i*7, i) {
				t.Errorf("%d: %+v, %v", i, reply, err)
			}
		})
	}
	all.Wait()
}

// An error of ours is an error, and no result.
func TestErrors(t *testing.T) {
	runner := New(Options{Workers: 1})
	request := Request{Code: "x = 1", RunTimeout: DefaultTimeout, CompileTimeout: DefaultTimeout, Memory: DefaultMemory}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if reply, err := runner.Run(ctx, &request, nil); err == nil {
		t.Errorf("%+v", reply)
	}
	runner.Close()
	if _, err := runner.Run(context.Background(), &request, nil); err != ErrClosed {
		t.Error(err)
	}
}

// A request that cannot be run is the client's error, which names the file.
func TestInvalid(t *testing.T) {
	runner := New(Options{Workers: 1})
	t.Cleanup(func() { runner.Close() })
	long := strings.Repeat("x", 17<<20)
	for more, want := range map[string]string{
		`"files": {"main.py": "eA=="}`:                        `a file in the place of the program: "main.py"`,
		`"files": {"./d/../main.py": "eA=="}`:                 `a file in the place of the program: "./d/../main.py"`,
		`"files": {"": "eA=="}`:                               `"" is no name of a file`,
		`"files": {"a\u0000b": "eA=="}`:                       `"a\x00b" is no name of a file`,
		`"files": {"a": "eA==", "a/b": "eA=="}`:               `"a/b": `,
		`"files": {"a/b": "eA==", "a": "eA=="}`:               `"a": `,
		`"files": {"a": "eA==", "./a": "eA=="}`:               `"./a": `,
		`"files": {"..": "eA=="}`:                             `"..": `,
		`"files": {"` + strings.Repeat("x", 5000) + `": ""}`:  `"xxx`,
		`"files": {"` + strings.Repeat("x/", 200) + `y": ""}`: `"x/x`,
		`"stdin": "` + long + long + long + long + `"`:        "more than 67108864 bytes",
		`"stdin": "x", "code": "` + long + `"`:                "bytes of source",
	} {
		code := `"code": "x = 1", `
		if strings.Contains(more, `"code"`) {
			code = ""
		}
		request, err := Decode([]byte(`{"language": "python", ` + code + more + "}"))
		if err != nil {
			t.Fatal(err)
		}
		reply, err := again(func() (*Reply, error) { return runner.Run(t.Context(), &request, nil) })
		if !errors.Is(err, sandbox.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, %v; want %s", more, reply, err, want)
		}
	}
}

// A file comes back once, by the first of its names, as it is at the end.
func TestSpellings(t *testing.T) {
	runner := New(Options{Workers: 1})
	t.Cleanup(func() { runner.Close() })
	request, err := Decode([]byte(`{"language": "python", "code": "import os; open('a', 'w').write('1'); os.remove('gone'); open('c', 'w')", "files": {"gone": "eA==", "kept": "eA=="},
		"fetch_files": ["./a", "a", "/work/a", "../work//a", "d/../a", "gone", "kept", "./kept", "none", ".", "", "a", "/tmp"]}`))
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	reply, err := again(func() (*Reply, error) {
		return runner.Run(t.Context(), &request, func(bytes int64) error {
			size = bytes
			return nil
		})
	})
	if err != nil || fmt.Sprintf("%s", reply.Files) != "[{./a 1} {kept x}]" || size < 100 || size > 10000 {
		t.Errorf("%s, %v, %d bytes", reply.Files, err, size)
	}
}

// A report without room is dropped, and the child lives on.
func TestNoRoom(t *testing.T) {
	runner := New(Options{Workers: 1})
	t.Cleanup(func() { runner.Close() })
	full := errors.New("full")
	request, err := Decode([]byte(`{"language": "python", "code": "open('a', 'wb').truncate(50 << 20)", "fetch_files": ["a"]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = again(func() (*Reply, error) {
		return runner.Run(t.Context(), &request, func(bytes int64) error {
			if bytes < 50<<20 || bytes > 51<<20 {
				t.Errorf("asked for %d bytes", bytes)
			}
			return full
		})
	})
	if err != full {
		t.Errorf("%v, want %v", err, full)
	}
	reply, err := again(func() (*Reply, error) { return runner.Run(t.Context(), &request, nil) })
	if err != nil || len(reply.Files) != 1 || len(reply.Files[0].Data) != 50<<20 {
		t.Errorf("%v", err)
	}
	if stats := runner.pool.Stats(); stats.Restarts != 0 || stats.Failures != 0 || stats.Programs != 1 {
		t.Errorf("%+v", stats)
	}
}

// A reply is JSON of what the program wrote, wherever its pieces end.
func TestWrite(t *testing.T) {
	texts := []string{"", "a\n\"\\\x00\x1f<&>\u2028", strings.Repeat("é日🐍\x00", 3000), strings.Repeat("x", pieceBytes-1) + "🐍" + strings.Repeat("\xff\xe6\x97", 5000), strings.Repeat("\x80", 9000)}
	code := 3
	for _, text := range texts {
		var out bytes.Buffer
		w := bufio.NewWriterSize(&out, 300)
		reply := Reply{Status: "Failed", Message: text[:min(len(text), 40)], Run: Result{Status: "Finished", Time: 1.5e-8, Code: &code, Stdout: []byte(text), Stderr: []byte("e" + text)},
			Files: []File{{"a\"", []byte(text)}, {"b", nil}}}
		reply.Write(w)
		w.Flush()
		var got struct {
			Status, Message string
			Run             struct {
				Status         string
				Time           float64 `json:"execution_time"`
				Code           int     `json:"return_code"`
				Stdout, Stderr string
			} `json:"run_result"`
			Files map[string][]byte
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v: %.300s", err, &out)
		}
		valid := string([]rune(text)) // U+FFFD for each byte that is no text
		if got.Status != "Failed" || got.Message != string([]rune(reply.Message)) || got.Run.Time != 1.5e-8 || got.Run.Code != 3 || got.Run.Stdout != valid || got.Run.Stderr != "e"+valid ||
			string(got.Files["a\""]) != text || len(got.Files) != 2 {
			t.Errorf("%.40q: %.300s", text, &out)
		}
	}
}

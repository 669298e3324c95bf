package sandboxfusion

import (
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
		`{`:                               "expected a program to run",
		`{"code": "", "language": "cpp"}`: "language: expected python, found \"cpp\"",
		`{"code": "", "language": "python", "files": {"a": "%"}}`:    "base64",
		`{"code": "", "language": "python", "memory_limit_MB": 1e9}`: "memory_limit_MB",
		`{"code": "", "language": "python"} 1`:                       "found more",
		`{"code": "", "language": "python", "timeout": 1}`:           "unknown field",
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
		reply, err := again(func() (*Reply, error) { return runner.Run(t.Context(), &request) })
		if err != nil {
			t.Errorf("%s: %v", test.request, err)
			continue
		}
		code := ""
		if reply.Run.Code != nil {
			code = fmt.Sprint(" ", *reply.Run.Code)
		}
		got := fmt.Sprintf("%s|%s|%s%s|%s|%s", reply.Status, reply.Message, reply.Run.Status, code, strings.TrimSpace(reply.Run.Stdout), reply.Run.Stderr)
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
			if files, _ := json.Marshal(reply.Files); string(files) != `{"/work/d/a":"aGk=","b":"bmV3"}` {
				t.Errorf("%s", files)
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
			reply, err := again(func() (*Reply, error) { return runner.Run(context.Background(), &request) })
			if err != nil || reply.Run.Stdout != fmt.Sprintf("%d %d\n", i*7, i) {
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
	if reply, err := runner.Run(ctx, &request); err == nil {
		t.Errorf("%+v", reply)
	}
	runner.Close()
	if _, err := runner.Run(context.Background(), &request); err != ErrClosed {
		t.Error(err)
	}
}

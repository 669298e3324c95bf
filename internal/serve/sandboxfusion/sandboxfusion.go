// Package sandboxfusion runs programs for clients of SandboxFusion, by its /run_code.
//
//	runner := sandboxfusion.New(options)
//	defer runner.Close()
//	request, err := sandboxfusion.Decode(body)
//	...
//	reply, err := runner.Run(ctx, &request)
//
// A reply is always about the program: its end, its output, and the requested files. Everything
// else is an error: an invalid request ([Decode]), or an error of ours, after which the client
// should try again ([Runner.Run]).
//
// A time limit is a number of counts: the work that CPython does in that time, see
// [sandbox.CountTime]. So a program that is too slow is too slow under every load.
package sandboxfusion

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"codelinter/sandbox"
)

// Limits of requests.
const (
	DefaultTimeout = 10 * time.Second
	MaxTimeout     = 120 * time.Second
	DefaultMemory  = 512 << 20
	MaxMemory      = 2 << 30
	maxOutput      = 4 << 20
)

// patience bounds the time that a program waits for its first turn.
const patience = 10 * time.Minute

// A Request is a program to run.
type Request struct {
	Code           string
	Stdin          string
	RunTimeout     time.Duration
	CompileTimeout time.Duration // without effect, as nothing is compiled separately
	Memory         int64         // bytes
	Files          []sandbox.File
	Fetch          []string
}

// wireRequest is a request in JSON.
type wireRequest struct {
	Code           *string            `json:"code"`
	Stdin          *string            `json:"stdin"`
	Language       *string            `json:"language"`
	CompileTimeout *float64           `json:"compile_timeout"`
	RunTimeout     *float64           `json:"run_timeout"`
	MemoryLimit    *float64           `json:"memory_limit_MB"`
	Files          map[string]*string `json:"files"`
	FetchFiles     []string           `json:"fetch_files"`
	Args           []string           `json:"args"`
}

// Decode reads a request. The error says why it is invalid.
func Decode(body []byte) (r Request, err error) {
	var wire wireRequest
	if err := decode(body, "a program to run", &wire); err != nil {
		return r, err
	}
	switch {
	case wire.Code == nil:
		return r, errors.New("code: expected a text, found none")
	case wire.Language == nil:
		return r, errors.New("language: expected python, found none")
	case *wire.Language != "python":
		return r, fmt.Errorf("language: expected python, found %.40q: there is no other here", *wire.Language)
	case len(wire.Args) > 0:
		return r, errors.New("args: expected none: they are for pytest, which is not here")
	}
	r.Code = *wire.Code
	if wire.Stdin != nil {
		r.Stdin = *wire.Stdin
	}
	if r.RunTimeout, err = timeout("run_timeout", wire.RunTimeout, DefaultTimeout); err != nil {
		return r, err
	}
	if r.CompileTimeout, err = timeout("compile_timeout", wire.CompileTimeout, DefaultTimeout); err != nil {
		return r, err
	}
	r.Memory = DefaultMemory
	if wire.MemoryLimit != nil && *wire.MemoryLimit != -1 {
		m := *wire.MemoryLimit
		if m != math.Trunc(m) || m < 1 || m > MaxMemory>>20 {
			return r, fmt.Errorf("memory_limit_MB: expected -1, or a whole number from 1 to %d, found %v", MaxMemory>>20, m)
		}
		r.Memory = int64(m) << 20
	}
	for _, name := range slices.Sorted(maps.Keys(wire.Files)) {
		if wire.Files[name] == nil {
			continue // SandboxFusion does so too
		}
		data, err := base64.StdEncoding.DecodeString(*wire.Files[name])
		if err != nil {
			return r, fmt.Errorf("files: %.60q: expected base64: %w", name, err)
		}
		r.Files = append(r.Files, sandbox.File{Name: name, Data: data})
	}
	r.Fetch = wire.FetchFiles
	return r, nil
}

// decode reads a body, which is one object without unknown fields.
func decode(body []byte, what string, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(to); err != nil {
		return fmt.Errorf("expected %s: %w", what, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("expected one object, found more")
	}
	return nil
}

// timeout returns a time limit in a request, or usual if there is none.
func timeout(name string, seconds *float64, usual time.Duration) (time.Duration, error) {
	switch {
	case seconds == nil:
		return usual, nil
	case !(*seconds > 0) || *seconds > MaxTimeout.Seconds():
		return 0, fmt.Errorf("%s: expected seconds, above 0 and %v at most, found %v", name, MaxTimeout.Seconds(), *seconds)
	}
	return time.Duration(*seconds * float64(time.Second)), nil
}

// Cost returns the bytes that a request takes.
func (r *Request) Cost() int64 {
	n := int64(len(r.Code) + len(r.Stdin))
	for _, file := range r.Files {
		n += int64(len(file.Name) + len(file.Data))
	}
	return n
}

var outputTruncated = fmt.Sprintf("OutputTruncated: %d bytes of each stream are kept", maxOutput)

// A Reply is a program's result in SandboxFusion's form.
type Reply struct {
	Status  string            `json:"status"` // Success, Failed, SandboxError
	Message string            `json:"message"`
	Compile *Result           `json:"compile_result"`
	Run     *Result           `json:"run_result"`
	Pod     *string           `json:"executor_pod_name"`
	Files   map[string]string `json:"files"`
}

// A Result is how a program ended.
type Result struct {
	Status string  `json:"status"` // Finished, TimeLimitExceeded
	Time   float64 `json:"execution_time"`
	Code   *int    `json:"return_code"`
	Stdout string  `json:"stdout"`
	Stderr string  `json:"stderr"`
}

// Options configure a Runner.
type Options struct {
	Workers  int          // programs that run at once; 0: one a core
	CacheDir string       // as in [sandbox.Options]
	Notice   func(string) // as in [sandbox.Options]
}

// A Runner runs programs. It is safe for concurrent use.
type Runner struct {
	options sandbox.Options
	mu      sync.Mutex
	pool    *sandbox.Pool
	closed  bool
}

// New returns a Runner. Its sandbox starts with the first program.
func New(o Options) *Runner {
	return &Runner{options: sandbox.Options{Workers: o.Workers, CacheDir: o.CacheDir, Notice: o.Notice, Memory: MaxMemory, Output: maxOutput,
		Time: sandbox.TimeFor(int64(MaxTimeout / sandbox.CountTime))}}
}

// Close ends the sandbox.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.pool == nil {
		return nil
	}
	return r.pool.Close()
}

// Stats returns the sandbox's numbers, which are 0 before it starts.
func (r *Runner) Stats() sandbox.Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pool == nil {
		return sandbox.Stats{}
	}
	return r.pool.Stats()
}

// ErrClosed is the error after Close.
var ErrClosed = errors.New("the sandbox is closed")

func (r *Runner) start(ctx context.Context) (*sandbox.Pool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, ErrClosed
	}
	if r.pool == nil {
		pool, err := sandbox.New(context.WithoutCancel(ctx), r.options)
		if err != nil {
			return nil, err
		}
		r.pool = pool
	}
	return r.pool, nil
}

// Ready starts the sandbox, unless it runs, and returns when it can run a program.
func (r *Runner) Ready(ctx context.Context) error {
	_, err := r.start(ctx)
	return err
}

// errNoTurn is the error of a program for which others left no room.
var errNoTurn = fmt.Errorf("it had no turn within %v", patience)

// Run runs a program. After an error nothing is known about the program: the error is ours, or others
// left no turn for it. From its first turn on, only its counts bound its time.
func (r *Runner) Run(ctx context.Context, request *Request) (*Reply, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	wait := time.AfterFunc(patience, func() { cancel(errNoTurn) })
	defer wait.Stop()
	pool, err := r.start(ctx)
	if err != nil {
		return nil, err
	}
	result, err := pool.Run(ctx, sandbox.Program{
		Source:  request.Code,
		Budget:  max(int64(request.RunTimeout/sandbox.CountTime), 1),
		Machine: &sandbox.Machine{Name: "main.py", Input: []byte(request.Stdin), Files: request.Files, Memory: request.Memory},
		Begun:   func() { wait.Stop() },
	})
	if err == nil && result.End == sandbox.Unknown {
		err = errors.New(result.Reason)
	}
	if err != nil {
		return nil, err
	}
	reply := &Reply{Status: "Success", Files: map[string]string{}, Run: &Result{
		Status: "Finished",
		Time:   (time.Duration(result.Used) * sandbox.CountTime).Seconds(),
		Stdout: strings.ToValidUTF8(string(result.Output), "\ufffd"),
		Stderr: strings.ToValidUTF8(string(result.Errors), "\ufffd"),
	}}
	if result.Truncated {
		reply.Message = outputTruncated
	}
	end, exception := result.Ended()
	code := 0
	switch end {
	case sandbox.Done:
	case sandbox.Raised:
		code = 1
		if exception.Type == "MemoryError" {
			reply.Message = "MemoryLimitExceeded"
		}
	case sandbox.Exited:
		code = exception.Code
	case sandbox.Budget:
		reply.Run.Status, reply.Status = "TimeLimitExceeded", "Failed"
		return reply, nil
	case sandbox.Memory:
		code, reply.Message = 137, "MemoryLimitExceeded"
	default:
		code, reply.Message = 139, "the interpreter crashed"
	}
	reply.Run.Code = &code
	if code != 0 {
		reply.Status = "Failed"
	}
	if problem := NotHere(MissingModule(end, exception)); problem != "" {
		reply.Status, reply.Message = "SandboxError", problem
	}
	reply.fetch(request, &result)
	return reply, nil
}

// fetch adds the requested files to the reply, if they exist.
func (reply *Reply) fetch(request *Request, result *sandbox.Result) {
	at := func(name string) string {
		if !path.IsAbs(name) {
			name = path.Join(sandbox.Folder, name)
		}
		return path.Clean(name)
	}
	for _, name := range request.Fetch {
		for _, files := range [][]sandbox.File{result.Files, request.Files} {
			i := slices.IndexFunc(files, func(file sandbox.File) bool { return at(file.Name) == at(name) })
			if i >= 0 {
				reply.Files[name] = base64.StdEncoding.EncodeToString(files[i].Data)
				break
			}
		}
	}
}

// lazy compiles an expression when it is used first: every command would pay for it at its
// start otherwise.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

var moduleNotFound = lazy(`^No module named '([A-Za-z0-9_]+)`)

// MissingModule returns the missing module that ended a program, or "".
func MissingModule(end sandbox.End, exception *sandbox.Exception) string {
	if end != sandbox.Raised || exception.Type != "ModuleNotFoundError" {
		return ""
	}
	match := moduleNotFound().FindStringSubmatch(exception.Text)
	if match == nil {
		return ""
	}
	return match[1]
}

// NotHere says that the sandbox lacks a module, if it is a known one: then the sandbox is at
// fault. An unknown module is the program's fault.
func NotHere(module string) string {
	if !elsewhere[strings.TrimPrefix(module, "_")] {
		return ""
	}
	return fmt.Sprintf("ModuleNotHere: %s is not part of this sandbox, which has the standard library without what docs/sandbox.md lists", module)
}

// elsewhere are modules that other machines have: those of the standard library that are missing
// here, and packages usually installed where models' programs run.
var elsewhere = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields(`
		ctypes curses dbm ensurepip fcntl grp mmap multiprocessing posixshmem posixsubprocess pty pwd pydoc pydoc_data readline sqlite3 ssl
		syslog termios tkinter tty turtle turtledemo venv webbrowser wsgiref tzdata
		PIL attr bs4 cv2 cvxpy cython dateutil django fastapi flask gmpy2 gym hypothesis jax keras lxml matplotlib mpmath nltk networkx numba numpy
		pandas plotly psutil pulp pydantic pygame pytest pytz regex requests scipy seaborn shapely sklearn sortedcontainers spacy sqlalchemy
		statsmodels sympy tensorflow torch tqdm transformers typing_extensions ujson xlrd yaml`) {
		names[name] = true
	}
	return names
}()

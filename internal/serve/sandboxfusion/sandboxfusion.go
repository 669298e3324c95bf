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
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
	"codelinter/internal/util/lazy"
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

// keys are the keys of a request.
var keys = []string{"code", "language", "stdin", "compile_timeout", "run_timeout", "memory_limit_MB", "files", "fetch_files", "args"}

// maxFiles bounds the files of a request, and the names of those to fetch. The sandbox has
// room for as many.
const maxFiles = 20_000

// maxName bounds the bytes of the name of a file to fetch. There are no longer paths.
const maxName = 4096

// Decode reads a request. The error says why it is invalid. A null is as a key that is not there.
func Decode(body []byte) (r Request, err error) {
	values, err := api.ReadKeys(body, keys...)
	if err != nil {
		return r, err
	}
	language := ""
	for _, text := range []struct {
		key      string
		into     *string
		required string
	}{{"code", &r.Code, "a text"}, {"language", &language, "python"}, {"stdin", &r.Stdin, ""}} {
		switch value := values[text.key]; {
		case !pyjson.Present(value) && text.required != "":
			return r, fmt.Errorf("%s: expected %s, found none", text.key, text.required)
		case pyjson.Present(value):
			var is bool
			if *text.into, is = api.Text(value); !is {
				return r, fmt.Errorf("%s: expected a text, found %s", text.key, pyjson.Kind(value))
			}
		}
	}
	switch args := values["args"]; {
	case language != "python":
		return r, fmt.Errorf("language: expected python, found %.40q: there is no other here", language)
	case pyjson.Present(args) && string(bytes.Trim(args, pyjson.Blanks+"[]")) != "":
		return r, errors.New("args: expected none: they are for pytest, which is not here")
	}
	if r.RunTimeout, err = timeout("run_timeout", values["run_timeout"]); err != nil {
		return r, err
	}
	if r.CompileTimeout, err = timeout("compile_timeout", values["compile_timeout"]); err != nil {
		return r, err
	}
	r.Memory = DefaultMemory
	if limit := values["memory_limit_MB"]; pyjson.Present(limit) {
		m, err := strconv.ParseFloat(string(limit), 64)
		switch {
		case err != nil || m != math.Trunc(m) || m != -1 && m < 1 || m > MaxMemory>>20:
			return r, fmt.Errorf("memory_limit_MB: expected -1, or a whole number from 1 to %d, found %.40s", MaxMemory>>20, limit)
		case m != -1:
			r.Memory = int64(m) << 20
		}
	}
	if err := r.decodeFiles(values["files"]); err != nil {
		return r, err
	}
	return r, r.decodeFetch(values["fetch_files"])
}

// decodeFiles reads the files beside the program, in base64. One of null is left out, as by
// SandboxFusion.
func (r *Request) decodeFiles(files []byte) (err error) {
	if !pyjson.Present(files) {
		return nil
	}
	if files[0] != '{' {
		return fmt.Errorf("files: expected an object, found %s", pyjson.Kind(files))
	}
	pyjson.Fields(files, func(name, value []byte) {
		if err != nil || !pyjson.Present(value) {
			return
		}
		text, is := value, value[0] == '"'
		if is && bytes.IndexByte(value, '\\') < 0 {
			text = value[1 : len(value)-1]
		} else if is {
			unquoted, _ := pyjson.Unquote(value)
			text = []byte(unquoted)
		}
		data := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
		n, failed := base64.StdEncoding.Decode(data, text)
		switch {
		case !is:
			err = fmt.Errorf("files: %.60q: expected a text in base64, found %s", name, pyjson.Kind(value))
		case failed != nil:
			err = fmt.Errorf("files: %.60q: expected base64: %w", name, failed)
		case len(r.Files) == maxFiles:
			err = fmt.Errorf("files: expected at most %d", maxFiles)
		}
		r.Files = append(r.Files, sandbox.File{Name: string(name), Data: data[:n]})
	})
	return err
}

// decodeFetch reads the names of the files to return. Of several names of one file the first
// counts: each would take as much of the reply.
func (r *Request) decodeFetch(names []byte) error {
	if !pyjson.Present(names) {
		return nil
	}
	if names[0] != '[' {
		return fmt.Errorf("fetch_files: expected a list of names, found %s", pyjson.Kind(names))
	}
	seen := map[string]bool{}
	n := 0
	return pyjson.Items(names, func(i int, value []byte) error {
		name, is := api.Text(value)
		if !is {
			return fmt.Errorf("fetch_files[%d]: expected a name, found %s", i, pyjson.Kind(value))
		}
		if n++; n > maxFiles {
			return fmt.Errorf("fetch_files: expected at most %d names", maxFiles)
		}
		if len(name) > maxName {
			return fmt.Errorf("fetch_files[%d]: expected a name of at most %d bytes", i, maxName)
		}
		if at := place(name); !seen[at] {
			seen[at] = true
			r.Fetch = append(r.Fetch, name)
		}
		return nil
	})
}

// place returns the path of a file that a request names.
func place(name string) string {
	if !path.IsAbs(name) {
		name = path.Join(sandbox.Folder, name)
	}
	return path.Clean(name)
}

// timeout returns a time limit in a request, or the default if there is none.
func timeout(name string, value []byte) (time.Duration, error) {
	if !pyjson.Present(value) {
		return DefaultTimeout, nil
	}
	seconds, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !(seconds > 0) || seconds > MaxTimeout.Seconds() {
		return 0, fmt.Errorf("%s: expected seconds, above 0 and %v at most, found %.40s", name, MaxTimeout.Seconds(), value)
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

// Cost returns the bytes that a request takes until its program has run: the program is in its
// texts, and twice in the frame for the child; inputs and files are in that frame once more.
func (r *Request) Cost() int64 {
	n := 4*int64(len(r.Code)) + 3*int64(len(r.Stdin))
	for _, file := range r.Files {
		n += 2*int64(len(file.Name)+len(file.Data)) + fileBytes
	}
	for _, name := range r.Fetch {
		n += 3*int64(len(name)) + fileBytes
	}
	return n
}

// fileBytes is what a file takes besides its name and data.
const fileBytes = 256

// A Reply is a program's result in SandboxFusion's form.
type Reply struct {
	Status  string // Success, Failed, SandboxError
	Message string
	Run     Result
	Files   []File // those of Fetch that are there
}

// A Result is how a program ended.
type Result struct {
	Status string  // Finished, TimeLimitExceeded
	Time   float64 // seconds
	Code   *int    // nil after TimeLimitExceeded
	Stdout []byte
	Stderr []byte
}

// A File is a file of a program, with the name by which the request asked for it.
type File struct {
	Name string
	Data []byte
}

// Write writes a reply as JSON, in pieces: in JSON a text may take six times its length, and a
// file takes four thirds. What w cannot write is an error of its Flush.
func (reply *Reply) Write(w *bufio.Writer) {
	small := func(value any) { w.Write(pyjson.Append(w.AvailableBuffer(), value)) }
	raw := func(text string) { w.WriteString(text) }
	raw(`{"status":`)
	small(reply.Status)
	raw(`,"message":`)
	small(reply.Message)
	raw(`,"compile_result":null,"run_result":{"status":`)
	small(reply.Run.Status)
	raw(`,"execution_time":`)
	small(reply.Run.Time)
	raw(`,"return_code":`)
	small(reply.Run.Code)
	raw(`,"stdout":`)
	writeText(w, reply.Run.Stdout)
	raw(`,"stderr":`)
	writeText(w, reply.Run.Stderr)
	raw(`},"executor_pod_name":null,"files":{`)
	for i := range reply.Files {
		if i > 0 {
			raw(",")
		}
		small(reply.Files[i].Name)
		raw(`:"`)
		encoder := base64.NewEncoder(base64.StdEncoding, w)
		encoder.Write(reply.Files[i].Data)
		encoder.Close()
		raw(`"`)
	}
	raw("}}\n")
}

// pieceBytes is the length of the pieces in which a text is quoted.
const pieceBytes = 4 << 10

// writeText writes a text in quotes. What is not UTF-8 becomes U+FFFD.
func writeText(w *bufio.Writer, text []byte) {
	var quoted []byte
	w.WriteByte('"')
	for len(text) > 0 {
		n := min(len(text), pieceBytes)
		for end := n; n < len(text) && end > n-utf8.UTFMax; end-- {
			if utf8.RuneStart(text[end]) { // no character is cut
				n = end
				break
			}
		}
		quoted = pyjson.AppendQuoted(quoted[:0], text[:n])
		w.Write(quoted[1 : len(quoted)-1])
		text = text[n:]
	}
	w.WriteByte('"')
}

// Options configure a Runner.
type Options struct {
	Workers  int          // programs that run at once; 0: one a core
	CacheDir string       // as in [sandbox.Options]
	Notice   func(string) // as in [sandbox.Options]
	// Observe, if set, is called when a program has ended: with one of [Ends], and the time since
	// its first turn.
	Observe func(end string, took time.Duration)
}

// The ends of programs, for metrics.
const (
	endSuccess = "success"
	endFailed  = "failed" // with an exception, or a code that is not 0
	endTime    = "time"
	endMemory  = "memory"
	endModule  = "module" // which is not part of the sandbox
	endCrashed = "crashed"
	endNone    = "none" // there is no result: an error of ours, or a client that left
)

// Ends returns the ends that [Options.Observe] is called with.
func Ends() []string {
	return []string{endSuccess, endFailed, endTime, endMemory, endModule, endCrashed, endNone}
}

// A Runner runs programs. It is safe for concurrent use.
type Runner struct {
	options sandbox.Options
	observe func(end string, took time.Duration)
	mu      sync.Mutex
	pool    *sandbox.Pool
	closed  bool
}

// New returns a Runner. Its sandbox starts with the first program.
func New(o Options) *Runner {
	return &Runner{observe: o.Observe, options: sandbox.Options{Workers: o.Workers, CacheDir: o.CacheDir, Notice: o.Notice, Memory: MaxMemory, Output: maxOutput,
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
var errNoTurn error = noTurn(patience)

type noTurn time.Duration

func (n noTurn) Error() string { return fmt.Sprintf("it had no turn within %v", time.Duration(n)) }

// Run runs a program. From its first turn on, only its counts bound its time. An error that wraps
// [sandbox.ErrInvalid] is the client's: the program cannot be run as it is asked for. After any
// other error nothing is known about the program: the error is ours or room's, or others left no
// turn for it. room, if not nil, is called with the bytes of the reply before they are read,
// perhaps more than once.
func (r *Runner) Run(ctx context.Context, request *Request, room func(bytes int64) error) (*Reply, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	wait := time.AfterFunc(patience, func() { cancel(errNoTurn) })
	defer wait.Stop()
	pool, err := r.start(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	result, err := pool.Run(ctx, sandbox.Program{
		Source: request.Code,
		Budget: max(int64(request.RunTimeout/sandbox.CountTime), 1),
		Room:   room,
		Begun: func() {
			wait.Stop()
			began = time.Now()
		},
		Machine: &sandbox.Machine{
			Name: "main.py", Input: []byte(request.Stdin), Files: request.Files, Memory: request.Memory,
			Return: append([]string{}, request.Fetch...),
		},
	})
	if err == nil && result.End == sandbox.Unknown {
		err = errors.New(result.Reason)
	}
	end := endNone
	if r.observe != nil && !errors.Is(err, sandbox.ErrInvalid) {
		defer func() { r.observe(end, time.Since(began)) }()
	}
	if err != nil {
		return nil, err
	}
	reply, ended := newReply(&result)
	end = ended
	reply.fetch(request, result.Files)
	return reply, nil
}

// newReply returns the reply to a program's result, without its files, and how the program ended.
func newReply(result *sandbox.Result) (reply *Reply, end string) {
	reply = &Reply{Status: "Success", Run: Result{
		Status: "Finished",
		Time:   (time.Duration(result.Used) * sandbox.CountTime).Seconds(),
		Stdout: result.Output,
		Stderr: result.Errors,
	}}
	if result.Truncated {
		reply.Message = fmt.Sprintf("OutputTruncated: %d bytes of each stream are kept", maxOutput)
	}
	how, exception := result.Ended()
	code, end := 0, endSuccess
	switch how {
	case sandbox.Done:
	case sandbox.Raised:
		code, end = 1, endFailed
		if exception.Type == "MemoryError" {
			end, reply.Message = endMemory, "MemoryLimitExceeded"
		}
	case sandbox.Exited:
		if code = exception.Code; code != 0 {
			end = endFailed
		}
	case sandbox.Budget:
		reply.Run.Status, reply.Status = "TimeLimitExceeded", "Failed"
		return reply, endTime
	case sandbox.Memory:
		code, end, reply.Message = 137, endMemory, "MemoryLimitExceeded"
	default:
		code, end, reply.Message = 139, endCrashed, "the interpreter crashed"
	}
	reply.Run.Code = &code
	if code != 0 {
		reply.Status = "Failed"
	}
	if problem := NotHere(MissingModule(how, exception)); problem != "" {
		reply.Status, reply.Message, end = "SandboxError", problem, endModule
	}
	return reply, end
}

// fetch adds the files that the request asks for, by the names that it has for them.
func (reply *Reply) fetch(request *Request, files []sandbox.File) {
	for _, name := range request.Fetch {
		at, found := slices.BinarySearchFunc(files, place(name), func(file sandbox.File, name string) int { return strings.Compare(file.Name, name) })
		if found {
			reply.Files = append(reply.Files, File{name, files[at].Data})
		}
	}
}

var moduleNotFound = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`^No module named '([A-Za-z0-9_]+)`)
}}

// MissingModule returns the missing module that ended a program, or "".
func MissingModule(end sandbox.End, exception *sandbox.Exception) string {
	if end != sandbox.Raised || exception.Type != "ModuleNotFoundError" {
		return ""
	}
	match := moduleNotFound.Get().FindStringSubmatch(exception.Text)
	if match == nil {
		return ""
	}
	return match[1]
}

// NotHere says that the sandbox lacks a module, if it is a known one: then the sandbox is at
// fault. An unknown module is the program's fault.
func NotHere(module string) string {
	if !elsewhere.Get()[strings.TrimPrefix(module, "_")] {
		return ""
	}
	return fmt.Sprintf("ModuleNotHere: %s is not part of this sandbox, which has the standard library without what docs/sandbox.md lists", module)
}

// elsewhere are modules that other machines have: those of the standard library that are missing
// here, and packages usually installed where models' programs run.
var elsewhere = lazy.Value[map[string]bool]{Make: func() map[string]bool {
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
}}

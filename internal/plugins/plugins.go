// Package plugins runs flake8's plugins, in the sandbox and by flake8's own protocol.
//
//	loaded, err := plugins.Load(ctx, flake8.PluginFolders{Folders: []string{"plugins"}})
//	if err != nil {
//		return err
//	}
//	defer loaded.Close()
//
// Importing a dozen plugins takes seconds. So the guest's memory is saved twice: when the
// plugins are imported, under the digest of their files, and when they have read their
// options, under these as well. A later run maps the second image. See package sandbox.
//
// flake8 itself, with pycodestyle, pyflakes and mccabe, is part of the guest: plugins import
// it, and it reads the options, so that all messages about them are its own. Files are
// checked by its FileChecker, with the user's plugins alone; see guest.py.
package plugins

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"codelinter/flake8"
	"codelinter/internal/python/pyjson"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/sandbox"
	"codelinter/source"
)

// guest is the program that runs in the sandbox.
//
//go:embed guest.py
var guest string

// Bounds of the guest.
const (
	// Memory is the memory of a worker in bytes, for plugins and files. Compiled code is
	// cached for each size; this one is also that of codelinter run.
	Memory = 512 << 20
	// Budget is the number of counts that plugins may use for a file: what CPython does in
	// 20 seconds, and BudgetPerByte for each byte of the file. 38 packages of plugins
	// together used 5,400 for a byte.
	Budget        = 2 * sandbox.MachineBudget
	BudgetPerByte = 50_000
	// maxOutput is how much output of the plugins is kept for a file, in bytes.
	maxOutput = 16 << 20
	// loadBudget is the number of counts for importing the plugins. 38 packages use 308 million.
	loadBudget = 4 * sandbox.MachineBudget
)

// fileBudget is Budget, except in tests.
var fileBudget = int64(Budget)

// requestName is the file with the request of a call.
const requestName = guestFolder + "/request.json"

// announced is what the guest writes to standard error before a package that it imports.
const announced = "\x00importing "

// loadedName is the file with what the guest says when it has imported the plugins.
const loadedName = guestFolder + "/loaded.json"

// Loaded are plugins that are imported.
type Loaded struct {
	Distributions []Distribution // what the folders hold

	folder     string // the guest's current directory: ours
	imported   *sandbox.Saved
	configured *configured // by Configure; nil before
	list       []flake8.Plugin
	options    []flake8.PluginOption
}

// A configured is plugins that have read their options.
type configured struct {
	saved    *sandbox.Saved
	folder   string
	settings flake8.PluginSettings
}

// loaded is what the guest says of the plugins.
type loaded struct {
	failure
	Plugins       []flake8.Plugin       `json:"plugins"`
	Options       []flake8.PluginOption `json:"options"`
	Missing       string                `json:"missing"` // module that could not be imported
	Distributions []Distribution        `json:"distributions"`
}

// A failure is the guest's reason for doing nothing.
type failure struct {
	Error          string `json:"error"`
	ExecutionError string `json:"execution_error"`
	Usage          string `json:"usage"`
}

func (f *failure) err() error {
	switch {
	case f.Usage != "":
		return &flake8.PluginUsageError{Text: f.Usage}
	case f.ExecutionError != "":
		return &flake8.PluginExecutionError{Text: f.ExecutionError}
	case f.Error != "":
		return errors.New(f.Error)
	}
	return nil
}

// Load imports the plugins of folders, for flake8.Command.
func Load(ctx context.Context, f flake8.PluginFolders) (flake8.Plugins, error) {
	l, err := Open(ctx, f)
	if err != nil {
		return nil, err // not l, which would be an interface that is not nil
	}
	return l, nil
}

// Open is Load for those that want to know more.
func Open(ctx context.Context, f flake8.PluginFolders) (*Loaded, error) {
	folder, err := workingFolder()
	if err != nil {
		return nil, err
	}
	found, err := findSite(f.Folders)
	if err != nil {
		return nil, err
	}
	return open(ctx, f, found, folder, nil)
}

// open imports the plugins of a site: those of the packages that are named, or all.
func open(ctx context.Context, f flake8.PluginFolders, found *site, folder string, packages []string) (*Loaded, error) {
	local, err := findFiles(f.LocalFolders, func(name string) bool { return strings.HasSuffix(name, ".py") })
	if err != nil {
		return nil, err
	}
	request := map[string]any{
		"paths":             []string{ownFolder, siteFolder},
		"config":            map[string]any{"flake8:local-plugins": f.Local},
		"local_folders":     append([]string{}, f.LocalFolders...),
		"enable_extensions": strings.Join(f.Enable, ","),
		"require_plugins":   strings.Join(f.Require, ","),
		"packages":          append([]string{}, packages...),
	}
	if f.Local == nil {
		request["config"] = map[string]any{}
	}
	text := pyjson.Append(nil, request)
	options := sandbox.Options{Memory: Memory, Output: maxOutput, Time: sandbox.TimeFor(loadBudget), Notice: f.Notice}
	l := &Loaded{folder: folder}
	key := strings.Join([]string{found.digest(), string(text), digestFiles(local)}, "\x00")
	l.imported, err = sandbox.Save(ctx, options, key, func() (sandbox.Program, error) {
		if f.Notice != nil {
			f.Notice("importing plugins for the first time, which takes some seconds")
		}
		files, distributions, err := found.files()
		if err != nil {
			return sandbox.Program{}, err
		}
		request["distributions"] = distributions
		files = append(append(files, local...), sandbox.File{Name: requestName, Data: pyjson.Append(nil, request)})
		machine := &sandbox.Machine{Name: "codelinter-plugins.py", Files: files}
		return sandbox.Program{Source: guest, Budget: loadBudget, Machine: machine, Traceback: true}, nil
	})
	if errors.Is(err, sandbox.ErrInvalid) {
		err = fmt.Errorf("the plugins could not be imported: %w", err)
	}
	if err == nil {
		err = l.read()
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// read reads what the guest said when it had imported the plugins.
func (l *Loaded) read() error {
	r := &l.imported.Result
	var said loaded
	for _, file := range r.Files {
		if file.Name == loadedName {
			if err := json.Unmarshal(file.Data, &said); err != nil {
				return err
			}
		}
	}
	if end, exception := r.Ended(); end != sandbox.Done && said.err() == nil {
		return fmt.Errorf("%s could not be imported: %w", lastAnnounced(r.Errors), ended(end, exception, loadBudget))
	}
	l.list, l.options, l.Distributions = said.Plugins, said.Options, said.Distributions
	if err := said.err(); err != nil {
		if d := compiled(said.Distributions, said.Missing); d != "" {
			err = fmt.Errorf("%w; %s is machine code, which cannot run here", err, d)
		}
		return err
	}
	return nil
}

// lastAnnounced returns the package that the guest began to import last.
func lastAnnounced(stderr []byte) string {
	if i := bytes.LastIndex(stderr, []byte(announced)); i >= 0 {
		if name, _, found := bytes.Cut(stderr[i+len(announced):], []byte("\n")); found {
			return string(name)
		}
	}
	return "the plugins"
}

// compiled returns the distribution that has a module as machine code, or "".
func compiled(all []Distribution, module string) string {
	for _, d := range all {
		for _, name := range d.Compiled {
			if stem, _, _ := strings.Cut(filepath.Base(name), "."); module != "" && stem == module[strings.LastIndexByte(module, '.')+1:] {
				return name + " of " + d.Name
			}
		}
	}
	return ""
}

// ended is the error for a program that did not end normally.
func ended(end sandbox.End, exception *sandbox.Exception, budget int64) error {
	switch end {
	case sandbox.Exited:
		return fmt.Errorf("the interpreter ended with %d", exception.Code)
	case sandbox.Raised:
		text := exception.Type + ": " + exception.Text
		if exception.Traceback != "" {
			text = strings.TrimRight(exception.Traceback, "\n")
		}
		return errors.New(text)
	case sandbox.Budget:
		return fmt.Errorf("they used their %d counts, what CPython does in %d s", budget, budget/(sandbox.MachineBudget/10))
	case sandbox.Memory:
		return fmt.Errorf("they need more than the %d MiB of memory that they may have", Memory>>20)
	case sandbox.Crashed:
		return errors.New("the interpreter crashed")
	}
	return fmt.Errorf("their end is %v", end)
}

// workingFolder returns the current folder as the guest sees it.
func workingFolder() (string, error) {
	if runtime.GOOS == "windows" {
		return sandbox.Folder, nil // paths there are none of POSIX
	}
	return os.Getwd()
}

// findFiles returns files, and those in folders that are wanted, under their own names.
func findFiles(names []string, wanted func(name string) bool) (files []sandbox.File, err error) {
	size := 0
	for _, name := range names {
		err := filepath.WalkDir(name, func(at string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "__pycache__" || entry.Name() == ".git"):
				return fs.SkipDir
			case entry.IsDir() || !entry.Type().IsRegular() && entry.Type()&fs.ModeSymlink == 0 || at != name && !wanted(entry.Name()):
				return nil
			}
			info, err := os.Stat(at)
			if err != nil || info.IsDir() {
				return err
			}
			if size += int(min(info.Size(), int64(maxFiles)+1)); size > maxFiles {
				return fmt.Errorf("%s: expected files of %d MB at most for the plugins, found more", name, maxFiles>>20)
			}
			data, err := os.ReadFile(at)
			files = append(files, sandbox.File{Name: filepath.ToSlash(at), Data: data})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// digestFiles names files with their content.
func digestFiles(files []sandbox.File) string {
	var parts []string
	for _, file := range files {
		parts = append(parts, file.Name, string(file.Data))
	}
	return strings.Join(parts, "\x00")
}

// Options returns the plugins' options.
func (l *Loaded) Options() []flake8.PluginOption { return l.options }

// List returns the plugins.
func (l *Loaded) List() []flake8.Plugin { return l.list }

// Configure has the plugins read their options.
func (l *Loaded) Configure(ctx context.Context, c flake8.PluginConfiguration) (*flake8.PluginSettings, error) {
	made, err := l.configure(ctx, c)
	if err != nil {
		return nil, err
	}
	l.configured = made
	return &made.settings, nil
}

// configure returns the plugins when they have read their options.
func (l *Loaded) configure(ctx context.Context, c flake8.PluginConfiguration) (*configured, error) {
	files, err := findFiles(c.Files, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	request := configuring{Args: append([]string{}, c.Args...), Config: c.Config, ConfigFolder: c.ConfigFolder, Folder: l.folder, Learnt: learnt{Modules: []string{}, Patterns: [][2]any{}}}
	key := string(pyjson.Append(nil, request)) + "\x00" + digestFiles(files)
	saved, err := l.imported.Save(ctx, key, request.program(files, "configure()"), func(pool *sandbox.Pool, program *sandbox.Program) error {
		if request.Learnt, err = learn(ctx, pool, request.program(files, "configure()", "learn()")); err == nil {
			*program = request.program(files, "configure()")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	answer := struct {
		failure
		Help, Version, Whole, Decided bool
		Values                        flake8.PluginValues
		Formats                       []string
	}{}
	if err = decode(&saved.Result, loadBudget, &answer); err != nil {
		err = fmt.Errorf("the plugins could not read their options: %w", err)
	} else {
		err = answer.err()
	}
	if err != nil {
		saved.Close()
		return nil, err
	}
	said := slices.Concat(l.imported.Result.Output, saved.Result.Output)
	return &configured{saved: saved, folder: l.folder, settings: flake8.PluginSettings{
		Output: said, Help: answer.Help, Version: answer.Version, Values: answer.Values, Formats: answer.Formats, Whole: answer.Whole, Decided: answer.Decided,
	}}, nil
}

// A configuring is the request of configure.
type configuring struct {
	Args         []string          `json:"args"`
	Config       map[string]string `json:"config"`
	ConfigFolder string            `json:"config_folder"`
	Folder       string            `json:"folder"` // the current one
	Learnt       learnt            `json:"learnt"`
}

// A learnt is what plugins import and compile at their first file.
type learnt struct {
	Modules  []string `json:"modules"`
	Patterns [][2]any `json:"patterns"` // text and flags
}

// program returns a program that has the request, and files, and makes calls.
func (c configuring) program(files []sandbox.File, calls ...string) sandbox.Program {
	files = append(slices.Clip(files), sandbox.File{Name: requestName, Data: pyjson.Append(nil, c)})
	p := sandbox.Program{Budget: loadBudget, Machine: &sandbox.Machine{Files: files, Folder: c.Folder}, Traceback: true}
	for _, call := range calls {
		p.Calls = append(p.Calls, sandbox.Call{Expr: call})
	}
	return p
}

// learn returns what plugins import and compile at their first file. It is nothing if they
// cannot be configured, of which Configure tells.
func learn(ctx context.Context, pool *sandbox.Pool, program sandbox.Program) (learnt learnt, err error) {
	r, err := pool.Run(ctx, program)
	if err != nil {
		return learnt, err
	}
	if len(r.Calls) == len(program.Calls) && r.Calls[1].End == sandbox.Done {
		err = json.Unmarshal([]byte(r.Calls[1].Value.Str), &learnt)
	}
	if learnt.Modules == nil {
		learnt.Modules, learnt.Patterns = []string{}, [][2]any{}
	}
	return learnt, err
}

// decode reads the JSON that a program's only call returned.
func decode(r *sandbox.Result, budget int64, to any) error {
	if r.End != sandbox.Done || len(r.Calls) == 0 {
		return ended(r.End, r.Exception, budget)
	}
	call := &r.Calls[0]
	switch {
	case call.End != sandbox.Done:
		return ended(call.End, call.Exception, budget)
	case call.Value.Kind != sandbox.Str:
		return fmt.Errorf("an answer of more than %d MB", 8)
	}
	return json.Unmarshal([]byte(call.Value.Str), to)
}

// Close ends the plugins.
func (l *Loaded) Close() error {
	var errs []error
	if l.configured != nil {
		errs = append(errs, l.configured.saved.Close())
	}
	if l.imported != nil {
		errs = append(errs, l.imported.Close())
	}
	return errors.Join(errs...)
}

// Worker returns the plugins for one goroutine.
func (l *Loaded) Worker() flake8.PluginWorker { return &worker{configured: l.configured} }

// A worker is an interpreter with the plugins.
type worker struct {
	*configured
	pool  *sandbox.Pool // of one; nil before the first file
	fresh bool          // the last file left the interpreter in disorder
}

// A checked is what the guest says of a file.
type checked struct {
	Findings []finding `json:"findings"`
	Failed   string    `json:"failed"`
	Error    string    `json:"error"`
	Syntax   string    `json:"syntax"`
	Changed  bool      `json:"changed"`
}

// A finding is a list in JSON: code, row, column from 0, message, rank.
type finding struct {
	code, message     string
	row, column, rank int
}

func (f *finding) UnmarshalJSON(data []byte) error {
	list := []any{&f.code, &f.row, &f.column, &f.message, &f.rank}
	return json.Unmarshal(data, &list)
}

// bounded returns n as a row or a column.
func bounded(n int) int32 { return int32(min(max(n, math.MinInt32), math.MaxInt32)) }

// maxCodes bounds the codes in a file, as a process has room for some thousands.
const maxCodes = 500

// named returns findings with their codes.
func named(findings []finding) ([]lint.Foreign, error) {
	codes := map[string]rule.Code{}
	for i := range findings {
		codes[findings[i].code] = 0
	}
	if len(codes) > maxCodes {
		return nil, fmt.Errorf("expected findings of %d codes at most, found %d", maxCodes, len(codes))
	}
	for text := range codes {
		code, ok := rule.Named(text)
		if !ok {
			return nil, fmt.Errorf("expected a code, found %.100q, or plugins have had too many", text)
		}
		codes[text] = code
	}
	all := make([]lint.Foreign, len(findings))
	for i := range findings {
		f := &findings[i]
		all[i] = lint.Foreign{Finding: rule.NewForeign(bounded(f.row), bounded(f.column+1), codes[f.code], f.message), Rank: f.rank}
	}
	return all, nil
}

// Check runs the plugins on a file.
func (w *worker) Check(ctx context.Context, file flake8.PluginFile) (result flake8.PluginResult) {
	if w.pool == nil {
		if w.pool, result.Err = w.saved.Resume(1); result.Err != nil {
			return result
		}
	}
	result, w.fresh = w.check(ctx, w.pool, file, w.fresh)
	return result
}

// check has an interpreter of a pool check a file. fresh gives it a fresh copy of the plugins.
// disorder says that the next file needs one.
func (c *configured) check(ctx context.Context, pool *sandbox.Pool, file flake8.PluginFile, fresh bool) (result flake8.PluginResult, disorder bool) {
	request := pyjson.Append(nil, map[string]any{"name": hex.EncodeToString([]byte(file.Name)), "stdin": file.Stdin, "executable": file.Executable})
	machine := &sandbox.Machine{Files: []sandbox.File{{Name: requestName, Data: request}}, Folder: c.folder}
	if file.Stdin {
		machine.Input = file.Data
	} else {
		machine.Files = append(machine.Files, sandbox.File{Name: filepath.ToSlash(file.Name), Data: file.Data})
	}
	budget := fileBudget + int64(len(file.Data))*BudgetPerByte
	r, err := pool.Run(ctx, sandbox.Program{Budget: budget, Machine: machine, Fresh: fresh, Calls: []sandbox.Call{{Expr: "check()"}}})
	var said checked
	if err == nil {
		err = decode(&r, budget, &said)
	}
	if err == nil {
		result.Findings, err = named(said.Findings)
	}
	result.Output, result.Errors, result.Failed = r.Output, r.Errors, said.Failed
	switch {
	case err != nil:
		result.Err = fmt.Errorf("the plugins did not check it: %w", err)
	case said.Syntax != "":
		result.Err = fmt.Errorf("the plugins did not check it: CPython %s, which runs them, cannot read it: %s", sandboxVersion(), said.Syntax)
	case said.Error != "":
		result.Err = errors.New(said.Error)
	}
	return result, err != nil || said.Changed
}

// sandboxVersion returns the CPython of the guest: "3.13".
func sandboxVersion() string { return Target.String() }

// Target is the CPython that runs the plugins. Only for it are their findings flake8's.
var Target = source.Python313

// Close ends the interpreter.
func (w *worker) Close() error {
	if w.pool == nil {
		return nil
	}
	return w.pool.Close()
}

// Format renders findings in a plugin's format. files is JSON, a list of objects with name and
// findings, each of which is a list of code, row, column, message and line.
func (l *Loaded) Format(ctx context.Context, format string, color bool, files []byte) ([]byte, error) {
	pool, err := l.configured.saved.Resume(1)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	request := pyjson.Append(nil, map[string]any{"format": format, "color": color})
	request = append(request[:len(request)-1], `, "files": `...)
	request = append(append(request, files...), '}')
	r, err := pool.Run(ctx, sandbox.Program{
		Budget: loadBudget, Machine: &sandbox.Machine{Files: []sandbox.File{{Name: requestName, Data: request}}, Folder: l.folder},
		Calls: []sandbox.Call{{Expr: "render()"}},
	})
	if err != nil {
		return nil, fmt.Errorf("--format %s: %w", format, err)
	}
	var nothing struct{}
	if err := decode(&r, loadBudget, &nothing); err != nil {
		return nil, fmt.Errorf("--format %s: %w", format, err)
	}
	if r.Truncated {
		return nil, fmt.Errorf("--format %s: more than %d MB", format, maxOutput>>20)
	}
	return r.Output, nil
}

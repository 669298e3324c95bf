package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/serve/sandboxfusion"
	"codelinter/sandbox"
	"codelinter/source"
)

// exitEnded is run's exit code if the sandbox ended the program, cut its output, or failed.
const exitEnded = 3

// A runCommand has the options of run.
type runCommand struct {
	budget int64
	memory int64 // MiB
	files  []string
	save   string
	json   bool
	folder string // of the program; "" for standard input
}

// Memory sizes of a sandbox for ordinary programs. There are two, as compiled code is
// cached for each size.
const (
	usualMemory = 512 << 20
	mostMemory  = 2 << 30
)

// mostOutput bounds what is kept of each of a program's streams, in bytes.
const mostOutput = 64 << 20

func newRunCommand() *cobra.Command {
	var o runCommand
	command := &cobra.Command{
		Use:   "run [OPTIONS] FILE [ARGUMENT...]",
		Short: "Run a Python program, without Python and without risk",
		Long: `Run FILE (- for standard input) with arguments in a CPython that is part of this
binary. It reaches nothing of this machine. What it prints, and how it ends, is the
same on every machine and under every load.

The program has standard input, arguments, threads, alarms, and a folder in memory
that it may write to: ` + sandbox.Folder + `, its current directory, with /tmp beside. It has no
network, no processes, and no modules but the standard library's. Its clock begins at
2025-01-01 and moves with what it does.

Standard input is read to its end before the program begins, unless it is a terminal:
then the program's is empty. What the program printed is shown when it has ended.

The exit code is the program's own: 0 if it ended well, 1 after an exception such
as MemoryError, and what it passed to sys.exit. It is 3 if the sandbox ended it:
because it used its budget, or crashed, or had no memory left to raise a
MemoryError. It is 3 too if the program printed more than 64 MiB to standard output
or error: the rest is not kept.`,
		Args: arguments(1, math.MaxInt, "FILE"),
		RunE: interruptible(func(command *cobra.Command, args []string) error { return o.run(command, args) }),
	}
	flags := command.Flags()
	flags.SetInterspersed(false) // options after FILE are the program's
	flags.Int64Var(&o.budget, "budget", sandbox.MachineBudget, "end the program after so many `COUNTS`; the default is what CPython does in ten seconds")
	flags.Int64Var(&o.memory, "memory", usualMemory>>20, "let it have so much memory, in `MIB`, up to 2048")
	flags.StringArrayVar(&o.files, "file", nil, "put a copy of a file or folder into its current directory; `PATH`, or NAME=PATH; may be repeated")
	flags.StringVar(&o.save, "save", "", "write the files that it made or changed in its current directory to `FOLDER`")
	command.RegisterFlagCompletionFunc("save", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	flags.BoolVar(&o.json, "json", false, "print what became of it as a JSON object, and end with 0 whatever that is")
	return command
}

func (o *runCommand) run(command *cobra.Command, args []string) error {
	if err := cmp.Or(atLeast(command, 1, "budget"), inRange(command, 1, mostMemory>>20, "memory")); err != nil {
		return err
	}
	text, err := readArgument(command, args[0])
	if err != nil {
		return &rows.Error{Err: err}
	}
	machine := &sandbox.Machine{Name: "program.py", Arguments: args[1:], Memory: o.memory << 20}
	if args[0] != "-" {
		machine.Name, o.folder = filepath.Base(args[0]), filepath.Dir(args[0])
		if machine.Input, err = readInput(command); err != nil {
			return err
		}
	}
	for _, given := range o.files {
		if machine.Files, err = addFiles(command, machine.Files, given); err != nil {
			return &rows.Error{Err: err}
		}
	}
	options := sandbox.Options{Workers: 1, Memory: usualMemory, Output: mostOutput, Time: sandbox.TimeFor(o.budget),
		Notice: notice(command)}
	if machine.Memory > usualMemory {
		options.Memory = mostMemory
	}
	ctx := command.Context()
	result, err := runOnce(ctx, options, sandbox.Program{Source: string(text), Budget: o.budget, Machine: machine})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, sandbox.ErrInvalid):
		return &rows.Error{Err: err}
	case err != nil: // not with the exit code of a program that raised an exception
		tell(command, "error: the program has no result: %v", err)
		return exitCode(exitEnded)
	}
	if o.save != "" {
		if err := saveFiles(o.save, result.Files); err != nil {
			return err
		}
	}
	if o.json {
		return o.printJSON(command.OutOrStdout(), result)
	}
	err = o.print(command, result)
	if len(machine.Input) == 0 && bytes.Contains(result.Errors, []byte("\nEOFError: EOF when reading a line\n")) {
		tell(command, "note: the program reads standard input, which is empty: `codelinter run %s <input.txt` gives it some", args[0])
	}
	return err
}

// runOnce runs a program in a sandbox of its own.
func runOnce(ctx context.Context, options sandbox.Options, program sandbox.Program) (sandbox.Result, error) {
	pool, err := sandbox.New(ctx, options)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer pool.Close()
	return pool.Run(ctx, program)
}

// readInput reads standard input, unless it is a terminal.
func readInput(command *cobra.Command) ([]byte, error) {
	in := command.InOrStdin()
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&fs.ModeCharDevice != 0 && info.Mode()&fs.ModeDevice != 0 {
			return nil, nil
		}
	}
	if _, closed := in.(closedInput); closed {
		return nil, nil
	}
	return readLimited(&interruptibleReader{ctx: command.Context(), from: in}, "standard input")
}

// addFiles adds the file, or the files of the folder, that --file names. It tells what it
// leaves out of a folder.
func addFiles(command *cobra.Command, files []sandbox.File, given string) ([]sandbox.File, error) {
	name, from, named := strings.Cut(given, "=")
	if !named {
		from, name = given, filepath.Base(filepath.Clean(given))
	}
	err := filepath.WalkDir(from, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(at)
		switch {
		case err != nil:
			return err
		case info.Mode().IsRegular():
		case at == from:
			return fmt.Errorf("argument --file: expected a file or a folder, found %s, which is neither", at)
		default:
			tell(command, "%s is left out: expected a file", at)
			return nil
		}
		if info.Size() > source.MaxSize {
			return fmt.Errorf("%s: %w", at, source.ErrTooLarge)
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, at)
		files = append(files, sandbox.File{Name: path.Join(filepath.ToSlash(name), filepath.ToSlash(below)), Data: data})
		return err
	})
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		failed.Op = "open" // not lstat: errors of other files say so
	}
	return files, err
}

// saveFiles writes the files that a program left in its current directory to a folder. The
// program chooses the names, and none leads out of the folder.
func saveFiles(folder string, files []sandbox.File) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, file := range files {
		name, ok := strings.CutPrefix(file.Name, sandbox.Folder+"/")
		if !ok {
			continue
		}
		if dir := path.Dir(name); dir != "." {
			if err := root.MkdirAll(filepath.FromSlash(dir), 0o777); err != nil {
				return err
			}
		}
		if err := root.WriteFile(filepath.FromSlash(name), file.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// programCode returns the exit code of a program, or exitEnded.
func programCode(end sandbox.End, exception *sandbox.Exception) int {
	switch end {
	case sandbox.Done:
		return 0
	case sandbox.Raised:
		return 1
	case sandbox.Exited:
		return exception.Code
	}
	return exitEnded
}

// why returns why the sandbox ended a program, or "".
func (o *runCommand) why(end sandbox.End, r *sandbox.Result) string {
	switch end {
	case sandbox.Done, sandbox.Raised, sandbox.Exited:
		return ""
	case sandbox.Budget:
		return fmt.Sprintf("stopped: it used its budget of %d counts, what CPython does in %v; --budget gives it more",
			o.budget, (time.Duration(o.budget) * sandbox.CountTime).Round(time.Millisecond))
	case sandbox.Memory:
		return fmt.Sprintf("stopped: it needed more than the %d MiB of memory that it may have; --memory gives it more", o.memory)
	case sandbox.Crashed:
		return "the interpreter crashed"
	}
	return fmt.Sprintf("not known how it would have ended: %s", r.Reason)
}

// hint says how a program gets the module for whose lack it ended, or that it cannot. It is
// "" if there is no such module.
func (o *runCommand) hint(end sandbox.End, exception *sandbox.Exception) string {
	module := sandboxfusion.MissingModule(end, exception)
	if module != "" && o.folder != "" {
		for _, name := range []string{module + ".py", module} {
			beside := filepath.Join(o.folder, name)
			if _, err := os.Stat(beside); err == nil {
				return fmt.Sprintf("%s lies beside the program, which sees only files that are given to it: --file %s", name, beside)
			}
		}
	}
	return sandboxfusion.NotHere(module)
}

// print prints a program's output. It returns its exit code as an error.
func (o *runCommand) print(command *cobra.Command, result sandbox.Result) error {
	if _, err := command.OutOrStdout().Write(result.Output); err != nil {
		return err
	}
	command.ErrOrStderr().Write(result.Errors)
	end, exception := result.Ended()
	if why := cmp.Or(o.why(end, &result), o.hint(end, exception)); why != "" {
		tell(command, "%s", why)
	}
	code := programCode(end, exception)
	if result.Truncated {
		tell(command, "a stream is longer than %d MiB: the rest is not kept", mostOutput>>20)
		code = exitEnded
	}
	if code != 0 {
		return exitCode(code)
	}
	return nil
}

// A ranProgram is the output of run --json.
type ranProgram struct {
	End       string    `json:"end"` // done, raised, exited, budget, memory, crashed or unknown
	ExitCode  *int      `json:"exit_code"`
	Stdout    string    `json:"stdout"`
	Stderr    string    `json:"stderr"`
	Truncated bool      `json:"truncated,omitempty"`
	Exception *ranError `json:"exception,omitempty"`
	Message   string    `json:"message,omitempty"`
	Used      int64     `json:"used"`
	Budget    int64     `json:"budget"`
	Files     []ranFile `json:"files"`
}

type ranError struct {
	Type string `json:"type"`
	Text string `json:"text"`
	Line int    `json:"line,omitempty"`
}

// A ranFile has its text, or base64 if it is not UTF-8.
type ranFile struct {
	Name   string  `json:"name"`
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
}

func (o *runCommand) printJSON(out io.Writer, r sandbox.Result) error {
	end, exception := r.Ended()
	ran := ranProgram{
		End: end.String(), Stdout: strings.ToValidUTF8(string(r.Output), "\ufffd"), Stderr: strings.ToValidUTF8(string(r.Errors), "\ufffd"),
		Truncated: r.Truncated, Message: o.why(end, &r), Used: r.Used, Budget: o.budget, Files: []ranFile{},
	}
	if ran.Message == "" {
		code := programCode(end, exception)
		ran.ExitCode, ran.Message = &code, o.hint(end, exception)
	}
	if exception != nil {
		ran.Exception = &ranError{exception.Type, exception.Text, exception.Line}
	}
	for _, file := range r.Files {
		left := ranFile{Name: file.Name}
		if utf8.Valid(file.Data) {
			text := string(file.Data)
			left.Text = &text
		} else {
			left.Base64 = file.Data
		}
		ran.Files = append(ran.Files, left)
	}
	_, err := out.Write(pyjson.AppendLine(nil, ran))
	return err
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/tasks/dataset"
	"codelinter/internal/tasks/openset"
	"codelinter/internal/util/atomicfile"
)

// An input is a file that fails to read after its context has ended.
type input struct {
	*os.File
	ctx context.Context
}

func (i input) Read(p []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, context.Cause(i.ctx)
	}
	return i.File.Read(p)
}

func (i input) ReadAt(p []byte, offset int64) (int, error) {
	if i.ctx.Err() != nil {
		return 0, context.Cause(i.ctx)
	}
	return i.File.ReadAt(p, offset)
}

// An output is a writer that fails after its context has ended.
type output struct {
	io.Writer
	ctx context.Context
}

func (o output) Write(p []byte) (int, error) {
	if o.ctx.Err() != nil {
		return 0, context.Cause(o.ctx)
	}
	return o.Writer.Write(p)
}

// different refuses an output that is the file of another output or of an input. Each
// output has an option and its path.
func different(command *cobra.Command, inputs []string, outputs ...[2]string) error {
	for i, output := range outputs {
		option, path := output[0], output[1]
		if path == "" {
			continue
		}
		for _, other := range outputs[:i] {
			if other[1] != "" && (filepath.Clean(path) == filepath.Clean(other[1]) || sameFile(command, path, other[1])) {
				return badArgument(option, "%s is already that of %s", path, other[0])
			}
		}
		for _, input := range inputs {
			if path != "-" && sameFile(command, path, input) {
				return badArgument(option, "%s is also an input, and would be lost: expected another file", path)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one regular file. "-" is standard input.
func sameFile(command *cobra.Command, a, b string) bool {
	first, second := regularFile(command, a), regularFile(command, b)
	return first != nil && second != nil && os.SameFile(first, second)
}

// regularFile returns what is known of the regular file in path, or nil.
func regularFile(command *cobra.Command, path string) os.FileInfo {
	info, err := os.Stat(path)
	if stdin, is := command.InOrStdin().(*os.File); path == "-" && is {
		info, err = stdin.Stat()
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// openInput opens a file of rows: path, or standard input for "-". It returns its name
// in errors.
func openInput(command *cobra.Command, path string) (in io.ReadCloser, name string, err error) {
	if in, name, err = openArgument(command, path); err != nil {
		return nil, name, &rows.Error{Err: err}
	}
	return in, name, nil
}

// withInput passes a file of rows to use, with its name in errors.
func withInput(command *cobra.Command, path string, use func(name string, in io.Reader) error) error {
	in, name, err := openInput(command, path)
	if err != nil {
		return err
	}
	defer in.Close()
	return use(name, in)
}

// readFrom is withInput for a function with a result.
func readFrom[T any](command *cobra.Command, path string, read func(name string, in io.Reader) (T, error)) (result T, err error) {
	err = withInput(command, path, func(name string, in io.Reader) (err error) {
		result, err = read(name, in)
		return err
	})
	return result, err
}

// openArgument is openInput for any file.
func openArgument(command *cobra.Command, path string) (in io.ReadCloser, name string, err error) {
	if readsStdin(command, path) {
		return io.NopCloser(&interruptibleReader{ctx: command.Context(), from: command.InOrStdin()}), "stdin", nil
	}
	in, err = openPath(command.Context(), path)
	return in, path, err
}

// openPath opens a file for reading until the context ends.
func openPath(ctx context.Context, path string) (io.ReadCloser, error) {
	file, err := await(ctx, func() (*os.File, error) { return os.Open(path) })
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && (info.Mode().IsRegular() || info.IsDir()) {
		return input{file, ctx}, nil
	}
	return struct {
		io.Reader
		io.Closer
	}{&interruptibleReader{ctx: ctx, from: file}, file}, nil
}

// readsStdin reports whether path means standard input: it is "-", or another name for
// a standard input that is closed.
func readsStdin(command *cobra.Command, path string) bool {
	return path == "-" || isStandard(path, 0) && command.InOrStdin() == closedInput{}
}

// openTasks opens the tasks in path, or the open set for "", and returns their
// name in titles.
func openTasks(ctx context.Context, path string) (tasks *task.Set, name string, err error) {
	if path == "" {
		tasks, err = openset.Tasks()
		return tasks, "the open set", err
	}
	in, err := openPath(ctx, path)
	if err != nil {
		return nil, "", &rows.Error{Err: err}
	}
	defer in.Close()
	tasks, err = dataset.Read(path, in)
	if fault := (*rows.Error)(nil); errors.As(err, &fault) && strings.HasPrefix(fault.Problem, "field instruction is missing") && hasPrograms(path) {
		fault.Problem += fmt.Sprintf(": `codelinter dataset build --source %s -o tasks.jsonl` makes tasks of rows with programs", path)
	}
	return tasks, filepath.Base(path), err
}

// hasPrograms reports whether the first row of a file has a program, as those of MBPP do.
func hasPrograms(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	row, err := rows.NewLines(path, file).Next()
	return err == nil && pyjson.Kind(pyjson.Get(row.Text, "code")) == "a text"
}

// writeOutput makes the file path, or standard output for "-", by write. The file
// appears, or is replaced, only when it is complete.
func writeOutput(command *cobra.Command, path string, write func(io.Writer) error) error {
	switch {
	case path == "":
		return misuse{errors.New("argument -o/--output: expected the name of a file")}
	case isStandard(path, 1):
		return write(command.OutOrStdout())
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() { // a pipe or a device, such as /dev/null
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer file.Close()
			return write(file)
		}
		mode = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	return replace(path, mode, func(w io.Writer) error { return write(output{w, command.Context()}) })
}

// writeBuffered is writeOutput for a function that writes in small pieces.
func writeBuffered(command *cobra.Command, path string, write func(io.Writer) error) error {
	return writeOutput(command, path, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 64<<10)
		if err := write(out); err != nil {
			return err
		}
		return out.Flush()
	})
}

// replace makes the file path by write. It appears, or is replaced, only when it is
// complete.
func replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	file, err := atomicfile.NewWhole(path, mode)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		file.Abandon()
		return err
	}
	return file.Keep()
}

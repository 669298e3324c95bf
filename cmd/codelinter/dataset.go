package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"codelinter/evaluator/dataset"

	"github.com/spf13/cobra"
)

func newDatasetCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "dataset",
		Short: "Make tasks for eval",
		Args:  cobra.NoArgs,
		RunE:  func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.AddCommand(newDatasetBuildCommand())
	return command
}

func newDatasetBuildCommand() *cobra.Command {
	var source, output string
	command := &cobra.Command{
		Use:   "build --source FILE [-o FILE]",
		Short: "Make a task of each MBPP program that has findings",
		Long: `Reads rows of MBPP (JSONL with task_id and code, and with text, test_list,
test_setup_code and challenge_test_list where there are any), lints each code
with flake8's defaults, and writes a task in CodeLinterEval's fields for each
that has findings. Says on standard error how many there were.`,
		Example: "  codelinter dataset build --source mbpp.jsonl -o tasks.jsonl",
		Args:    cobra.NoArgs,

		DisableFlagsInUseLine: true,
		RunE: func(command *cobra.Command, _ []string) error {
			in, name, err := openInput(command, source)
			if err != nil {
				return err
			}
			defer in.Close()
			var built dataset.Built
			err = writeOutput(command, output, func(w io.Writer) (err error) {
				built, err = dataset.Build(name, in, w)
				return err
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(command.ErrOrStderr(), "%d rows: %d tasks, %d findings\n",
				built.Rows, built.Tasks, built.Findings)
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&source, "source", "", "read rows from `FILE`, - for standard input")
	flags.StringVarP(&output, "output", "o", "-", "write tasks to `FILE`, - for standard output")
	command.MarkFlagRequired("source")
	return command
}

// openInput opens path, or standard input for "-", and returns its name in
// errors.
func openInput(command *cobra.Command, path string) (in io.ReadCloser, name string, err error) {
	if path == "-" {
		return io.NopCloser(command.InOrStdin()), "stdin", nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, path, &dataset.Error{Err: err}
	}
	return file, path, nil
}

// writeOutput has write make the file called path, or standard output for "-".
// The file appears, or is replaced, only when it is whole: until then its text
// stands in a temporary file beside it.
func writeOutput(command *cobra.Command, path string, write func(io.Writer) error) (err error) {
	if path == "-" {
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
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if err := write(file); err != nil {
		return err
	}
	if err := file.Chmod(mode); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

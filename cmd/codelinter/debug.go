package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/sandbox"
	"codelinter/source"
	"codelinter/source/pytext"
	"codelinter/tokenizer"
)

// newDebugCommand prints what the checks see, in the form in which Python
// prints its own, and what the sandbox makes of a program.
func newDebugCommand() *cobra.Command {
	var target source.Version
	debug := group(&cobra.Command{
		Use:   "debug",
		Short: "Print a file's tokens or syntax tree, or what it prints when it runs",
	},
		&cobra.Command{
			Use:   "ast FILE",
			Short: "Print the syntax tree",
			Long: `Print the syntax tree of FILE (- for standard input) as Python prints
ast.dump(ast.parse(text), include_attributes=True).`,
			Args: arguments(1, 1, "FILE"),
			RunE: interruptible(func(command *cobra.Command, args []string) error {
				file, err := loadArgument(command, args[0], target)
				if err != nil {
					return err
				}
				module, ok := parser.Parse(file, parser.Options{Target: target})
				if !ok {
					return fmt.Errorf("%s: not valid Python %v", args[0], target)
				}
				_, err = fmt.Fprintln(command.OutOrStdout(), ast.Dump(module, file, target))
				return err
			}),
		},
		&cobra.Command{
			Use:   "tokens FILE",
			Short: "Print the tokens",
			Long: `Print the tokens of FILE (- for standard input) as Python prints them for
python -m tokenize < FILE.`,
			Args: arguments(1, 1, "FILE"),
			RunE: interruptible(func(command *cobra.Command, args []string) error {
				file, err := loadArgument(command, args[0], target)
				if err != nil {
					return err
				}
				return printTokens(command.OutOrStdout(), file)
			}),
		},
	)
	for _, command := range debug.Commands() {
		command.Flags().TextVar(&target, "target-version", source.Version(0), "read the file as CPython `VERSION` does: "+strings.Join(texts(source.Versions()), ", "))
	}
	debug.AddCommand(newRunCommand())
	return debug
}

// loadArgument reads the file that an argument names.
func loadArgument(command *cobra.Command, name string, target source.Version) (*source.File, error) {
	data, err := readArgument(command, name)
	if err != nil {
		return nil, err
	}
	file := &source.File{Target: target}
	if name == "-" {
		return file, file.LoadStdin(data)
	}
	return file, file.Load(data)
}

// readArgument reads the bytes of the file that an argument names. Of a file that is
// larger than any that is linted, such as a device without an end, it reads so much as
// shows that it is.
func readArgument(command *cobra.Command, name string) ([]byte, error) {
	in, name, err := openArgument(command, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, source.MaxSize+1))
	if err == nil && len(data) > source.MaxSize {
		err = fmt.Errorf("%s: %w", name, source.ErrTooLarge)
	}
	return data, err
}

// printTokens prints the tokens up to the first error, which it returns.
func printTokens(w io.Writer, file *source.File) error {
	var t tokenizer.Tokenizer
	tokens, failure := t.Tokenize(file.Text, tokenizer.Options{Target: file.Target})
	out := bufio.NewWriter(w)
	for _, token := range tokens {
		info := tokenizer.Describe(file, token)
		position := fmt.Sprintf("%d,%d-%d,%d:", info.Row, info.Column, info.EndRow, info.EndColumn)
		fmt.Fprintf(out, "%-20s%-15s%-15s\n", position, info.Kind, pytext.AppendRepr(nil, info.String, file.Target.Facts().Unicode))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if failure != nil {
		return failure
	}
	return nil
}

// newRunCommand runs a file in the sandbox.
func newRunCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "run FILE",
		Short: "Run a file in the sandbox",
		Long: `Run FILE (- for standard input) in the sandbox in which answers are judged: a
CPython that is part of this binary, without files, network, clock and input.

What the program writes goes to standard output, its traceback to standard
error. The exit code is the program's own: 0 if it ended well, 1 after an
exception, and what it passed to sys.exit. It is 3 if the sandbox ended it:
because it used its budget, or more memory than it may, or crashed, or took too
long.`,
		Args: arguments(1, 1, "FILE"),
		RunE: interruptible(func(command *cobra.Command, args []string) error {
			source, err := readArgument(command, args[0])
			if err != nil {
				return err
			}
			stderr := command.ErrOrStderr()
			options := sandbox.Options{Workers: 1, Notice: func(text string) { fmt.Fprintln(stderr, text) }}
			ctx := command.Context()
			pool, err := sandbox.New(ctx, options)
			if err != nil {
				return err
			}
			defer pool.Close()
			result := pool.Run(ctx, sandbox.Program{Source: string(source), Traceback: true})
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return printResult(command, result)
		}),
	}
}

// exitEnded is the exit code of debug run for a program that the sandbox
// ended.
const exitEnded = 3

// printResult prints what a program wrote, and returns how it ended as an
// error that has its exit code.
func printResult(command *cobra.Command, result sandbox.Result) error {
	if result.End == sandbox.Failed {
		return result.Err
	}
	if _, err := command.OutOrStdout().Write(result.Output); err != nil {
		return err
	}
	stderr := command.ErrOrStderr()
	name := command.CommandPath()
	if result.Truncated {
		fmt.Fprintf(stderr, "%s: the output is longer than %d bytes; the rest is not kept\n", name, len(result.Output))
	}
	end, exception := result.End, result.Exception
	if end == sandbox.Done && result.Finish.End != sandbox.Done {
		end, exception = result.Finish.End, result.Finish.Exception
	}
	switch end {
	case sandbox.Done:
		return nil
	case sandbox.Raised:
		fmt.Fprint(stderr, exception.Traceback)
		return exitCode(1)
	case sandbox.Exited:
		// sys.exit("message") prints it, sys.exit(3) does not.
		if _, err := strconv.Atoi(exception.Text); err != nil && exception.Code != 0 {
			fmt.Fprintln(stderr, exception.Text)
		}
		return exitCode(exception.Code)
	case sandbox.Budget:
		fmt.Fprintf(stderr, "%s: stopped: it used its budget of %d counts\n", name, result.Used)
	case sandbox.Memory:
		fmt.Fprintf(stderr, "%s: stopped: it needed more memory than it may have\n", name)
	case sandbox.Crashed:
		fmt.Fprintf(stderr, "%s: the interpreter crashed\n", name)
	default:
		fmt.Fprintf(stderr, "%s: not known how it would have ended: %v\n", name, result.Err)
	}
	return exitCode(exitEnded)
}

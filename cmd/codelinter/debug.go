package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/ast"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/parser"
	"codelinter/source"
	"codelinter/tokenizer"
)

// newDebugCommand prints the linter's tokens and tree in the form in which Python
// prints its own.
func newDebugCommand() *cobra.Command {
	var target source.Version
	debug := group(&cobra.Command{
		Use:   "debug",
		Short: "Print a file's tokens or syntax tree",
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
				module, ok := new(parser.Parser).ParseText(file.Text, parser.Options{Target: target})
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
	return debug
}

// loadArgument reads the file that an argument names.
func loadArgument(command *cobra.Command, name string, target source.Version) (*source.File, error) {
	data, err := readArgument(command, name)
	if err != nil {
		return nil, misuse{err}
	}
	file := &source.File{Target: target}
	if name == "-" {
		return file, file.LoadStdin(data)
	}
	return file, file.Load(data)
}

// readArgument reads the file that an argument names. It reads at most a byte more
// than the largest file that is linted, as a device may have no end.
func readArgument(command *cobra.Command, name string) ([]byte, error) {
	in, name, err := openArgument(command, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readLimited(in, name)
}

func readLimited(in io.Reader, name string) ([]byte, error) {
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
		fmt.Fprintf(out, "%-20s%-15s%-15s\n", position, info.Kind, pytext.AppendRepr(nil, info.String, characters.Of(file.Target.OrDefault())))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if failure != nil {
		return failure
	}
	return nil
}

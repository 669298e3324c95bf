package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
	"codelinter/source/pytext"
	"codelinter/tokenizer"
)

// newDebugCommand prints what the checks see, in the form in which Python
// prints its own.
func newDebugCommand() *cobra.Command {
	debug := &cobra.Command{
		Use:   "debug",
		Short: "Print a file's tokens or syntax tree as Python does",
	}
	debug.AddCommand(
		&cobra.Command{
			Use:   "ast FILE",
			Short: "Print the syntax tree",
			Long: `Print the syntax tree of FILE (- for standard input) as Python 3.14 prints
ast.dump(ast.parse(text), include_attributes=True).`,
			Args: cobra.ExactArgs(1),
			RunE: func(command *cobra.Command, args []string) error {
				file, err := loadArgument(command, args[0])
				if err != nil {
					return err
				}
				module, ok := parser.Parse(file, parser.Options{})
				if !ok {
					return fmt.Errorf("%s: not valid Python", args[0])
				}
				_, err = fmt.Fprintln(command.OutOrStdout(), ast.Dump(module, file, source.Python314))
				return err
			},
		},
		&cobra.Command{
			Use:   "tokens FILE",
			Short: "Print the tokens",
			Long: `Print the tokens of FILE (- for standard input) as Python 3.14 prints them for
python -m tokenize < FILE.`,
			Args: cobra.ExactArgs(1),
			RunE: func(command *cobra.Command, args []string) error {
				file, err := loadArgument(command, args[0])
				if err != nil {
					return err
				}
				return printTokens(command.OutOrStdout(), file)
			},
		},
	)
	return debug
}

// loadArgument reads the file that an argument names.
func loadArgument(command *cobra.Command, name string) (*source.File, error) {
	file := new(source.File)
	if name == "-" {
		data, err := io.ReadAll(command.InOrStdin())
		if err != nil {
			return nil, err
		}
		return file, file.LoadStdin(data)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return file, file.Load(data)
}

// printTokens prints the tokens up to the first error, which it returns.
func printTokens(w io.Writer, file *source.File) error {
	var t tokenizer.Tokenizer
	tokens, failure := t.Tokenize(file.Text, tokenizer.Options{})
	out := bufio.NewWriter(w)
	for _, token := range tokens {
		info := tokenizer.Describe(file, token)
		position := fmt.Sprintf("%d,%d-%d,%d:", info.Row, info.Column, info.EndRow, info.EndColumn)
		fmt.Fprintf(out, "%-20s%-15s%-15s\n", position, info.Kind, pytext.AppendRepr(nil, info.String))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if failure != nil {
		return failure
	}
	return nil
}

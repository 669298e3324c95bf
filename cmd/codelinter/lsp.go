package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"codelinter/flake8"
	"codelinter/internal/lsp"
)

func newLSPCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "lsp [options]",
		Short:      "Show findings in an editor: a language server",
		SuggestFor: []string{"language-server", "langserver", "editor"},
		Long: `A language server (LSP 3.17) on standard input and output, which editors start.

Findings are those of check in the workspace's folder, with its configuration
files. Options are those of check, and override those of configuration files.`,
		Example:            "  codelinter lsp\n  codelinter lsp --max-line-length=100",
		DisableFlagParsing: true,
		ValidArgsFunction:  completeCheck,
		RunE: interruptible(func(command *cobra.Command, args []string) error {
			// Editors name the transport, but there is only this one.
			args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "--stdio" })
			if asksHelp(args) {
				return printHelp(command)
			}
			// Report invalid options at once, not to the editor with its first text.
			if _, err := flake8.LintText(append([]string{"--isolated"}, args...), "stdin", nil); err != nil {
				return exitCode(flake8.Main(command.Context(), flake8.Command{
					Name: command.CommandPath(), Args: args, NoFiles: true, FindsTOML: true, Stdout: io.Discard, Stderr: command.ErrOrStderr(),
				}))
			}
			return lsp.Serve(command.Context(), command.InOrStdin(), unclosed{command.OutOrStdout()}, lsp.Options{Args: args})
		}),
	}
}

// unclosed is a stream that stays open when a session ends.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

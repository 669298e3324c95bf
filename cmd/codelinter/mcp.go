package main

import (
	"github.com/spf13/cobra"

	"codelinter/internal/serve/mcp"
	"codelinter/internal/serve/service"
)

func newMCPCommand() *cobra.Command {
	var o serviceOptions
	command := &cobra.Command{
		Use:   "mcp",
		Short: "Serve coding agents: the Model Context Protocol on standard input",
		Long: `Speaks the Model Context Protocol on standard input and output, for coding agents.
The tools are lint, fix, check_edit (what an edit brings in, and whether the
program is the same), run (a program, in the sandbox) and explain_rule. They take
texts, read no files, and are bounded in time and memory. docs/agents.md says how
agents start it.`,
		Example: `  claude mcp add codelinter -- codelinter mcp`,
		Args:    arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error {
			if err := o.resolve(); err != nil {
				return err
			}
			o.Release, o.Target = o.flake8, o.python
			limitMemory(service.DefaultMaxQueue + service.DefaultCache + ownMemory)
			o.Sandbox.Notice = notice(command)
			s, err := service.New(o.Options)
			if err != nil {
				return err
			}
			defer s.Close()
			in, _, err := openInput(command, "-")
			if err != nil {
				return err
			}
			return mcp.Serve(command.Context(), in, command.OutOrStdout(), mcp.Options{Service: s, Workers: max(1, o.Workers)})
		}),
	}
	o.versions.addFlags(command, "where a call names no version")
	command.Flags().IntVar(&o.Workers, "workers", 0, "work on `N` calls at the same time (default: one a core)")
	return command
}

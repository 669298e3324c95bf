package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"codelinter/rule"
)

func newRuleCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rule [CODE]",
		Short: "Explain a code, or list them all",
		Long: `Explain a code: what it flags, why, and examples.

Without a code, list all of them: the code, whether it is on by default, whose
rule it is, and the message.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listRules(command.OutOrStdout())
			}
			code, found := rule.Find(args[0])
			if !found {
				return unknownCode(args[0])
			}
			return explainRule(command.OutOrStdout(), code)
		},
	}
}

// unknownCode says which codes begin most like text.
func unknownCode(text string) error {
	for n := len(text); n > 0; n-- {
		switch first, end := rule.Span(text[:n]); end - first {
		case 0:
		case 1:
			return fmt.Errorf("there is no code %q; the nearest is %s", text, rule.Code(first))
		default:
			return fmt.Errorf("there is no code %q; those with %s are %s to %s",
				text, text[:n], rule.Code(first), rule.Code(end-1))
		}
	}
	return fmt.Errorf("there is no code %q; codes look like E501, and `codelinter rule` lists them", text)
}

// listRules prints a line for each code.
func listRules(w io.Writer) error {
	out := bufio.NewWriter(w)
	for code := range rule.Codes() {
		r := code.Rule()
		state := "on"
		if !r.Default {
			state = "off"
		}
		fmt.Fprintf(out, "%s  %-3s  %-18s  %s\n", r.Code, state, r.Linter, r.Message())
	}
	return out.Flush()
}

// explainRule prints a code's page, and what the catalogue knows of it.
func explainRule(w io.Writer, code rule.Code) error {
	out := bufio.NewWriter(w)
	r := code.Rule()
	if page, found := rule.Page(code); found {
		fmt.Fprintf(out, "%s\n", page.Markdown)
	} else {
		fmt.Fprintf(out, "# %s %s\n\n", r.Code, r.Name)
	}
	fmt.Fprintf(out, "Message: %s\nLinter: %s, looks at: %s\n", r.Message(), r.Linter, r.Kind)
	switch {
	case r.Default:
		fmt.Fprintln(out, "On by default.")
	case r.Option != "":
		fmt.Fprintf(out, "Silent unless %s is given.\n", r.Option)
	default:
		fmt.Fprintf(out, "Off by default: --extend-select=%s turns it on.\n", r.Code)
	}
	return out.Flush()
}

package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/internal/util/didyoumean"
	"codelinter/rule"
)

func newRuleCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "rule [CODE]",
		Short:      "Explain a code, or list them",
		SuggestFor: []string{"explain", "codes"},
		Long: `Explain a code: what it flags, why, and examples.

A code may be given by its name, such as overlong-line. With the beginning of
codes, such as E5, or without a code, list them: the code, whether it is on by
default, whose rule it is, and the message.`,
		Args:              arguments(0, 1, ""),
		ValidArgsFunction: completeCode,
		RunE: func(command *cobra.Command, args []string) error {
			prefix := strings.ToUpper(strings.Join(args, ""))
			if code, found := rule.Find(prefix); found {
				return explainRule(command.OutOrStdout(), code)
			}
			first, end := rule.Span(prefix)
			if first == end {
				code, err := ruleNamed(args[0])
				if err != nil {
					return misuse{err}
				}
				return explainRule(command.OutOrStdout(), code)
			}
			return listRules(command.OutOrStdout(), rule.Code(first), rule.Code(end))
		},
	}
}

// ruleNamed returns the rule with a name such as overlong-line.
func ruleNamed(name string) (rule.Code, error) {
	var names []string
	for code := range rule.Codes() {
		r := code.Rule()
		if r.Name == name {
			return code, nil
		}
		names = append(names, r.Name)
	}
	if meant := didyoumean.Of(name, names...); meant != "" {
		return 0, fmt.Errorf("there is no code %q%s", name, didYouMean("", meant))
	}
	return 0, unknownCode(name)
}

// unknownCode returns the error for an unknown code, with the codes that share the longest
// beginning.
func unknownCode(text string) error {
	upper := strings.ToUpper(text)
	for n := len(upper); n > 0; n-- {
		switch first, end := rule.Span(upper[:n]); end - first {
		case 0:
		case 1:
			return fmt.Errorf("there is no code %q; the nearest is %s", text, rule.Code(first))
		default:
			return fmt.Errorf("there is no code %q; those with %s are %s to %s",
				text, upper[:n], rule.Code(first), rule.Code(end-1))
		}
	}
	return fmt.Errorf("there is no code %q; codes look like E501, and `codelinter rule` lists them", text)
}

// completeCode completes a code. Its message is the description, which some shells show.
func completeCode(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var codes []cobra.Completion
	if len(args) == 0 {
		first, end := rule.Span(strings.ToUpper(typed))
		for code := rule.Code(first); code < rule.Code(end); code++ {
			r := code.Rule()
			codes = append(codes, cobra.CompletionWithDesc(r.Code, r.Message()))
		}
	}
	return codes, cobra.ShellCompDirectiveNoFileComp
}

// linterOf names a rule's linter, in the default version or, if the rule is newer, in the
// first version with it.
func linterOf(r *rule.Rule) string {
	return r.Tool.String() + " " + max(rule.Release(0).OrDefault(), r.Since).Version(r.Tool)
}

// listRules prints a line for each code in [first, end).
func listRules(w io.Writer, first, end rule.Code) error {
	out := bufio.NewWriter(w)
	for code := first; code < end; code++ {
		r := code.Rule()
		state := "on"
		if !r.Default {
			state = "off"
		}
		fmt.Fprintf(out, "%s  %-3s  %-18s  %s\n", r.Code, state, linterOf(&r), r.Message())
	}
	return out.Flush()
}

// explainRule prints a code's page and its entry in the catalogue.
func explainRule(w io.Writer, code rule.Code) error {
	out := bufio.NewWriter(w)
	r := code.Rule()
	if page, found := rule.Page(code); found {
		fmt.Fprintf(out, "%s\n", page.Markdown)
	} else {
		fmt.Fprintf(out, "# %s %s\n\n", r.Code, r.Name)
	}
	fmt.Fprintf(out, "Message: %s\nLinter: %s, looks at: %s\n", r.Message(), linterOf(&r), r.Kind)
	if r.Since != 0 {
		fmt.Fprintf(out, "Since flake8 %v.\n", r.Since)
	}
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

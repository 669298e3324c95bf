package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"codelinter/evaluator/judge"
	"codelinter/flake8"
	"codelinter/internal/edit"
	"codelinter/internal/plugins"
	"codelinter/internal/serve/service"
	"codelinter/sandbox"
)

func newEditCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "edit-check [options] OLD NEW",
		Short: "Compare two texts of a file: new findings, and the meaning",
		Long: `Compares two texts of a file. It prints the findings that the new text has and
the old one does not, and says whether the syntax tree and what the program does
are the same. Both are same, other or unknown. What the texts leave open is run
in the sandbox.

Options and configuration files are those of check, for the new file. One of the
files may be -, standard input. These options are edit-check's own:

  --no-run    run nothing
  --json      print one object: new, gone, found, tree, meaning, proof, reasons

The exit code is 1 if there are new findings.`,
		Example:            "  codelinter edit-check before.py after.py\n  git show HEAD:app.py | codelinter edit-check --no-run --json - app.py",
		DisableFlagParsing: true,
		ValidArgsFunction:  completeCheck,
		RunE: interruptible(func(command *cobra.Command, args []string) error {
			if asksHelp(args) {
				return printHelp(command)
			}
			o := editCheck{}
			args = o.options(args)
			plan, code := flake8.NewPlan(command.Context(), flake8.Command{
				Name: command.CommandPath(), Args: args, Stdin: command.InOrStdin(), Stdout: command.OutOrStdout(), Stderr: command.ErrOrStderr(),
				Plugins: plugins.Load, FindsTOML: true,
			})
			if plan == nil {
				return exitCode(code)
			}
			defer plan.Close()
			result, err := o.check(command.Context(), plan)
			if err != nil {
				return err
			}
			if _, err := command.OutOrStdout().Write(o.report(&result)); err != nil {
				return err
			}
			if len(result.New) > 0 && !plan.ExitZero {
				return exitCode(exitFound)
			}
			return nil
		}),
	}
}

// An editCheck is a run of edit-check.
type editCheck struct {
	json, noRun bool
	name        string
}

// options takes edit-check's own options from a command line.
func (e *editCheck) options(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
		switch arg {
		case "--json":
			e.json = true
		case "--no-run":
			e.noRun = true
		default:
			return false
		}
		return true
	})
}

func (e *editCheck) check(ctx context.Context, plan *flake8.Plan) (edit.Result, error) {
	if len(plan.Paths) != 2 {
		return edit.Result{}, misuse{fmt.Errorf("expected two files, OLD and NEW, found %d", len(plan.Paths))}
	}
	var texts [2][]byte
	var now flake8.Planned
	for i, path := range plan.Paths {
		file, found := plan.Find(path)
		if !found {
			return edit.Result{}, fmt.Errorf("%s: expected a file that is not excluded", path)
		}
		var err error
		if texts[i], err = plan.Read(&file); err != nil {
			return edit.Result{}, fmt.Errorf("%s: %w", path, err)
		}
		now = file
	}
	if plan.Paths[0] == "-" && plan.Paths[1] == "-" {
		return edit.Result{}, misuse{errors.New("expected two files, found standard input twice")}
	}
	e.name = now.Name
	gate, err := edit.New(*now.Options)
	if err != nil {
		return edit.Result{}, err
	}
	gate.Foreign = plan.Foreign(ctx)
	if e.noRun {
		return gate.Check(now.Name, texts[0], texts[1])
	}
	judges := judge.New(judge.Options{Sandbox: sandbox.Options{Workers: 1}})
	defer judges.Close()
	return gate.Run(now.Name, texts[0], texts[1], service.EditRunner(ctx, judges, *now.Options))
}

func (e *editCheck) report(r *edit.Result) (out []byte) {
	if e.json {
		return append(r.AppendJSON([]byte("{")), "}\n"...)
	}
	for i := range r.New {
		f := &r.New[i]
		out = fmt.Appendf(out, "%s:%d:%d: %s %s\n", e.name, f.Row, f.Column, f.Code.String(), f.Message())
	}
	proof := ""
	if r.Proof != "" {
		proof = " (" + r.Proof + ")"
	}
	out = fmt.Appendf(out, "%d new, %d gone; tree: %v; meaning: %v%s\n", len(r.New), len(r.Gone), r.Tree, r.Meaning, proof)
	for _, reason := range r.Reasons {
		out = fmt.Appendf(out, "  %s\n", reason)
	}
	return out
}

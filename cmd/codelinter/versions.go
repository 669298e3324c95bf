package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/rule"
	"codelinter/source"
)

// versions are the flake8 and the CPython on the command line, or zero.
type versions struct {
	flake8 rule.Release
	python source.Version
}

// addFlags adds the options to a command's. whose describes the programs to which they
// apply.
func (v *versions) addFlags(command *cobra.Command, whose string) {
	flags := command.Flags()
	flags.TextVar(&v.flake8, "flake8-version", rule.Release(0), strings.TrimSpace("follow flake8 `VERSION` "+whose))
	completeValues(command, "flake8-version", texts(rule.Releases())...)
	flags.TextVar(&v.python, "target-version", source.Version(0), "and on CPython `VERSION`, if it is not the newest of that flake8's time")
	flags.Lookup("target-version").DefValue = "" // the default depends on the other option
	completeValues(command, "target-version", texts(source.Versions())...)
}

// resolve chooses the versions that are not given.
func (v *versions) resolve() (err error) {
	if v.flake8, v.python, err = rule.Resolve(v.flake8, v.python); err != nil {
		return badArgument("--flake8-version", "%w", err)
	}
	return nil
}

func texts[V fmt.Stringer](versions []V) []string {
	var all []string
	for _, v := range versions {
		all = append(all, v.String())
	}
	return all
}

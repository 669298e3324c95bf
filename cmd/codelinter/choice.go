package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A choice is the value of an option that has few.
type choice[T ~string] struct {
	to     *T
	values []T
}

func (c choice[T]) String() string { return string(*c.to) }

// Type returns the name of the type, for pflag.
func (choice[T]) Type() string { return "string" }

func (c choice[T]) Set(text string) error {
	if !slices.Contains(c.values, T(text)) {
		all, last := names(c.values), len(c.values)-1
		return fmt.Errorf("expected %s or %s, found %q", strings.Join(all[:last], ", "), all[last], text)
	}
	*c.to = T(text)
	return nil
}

// addChoice adds an option with few values, which shells complete. *to is the default.
func addChoice[T ~string](command *cobra.Command, to *T, name, usage string, values ...T) {
	command.Flags().Var(choice[T]{to, values}, name, usage)
	completeValues(command, name, names(values)...)
}

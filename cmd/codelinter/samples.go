package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/evaluator/task"
	"codelinter/internal/formats"
	"codelinter/internal/near"
)

// samplesFormats names the formats of samples for a flag's help.
func samplesFormats() string {
	var names []string
	for _, format := range formats.Formats() {
		names = append(names, string(format))
	}
	return strings.Join(names, ", ")
}

// checkFormat refuses a format of samples that there is not.
func checkFormat(name string) error {
	if slices.Contains(formats.Formats(), formats.Format(name)) {
		return nil
	}
	var names []string
	for _, format := range formats.Formats() {
		names = append(names, string(format))
	}
	return misuse{fmt.Errorf("argument --samples-format: expected one of %s, found %q%s", samplesFormats(), name, didYouMean("", near.Of(name, names...)))}
}

// openSamples opens the file or folder of samples called path, or standard input
// for "-".
func openSamples(command *cobra.Command, path, format string, tasks *task.Set) (*formats.File, error) {
	if readsStdin(command, path) {
		return formats.Read("stdin", &interruptibleReader{ctx: command.Context(), from: command.InOrStdin()}, formats.Format(format), tasks)
	}
	return formats.Open(path, formats.Format(format), tasks)
}

// printNotes prints on standard error what the user should know about how samples
// were read.
func printNotes(command *cobra.Command, source *formats.File) {
	for _, note := range source.Notes() {
		fmt.Fprintf(command.ErrOrStderr(), "%s: note: %s\n", command.CommandPath(), note)
	}
}

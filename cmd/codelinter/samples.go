package main

import (
	"fmt"
	"slices"
	"strings"

	"codelinter/evaluator/dataset"
	"codelinter/evaluator/samples"

	"github.com/spf13/cobra"
)

// samplesFormats names the formats of samples for a flag's help.
func samplesFormats() string {
	var names []string
	for _, format := range samples.Formats {
		names = append(names, string(format))
	}
	return strings.Join(names, ", ")
}

// openSamples opens the file or folder of samples called path, or standard input
// for "-".
func openSamples(command *cobra.Command, path, format string, tasks *dataset.Tasks) (*samples.Source, error) {
	if !slices.Contains(samples.Formats, samples.Format(format)) {
		return nil, misuse{fmt.Errorf("argument --samples-format: expected one of %s, found %q", samplesFormats(), format)}
	}
	if path == "-" {
		return samples.Read("stdin", command.InOrStdin(), samples.Format(format), tasks)
	}
	return samples.Open(path, samples.Format(format), tasks)
}

// printNotes says on standard error what the user should know of how samples
// were read.
func printNotes(command *cobra.Command, source *samples.Source) {
	for _, note := range source.Notes() {
		fmt.Fprintf(command.ErrOrStderr(), "%s: note: %s\n", command.CommandPath(), note)
	}
}

package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codelinter/evaluator/task"
	"codelinter/internal/eval/formats"
	"codelinter/internal/rows"
	"codelinter/internal/util/didyoumean"
)

func names[S ~string](things []S) (all []string) {
	for _, thing := range things {
		all = append(all, string(thing))
	}
	return all
}

// samplesFormats lists the formats of samples for a flag's help.
func samplesFormats() string { return strings.Join(names(formats.Formats()), ", ") }

func checkFormat(name string) error {
	known := names(formats.Formats())
	if slices.Contains(known, name) {
		return nil
	}
	return badArgument("--samples-format", "expected one of %s, found %q%s", samplesFormats(), name, didYouMean("", didyoumean.Of(name, known...)))
}

// openSamples opens the file or folder of samples path, or standard input for
// "-".
func openSamples(command *cobra.Command, path, format string, tasks *task.Set) (*formats.File, error) {
	if readsStdin(command, path) {
		return formats.Read("stdin", &interruptibleReader{ctx: command.Context(), from: command.InOrStdin()}, formats.Format(format), tasks)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() || info.IsDir() {
		return formats.Open(path, formats.Format(format), tasks)
	}
	pipe, err := openPath(command.Context(), path)
	if err != nil {
		return nil, &rows.Error{Err: err}
	}
	return formats.Read(path, pipe, formats.Format(format), tasks)
}

// printNotes prints notes on how samples were read, on standard error.
func printNotes(command *cobra.Command, source *formats.File) {
	for _, note := range source.Notes() {
		tell(command, "note: %s", note)
	}
}

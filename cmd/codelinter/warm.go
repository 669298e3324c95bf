package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"codelinter/sandbox"
)

func newWarmCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "warm",
		SuggestFor: []string{"compile", "cache", "prepare", "warmup"},
		Short:      "Compile what the sandbox needs, before the first program",
		Long: `Compile the CPython that is part of this binary to machine code, into the cache
folder, unless it is there. The first command that runs Python does so otherwise,
and takes some seconds longer. For images, and for machines that start often.

The code is for processors like this one: another kind compiles for itself. The
cache folder is codelinter/sandbox in $XDG_CACHE_HOME, or in the system's folder
of caches. The exit code is 1 if it cannot be written.`,
		Example: "  codelinter warm\n" +
			"  XDG_CACHE_HOME=/cache codelinter warm",
		Args: arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error {
			cache, err := sandbox.Warm(command.Context(), sandbox.Options{Notice: notice(command)})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(command.OutOrStdout(), warmed(cache))
			return err
		}),
	}
}

// warmed says what became of the cache.
func warmed(cache sandbox.Cache) string {
	version := sandbox.Version(sandbox.Default)
	if cache.Folder == "" {
		return version + " is not compiled: nothing to do"
	}
	place := fmt.Sprintf("%d MB in %s", (cache.Size+500_000)/1_000_000, cache.Folder)
	if cache.Took == 0 {
		return version + " was compiled already: " + place
	}
	return fmt.Sprintf("compiled %s in %v: %s", version, cache.Took.Round(100*time.Millisecond), place)
}

//go:build man

package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// With the tag man the program only writes its manual pages:
//
//	go run -tags man ./cmd/codelinter FOLDER
//
// Releases do not link the writer. SOURCE_DATE_EPOCH, in seconds, dates the
// pages, so that builds are reproducible.
func init() {
	if len(os.Args) != 2 {
		log.Fatal("usage: codelinter FOLDER")
	}
	if err := writeManual(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	os.Exit(0)
}

func writeManual(folder string) error {
	root := newRootCommand(newCommands()...)
	root.DisableAutoGenTag = true
	root.InitDefaultCompletionCmd()
	if err := preformat(root); err != nil {
		return err
	}
	header := doc.GenManHeader{Section: "1", Source: "codelinter " + root.Version, Manual: "codelinter"}
	if seconds := os.Getenv("SOURCE_DATE_EPOCH"); seconds != "" {
		var unix int64
		if _, err := fmt.Sscan(seconds, &unix); err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: expected seconds, found %q", seconds)
		}
		date := time.Unix(unix, 0).UTC()
		header.Date = &date
	}
	return doc.GenManTree(root, &header, folder)
}

// preformat keeps the layout of the commands' texts, which the writer would read
// as Markdown. A command that parses its own options, such as check, shows its
// help.
func preformat(command *cobra.Command) error {
	if command.DisableFlagParsing && command.RunE != nil {
		var help bytes.Buffer
		command.SetContext(context.Background())
		command.SetOut(&help)
		if err := command.RunE(command, []string{"--help"}); err != nil {
			return err
		}
		command.DisableFlagsInUseLine = true
		command.Long = command.Short + ".\n\n" + indent(help.String())
	} else if strings.Contains(command.Long, "\n  ") {
		command.Long = indent(command.Long)
	}
	typedDefaults(command)
	for _, child := range command.Commands() {
		if err := preformat(child); err != nil {
			return err
		}
	}
	return nil
}

// indent makes text a block of code.
func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codelinter/evaluator/task"
	"codelinter/flake8"
	"codelinter/internal/plugins"
)

func newPluginsCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "plugins COMMAND",
		Short: "Show flake8 plugins, which check --plugins runs",
		Long: `Show the flake8 plugins of folders. check --plugins FOLDER runs them, in a CPython
that is part of this binary. A folder has wheels, such as pip download leaves, or
installed packages, as a site-packages does.`,
	}
	command.AddCommand(
		&cobra.Command{
			Use:   "list FOLDER...",
			Short: "List plugins with their codes, options and licences",
			Args:  arguments(1, math.MaxInt, "FOLDER"),
			RunE: interruptible(func(command *cobra.Command, folders []string) error {
				return withPlugins(command, folders, listPlugins)
			}),
		},
		&cobra.Command{
			Use:   "check FOLDER...",
			Short: "Import plugins and say what cannot be used",
			Long: `Import plugins and have them read their options, as check --plugins does. Say which
packages have machine code, which cannot be used. The exit code is 1 if the plugins
do not work.`,
			Args: arguments(1, math.MaxInt, "FOLDER"),
			RunE: interruptible(func(command *cobra.Command, folders []string) error {
				return withPlugins(command, folders, checkPlugins)
			}),
		},
	)
	return command
}

// withPlugins does something with the plugins of folders.
func withPlugins(command *cobra.Command, folders []string, work func(*cobra.Command, io.Writer, *plugins.Loaded) error) error {
	loaded, err := plugins.Open(command.Context(), flake8.PluginFolders{Folders: folders, Notice: func(text string) { tell(command, "%s", text) }})
	if err != nil {
		return err
	}
	defer loaded.Close()
	var out bytes.Buffer
	if err := work(command, &out, loaded); err != nil {
		return err
	}
	_, err = command.OutOrStdout().Write(out.Bytes())
	return err
}

// taskPlugins are the plugins that tasks may name, of commands that score.
type taskPlugins struct {
	folders []string
	set     *plugins.Set // when they are open; nil: there are none
}

func (p *taskPlugins) addFlag(flags *pflag.FlagSet, whose string) {
	flags.StringArrayVar(&p.folders, "plugins", nil, "take flake8 plugins"+whose+" from `FOLDER`, of wheels or installed packages; may be repeated")
}

// open imports the plugins. Without folders it returns nil.
func (p *taskPlugins) open(command *cobra.Command, workers int) (_ task.Plugins, err error) {
	if len(p.folders) == 0 {
		return nil, nil
	}
	if p.set, err = plugins.NewSet(command.Context(), p.folders, plugins.SetOptions{Workers: workers, Notice: notice(command)}); err != nil {
		return nil, err
	}
	return p.set, nil
}

// Close ends the plugins, if they are open.
func (p *taskPlugins) Close() error {
	if p.set == nil {
		return nil
	}
	return p.set.Close()
}

// listPlugins prints the packages with plugins, then those that they need.
func listPlugins(_ *cobra.Command, out io.Writer, loaded *plugins.Loaded) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	used := map[string]bool{}
	for _, plugin := range loaded.List() {
		if plugins.IsOwn(plugin.Package) {
			continue
		}
		if !used[plugin.Package] {
			used[plugin.Package] = true
			fmt.Fprintf(table, "%s %s\t%s\n", plugin.Package, plugin.Version, licenseOf(loaded, plugin.Package))
			if options := optionsOf(loaded, plugin.Package); options != "" {
				fmt.Fprintf(table, "  options\t%s\n", options)
			}
		}
		off := ""
		if plugin.Off {
			off = ", off by default"
		}
		fmt.Fprintf(table, "  %s\t%s, %s%s\n", plugin.Name, plugin.Object, strings.ReplaceAll(plugin.Kind, "_", " "), off)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var needed, own []string
	for _, d := range loaded.Distributions {
		switch text := fmt.Sprintf("%s %s (%s)", d.Name, d.Version, cmp.Or(d.License, "no licence named")); {
		case d.Own:
			own = append(own, d.Name+" "+d.Version)
		case !used[d.Name]:
			needed = append(needed, text)
		}
	}
	for _, rest := range []struct {
		title string
		names []string
	}{{"Beside them", needed}, {"Not used, as codelinter has its own", own}} {
		if len(rest.names) > 0 {
			fmt.Fprintf(out, "\n%s: %s\n", rest.title, strings.Join(rest.names, ", "))
		}
	}
	return nil
}

func licenseOf(loaded *plugins.Loaded, name string) string {
	for _, d := range loaded.Distributions {
		if d.Name == name {
			return cmp.Or(d.License, "no licence named")
		}
	}
	return ""
}

func optionsOf(loaded *plugins.Loaded, name string) string {
	var names []string
	for _, o := range loaded.Options() {
		if o.Group == name && !o.Hidden {
			names = append(names, o.Names[len(o.Names)-1])
		}
	}
	return strings.Join(names, " ")
}

// checkPlugins configures the plugins without options, and prints what cannot be used.
func checkPlugins(command *cobra.Command, out io.Writer, loaded *plugins.Loaded) error {
	settings, err := loaded.Configure(command.Context(), flake8.PluginConfiguration{})
	if err != nil {
		return err
	}
	for _, d := range loaded.Distributions {
		if len(d.Compiled) > 0 {
			fmt.Fprintf(out, "%s %s: %d files of machine code cannot be used, such as %s; the plugins import without them\n", d.Name, d.Version, len(d.Compiled), d.Compiled[0])
		}
	}
	if settings.Whole {
		fmt.Fprintln(out, "a plugin replaces parts of flake8: E, W, F and C90 are found by pycodestyle, pyflakes and mccabe as well, which takes longer")
	}
	var names []string
	for _, plugin := range loaded.List() {
		if !plugins.IsOwn(plugin.Package) && !slices.Contains(names, plugin.Package) {
			names = append(names, plugin.Package)
		}
	}
	fmt.Fprintf(out, "%d packages with plugins can be used: %s\n", len(names), strings.Join(names, ", "))
	return nil
}

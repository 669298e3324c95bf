package flake8

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"codelinter/internal/python/pyjson"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// Plugins are flake8's plugins, which are Python. Package internal/plugins runs them. This
// package gives them the command line and the files, and puts their findings among its own.
type Plugins interface {
	// Options returns the plugins' options.
	Options() []PluginOption
	// List returns the plugins.
	List() []Plugin
	// Configure reads the configuration files and the command line as flake8 does with these
	// plugins. args has no files.
	Configure(ctx context.Context, r PluginConfiguration) (*PluginSettings, error)
	// Worker returns the plugins for one goroutine. It is called after Configure.
	Worker() PluginWorker
	// Format renders findings in a format of a plugin. It is called after Configure.
	Format(ctx context.Context, format string, color bool, files []byte) ([]byte, error)
	Close() error
}

// A PluginWorker runs the plugins, on one file after the other.
type PluginWorker interface {
	Check(ctx context.Context, file PluginFile) PluginResult
	Close() error
}

// PluginFolders says which plugins a command line means.
type PluginFolders struct {
	Folders      []string          // with wheels, or with what is in them
	Local        map[string]string // the options of the section for local plugins
	LocalFolders []string          // that local plugins may be imported from, absolute
	Enable       []string          // plugins to turn on that are off by default
	Require      []string          // plugins that there must be
	Notice       func(string)      // is called before something that takes long
}

// A PluginConfiguration is what the plugins' options are read from.
type PluginConfiguration struct {
	Args         []string          // the command line without files and codelinter's own options
	Config       map[string]string // the options of the configuration files' section; nil if there is none
	ConfigFolder string            // that relative paths in Config are relative to
	Files        []string          // that plugins may read: names of files and folders
}

// A Plugin is one entry point.
type Plugin struct {
	Package string `json:"package"` // "local" for a local one
	Version string `json:"version"`
	Name    string `json:"name"`   // of the entry point: the beginning of its codes, or the name of a format
	Object  string `json:"object"` // module:object
	Kind    string `json:"kind"`   // tree, logical_line, physical_line or report
	Off     bool   `json:"off"`    // by default, and not turned on
}

// A PluginOption is an option that a plugin adds.
type PluginOption struct {
	Group  string   `json:"group"`  // the package, as the heading in help
	Names  []string `json:"names"`  // "-q", "--quotes"
	Head   string   `json:"head"`   // the names with the value's name, as in help
	Help   string   `json:"help"`   //
	Hidden bool     `json:"hidden"` // not in help
	Values int      `json:"values"` // 0 or 1; -1: any other number
	Config string   `json:"config"` // name in configuration files; "" if there is none
}

// PluginSettings are the values of all options with plugins, as flake8 has them in the end.
type PluginSettings struct {
	// Help and Version say that the command line asks for these, and has no other effect.
	Help, Version bool
	Values        PluginValues
	// Output is what the plugins printed when they were imported and read their options.
	Output []byte
	// Formats are the names of the plugins' formats.
	Formats []string
	// Whole says that plugins change what flake8's own ones find, and so that Check returns
	// their findings too.
	Whole bool
	// Decided says that plugins change which findings flake8 reports, and so that Check returns
	// those alone.
	Decided bool
}

// PluginValues are the values of flake8's own options, which plugins can change.
type PluginValues struct {
	Filenames             []string `json:"filenames"`
	Quiet                 int      `json:"quiet"`
	Color                 string   `json:"color"`
	Count                 bool     `json:"count"`
	Exclude               []string `json:"exclude"`
	ExtendExclude         []string `json:"extend_exclude"`
	Filename              []string `json:"filename"`
	StdinDisplayName      string   `json:"stdin_display_name"`
	Format                string   `json:"format"`
	HangClosing           bool     `json:"hang_closing"`
	Ignore                []string `json:"ignore"`
	ExtendIgnore          []string `json:"extend_ignore"`
	PerFileIgnores        string   `json:"per_file_ignores"`
	MaxLineLength         int      `json:"max_line_length"`
	MaxDocLength          *int     `json:"max_doc_length"`
	IndentSize            int      `json:"indent_size"`
	Select                []string `json:"select"`
	ExtendSelect          []string `json:"extend_select"`
	DisableNoqa           bool     `json:"disable_noqa"`
	ShowSource            bool     `json:"show_source"`
	Statistics            bool     `json:"statistics"`
	ExitZero              bool     `json:"exit_zero"`
	Tee                   bool     `json:"tee"`
	Benchmark             bool     `json:"benchmark"`
	BugReport             bool     `json:"bug_report"`
	Jobs                  string   `json:"jobs"`
	MaxComplexity         int      `json:"max_complexity"`
	Builtins              []string `json:"builtins"`
	Doctests              bool     `json:"doctests"`
	ExtendedDefaultSelect []string `json:"extended_default_select"`
	ExtendedDefaultIgnore []string `json:"extended_default_ignore"`
}

// A PluginFile is a file for the plugins to check. It is Python, and no comment exempts it.
type PluginFile struct {
	Name  string // as flake8 shows it
	Data  []byte
	Stdin bool
	// Executable says that the file may be executed, which some plugins compare with its first
	// line.
	Executable bool
}

// A PluginResult is what the plugins say of a file.
type PluginResult struct {
	Findings []lint.Foreign // in the order in which flake8 gets them
	Output   []byte         // what plugins wrote to standard output
	Errors   []byte         // and to standard error
	Failed   string         // a plugin's exception, in flake8's words; "": none
	Err      error          // why the plugins could not check the file; nil if they did
}

// A PluginUsageError is a command line that makes no sense. A PluginExecutionError is one
// that flake8 itself reports, on standard output.
type (
	PluginUsageError     struct{ Text string }
	PluginExecutionError struct{ Text string }
)

func (e *PluginUsageError) Error() string     { return e.Text }
func (e *PluginExecutionError) Error() string { return e.Text }

// pluginSources say where plugins and their options come from.
type pluginSources struct {
	folders []string
	config  configuration
	folder  string // that relative paths in config are relative to
}

// localPlugins is the section for local plugins.
const localPlugins = "flake8:local-plugins"

// hasLocalPlugins reports whether there are local plugins.
func hasLocalPlugins(c configuration) bool {
	section := c.section(localPlugins)
	return strings.TrimSpace(section.values["extension"]+section.values["report"]) != ""
}

// allPluginFolders returns the folders of plugins that command line and configuration name. flake8
// itself has no such key: what a file of flake8's names and is not there may be another tool's. In
// a pyproject.toml it is ours.
func (c *Command) allPluginFolders(s *settings, config configuration, folder string) ([]string, error) {
	all := slices.Clone(s.pluginFolders)
	section := config.section("flake8")
	for _, name := range parseList(section.values["plugins"]) {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(folder, name)
		}
		switch _, err := os.Stat(path); {
		case err == nil:
			all = append(all, path)
		case section.folders:
			return nil, fmt.Errorf("tool.flake8.plugins: expected folders of wheels, found no folder %s", name)
		default:
			c.warnf("configuration: plugins is ignored, as flake8 ignores it: there is no folder %s", name)
		}
	}
	return all, nil
}

// settingsWithPlugins is settings where there are plugins: flake8 itself, in the sandbox,
// reads the options, as plugins have some of their own and may change others. rest are the
// arguments that the first pass left.
func (c *Command) settingsWithPlugins(ctx context.Context, early *settings, from pluginSources, rest []string) (*settings, error) {
	s := newSettings()
	s.noWarnings, s.allowInlineComments = early.noWarnings, early.allowInlineComments
	if err := s.applyConfig(from.config, from.folder); err != nil {
		return nil, err
	}
	c.quiet = s.noWarnings
	own := arguments{options: ownOptions(), args: rest, into: s}
	if err := own.parse(); err != nil {
		return nil, err
	}
	if err := s.resolveWithPlugins(); err != nil {
		return nil, err
	}
	var err error
	if s.plugins, err = c.loadPlugins(ctx, early, from); err != nil {
		return nil, translated(err)
	}
	s.forgetKnown(s.plugins.Options())
	if free := withoutPlugins(own.options, s.plugins.Options()); len(free) < len(own.options) {
		own.options, own.extras, own.taken = free, nil, nil
		if err := own.parse(); err != nil {
			return s, err
		}
	}
	given := splitArguments(own.extras, s.plugins.Options())
	config := PluginConfiguration{Args: given.args, ConfigFolder: from.folder, Files: early.pluginFiles}
	if from.config["flake8"] != nil {
		config.Config = from.config.section("flake8").values
	}
	made, err := s.plugins.Configure(ctx, config)
	switch {
	case err != nil:
		return s, translated(err)
	case made.Help || made.Version:
		return s, outcome{settings: s, version: made.Version}
	}
	if err := s.adopt(made); err != nil {
		return s, err
	}
	if s.lint.ReportNoqa && s.pluginDecided {
		return s, usageErrorf("argument --report-unused-noqa: not possible with these plugins: they decide what is reported")
	}
	s.stdinDisplayName = given.stdinDisplayName
	s.paths = append(given.paths, made.Values.Filenames...)
	s.outputFile, s.verbose = early.outputFile, early.verbose
	if err := s.checkComparison(c); err != nil {
		return s, err
	}
	s.extensions = pluginList(from.config, "enable_extensions", early.enableExtensions)
	return s, nil
}

// ownOptions returns the options that flake8 does not have and that its command line must not
// have either.
func ownOptions() (own []*option) {
	for _, o := range options {
		if o.own && !o.early {
			own = append(own, o)
		}
	}
	return own
}

// withoutPlugins returns the options that no plugin has: flake8-noqa's are ours too.
func withoutPlugins(own []*option, of []PluginOption) []*option {
	return slices.DeleteFunc(slices.Clone(own), func(o *option) bool {
		return slices.ContainsFunc(of, func(p PluginOption) bool { return slices.Contains(p.Names, o.names[0]) })
	})
}

// pluginTarget is the CPython that runs plugins, and pluginRelease the flake8.
const pluginTarget = source.Python313

// resolveWithPlugins chooses the versions that are not given: those by which plugins run.
func (s *settings) resolveWithPlugins() error {
	releases := rule.Releases()
	newest := releases[len(releases)-1]
	if given := cmp.Or(s.typed.Release, s.configured.Release); given != 0 && given != newest {
		return badValue(releaseOption, "plugins run by flake8 %v only", newest)
	}
	s.typed.Release = newest
	if s.typed.Target == 0 && s.configured.Target == 0 {
		s.typed.Target = pluginTarget
	}
	return s.resolve()
}

// loadPlugins imports the plugins.
func (c *Command) loadPlugins(ctx context.Context, early *settings, from pluginSources) (Plugins, error) {
	folders := PluginFolders{
		Folders: from.folders,
		Enable:  pluginList(from.config, "enable_extensions", early.enableExtensions),
		Require: pluginList(from.config, "require_plugins", early.requirePlugins),
		Notice:  func(text string) { c.verbosef("%s", text) },
	}
	if from.config[localPlugins] != nil {
		folders.Local = from.config.section(localPlugins).values
		for _, name := range parseList(folders.Local["paths"]) {
			if !filepath.IsAbs(name) {
				name = absolute(filepath.Join(from.folder, name))
			}
			folders.LocalFolders = append(folders.LocalFolders, name)
		}
	}
	return c.Plugins(ctx, folders)
}

// translated turns errors of plugins into flake8's.
func translated(err error) error {
	var usage *PluginUsageError
	var execution *PluginExecutionError
	switch {
	case errors.As(err, &usage):
		return usageErrorf("%s", usage.Text)
	case errors.As(err, &execution):
		return &executionError{execution.Text}
	}
	return err
}

// forgetKnown drops the keys of configuration files that are options of plugins.
func (s *settings) forgetKnown(of []PluginOption) {
	s.unknown = slices.DeleteFunc(s.unknown, func(key string) bool {
		key = strings.ReplaceAll(key, "-", "_")
		return key == "plugins" || slices.ContainsFunc(of, func(o PluginOption) bool { return o.Config == key })
	})
}

// splitArguments takes files, and the name of standard input, out of a command line, so that
// plugins that are prepared for it are prepared for other files as well. A command line that
// is wrong, or that has an option with several values, stays as it is.
func splitArguments(args []string, of []PluginOption) (given splitCommand) {
	all := slices.Clone(options)
	for _, o := range of {
		value := ""
		if o.Values != 0 {
			value = "VALUE"
		}
		several := o.Values < 0
		all = append(all, &option{names: o.Names, value: value, apply: func(*settings, string) error {
			if several {
				return errors.New("several values")
			}
			return nil
		}})
	}
	into := newSettings()
	pass := arguments{options: all, files: true, args: args, into: into}
	if err := pass.parse(); err != nil {
		return splitCommand{args: args, stdinDisplayName: into.stdinDisplayName}
	}
	return splitCommand{append(pass.taken, pass.extras...), pass.paths, into.stdinDisplayName}
}

// A splitCommand is a command line in parts.
type splitCommand struct {
	args             []string
	paths            []string
	stdinDisplayName string
}

// adopt takes over the values that flake8 and its plugins made of the options.
func (s *settings) adopt(made *PluginSettings) (err error) {
	v := &made.Values
	s.quiet, s.color, s.count = v.Quiet, v.Color, v.Count
	s.exclude, s.extendExclude, s.filename = v.Exclude, v.ExtendExclude, v.Filename
	s.format, s.perFileIgnores = v.Format, v.PerFileIgnores
	s.showSource, s.statistics, s.exitZero = v.ShowSource, v.Statistics, v.ExitZero
	s.tee, s.benchmark, s.bugReport = v.Tee, v.Benchmark, v.BugReport
	v.Adopt(&s.lint)
	s.pluginWhole, s.pluginDecided, s.pluginFormats, s.pluginOutput = made.Whole, made.Decided, made.Formats, made.Output
	s.jobs, err = parseJobs(v.Jobs)
	return err
}

// Adopt sets the options of the linter to the values.
func (v *PluginValues) Adopt(o *lint.Options) {
	o.Select, o.Ignore, o.ExtendSelect, o.ExtendIgnore = v.Select, v.Ignore, v.ExtendSelect, v.ExtendIgnore
	o.PluginSelect, o.PluginIgnore = v.ExtendedDefaultSelect, v.ExtendedDefaultIgnore
	o.MaxLineLength, o.MaxDocLength, o.IndentSize = v.MaxLineLength, lint.NoLimit, v.IndentSize
	if v.MaxDocLength != nil {
		o.MaxDocLength = *v.MaxDocLength
	}
	o.HangClosing, o.MaxComplexity, o.DisableNoqa = v.HangClosing, v.MaxComplexity, v.DisableNoqa
	o.Builtins, o.Doctests = v.Builtins, v.Doctests
}

// runPlugins has the plugins check a text.
func (r *run) runPlugins(worker *PluginWorker, text lint.Input) PluginResult {
	if *worker == nil {
		*worker = r.plugins.Worker()
	}
	file := PluginFile{Name: text.Name, Data: text.Data, Stdin: text.Stdin}
	if info, err := os.Stat(text.Name); err == nil && !text.Stdin {
		file.Executable = info.Mode()&0o111 != 0
	}
	return (*worker).Check(r.ctx, file)
}

// isFailed reports whether the plugins could not check the file.
func (p *PluginResult) isFailed() bool { return p.Err != nil || p.Failed != "" }

// note tells what plugins said of a file beside their findings.
func (r *run) note(f *lintedFile, result *PluginResult) {
	if len(result.Errors) > 0 {
		r.warn(fmt.Errorf("%s: plugins wrote: %s", f.Name, bytes.TrimRight(result.Errors, "\n")))
	}
	said := result.Output
	if result.Failed != "" {
		said = append(said, result.Failed+"\nRun flake8 with greater verbosity to see more details\n"...)
	}
	if _, foreign := r.format.(*foreignFormat); (foreign || r.frame.Document) && len(said) > 0 {
		r.warn(fmt.Errorf("%s", bytes.TrimRight(said, "\n")))
		said = nil
	}
	if result.Err != nil {
		r.warn(fmt.Errorf("%s: %w", f.Name, result.Err))
	}
	f.said, f.failed = said, result.isFailed()
}

// foreignFormat is a format of a plugin. It gathers the findings as JSON, which the plugin
// renders when all are there: each file is an object with name and findings, each of them a
// list of code, row, column, message and line.
type foreignFormat struct{ files bytes.Buffer }

func (*foreignFormat) frame() frame { return frame{Start: "[", Between: ",\n", End: "]"} }

func (*foreignFormat) appendStart(dst []byte, file *lintedFile) []byte {
	return append(pyjson.AppendASCII(append(dst, `{"name": `...), file.Name), `, "findings": [`...)
}

func (*foreignFormat) appendEnd(dst []byte, _ *lintedFile) []byte { return append(dst, "]}"...) }

func (*foreignFormat) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	if i > 0 {
		dst = append(dst, ',')
	}
	dst = pyjson.AppendASCII(append(dst, '['), finding.Code.String())
	dst = fmt.Appendf(dst, ",%d,%d,", finding.Row, finding.Column)
	dst = append(pyjson.AppendASCII(dst, finding.Message()), ',')
	if line, found := file.Line(finding); found {
		return append(pyjson.AppendASCII(dst, line), ']'), nil
	}
	return append(dst, "null]"...), nil
}

// render writes the findings as the plugin renders them.
func (f *foreignFormat) render(ctx context.Context, s *settings, color bool, out io.Writer) error {
	text, err := s.plugins.Format(ctx, s.format, color, f.files.Bytes())
	if err == nil && len(text) > 0 {
		_, err = out.Write(text)
	}
	return err
}

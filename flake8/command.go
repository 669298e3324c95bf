package flake8

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"codelinter/internal/util/terminal"
	"codelinter/internal/version"
	"codelinter/lint"
	"codelinter/rule"
)

// Exit codes of [Main].
const (
	ExitClean  = 0
	ExitFound  = 1 // there are findings, or the work could not be done
	ExitMisuse = 2 // the command line makes no sense
)

// A Command is one run of the program.
type Command struct {
	Name   string // as messages call it: "flake8"
	Args   []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	// Meant has suggestions for unknown arguments: --fix is a command of codelinter, not an
	// option of flake8. It also has the options that the caller has taken out of Args.
	Meant map[string]string

	// Plugins loads flake8's plugins; nil: there can be none.
	Plugins func(context.Context, PluginFolders) (Plugins, error)

	// NoFiles makes the name of a file an error, for programs that get their files elsewhere.
	NoFiles bool

	// FindsTOML makes a table [tool.flake8] in the pyproject.toml of the working folder the
	// configuration, as the plugin Flake8-pyproject does. flake8 itself does not look for one.
	FindsTOML bool

	// Lasting is called once, before work that may take more than some milliseconds: any but
	// linting one small file. May be nil.
	Lasting func()

	compares bool            // options such as --new-from-rev have an effect
	quiet    bool            // print no warnings
	warned   map[string]bool // the warnings that were printed
}

// ErrInterrupted is the cause of a context that the user ended, with ^C.
var ErrInterrupted = errors.New("interrupted")

// Main runs flake8 with the arguments of c and returns its exit code. If ctx ends, files
// that were not linted yet are left out; the code is [ExitFound], as flake8's is after an
// interrupt, and the message is the cause of ctx or, for [ErrInterrupted], that of flake8.
// The steps are in flake8's order, because the first that fails decides the message:
//
//   - the first pass over the command line, for what the second depends on,
//   - configuration files, and which plugins are there,
//   - values of the configuration, then the command line as a whole,
//   - the lists of codes for single files,
//   - the files.
//
// flake8 reports errors in three ways. Errors of the command line print the usage, with exit code
// 2. A few others print a message on standard output. All others end in a traceback; codelinter
// prints its message.
func Main(ctx context.Context, c Command) int {
	return c.do(func() (int, error) { return c.run(ctx) })
}

// do does some work, prints its error as flake8 does, and returns the exit code.
func (c *Command) do(work func() (int, error)) int {
	code, err := work()
	var (
		usage     *usageError
		execution *executionError
		asked     outcome
	)
	switch {
	case err == nil:
		return code
	case errors.As(err, &asked):
		err = c.print(asked.text(c.Name, width(c.Stdout), c.Plugins != nil))
	case errors.As(err, &usage):
		fmt.Fprintf(c.Stderr, "%s\n%s: error: %s\n", c.usage(usage), c.Name, usage.text)
		return ExitMisuse
	case errors.As(err, &execution):
		err = c.print("There was a critical error during execution of Flake8:\n" + execution.text + "\n")
		code = ExitFound
	}
	if err != nil {
		if !IsClosedPipe(err) {
			fmt.Fprintf(c.Stderr, "%s: error: %v\n", c.Name, err)
		}
		return max(code, ExitFound)
	}
	return code
}

// text returns the requested text for a width in columns.
func (o *outcome) text(name string, columns int, canPlug bool) string {
	if o.version {
		return strings.Join(wrap(versionText(o.settings), columns-2), "\n") + "\n"
	}
	return helpText(name, columns, o.settings, canPlug)
}

func (c *Command) print(text string) error {
	_, err := io.WriteString(c.Stdout, text)
	return err
}

// usage returns the lines in front of an error: argparse's own for the first
// pass, in which flake8 has not set any.
func (c *Command) usage(err *usageError) string {
	if err.early {
		return earlyUsage(c.Name, width(c.Stdout))
	}
	if c.NoFiles {
		return "usage: " + c.Name + " [options]"
	}
	return "usage: " + c.Name + " [options] file file ..."
}

// run returns the exit code, if there is no error.
func (c *Command) run(ctx context.Context) (int, error) {
	c.compares = true
	s, names, err := c.settings(ctx)
	if s != nil && s.plugins != nil {
		defer s.plugins.Close()
	}
	if err != nil {
		return ExitClean, err
	}
	if s.bugReport {
		return ExitClean, c.print(bugReport(s))
	}
	if err := c.advise(s); err != nil {
		return ExitClean, err
	}
	if s.verbose > 0 {
		c.verbosef("configuration: %s", strings.Join(names, ", "))
		c.verbosef("format: %s, jobs: %d (0: auto)", s.format, s.jobs)
	}
	return c.lint(ctx, s)
}

// settings reads the configuration files and the command line. names are the
// configuration files.
func (c *Command) settings(ctx context.Context) (s *settings, names []string, err error) {
	early := newSettings()
	first := arguments{options: earlyOptions(c.Plugins != nil), args: c.Args, into: early}
	if err := first.parse(); err != nil {
		var usage *usageError
		if errors.As(err, &usage) {
			usage.early = true
		}
		return nil, nil, err
	}
	rest := first.extras
	if early.outputFile != "" {
		rest = append(rest, "--output-file", early.outputFile)
	}
	config, folder, names, err := early.loadConfig(c.FindsTOML)
	if err != nil {
		return nil, names, err
	}
	folders, err := c.allPluginFolders(early, config, folder)
	if err != nil {
		return nil, nil, err
	}
	if c.Plugins != nil && (len(folders) > 0 || hasLocalPlugins(config)) {
		c.lasting()
		s, err := c.settingsWithPlugins(ctx, early, pluginSources{folders, config, folder}, rest)
		return s, names, err
	}
	if err := early.checkPlugins(config); err != nil {
		return nil, names, err
	}
	s = newSettings()
	s.noWarnings, s.allowInlineComments = early.noWarnings, early.allowInlineComments
	if err := s.applyConfig(config, folder); err != nil {
		return nil, names, err
	}
	c.quiet = s.noWarnings
	second := arguments{options: knownOptions(c.Plugins != nil), files: true, args: rest, into: s}
	err = second.parse()
	if asked := (outcome{}); err == nil || errors.As(err, &asked) {
		if err := s.resolve(); err != nil {
			return nil, names, err
		}
	}
	if err != nil {
		return nil, names, err
	}
	if s.jobsText != nil {
		if s.jobs, err = parseJobs(*s.jobsText); err != nil {
			return nil, names, badValue(configOption("jobs"), "%v", err)
		}
	}
	if len(second.extras) > 0 {
		c.adviseUnknown(second.extras)
		return nil, names, usageErrorf("unrecognized arguments: %s", strings.Join(second.extras, " "))
	}
	if c.NoFiles && len(second.paths) > 0 {
		return nil, names, usageErrorf("expected no files, got %s", strings.Join(second.paths, " "))
	}
	s.paths = second.paths
	if err := s.checkComparison(c); err != nil {
		return nil, names, err
	}
	s.verbose = early.verbose
	s.extensions = pluginList(config, "enable_extensions", early.enableExtensions)
	return s, names, nil
}

// lasting says that work begins which may last.
func (c *Command) lasting() {
	if c.Lasting != nil {
		c.Lasting()
		c.Lasting = nil
	}
}

// smallFile is the size in bytes of a file that takes some milliseconds at most.
const smallFile = 32 << 10

// isBrief reports whether the work is to lint one small file.
func (s *settings) isBrief() bool {
	if len(s.paths) != 1 || s.paths[0] == "-" || s.plugins != nil || s.comparison != (comparison{}) || s.addNoqa {
		return false
	}
	info, err := os.Stat(s.paths[0])
	return err == nil && info.Mode().IsRegular() && info.Size() <= smallFile
}

// showPlugins writes what plugins printed before the first file, as flake8 does, but never into a
// document.
func (c *Command) showPlugins(s *settings, format formatter) error {
	to := c.Stdout
	if format.frame().Document {
		to = c.Stderr
	}
	if len(s.pluginOutput) == 0 {
		return nil
	}
	_, err := to.Write(s.pluginOutput)
	return err
}

func (c *Command) lint(ctx context.Context, s *settings) (code int, err error) {
	switch {
	case s.quiet == 1:
		s.format = "quiet-filename"
	case s.quiet > 1:
		s.format = "quiet-nothing"
	}
	color := s.color == "always" || s.color == "auto" && terminal.Colors(c.Stdout)
	format := newFormatter(s.format, color, &s.lint)
	out, err := openReport(s.outputFile, s.tee, c.Stdout)
	if err != nil {
		return ExitFound, err
	}
	findings, foreign := io.Writer(out), (*foreignFormat)(nil)
	if slices.Contains(s.pluginFormats, s.format) {
		foreign = new(foreignFormat)
		format, findings = foreign, &foreign.files
	}
	if err := c.showPlugins(s, format); err != nil {
		return ExitFound, err
	}
	progress := terminal.NewProgress(c.Stderr, "files")
	out.clear = progress.Clear
	start := time.Now()
	brief := s.isBrief()
	if !brief {
		c.lasting()
	}
	result, err := lintPaths(ctx, runOptions{s, format, c.warn, progress.Set, brief}, c.Stdin, findings)
	progress.Clear()
	if err == nil && foreign != nil {
		err = foreign.render(ctx, s, color, out)
	}
	lines, last := io.Writer(out), c.Stdout
	if format.frame().Document {
		lines, last = c.Stderr, c.Stderr // a document is no place for more lines
	}
	if last := summary(s, &result, time.Since(start)); err == nil && len(last) > 0 {
		_, err = lines.Write(last)
	}
	if closeErr := out.close(); err == nil {
		err = closeErr
	}
	switch {
	case errors.Is(err, ErrInterrupted):
		_, err = io.WriteString(last, "... stopped while processing files\n")
		return ExitFound, err
	case err != nil:
		return ExitFound, err
	}
	if s.verbose > 0 {
		c.verbosef("%d files, %d findings", result.Files, result.Found)
	}
	if name := s.comparison.writeBaseline; name != "" && s.quiet == 0 {
		fmt.Fprintf(c.Stderr, "%s: wrote %d findings to %s\n", c.Name, result.Written, name)
	}
	if s.addNoqa && s.quiet == 0 {
		fmt.Fprintf(c.Stderr, "%s: %v\n", c.Name, &result.Silenced)
	}
	if s.count {
		if _, err := fmt.Fprintln(last, result.Found); err != nil {
			return ExitFound, err
		}
	}
	if result.Found > 0 && !s.exitZero || result.Failed > 0 || result.Silenced.failed > 0 {
		return ExitFound, nil
	}
	return ExitClean, nil
}

// files are the files that a command line means, with a linter for each.
type files struct {
	*discovery
	guides []guide
}

// files returns the files of the settings. warn is called for folders that cannot be read.
func (s *settings) files(warn func(error)) (*files, error) {
	ignores, err := parseFileIgnores(s.perFileIgnores)
	if err != nil {
		return nil, err
	}
	options := s.lint
	if more := os.Getenv("PYFLAKES_BUILTINS"); more != "" { // pyflakes' own way to name them
		options.Builtins = append(slices.Clip(options.Builtins), strings.Split(more, ",")...)
	}
	guides, err := newGuides(options, ignores)
	return &files{newDiscovery(s, warn), guides}, err
}

// workers returns how many files are linted at once.
func (s *settings) workers() int {
	if s.jobs < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return s.jobs
}

// LintText returns what flake8 finds with these options in the working folder, if the file
// name has that text: nothing if the file or a folder that it is in is excluded. The file need not
// match --filename. An error means that the options or the configuration files are wrong.
//
//	flake8 ARGS...
//
// Text on standard input would not do: for some findings flake8 looks for "# noqa" in the
// file itself.
func LintText(args []string, name string, text []byte) ([]rule.Finding, error) {
	linter, err := linterFor(args, name)
	if err != nil || linter == nil {
		return nil, err
	}
	result := linter.Lint(lint.Input{Name: name, Data: text})
	result.Merge(appendNoqa(nil, &result, nil))
	return result.Findings, nil
}

// OptionsFor returns the options by which [LintText] lints a file. It returns false if the file
// is excluded.
func OptionsFor(args []string, name string) (o lint.Options, ok bool, err error) {
	linter, err := linterFor(args, name)
	if err != nil || linter == nil {
		return lint.Options{}, false, err
	}
	return linter.Options(), true, nil
}

// linterFor returns the linter for a file, or nil if the file is excluded.
func linterFor(args []string, name string) (*lint.Linter, error) {
	c := Command{Args: args, NoFiles: true, FindsTOML: true, Stdout: io.Discard, Stderr: io.Discard}
	s, _, err := c.settings(context.Background())
	if err != nil {
		return nil, err
	}
	files, err := s.files(func(error) {})
	if err != nil || files.leavesOut(name) {
		return nil, err
	}
	return files.guides[files.guideFor(name)].linter, nil
}

// summary returns the output of --statistics and --benchmark.
func summary(s *settings, result *runResult, elapsed time.Duration) []byte {
	var out []byte
	if s.statistics {
		for _, statistic := range result.Statistics {
			out = fmt.Appendf(out, "%-5d %s %s\n", statistic.Count, statistic.Code, statistic.Message)
		}
	}
	if s.benchmark {
		seconds := max(elapsed.Seconds(), 1e-6)
		out = fmt.Appendf(out, "%-10.3g seconds elapsed\n", seconds)
		for _, count := range []struct {
			name string
			n    int
		}{
			{"logical lines", result.Sizes.LogicalLines},
			{"physical lines", result.Sizes.PhysicalLines},
			{"tokens", result.Sizes.Tokens},
			{"files", result.Files},
		} {
			out = fmt.Appendf(out, "%-10d total %s processed\n", count.n, count.name)
			out = fmt.Appendf(out, "%-10d %s processed per second\n", int(float64(count.n)/seconds), count.name)
		}
	}
	return out
}

func (c *Command) verbosef(format string, args ...any) {
	fmt.Fprintf(c.Stderr, "%s: %s\n", c.Name, fmt.Sprintf(format, args...))
}

// pluginNames are the plugins that users most often have, by their codes.
var pluginNames = map[string]string{
	"A": "flake8-builtins", "ANN": "flake8-annotations", "ARG": "flake8-unused-arguments", "ASYNC": "flake8-async",
	"B": "flake8-bugbear", "BLK": "flake8-black", "C4": "flake8-comprehensions", "C8": "flake8-commas",
	"COM": "flake8-commas", "D": "flake8-docstrings", "DAR": "darglint", "DJ": "flake8-django", "DTZ": "flake8-datetimez",
	"EM": "flake8-errmsg", "ERA": "flake8-eradicate", "EXE": "flake8-executable", "G": "flake8-logging-format",
	"I": "flake8-isort", "INP": "flake8-no-pep420", "ISC": "flake8-implicit-str-concat", "N": "pep8-naming",
	"PIE": "flake8-pie", "PT": "flake8-pytest-style", "PTH": "flake8-use-pathlib", "PYI": "flake8-pyi", "Q": "flake8-quotes",
	"RET": "flake8-return", "RST": "flake8-rst-docstrings", "S": "flake8-bandit", "SIM": "flake8-simplify",
	"SLF": "flake8-self", "T": "flake8-print", "TC": "flake8-type-checking", "TCH": "flake8-type-checking",
	"TID": "flake8-tidy-imports", "TRY": "tryceratops", "WPS": "wemake-python-styleguide", "YTT": "flake8-2020",
}

// pluginName returns the plugin that has the code, or codes that begin with it, or "".
func pluginName(code string) string {
	letters := strings.TrimRight(code, "0123456789")
	for _, prefix := range []string{code[:min(len(code), len(letters)+1)], letters} {
		if name := pluginNames[prefix]; name != "" {
			return name
		}
	}
	return ""
}

// versionText has the form of flake8's: its version, its plugins, and the Python.
// codelinter is listed among the plugins.
func versionText(s *settings) string {
	parts := []string{"codelinter: " + version.Version()}
	for _, plugin := range s.versions() {
		parts = append(parts, plugin[0]+": "+plugin[1])
	}
	return s.lint.Release.String() + " (" + strings.Join(parts, ", ") + ") CPython " + s.lint.Target.Release() + " on " + system()
}

// versions returns the plugins, flake8's own too, with their versions, ascending.
func (s *settings) versions() (all [][2]string) {
	for _, plugin := range version.Plugins() {
		all = append(all, [2]string{plugin.String(), s.lint.Release.Version(plugin)})
	}
	if s.plugins != nil {
		for _, plugin := range s.plugins.List() {
			if plugin.Package != "local" && !plugin.Off {
				all = append(all, [2]string{plugin.Package, plugin.Version})
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0]+": "+a[1], b[0]+": "+b[1]) })
	return slices.Compact(all)
}

// system names the operating system as Python does.
func system() string { return strings.ToUpper(runtime.GOOS[:1]) + runtime.GOOS[1:] }

func bugReport(s *settings) string {
	o := &s.lint
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  \"platform\": {\n    \"python_implementation\": \"CPython\",\n"+
		"    \"python_version\": \"%s\",\n    \"system\": \"%s\"\n  },\n  \"plugins\": [\n", o.Target.Release(), system())
	fmt.Fprintf(&out, "    {\n      \"plugin\": \"codelinter\",\n      \"version\": \"%s\"\n    }", version.Version())
	for _, plugin := range s.versions() {
		fmt.Fprintf(&out, ",\n    {\n      \"plugin\": \"%s\",\n      \"version\": \"%s\"\n    }", plugin[0], plugin[1])
	}
	fmt.Fprintf(&out, "\n  ],\n  \"version\": \"%s\"\n}\n", o.Release)
	return out.String()
}

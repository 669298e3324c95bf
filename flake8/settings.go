package flake8

import (
	"encoding"
	"fmt"
	"slices"
	"strings"

	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// settings are the values of configuration files and the command line.
type settings struct {
	// Read in the first pass.
	verbose                          int
	outputFile                       string
	appendConfig                     []string
	config                           *string
	isolated                         bool
	tomlConfig                       *string
	enableExtensions, requirePlugins *string // nil: not given
	noWarnings                       bool
	allowInlineComments              bool
	pluginFolders, pluginFiles       []string

	quiet                            int
	color                            string
	count                            bool
	exclude, extendExclude, filename []string
	stdinDisplayName                 string
	format                           string
	perFileIgnores                   string
	lint                             lint.Options
	showSource, statistics, exitZero bool
	jobs                             int
	jobsText                         *string // of a configuration file, not yet read
	tee, benchmark, bugReport        bool
	extensions                       []string // to be enabled, which changes nothing: flake8's own are

	plugins       Plugins // nil: there are none
	pluginWhole   bool    // their findings include those of pycodestyle, pyflakes and mccabe
	pluginDecided bool    // only what is to be reported comes from them
	pluginFormats []string
	pluginOutput  []byte // what they printed before the first file

	paths      []string
	comparison comparison
	addNoqa    bool

	// typed and configured are the versions of the command line and of the configuration files.
	// resolve chooses among them.
	typed, configured versions

	// What the configuration files have that warnings are about.
	unknown   []string     // keys that no option has
	refused   []refusedKey // keys of ours whose values are not
	commented []commentedKey
}

// versions are a flake8 and a CPython to follow; zero for none that is named.
type versions struct {
	Release rule.Release
	Target  source.Version
}

// A commentedKey is an option whose value in a configuration file ends in what looks like a
// comment.
type commentedKey struct {
	option  *option
	comment string
}

// A refusedKey is a key of ours with a value that has no meaning here. Some other program has a key
// of that name, as black has target-version, so it is passed over, as flake8 does.
type refusedKey struct {
	key    string
	reason error
}

func newSettings() *settings {
	return &settings{
		color:            "auto",
		exclude:          defaultExclude,
		filename:         defaultFilename,
		stdinDisplayName: "stdin",
		format:           "default",
		lint:             lint.DefaultOptions(),
	}
}

// An outcome is the effect of an option that ends the command line at once,
// --help or --version, with the settings before it.
type outcome struct {
	settings *settings
	version  bool // not help
}

func (outcome) Error() string { return "asked for help or the version" }

func isOutcome(err error) bool {
	_, asked := err.(outcome)
	return asked
}

// resolve chooses the versions to follow. Those of the command line are first. Those of a
// configuration file fill in what it leaves open, if they go together with what is chosen.
func (s *settings) resolve() error {
	chosen := s.typed
	if _, _, err := rule.Resolve(chosen.Release, chosen.Target); err != nil {
		return badValue(releaseOption, "%v", err)
	}
	fill := func(o *option, more versions) {
		if _, _, err := rule.Resolve(more.Release, more.Target); err != nil {
			s.refuse(o.long(), err)
			return
		}
		chosen = more
	}
	if chosen.Release == 0 {
		fill(releaseOption, versions{s.configured.Release, chosen.Target})
	} else {
		s.forgive(releaseOption)
	}
	if chosen.Target == 0 {
		fill(targetOption, versions{chosen.Release, s.configured.Target})
	} else {
		s.forgive(targetOption)
	}
	s.lint.Release, s.lint.Target, _ = rule.Resolve(chosen.Release, chosen.Target)
	return nil
}

// refuse notes that a key of ours is passed over.
func (s *settings) refuse(key string, reason error) {
	s.refused = append(s.refused, refusedKey{key, reason})
}

// forgive forgets that an option's key was passed over: the command line has the option.
func (s *settings) forgive(o *option) {
	s.refused = slices.DeleteFunc(s.refused, func(r refusedKey) bool { return o.isKey(r.key) })
}

// options lists all options in flake8's order, which shows in help and where a
// prefix is ambiguous. Those of noqa comments and of new findings are last.
var options = slices.Concat(flake8Options, noqaOptions, newFindingsOptions())

var flake8Options = []*option{
	{
		names: []string{"-h", "--help"},
		help:  "show this help and exit",
		apply: func(s *settings, _ string) error { return outcome{settings: s} },
	},
	{
		names: []string{"-v", "--verbose"}, early: true,
		help:  "tell on stderr which files are read; twice: more",
		apply: func(s *settings, _ string) error { s.verbose++; return nil },
	},
	{
		names: []string{"--output-file"}, value: "OUTPUT_FILE", early: true,
		help:  "append the report to a file instead of printing it",
		apply: text(func(s *settings) *string { return &s.outputFile }),
	},
	{
		names: []string{"--append-config"}, value: "APPEND_CONFIG", early: true,
		help:  "read this configuration file after the others, so that it wins; may be repeated",
		apply: func(s *settings, value string) error { s.appendConfig = append(s.appendConfig, value); return nil },
	},
	{
		names: []string{"--config"}, value: "CONFIG", early: true,
		help:  "read this configuration file and look for no other",
		apply: optional(func(s *settings) **string { return &s.config }),
	},
	{
		names: []string{"--isolated"}, early: true,
		help:  "read no configuration file",
		apply: func(s *settings, _ string) error { s.isolated = true; return nil },
	},
	{
		names: []string{"--enable-extensions"}, value: "ENABLE_EXTENSIONS", early: true,
		help:  "plugins to turn on that are off by default; of flake8's own none is",
		apply: optional(func(s *settings) **string { return &s.enableExtensions }),
	},
	{
		names: []string{"--require-plugins"}, value: "REQUIRE_PLUGINS", early: true,
		help:  "fail unless these plugins are there: flake8, mccabe, pycodestyle and pyflakes always are",
		apply: optional(func(s *settings) **string { return &s.requirePlugins }),
	},
	{
		names: []string{"--toml-config"}, value: "TOML_CONFIG", early: true, own: true,
		help:  "read the table [tool.flake8] of this file, a pyproject.toml, and look for no other configuration",
		apply: optional(func(s *settings) **string { return &s.tomlConfig }),
	},
	ours(toggle("--no-warnings", "print no warnings, such as those about misspelt keys and about codes of plugins",
		func(s *settings) *bool { return &s.noWarnings })),
	ours(toggle("--allow-inline-comments", "in configuration files, take what follows a value after a blank and a # or ; for a comment",
		func(s *settings) *bool { return &s.allowInlineComments })),
	{
		names: []string{"--plugins"}, value: "FOLDER", early: true, own: true, plugins: true,
		help:  "run the flake8 plugins of a folder of wheels, or of a site-packages; may be repeated",
		apply: func(s *settings, value string) error { s.pluginFolders = append(s.pluginFolders, value); return nil },
	},
	{
		names: []string{"--plugin-files"}, value: "PATH", early: true, own: true, plugins: true,
		help:  "let plugins read this file or folder too; without it they can read the linted file alone; may be repeated",
		apply: func(s *settings, value string) error { s.pluginFiles = append(s.pluginFiles, value); return nil },
	},
	{
		names: []string{"--version"},
		help:  "show the version and exit",
		apply: func(s *settings, _ string) error { return outcome{s, true} },
	},
	{
		names: []string{"-q", "--quiet"},
		help:  "print only the names of files with findings; twice: nothing",
		apply: func(s *settings, _ string) error { s.quiet++; return nil },
		fromFile: func(s *settings, value, _ string) (err error) {
			s.quiet, err = configInt(value)
			return err
		},
	},
	{
		names: []string{"--color"}, value: "{auto,always,never}", choices: []string{"auto", "always", "never"},
		help:  "colours in the output; auto: on a terminal (default: auto)",
		apply: text(func(s *settings) *string { return &s.color }),
	},
	toggle("--count", "print the number of findings after all else", func(s *settings) *bool { return &s.count }),
	excluding("--exclude", "files and folders to leave out, separated by commas (default: "+strings.Join(defaultExclude, ", ")+")",
		func(s *settings) *[]string { return &s.exclude }),
	excluding("--extend-exclude", "files and folders to leave out too", func(s *settings) *[]string { return &s.extendExclude }),
	list("--filename", "patterns", "in folders, lint the files that match (default: *.py)",
		func(s *settings) *[]string { return &s.filename }),
	{
		names: []string{"--stdin-display-name"}, value: "STDIN_DISPLAY_NAME", hidden: true,
		help:  "name to report for standard input (default: stdin)",
		apply: text(func(s *settings) *string { return &s.stdinDisplayName }),
	},
	anywhere("--format", "format", "default, pylint, quiet-filename, quiet-nothing, or a template of %(path)s, %(row)d, %(col)d, %(code)s and %(text)s; "+
		"beyond flake8: "+strings.Join(documentNames(), ", ")+" (default: default)", func(s *settings, value, _ string) { s.format = value }),
	toggle("--hang-closing", "closing brackets are indented as the line before them", func(s *settings) *bool { return &s.lint.HangClosing }),
	list("--ignore", "errors", "do not report codes that begin with one of these (default: "+strings.Join(lint.DefaultIgnore(), ",")+")",
		func(s *settings) *[]string { return &s.lint.Ignore }),
	list("--extend-ignore", "errors", "add these to --ignore", func(s *settings) *[]string { return &s.lint.ExtendIgnore }),
	anywhere("--per-file-ignores", "PER_FILE_IGNORES", "codes not to report in the files that match: tests/*:E501,W6 setup.py:E402",
		func(s *settings, value, _ string) { s.perFileIgnores = value }),
	number("--max-line-length", "n", "most characters in a line (default: 79)", func(s *settings) *int { return &s.lint.MaxLineLength }),
	number("--max-doc-length", "n", "most characters in a line of a comment or docstring (default: any)",
		func(s *settings) *int { return &s.lint.MaxDocLength }),
	number("--indent-size", "n", "columns of one level of indentation (default: 4)", func(s *settings) *int { return &s.lint.IndentSize }),
	list("--select", "errors", "report only codes that begin with one of these", func(s *settings) *[]string { return &s.lint.Select }),
	list("--extend-select", "errors", "add these to --select", func(s *settings) *[]string { return &s.lint.ExtendSelect }),
	toggle("--disable-noqa", `report what "# noqa" silences too`, func(s *settings) *bool { return &s.lint.DisableNoqa }),
	toggle("--show-source", "print the line of each finding, and mark the column", func(s *settings) *bool { return &s.showSource }),
	{
		names: []string{"--no-show-source"},
		help:  "undo --show-source",
		apply: func(s *settings, _ string) error { s.showSource = false; return nil },
	},
	toggle("--statistics", "count the findings of each code", func(s *settings) *bool { return &s.statistics }),
	typed(toggle("--exit-zero", "exit with 0 even if there are findings", func(s *settings) *bool { return &s.exitZero })),
	{
		names: []string{"-j", "--jobs"}, value: "JOBS",
		help: "files to lint at once, or auto: one for each processor (default: auto)",
		apply: func(s *settings, value string) (err error) {
			s.jobsText = nil
			s.jobs, err = parseJobs(value)
			return err
		},
		fromFile: func(s *settings, value, _ string) error { s.jobsText = &value; return nil },
	},
	toggle("--tee", "with --output-file, print the report as well", func(s *settings) *bool { return &s.tee }),
	typed(toggle("--benchmark", "print how long it took, and for how much", func(s *settings) *bool { return &s.benchmark })),
	typed(toggle("--bug-report", "print what a bug report should hold, as JSON", func(s *settings) *bool { return &s.bugReport })),
	releaseOption, targetOption,
	inGroup("mccabe", number("--max-complexity", "MAX_COMPLEXITY", "highest McCabe complexity of a function; turns C901 on",
		func(s *settings) *int { return &s.lint.MaxComplexity })),
	inGroup("pyflakes", list("--builtins", "BUILTINS", "names to take for built-ins, separated by commas",
		func(s *settings) *[]string { return &s.lint.Builtins })),
	inGroup("pyflakes", toggle("--doctests", "lint the examples in docstrings too", func(s *settings) *bool { return &s.lint.Doctests })),
}

// releaseOption is the one that an error about a pair of versions is of.
var releaseOption = versionOption("--flake8-version", "FLAKE8_VERSION", "flake8 to follow: "+strings.Join(texts(rule.Releases()), ", ")+
	" (default: "+rule.Release(0).String()+", or the newest that the CPython followed can have)",
	func(v *versions) encoding.TextUnmarshaler { return &v.Release })

var targetOption = versionOption("--target-version", "TARGET_VERSION", "CPython to follow: "+strings.Join(texts(source.Versions()), ", ")+
	" (default: "+rule.Release(0).Features().Newest.String()+", the newest that the flake8 followed knows)",
	func(v *versions) encoding.TextUnmarshaler { return &v.Target })

// versionOption is an option that names a version.
func versionOption(name, value, help string, field func(*versions) encoding.TextUnmarshaler) *option {
	return &option{
		names: []string{name}, value: value, own: true, help: help,
		apply:    func(s *settings, value string) error { return field(&s.typed).UnmarshalText([]byte(value)) },
		fromFile: func(s *settings, value, _ string) error { return field(&s.configured).UnmarshalText([]byte(value)) },
	}
}

// ours is an option of the first pass that flake8 does not have.
func ours(o *option) *option { o.early, o.own = true, true; return o }

func texts[V fmt.Stringer](versions []V) []string {
	var all []string
	for _, v := range versions {
		all = append(all, v.String())
	}
	return all
}

func inGroup(group string, o *option) *option { o.group = group; return o }

func toggle(name, help string, field func(*settings) *bool) *option {
	return &option{
		names: []string{name}, help: help,
		apply: func(s *settings, _ string) error { *field(s) = true; return nil },
		fromFile: func(s *settings, value, _ string) (err error) {
			*field(s), err = configBool(value)
			return err
		},
	}
}

// typed is an option of the command line alone.
func typed(o *option) *option { o.fromFile = nil; return o }

// list is an option with a list, separated by commas and blanks.
func list(name, value, help string, field func(*settings) *[]string) *option {
	o := anywhere(name, value, help, func(s *settings, value, _ string) { *field(s) = parseList(value) })
	o.fromList = func(s *settings, items []string, _ string) { *field(s) = slices.Clone(items) }
	return o
}

// excluding is an option with a list of patterns, which are paths from a folder on.
func excluding(name, help string, field func(*settings) *[]string) *option {
	o := anywhere(name, "patterns", help, func(s *settings, value, folder string) { *field(s) = normalizePaths(parseList(value), folder) })
	o.fromList = func(s *settings, items []string, folder string) {
		*field(s) = normalizePaths(slices.Clone(items), folder)
	}
	return o
}

// anywhere is an option whose value means the same on the command line and in a configuration file.
// Its paths are relative to the folder of the latter, or to the working folder.
func anywhere(name, value, help string, set func(s *settings, value, folder string)) *option {
	return &option{
		names: []string{name}, value: value, help: help,
		apply:    func(s *settings, value string) error { set(s, value, "."); return nil },
		fromFile: func(s *settings, value, folder string) error { set(s, value, folder); return nil },
	}
}

func number(name, value, help string, field func(*settings) *int) *option {
	return &option{
		names: []string{name}, value: value, help: help,
		apply: func(s *settings, value string) (err error) {
			*field(s), err = parseInt(value)
			return err
		},
		fromFile: func(s *settings, value, _ string) (err error) {
			*field(s), err = configInt(value)
			return err
		},
	}
}

func text(field func(*settings) *string) func(*settings, string) error {
	return func(s *settings, value string) error { *field(s) = value; return nil }
}

func optional(field func(*settings) **string) func(*settings, string) error {
	return func(s *settings, value string) error { *field(s) = &value; return nil }
}

// configInt reads a number of a configuration file.
func configInt(value string) (int, error) {
	number, err := parseInt(value)
	if err != nil {
		return 0, fmt.Errorf("invalid literal for int() with base 10: %s", pythonRepr(value))
	}
	return number, nil
}

// configBool reads a yes or no of a configuration file.
func configBool(value string) (bool, error) {
	switch strings.ToLower(value) {
	case "1", "yes", "true", "on":
		return true, nil
	case "0", "no", "false", "off":
		return false, nil
	}
	return false, fmt.Errorf("Not a boolean: %s", value) //lint:ignore ST1005 Python's words
}

// knownOptions returns the options. plugins says that there can be plugins.
func knownOptions(plugins bool) []*option {
	return slices.DeleteFunc(slices.Clone(options), func(o *option) bool { return o.plugins && !plugins })
}

// earlyOptions returns the options of the first pass.
func earlyOptions(plugins bool) []*option {
	return slices.DeleteFunc(knownOptions(plugins), func(o *option) bool { return !o.early })
}

// OptionNames returns the long options and their help, for a shell's completion.
func OptionNames() (names, help []string) {
	for _, o := range options {
		names = append(names, "--"+o.long())
		help = append(help, o.help)
	}
	return names, help
}

// OptionChoices returns the values that the option of that name can have, for
// one that takes a list of codes every code; nil if there are too many to list.
func OptionChoices(name string) (choices []string, takesValue bool) {
	a := arguments{options: options}
	o := a.find(name)
	switch {
	case o == nil || !o.takesValue():
		return nil, false
	case name == "--format":
		return formatNames(), true
	case name == "--flake8-version":
		return texts(rule.Releases()), true
	case name == "--target-version":
		return texts(source.Versions()), true
	case name == "--jobs" || name == "-j":
		return []string{"auto", "1"}, true
	case o.value == "errors":
		first, end := rule.Span("")
		for code := rule.Code(first); code < rule.Code(end); code++ {
			choices = append(choices, code.String())
		}
		return choices, true
	}
	return slices.Clone(o.choices), true
}

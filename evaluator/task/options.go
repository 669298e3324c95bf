package task

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"codelinter/internal/python/pyjson"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// Options are flake8's options for making and scoring a task. A task has those that differ from
// the defaults under meta.options, by flake8's names:
//
//	"options": {"max-complexity": 5, "ignore": ["W503"]}
//
// nil and the zero Options are flake8's defaults, and so are the benchmark's own tasks. Options
// are immutable.
type Options struct {
	options       *lint.Options // nil: the defaults
	plugins       []Plugin      // by name
	pluginOptions map[string]string
}

// NewOptions returns the options of a task. The error is that of [lint.New], or names an invalid
// prefix of codes.
func NewOptions(options lint.Options) (*Options, error) {
	options = options.WithDefaults()
	for _, field := range fields {
		list, is := field.of(&options).(*[]string)
		if !is || field.name == "builtins" {
			continue
		}
		for _, prefix := range *list {
			if !lint.IsCodePrefix(prefix) {
				return nil, fmt.Errorf("%s: expected a code or how codes begin, found %q", field.name, prefix)
			}
		}
	}
	if _, err := lint.New(options); err != nil {
		return nil, err
	}
	return &Options{options: &options}, nil
}

type field struct {
	name string
	of   func(*lint.Options) any // a pointer to it: *[]string, *int, *bool or a version's
}

// fields has flake8's names for the fields of [lint.Options], in the order in which they are
// written.
var fields = [...]field{
	{"select", func(o *lint.Options) any { return &o.Select }},
	{"ignore", func(o *lint.Options) any { return &o.Ignore }},
	{"extend-select", func(o *lint.Options) any { return &o.ExtendSelect }},
	{"extend-ignore", func(o *lint.Options) any { return &o.ExtendIgnore }},
	{"max-line-length", func(o *lint.Options) any { return &o.MaxLineLength }},
	{"max-doc-length", func(o *lint.Options) any { return &o.MaxDocLength }},
	{"indent-size", func(o *lint.Options) any { return &o.IndentSize }},
	{"hang-closing", func(o *lint.Options) any { return &o.HangClosing }},
	{"max-complexity", func(o *lint.Options) any { return &o.MaxComplexity }},
	{"builtins", func(o *lint.Options) any { return &o.Builtins }},
	{"doctests", func(o *lint.Options) any { return &o.Doctests }},
	{"disable-noqa", func(o *lint.Options) any { return &o.DisableNoqa }},
	{"flake8-version", func(o *lint.Options) any { return &o.Release }},
	{"target-version", func(o *lint.Options) any { return &o.Target }},
}

// OptionNames returns the names of all options: those of flake8's command line, without dashes,
// and ours, "flake8-version", "target-version", "plugins" and "plugin-options".
func OptionNames() []string {
	names := make([]string, len(fields), len(fields)+2)
	for i := range fields {
		names[i] = fields[i].name
	}
	return append(names, pluginsName, pluginOptionsName)
}

// Lint returns the options for the linter. Their lists must not be changed.
func (s *Options) Lint() lint.Options {
	if s == nil || s.options == nil {
		return lint.DefaultOptions()
	}
	return *s.options
}

// Under returns the options for the linter. flake8 and python are the caller's choice, resolved by
// [rule.Resolve], or both zero for the defaults. They hold for a task that names neither. A task
// that names one of the two gets the other that goes with it.
func (s *Options) Under(flake8 rule.Release, python source.Version) lint.Options {
	o := s.Lint()
	if !s.NamesVersions() {
		o.Release, o.Target = flake8, python
	}
	if len(s.Plugins()) > 0 {
		if !s.NamesVersions() {
			o.Release, o.Target = 0, 0
		}
		o.Target = cmp.Or(o.Target, PluginTarget)
	}
	return o
}

// Pinned returns the options with explicit versions: those of [Options.Under], resolved. The error
// is that of [rule.Resolve].
func (s *Options) Pinned(flake8 rule.Release, python source.Version) (_ *Options, err error) {
	o := s.Under(flake8, python)
	if o.Release, o.Target, err = rule.Resolve(o.Release, o.Target); err != nil {
		return nil, err
	}
	pinned, err := NewOptions(o)
	if err == nil && s != nil {
		pinned.plugins, pinned.pluginOptions = s.plugins, s.pluginOptions
	}
	return pinned, err
}

// Unpinned returns the options without versions, or nil if there are no others. Two tasks made by
// different releases of flake8, or of plugins, may agree in them.
func (s *Options) Unpinned() *Options {
	if s == nil || !s.NamesVersions() && len(s.plugins) == 0 {
		return s
	}
	o := s.Lint()
	o.Release, o.Target = 0, 0
	unpinned := &Options{options: &o, plugins: slices.Clone(s.plugins), pluginOptions: s.pluginOptions}
	for i := range unpinned.plugins {
		unpinned.plugins[i].Version = ""
	}
	if unpinned.String() != "" {
		return unpinned
	}
	return nil
}

// NamesVersions reports whether the options name a flake8 or a CPython.
func (s *Options) NamesVersions() bool {
	o := s.Lint()
	return o.Release != 0 || o.Target != 0
}

// Apply sets the options of linter, from its next file on, to those of [Options.Under].
func (s *Options) Apply(linter *lint.Linter, flake8 rule.Release, python source.Version) {
	if err := linter.SetOptions(s.Under(flake8, python)); err != nil {
		panic(err) // NewOptions has checked them
	}
}

// Reference names the flake8 and the CPython that [Options.Under] chooses, and the plugins: "flake8
// 7.5.0 on CPython 3.15.2", "flake8 7.5.0 on CPython 3.13.5 with flake8-bugbear==24.12.12".
func (s *Options) Reference(flake8 rule.Release, python source.Version) string {
	o := s.Under(flake8, python)
	flake8, python, err := rule.Resolve(o.Release, o.Target)
	if err != nil {
		panic(err) // NewOptions has checked them
	}
	reference := rule.Reference(flake8, python)
	if plugins := s.Plugins(); len(plugins) > 0 {
		reference += " with " + joined(plugins)
	}
	return reference
}

// isDefault reports whether the value of an option is the default one. An empty list differs from
// none if it replaces flake8's own. A version is never the default, as the default changes one day.
func isDefault(name string, value, standard any) bool {
	switch value := value.(type) {
	case *[]string:
		return *value == nil || len(*value) == 0 && name != "select" && name != "ignore"
	case *int:
		return *value == *standard.(*int)
	case *bool:
		return *value == *standard.(*bool)
	case *rule.Release:
		return *value == 0
	case *source.Version:
		return *value == 0
	}
	panic("an option of unknown type: " + name)
}

// MarshalJSON writes the options that are not the defaults, by flake8's names and in
// the order of [OptionNames].
func (s *Options) MarshalJSON() ([]byte, error) {
	options, standard := s.Lint(), lint.DefaultOptions()
	text := []byte{'{'}
	for _, field := range fields {
		value := field.of(&options)
		if isDefault(field.name, value, field.of(&standard)) {
			continue
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(strconv.AppendQuote(text, field.name), ':'), encoded...)
	}
	return append(s.appendPlugins(text), '}'), nil
}

// UnmarshalJSON reads an object of options. An unknown option is an error, as the task would
// otherwise be scored by other rules than its author's.
func (s *Options) UnmarshalJSON(data []byte) error {
	var named map[string]json.RawMessage
	if err := pyjson.Unmarshal(data, &named); err != nil {
		return mismatch("", err)
	}
	var read Options
	if err := read.readPlugins(named); err != nil {
		return err
	}
	options := lint.DefaultOptions()
	for _, name := range slices.Sorted(maps.Keys(named)) {
		known := slices.IndexFunc(fields[:], func(f field) bool { return f.name == name })
		if known < 0 {
			return fmt.Errorf("unknown option %q", name)
		}
		if !pyjson.Present(named[name]) { // null
			continue
		}
		if err := json.Unmarshal(named[name], fields[known].of(&options)); err != nil {
			return mismatch(name+": ", err)
		}
	}
	settings, err := NewOptions(options)
	if err != nil {
		return err
	}
	read.options = settings.options
	if err := read.checkPlugins(); err != nil {
		return err
	}
	*s = read
	return nil
}

// mismatch describes a value of the wrong type, in the words of this module.
func mismatch(place string, err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return errors.New(place + pyjson.Mismatch(kind))
	}
	return fmt.Errorf("%s%w", place, err)
}

// String returns the options that are not the defaults as on flake8's command line:
// "--ignore=W503 --max-complexity=5".
func (s *Options) String() string {
	arguments := append(s.Arguments(), s.pluginArguments()...)
	slices.Sort(arguments)
	return strings.Join(arguments, " ")
}

// Arguments returns the options that are not the defaults as on flake8's command line, but for
// those that are about plugins.
func (s *Options) Arguments() []string {
	options, standard := s.Lint(), lint.DefaultOptions()
	var arguments []string
	for _, field := range fields {
		value := field.of(&options)
		if isDefault(field.name, value, field.of(&standard)) {
			continue
		}
		argument := "--" + field.name
		switch value := value.(type) {
		case *[]string:
			argument += "=" + strings.Join(*value, ",")
		case *int:
			argument += "=" + strconv.Itoa(*value)
		case fmt.Stringer: // a version
			argument += "=" + value.String()
		}
		arguments = append(arguments, argument)
	}
	return arguments
}

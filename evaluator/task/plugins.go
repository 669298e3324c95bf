package task

import (
	"cmp"
	"context"
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

// A task may name plugins of flake8, which check its answers as well, and their options:
//
//	"options": {"plugins": {"flake8-bugbear": "24.12.12"}, "plugin-options": {"max-annotations-complexity": 3}}
//
// Such a task follows flake8 7.5.0 on CPython 3.13, by which plugins run, unless it names another
// CPython.

// A Plugin is a package with plugins of flake8, as the package index names it.
type Plugin struct {
	Name    string
	Version string
}

// String returns the plugin as pip names it: "flake8-bugbear==24.12.12".
func (p Plugin) String() string { return p.Name + "==" + p.Version }

// joined lists plugins.
func joined(plugins []Plugin) string {
	names := make([]string, len(plugins))
	for i := range plugins {
		names[i] = plugins[i].String()
	}
	return strings.Join(names, ", ")
}

// PluginTarget is the CPython that runs plugins.
const PluginTarget = source.Python313

// Plugins runs the plugins that tasks name. Package internal/plugins has one. It is safe for
// concurrent use.
type Plugins interface {
	// Of returns what checks code under options that name plugins. An error says which of them
	// are not there, or do not work.
	Of(ctx context.Context, o *Options) (PluginChecker, error)
}

// A PluginChecker runs plugins under a task's options. It is safe for concurrent use.
type PluginChecker interface {
	// Options returns the options for the linter as the plugins have changed them.
	Options(o lint.Options) lint.Options
	// Check returns what plugins find in code. It depends on nothing that was checked before.
	Check(ctx context.Context, code []byte) (lint.ForeignFindings, error)
}

// Plugins returns the plugins that the options name, by name. The list must not be changed.
func (s *Options) Plugins() []Plugin {
	if s == nil {
		return nil
	}
	return s.plugins
}

// PluginOptions returns the options of plugins, as a configuration file has them. The map must not
// be changed.
func (s *Options) PluginOptions() map[string]string {
	if s == nil {
		return nil
	}
	return s.pluginOptions
}

// WithPlugins returns the options with these plugins.
func (s *Options) WithPlugins(plugins []Plugin) (*Options, error) {
	with := Options{plugins: slices.Clone(plugins)}
	if s != nil {
		with.options, with.pluginOptions = s.options, s.pluginOptions
	}
	slices.SortFunc(with.plugins, func(a, b Plugin) int { return cmp.Compare(a.Name, b.Name) })
	return &with, with.checkPlugins()
}

// checkPlugins returns an error if the options name plugins or their options wrongly.
func (s *Options) checkPlugins() error {
	for _, p := range s.plugins {
		if p.Name == "" || p.Version == "" || strings.ContainsFunc(p.Name+p.Version, func(r rune) bool { return r <= ' ' || r == '=' || r == ',' || r > '~' }) {
			return fmt.Errorf("plugins: expected names of packages with their versions, found %q", p.String())
		}
	}
	if len(s.plugins) == 0 {
		if len(s.pluginOptions) > 0 {
			return errors.New(`plugin-options: expected "plugins" beside them`)
		}
		return nil
	}
	releases := rule.Releases()
	if o, newest := s.Lint(), releases[len(releases)-1]; o.Release != 0 && o.Release != newest {
		return fmt.Errorf("flake8-version: plugins run by %v only", newest)
	}
	return nil
}

// readPlugins reads the options that are about plugins, and removes them from named.
func (s *Options) readPlugins(named map[string]json.RawMessage) error {
	if text := named[pluginsName]; pyjson.Present(text) {
		var versions map[string]string
		if err := pyjson.Unmarshal(text, &versions); err != nil {
			return mismatch(pluginsName+": ", err)
		}
		for _, name := range slices.Sorted(maps.Keys(versions)) {
			s.plugins = append(s.plugins, Plugin{name, versions[name]})
		}
	}
	if text := named[pluginOptionsName]; pyjson.Present(text) {
		var values map[string]json.RawMessage
		if err := pyjson.Unmarshal(text, &values); err != nil {
			return mismatch(pluginOptionsName+": ", err)
		}
		for name, value := range values {
			text, err := configured(value)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", pluginOptionsName, name, err)
			}
			if s.pluginOptions == nil {
				s.pluginOptions = map[string]string{}
			}
			s.pluginOptions[strings.ReplaceAll(name, "_", "-")] = text
		}
	}
	delete(named, pluginsName)
	delete(named, pluginOptionsName)
	return nil
}

const (
	pluginsName       = "plugins"
	pluginOptionsName = "plugin-options"
)

// configured returns a value as a configuration file has it.
func configured(value json.RawMessage) (string, error) {
	var list []string
	switch kind := pyjson.Kind(value); {
	case kind == "a text":
		text, _ := pyjson.Unquote(value)
		return text, nil
	case kind == "a list" && json.Unmarshal(value, &list) == nil:
		return strings.Join(list, ","), nil
	case kind == "a number" || kind == "true or false":
		return string(value), nil
	default:
		return "", fmt.Errorf("expected a text, a number, true, false or a list of texts, found %s", kind)
	}
}

// appendPlugins appends the options that are about plugins to an object of JSON that has begun.
func (s *Options) appendPlugins(text []byte) []byte {
	object := func(name string, keys []string, value func(i int) string) {
		if len(keys) == 0 {
			return
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(strconv.AppendQuote(text, name), ":{"...)
		for i, key := range keys {
			if i > 0 {
				text = append(text, ',')
			}
			text = pyjson.AppendQuoted(append(pyjson.AppendQuoted(text, key), ':'), value(i))
		}
		text = append(text, '}')
	}
	plugins := s.Plugins()
	names := make([]string, len(plugins))
	for i, p := range plugins {
		names[i] = p.Name
	}
	object(pluginsName, names, func(i int) string { return plugins[i].Version })
	values := s.PluginOptions()
	keys := slices.Sorted(maps.Keys(values))
	object(pluginOptionsName, keys, func(i int) string { return values[keys[i]] })
	return text
}

// pluginArguments returns the options that are about plugins as on a command line.
func (s *Options) pluginArguments() (arguments []string) {
	for _, p := range s.Plugins() {
		arguments = append(arguments, "--plugins="+p.String())
	}
	for name, value := range s.PluginOptions() {
		arguments = append(arguments, "--"+name+"="+value)
	}
	return arguments
}

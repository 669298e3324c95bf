package plugins

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"codelinter/evaluator/task"
	"codelinter/flake8"
	"codelinter/lint"
	"codelinter/sandbox"
)

// programName is the file by which the plugins of tasks see a program or an answer. It is no
// module of the standard library, as some plugins object to those.
const programName = "answer.py"

// maxOpen bounds the configurations of plugins that have interpreters. Each has up to one for each
// worker, of 40 to 80 MB.
const maxOpen = 4

// A Set has the plugins of folders for tasks, whose options name those that they want. Which of
// them run, and under which options, is the task's to say. It is safe for concurrent use, and
// implements [task.Plugins].
type Set struct {
	site    *site
	found   map[string]string // version of each package, by its normalized name
	names   []string          // of packages with plugins, as they spell them
	folders []string
	workers int
	notice  func(string)

	mu     sync.Mutex
	loaded map[string]*Loaded // by the names of packages
	open   []*checker         // those used last come last
	closed bool
}

// SetOptions configure a [Set].
type SetOptions struct {
	Workers int          // that check at once; 0: one a core
	Notice  func(string) // is called before something that takes long; may be nil
}

// NewSet imports the plugins of folders.
func NewSet(ctx context.Context, folders []string, o SetOptions) (*Set, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	absolute := make([]string, len(folders)) // as they are read later, too
	for i, folder := range folders {
		var err error
		if absolute[i], err = filepath.Abs(folder); err != nil {
			return nil, err
		}
	}
	found, err := findSite(absolute)
	if err != nil {
		return nil, err
	}
	s := &Set{site: found, folders: folders, workers: o.Workers, notice: o.Notice, found: map[string]string{}, loaded: map[string]*Loaded{}}
	all, err := s.load(ctx, nil, "")
	if err != nil {
		return nil, err
	}
	for _, plugin := range all.List() {
		name := normalized(plugin.Package)
		if _, known := s.found[name]; !known && !IsOwn(name) {
			s.found[name], s.names = plugin.Version, append(s.names, plugin.Package)
		}
	}
	return s, nil
}

// All returns all plugins of the set, for options that name none.
func (s *Set) All() (all []task.Plugin) {
	for _, name := range s.names {
		all = append(all, task.Plugin{Name: normalized(name), Version: s.found[normalized(name)]})
	}
	return all
}

// check returns an error that names a plugin that is not there in its version.
func (s *Set) check(named []task.Plugin) error {
	for _, p := range named {
		version, known := s.found[normalized(p.Name)]
		switch {
		case !known:
			return fmt.Errorf("expected the plugin %v in %s, found %s", p, strings.Join(s.folders, " and "), strings.Join(s.names, ", "))
		case p.Version != version:
			return fmt.Errorf("expected the plugin %v in %s, found %s", p, strings.Join(s.folders, " and "), version)
		}
	}
	return nil
}

// enableOption is the option of flake8 that names plugins to turn on which are off by default.
const enableOption = "enable-extensions"

// load imports the plugins of packages, or all, with those turned on that enabled lists. s.mu is
// held.
func (s *Set) load(ctx context.Context, packages []string, enabled string) (*Loaded, error) {
	if len(packages) == len(s.found) {
		packages = nil
	}
	key := strings.Join(packages, ",") + "\x00" + enabled
	if known := s.loaded[key]; known != nil {
		return known, nil
	}
	made, err := open(ctx, flake8.PluginFolders{Folders: s.folders, Enable: strings.Split(enabled, ","), Notice: s.notice}, s.site, sandbox.Folder, packages)
	if err != nil {
		return nil, err
	}
	s.loaded[key] = made
	return made, nil
}

// Of returns what checks code under options that name plugins. See [task.Plugins].
func (s *Set) Of(ctx context.Context, o *task.Options) (task.PluginChecker, error) {
	if err := s.check(o.Plugins()); err != nil {
		return nil, err
	}
	var packages []string
	for _, p := range o.Plugins() {
		packages = append(packages, normalized(p.Name))
	}
	slices.Sort(packages)
	c := &checker{set: s, packages: packages, enabled: o.PluginOptions()[enableOption], configuration: flake8.PluginConfiguration{
		Args: o.Unpinned().Arguments(), Config: map[string]string{}, ConfigFolder: sandbox.Folder,
	}}
	maps.Copy(c.configuration.Config, o.PluginOptions())
	delete(c.configuration.Config, enableOption)
	c.key = fmt.Sprintf("%q %q %q %q", packages, c.enabled, c.configuration.Args, c.configuration.Config) // maps are printed in order
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened(ctx, c)
}

// opened returns the checker of a key, which may be wanted. s.mu is held.
func (s *Set) opened(ctx context.Context, wanted *checker) (*checker, error) {
	if s.closed {
		return nil, errors.New("the plugins are closed")
	}
	if i := slices.IndexFunc(s.open, func(c *checker) bool { return c.key == wanted.key }); i >= 0 {
		known := s.open[i]
		s.open = append(slices.Delete(s.open, i, i+1), known)
		return known, nil
	}
	loaded, err := s.load(ctx, wanted.packages, wanted.enabled)
	if err != nil {
		return nil, err
	}
	if err := loaded.checkOptions(wanted.configuration.Config); err != nil {
		return nil, err
	}
	if wanted.configured, err = loaded.configure(ctx, wanted.configuration); err != nil {
		return nil, err
	}
	if wanted.pool, err = wanted.saved.Resume(s.workers); err != nil {
		wanted.saved.Close()
		return nil, err
	}
	s.open = append(s.open, wanted)
	s.trim()
	return wanted, nil
}

// trim closes checkers beyond maxOpen that nobody uses, but not the last one. s.mu is held.
func (s *Set) trim() {
	for len(s.open) > maxOpen {
		idle := slices.IndexFunc(s.open[:len(s.open)-1], func(c *checker) bool { return c.users == 0 })
		if idle < 0 {
			return
		}
		s.open[idle].close()
		s.open = slices.Delete(s.open, idle, idle+1)
	}
}

// checkOptions returns an error if a configuration has options that no plugin has.
func (l *Loaded) checkOptions(config map[string]string) error {
	known := []string{enableOption}
	for _, o := range l.options {
		if o.Config != "" {
			known = append(known, strings.ReplaceAll(o.Config, "_", "-"))
		}
	}
	slices.Sort(known)
	for _, name := range slices.Sorted(maps.Keys(config)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("plugin-options: expected one of %s, found %q", strings.Join(known, ", "), name)
		}
	}
	return nil
}

// Close ends the plugins. Nothing may be checked any more.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for _, c := range s.open {
		errs = append(errs, c.close())
	}
	for _, l := range s.loaded {
		errs = append(errs, l.Close())
	}
	s.open, s.loaded = nil, nil
	return errors.Join(errs...)
}

// A checker is plugins under options.
type checker struct {
	set           *Set
	key           string
	packages      []string
	enabled       string
	configuration flake8.PluginConfiguration
	users         int // that check now; by set.mu

	*configured
	pool *sandbox.Pool
}

func (c *checker) close() error { return errors.Join(c.pool.Close(), c.saved.Close()) }

// Options returns the options as the plugins have changed them.
func (c *checker) Options(o lint.Options) lint.Options {
	c.settings.Values.Adopt(&o)
	return o
}

// Check checks code with a fresh copy of the plugins.
func (c *checker) Check(ctx context.Context, code []byte) (found lint.ForeignFindings, err error) {
	current, err := c.enter(ctx)
	if err != nil {
		return found, err
	}
	defer current.leave()
	result, _ := current.check(ctx, current.pool, flake8.PluginFile{Name: programName, Data: code}, true)
	if result.Err == nil && result.Failed != "" {
		result.Err = errors.New(result.Failed)
	}
	return lint.ForeignFindings{Findings: result.Findings, Whole: c.settings.Whole, Decided: c.settings.Decided}, result.Err
}

// enter returns the open checker of the same key, which is not closed before leave.
func (c *checker) enter(ctx context.Context) (*checker, error) {
	c.set.mu.Lock()
	defer c.set.mu.Unlock()
	current, err := c.set.opened(ctx, &checker{set: c.set, key: c.key, packages: c.packages, enabled: c.enabled, configuration: c.configuration})
	if err == nil {
		current.users++
	}
	return current, err
}

func (c *checker) leave() {
	c.set.mu.Lock()
	defer c.set.mu.Unlock()
	c.users--
	c.set.trim()
}

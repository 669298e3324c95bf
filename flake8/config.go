package flake8

import (
	"cmp"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"codelinter/lint"
)

// An executionError is one that flake8 itself reports, on standard output.
type executionError struct{ text string }

func (e *executionError) Error() string { return e.text }

// candidates are the configuration files that flake8 looks for in a folder, in
// this order.
var candidates = []string{"setup.cfg", "tox.ini", ".flake8"}

// workingFolder returns the current folder without links, as Python does.
// os.Getwd would believe $PWD, and absolute patterns would not match.
func workingFolder() (string, error) { return syscall.Getwd() }

// findConfig returns the first configuration file with a section for flake8, in folder or in a
// folder above it, or "" if there is none. It does not search the user's home and the folders
// above, unless it began there.
func findConfig(folder string) (string, error) {
	here, err := os.Stat(folder)
	if err != nil {
		return "", err
	}
	home, err := os.Stat(homeFolder())
	if err != nil {
		home = nil
	}
	for {
		for _, candidate := range candidates {
			name := join(folder, candidate)
			c := configuration{}
			if _, err := c.read(name); err != nil {
				if broken, ok := err.(*configError); ok && broken.unparseable {
					continue
				}
				return "", err
			}
			if c["flake8"] != nil || c["flake8:local-plugins"] != nil {
				return name, nil
			}
		}
		folder = filepath.Dir(folder)
		above, err := os.Stat(folder)
		if err != nil {
			return "", err
		}
		if os.SameFile(above, here) || home != nil && os.SameFile(above, home) {
			return "", nil
		}
		here = above
	}
}

// homeFolder returns the folder that ~ stands for.
func homeFolder() string {
	if windows {
		home, _ := os.UserHomeDir() // which is what USERPROFILE says
		return home
	}
	if home, found := os.LookupEnv("HOME"); found {
		if home = strings.TrimRight(home, "/"); home == "" {
			return "/"
		}
		return home
	}
	if user, err := user.Current(); err == nil {
		return user.HomeDir
	}
	return ""
}

// loadConfig reads the configuration files that the first pass over the command line asks
// for. Relative paths in them are relative to folder, the folder of the first file. names
// are the files read.
//
// If findsTOML is set, a table [tool.flake8] in the pyproject.toml of the working folder takes the
// place of the files that flake8 looks for, as with the plugin Flake8-pyproject. Unlike there,
// files that the command line names win.
func (s *settings) loadConfig(findsTOML bool) (c configuration, folder string, names []string, err error) {
	c = configuration{}
	if folder, err = workingFolder(); err != nil || s.isolated {
		return c, folder, nil, err
	}
	project, err := s.loadTOML(c, findsTOML)
	if err != nil {
		return c, folder, names, err
	}
	var inis []string
	if project != "" {
		names = append(names, project)
		folder = filepath.Dir(project)
	}
	if s.config != nil {
		inis = append(inis, *s.config)
	} else if project == "" {
		name, err := findConfig(folder)
		if err != nil {
			return c, folder, names, err
		}
		if name != "" {
			inis = append(inis, name)
		}
	}
	if len(inis) > 0 {
		folder = filepath.Dir(inis[0])
	}
	for _, name := range append(inis, s.appendConfig...) {
		names = append(names, name)
		found, err := c.read(name)
		if err != nil {
			return c, folder, names, err
		}
		if !found {
			return c, folder, names, &executionError{"The specified config file does not exist: " + name}
		}
	}
	if s.allowInlineComments || c.allowsInlineComments() {
		for _, section := range c {
			section.dropComments()
		}
	}
	return c, folder, names, nil
}

// allowsInlineComments reports whether the section for flake8 says that comments may follow values.
// applyConfig judges the key; here a value without a meaning is a no.
func (c configuration) allowsInlineComments() bool {
	values := c.section("flake8").values
	yes, err := configBool(cmp.Or(values["allow-inline-comments"], values["allow_inline_comments"]))
	return err == nil && yes
}

// loadTOML reads the TOML file that the command line names, or the one that is found. It returns
// its name, or "".
func (s *settings) loadTOML(c configuration, finds bool) (name string, err error) {
	const usual = "pyproject.toml"
	if s.tomlConfig != nil {
		found, err := c.readTOML(*s.tomlConfig, false)
		if err == nil && !found {
			err = fmt.Errorf("%s: there is no table [tool.flake8]", *s.tomlConfig)
		}
		return *s.tomlConfig, err
	}
	if !finds || s.config != nil {
		return "", nil
	}
	if info, err := os.Stat(usual); err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	if found, err := c.readTOML(usual, true); err != nil || !found {
		return "", err
	}
	return usual, nil
}

// applyConfig takes over the options of the section for flake8. Options that flake8 does not know
// are noted, and ignored as it does. So are ours with a value that has no meaning here: a
// configuration that flake8 accepts is never an error.
func (s *settings) applyConfig(c configuration, folder string) error {
	section := c.section("flake8")
	for _, key := range section.keys {
		o := configOption(key)
		if o == nil {
			s.unknown = append(s.unknown, key)
			continue
		}
		comment := section.comments[key]
		err := s.applyKey(o, section, key, folder)
		if err == nil {
			if comment != "" && key != "format" { // a template may have a #
				s.commented = append(s.commented, commentedKey{o, comment})
			}
			continue
		}
		if comment != "" {
			err = fmt.Errorf("%w; %s", err, aboutComment(comment))
		}
		if !o.own {
			return &configError{text: err.Error()}
		}
		s.refuse(key, err)
	}
	return nil
}

// applyKey takes over an option of a section.
func (s *settings) applyKey(o *option, section *section, key, folder string) error {
	value := section.values[key]
	items, isList := section.lists[key]
	if isList && o.fromList != nil {
		o.fromList(s, items, folder)
		return checkIgnored(key, items)
	}
	if err := o.fromFile(s, value, folder); err != nil {
		return err
	}
	return checkIgnored(key, parseList(value))
}

// checkIgnored returns flake8's error for a text in a list of codes to ignore that cannot be one.
// flake8 does not look at extend_ignore.
func checkIgnored(key string, codes []string) error {
	if key != "ignore" && key != "extend-ignore" {
		return nil
	}
	for _, code := range codes {
		if !lint.IsCodePrefix(code) {
			return fmt.Errorf("Error code %s supplied to %s option does not match '^[A-Z]{1,3}[0-9]{0,3}$'",
				pythonRepr(code), pythonRepr(key))
		}
	}
	return nil
}

// configOption returns the option that configuration files know by key, or nil.
func configOption(key string) *option {
	for _, o := range options {
		if o.isKey(key) {
			return o
		}
	}
	return nil
}

// checkPlugins reports required plugins that are missing, and local plugins, where no plugins
// but pycodestyle, pyflakes and mccabe can run.
func (s *settings) checkPlugins(c configuration) error {
	var expected, missing []string
	for _, name := range pluginList(c, "require_plugins", s.requirePlugins) {
		name = normalizePackage(name)
		expected = append(expected, name)
		if !slices.Contains([]string{"flake8", "mccabe", "pycodestyle", "pyflakes"}, name) {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		list := func(names []string) string {
			slices.Sort(names)
			return strings.Join(slices.Compact(names), ", ")
		}
		return &executionError{"required plugins were not installed!\n" +
			"- installed: flake8, mccabe, pycodestyle, pyflakes\n" +
			"- expected: " + list(expected) + "\n" +
			"- missing: " + list(missing)}
	}
	for _, kind := range []string{"extension", "report"} {
		value := c.section("flake8:local-plugins").values[kind]
		for plugin := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(",\t\n\r\f\v", r) }) {
			if plugin = strings.TrimSpace(plugin); plugin != "" {
				return fmt.Errorf("local plugin %q: only codelinter check runs plugins", plugin)
			}
		}
	}
	return nil
}

// pluginList returns a list of plugins from the command line, or else from the
// configuration, where the name may be written with underscores or dashes.
func pluginList(c configuration, key string, given *string) []string {
	if given != nil {
		return parseList(*given)
	}
	section := c.section("flake8")
	value, found := section.values[key]
	if !found {
		value = section.values[strings.ReplaceAll(key, "_", "-")]
	}
	return parseList(value)
}

// normalizePackage writes a package's name as the package index does.
func normalizePackage(name string) string {
	var normal []byte
	for i := range len(name) {
		if c := name[i]; !strings.ContainsRune("-_.", rune(c)) {
			normal = append(normal, c)
		} else if i == 0 || !strings.ContainsRune("-_.", rune(name[i-1])) {
			normal = append(normal, '-')
		}
	}
	return strings.ToLower(string(normal))
}

package flake8

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file reads command lines as Python's argparse does, with the habits that flake8's users rely
// on:
//
//	--max-line=100     a prefix that begins one option only
//	-qq -j4 -vj 4      short options stuck together, the value stuck to the last
//	--ignore E --count the value is the next argument, unless that is an option
//	a.py -q b.py       b.py is refused: files stand together
//
// flake8 parses twice. The first pass knows only the options that flake8 needs before its plugins
// are loaded (configuration files, plugins, verbosity), and removes these from the arguments.
// Prefixes mean only these options, so --e is --enable-extensions. The second pass parses the
// remaining arguments with all options. The first pass does not know which other options have
// values: in "--select -v" it takes the -v, and the second pass finds --select without a value.

// An option is one of the command line and, if configure is set, of the
// configuration files.
type option struct {
	names    []string // "-q", "--quiet"
	value    string   // the value's name in the help; "" for an option without a value
	choices  []string // the values there are; nil for any
	group    string   // heading in help; "" for the first
	help     string
	early    bool // known to the first pass too
	hidden   bool // what it says of a file is not for plugins, which are prepared for any file
	plugins  bool // is about plugins, which some programs cannot run
	own      bool // unknown to flake8; no prefix stands for it, so that flake8's stay unambiguous
	apply    func(s *settings, value string) error
	fromFile func(s *settings, value, folder string) error
	fromList func(s *settings, items []string, folder string) // of a TOML file; nil if a list is no value
}

func (o *option) takesValue() bool { return o.value != "" }

func (o *option) title() string { return strings.Join(o.names, "/") }

// long returns the option's name in configuration files.
func (o *option) long() string { return strings.TrimLeft(o.names[len(o.names)-1], "-") }

// isKey reports whether configuration files know the option by key: its long name, with underscores
// or dashes throughout.
func (o *option) isKey(key string) bool {
	return o.fromFile != nil && (key == o.long() || key == strings.ReplaceAll(o.long(), "-", "_"))
}

// A usageError is a command line that makes no sense.
type usageError struct {
	text  string
	early bool // of the first pass
}

func (e *usageError) Error() string { return e.text }

func usageErrorf(format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...)}
}

// badValue says that an option cannot be given so.
func badValue(o *option, format string, args ...any) error {
	return usageErrorf("argument %s: %s", o.title(), fmt.Sprintf(format, args...))
}

// A reading is one meaning of an argument: an option, and the value stuck to it.
type reading struct {
	option *option // nil if there is no such option
	name   string  // as it is spelled in full
	stuck  bool    // a value follows in the same argument
	equals bool    // after an =
	value  string
}

// arguments is one pass over a command line.
type arguments struct {
	options []*option // those the pass knows
	files   bool      // the pass takes arguments that are no options for files
	args    []string
	extras  []string // arguments that the pass has no use for
	taken   []string // arguments that are options, with their values; not those that are hidden
	paths   []string
	into    *settings
}

// parse applies the options to a.into.
func (a *arguments) parse() error {
	readings := make([][]reading, len(a.args)) // nil for an argument that is no option
	last := -1                                 // last option
	plain := len(a.args)                       // where "--" stands
	for i, arg := range a.args {
		if arg == "--" {
			plain = i
			break
		}
		if readings[i] = a.read(arg); readings[i] != nil {
			last = i
		}
	}
	wantFiles := a.files
	takeFiles := func(from, to int) {
		if !wantFiles {
			a.extras = append(a.extras, a.args[from:to]...)
			return
		}
		wantFiles = false
		for i := from; i < to; i++ {
			if i != plain {
				a.paths = append(a.paths, a.args[i])
			}
		}
	}
	at := 0
	for at <= last {
		next := at
		for readings[next] == nil {
			next++
		}
		if next > at {
			takeFiles(at, next)
			at = next
		}
		hasNext := at+1 < len(a.args) && at+1 < plain && readings[at+1] == nil
		used, err := a.option(readings[at], a.args[at:], hasNext)
		if err != nil {
			return err
		}
		if o := readings[at][0].option; o != nil && !o.hidden {
			a.taken = append(a.taken, a.args[at:at+used]...)
		}
		at += used
	}
	if at < len(a.args) {
		takeFiles(at, len(a.args))
	}
	return nil
}

// read returns the possible meanings of arg, nil if it is no option.
func (a *arguments) read(arg string) []reading {
	if len(arg) < 2 || arg[0] != '-' {
		return nil
	}
	if o := a.find(arg); o != nil {
		return []reading{{option: o, name: arg}}
	}
	prefix, value, equals := strings.Cut(arg, "=")
	if o := a.find(prefix); equals && o != nil {
		return []reading{{option: o, name: prefix, stuck: true, equals: true, value: value}}
	}
	var found []reading
	for _, o := range a.options {
		for _, name := range o.names {
			switch {
			case arg[1] != '-' && name == arg[:2]:
				found = append(found, reading{option: o, name: name, stuck: true, value: arg[2:]})
			case strings.HasPrefix(name, prefix) && !o.own:
				found = append(found, reading{option: o, name: name, stuck: equals, equals: equals, value: value})
			}
		}
	}
	switch {
	case found != nil:
		return found
	case looksNegative(arg), strings.Contains(arg, " "):
		return nil
	}
	return []reading{{}}
}

// looksNegative reports whether arg begins as a negative number does.
func looksNegative(arg string) bool {
	digits := strings.TrimPrefix(arg[1:], ".")
	return digits != "" && '0' <= digits[0] && digits[0] <= '9'
}

// find returns the option of that name, nil if there is none.
func (a *arguments) find(name string) *option {
	for _, o := range a.options {
		for _, known := range o.names {
			if known == name {
				return o
			}
		}
	}
	return nil
}

// option applies the option at args[0] and returns the number of arguments that it takes. readings
// are the option's possible meanings. hasNext says that args[1] may be its value.
func (a *arguments) option(readings []reading, args []string, hasNext bool) (used int, err error) {
	if len(readings) > 1 {
		var names []string
		for i := range readings {
			names = append(names, readings[i].name)
		}
		return 0, usageErrorf("ambiguous option: %s could match %s", args[0], strings.Join(names, ", "))
	}
	type step struct {
		option *option
		value  string
	}
	var steps []step
	used = 1
	for r, done := readings[0], false; !done; {
		switch {
		case r.option == nil:
			a.extras = append(a.extras, args[0])
			return 1, nil
		case r.option.takesValue() && r.stuck:
			steps = append(steps, step{r.option, r.value})
			done = true
		case r.option.takesValue() && !hasNext:
			return 0, badValue(r.option, "expected one argument")
		case r.option.takesValue():
			steps = append(steps, step{r.option, args[1]})
			used = 2
			done = true
		case !r.stuck:
			steps = append(steps, step{option: r.option})
			done = true
		case strings.HasPrefix(r.name, "--") || r.value == "" || r.equals || r.value[0] == '-':
			return 0, badValue(r.option, "ignored explicit argument %s", pythonRepr(r.value))
		default: // what is stuck to a short option without a value is the next one
			steps = append(steps, step{option: r.option})
			_, size := utf8.DecodeRuneInString(r.value)
			name, rest := "-"+r.value[:size], r.value[size:]
			if r.option = a.find(name); r.option == nil {
				a.extras = append(a.extras, "-"+r.value)
				done = true
				break
			}
			r.name, r.stuck, r.equals = name, rest != "", strings.HasPrefix(rest, "=")
			r.value = strings.TrimPrefix(rest, "=")
		}
	}
	for _, step := range steps {
		if err := a.apply(step.option, step.value); err != nil {
			return 0, err
		}
	}
	return used, nil
}

func (a *arguments) apply(o *option, value string) error {
	if o.choices != nil {
		var quoted []string
		for _, choice := range o.choices {
			if choice == value {
				return o.apply(a.into, value)
			}
			quoted = append(quoted, pythonRepr(choice))
		}
		return badValue(o, "invalid choice: %s (choose from %s)", pythonRepr(value), strings.Join(quoted, ", "))
	}
	if err := o.apply(a.into, value); err != nil {
		if isOutcome(err) {
			return err
		}
		return badValue(o, "%v", err)
	}
	return nil
}

package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"codelinter/internal/pyjson"
	"codelinter/lint"
	"codelinter/source"
)

// Options are those of flake8 that a task is made and scored under. In a task
// they stand under meta.options, by the names of flake8's own options; what is
// left out is as by default:
//
//	"options": {"max-complexity": 5, "ignore": ["W503"]}
//
// nil and the zero Options are flake8's defaults. The benchmark's tasks have no
// such field. Options are immutable.
type Options struct {
	options *lint.Options // nil: the defaults
}

// NewOptions returns the options of a task. The error is that of [lint.New], or names a
// prefix that is not one of codes.
func NewOptions(options lint.Options) (*Options, error) {
	for _, name := range lint.OptionNames() {
		list, is := options.Option(name).(*[]string)
		if !is || name == "builtins" {
			continue
		}
		for _, prefix := range *list {
			if !lint.IsCodePrefix(prefix) {
				return nil, fmt.Errorf("%s: expected a code or how codes begin, found %q", name, prefix)
			}
		}
	}
	if _, err := lint.New(options); err != nil {
		return nil, err
	}
	return &Options{&options}, nil
}

// Lint returns the options as the linter takes them. The lists in them must not be
// changed.
func (s *Options) Lint() lint.Options {
	if s == nil || s.options == nil {
		return lint.DefaultOptions()
	}
	return *s.options
}

// Apply sets the options of linter, from its next file on.
func (s *Options) Apply(linter *lint.Linter) {
	if err := linter.SetOptions(s.Lint()); err != nil {
		panic(err) // NewOptions has asked
	}
}

// isDefault reports whether the value of an option is the default one. An empty list
// differs from none if it replaces flake8's own.
func isDefault(name string, value, standard any) bool {
	switch value := value.(type) {
	case *[]string:
		return *value == nil || len(*value) == 0 && name != "select" && name != "ignore"
	case *int:
		return *value == *standard.(*int)
	case *bool:
		return *value == *standard.(*bool)
	case *source.Version:
		return value.OrDefault() == standard.(*source.Version).OrDefault()
	}
	panic("an option of unknown type: " + name)
}

// MarshalJSON writes the options that are not the defaults, by flake8's names and in
// the order of [lint.OptionNames].
func (s *Options) MarshalJSON() ([]byte, error) {
	options, standard := s.Lint(), lint.DefaultOptions()
	text := []byte{'{'}
	for _, name := range lint.OptionNames() {
		value := options.Option(name)
		if isDefault(name, value, standard.Option(name)) {
			continue
		}
		if version, is := value.(*source.Version); is {
			value = version.String()
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(strconv.AppendQuote(text, name), ':'), encoded...)
	}
	return append(text, '}'), nil
}

// UnmarshalJSON reads an object of options. An option that does not exist is an
// error, as the task would otherwise be scored by other rules than its author's.
func (s *Options) UnmarshalJSON(data []byte) error {
	var named map[string]json.RawMessage
	if err := json.Unmarshal(data, &named); err != nil {
		return mismatch("", err)
	}
	options := lint.DefaultOptions()
	for _, name := range slices.Sorted(maps.Keys(named)) {
		option := options.Option(name)
		if option == nil {
			return fmt.Errorf("unknown option %q", name)
		}
		if !pyjson.Present(named[name]) { // null
			continue
		}
		target, isTarget := option.(*source.Version)
		var text string
		if isTarget {
			option = &text
		}
		err := json.Unmarshal(named[name], option)
		if err == nil && isTarget {
			*target, err = source.ParseVersion(text)
		}
		if err != nil {
			return mismatch(name+": ", err)
		}
	}
	settings, err := NewOptions(options)
	if err == nil {
		*s = *settings
	}
	return err
}

// mismatch returns what a value should have been, in the words of this module.
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
	text, err := s.MarshalJSON()
	if err != nil {
		panic(err) // of types that always encode
	}
	var options map[string]any
	if err := json.Unmarshal(text, &options); err != nil {
		panic(err)
	}
	var arguments []string
	for _, name := range slices.Sorted(maps.Keys(options)) {
		argument := "--" + name
		switch value := options[name].(type) {
		case []any:
			argument += "=" + strings.ReplaceAll(strings.Trim(fmt.Sprint(value), "[]"), " ", ",")
		case float64:
			argument += "=" + strconv.Itoa(int(value))
		}
		arguments = append(arguments, argument)
	}
	return strings.Join(arguments, " ")
}

package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"codelinter/internal/pyjson"
	"codelinter/lint"
)

// Options are those of flake8 that a task is made and scored under. In a task
// they stand under meta.options, by the names of flake8's own options; what is
// left out is as by default:
//
//	"options": {"max-complexity": 5, "ignore": ["W503"]}
//
// nil and the zero Options are flake8's defaults. The benchmark's tasks have no
// such field. Options do not change once they are made.
type Options struct {
	options *lint.Options // nil: the defaults
}

// NewOptions returns options as a task has them. It refuses what [lint.New]
// refuses, and what no task can name: prefixes that are not those of codes.
func NewOptions(options lint.Options) (*Options, error) {
	for _, list := range []struct {
		name     string
		prefixes []string
	}{
		{"select", options.Select},
		{"ignore", options.Ignore},
		{"extend-select", options.ExtendSelect},
		{"extend-ignore", options.ExtendIgnore},
	} {
		for _, prefix := range list.prefixes {
			if !lint.IsCodePrefix(prefix) {
				return nil, fmt.Errorf("%s: expected a code or how codes begin, found %q", list.name, prefix)
			}
		}
	}
	if _, err := lint.New(options); err != nil {
		return nil, err
	}
	return &Options{&options}, nil
}

// Lint returns the settings as the linter takes them. The lists in them are not
// to be changed.
func (s *Options) Lint() lint.Options {
	if s == nil || s.options == nil {
		return lint.DefaultOptions()
	}
	return *s.options
}

// Apply has linter follow the settings from its next file on.
func (s *Options) Apply(linter *lint.Linter) {
	if err := linter.SetOptions(s.Lint()); err != nil {
		panic(err) // NewOptions has asked
	}
}

// optionsJSON gives flake8's names to what is in [lint.Options].
type optionsJSON struct {
	Select        *[]string `json:"select,omitempty"`
	Ignore        *[]string `json:"ignore,omitempty"`
	ExtendSelect  []string  `json:"extend-select,omitempty"`
	ExtendIgnore  []string  `json:"extend-ignore,omitempty"`
	MaxLineLength *int      `json:"max-line-length,omitempty"`
	MaxDocLength  *int      `json:"max-doc-length,omitempty"`
	IndentSize    *int      `json:"indent-size,omitempty"`
	HangClosing   bool      `json:"hang-closing,omitempty"`
	MaxComplexity *int      `json:"max-complexity,omitempty"`
	Builtins      []string  `json:"builtins,omitempty"`
	Doctests      bool      `json:"doctests,omitempty"`
	DisableNoqa   bool      `json:"disable-noqa,omitempty"`
	TargetVersion string    `json:"target-version,omitempty"`
}

// MarshalJSON writes what is not as by default.
func (s *Options) MarshalJSON() ([]byte, error) {
	o, standard := s.Lint(), lint.DefaultOptions()
	list := func(list []string) *[]string {
		if list == nil {
			return nil
		}
		return &list
	}
	number := func(value, standard int) *int {
		if value == standard {
			return nil
		}
		return &value
	}
	target := ""
	if o.Target.OrDefault() != standard.Target.OrDefault() {
		target = o.Target.String()
	}
	return json.Marshal(optionsJSON{
		TargetVersion: target,
		Select:        list(o.Select),
		Ignore:        list(o.Ignore),
		ExtendSelect:  o.ExtendSelect,
		ExtendIgnore:  o.ExtendIgnore,
		MaxLineLength: number(o.MaxLineLength, standard.MaxLineLength),
		MaxDocLength:  number(o.MaxDocLength, standard.MaxDocLength),
		IndentSize:    number(o.IndentSize, standard.IndentSize),
		HangClosing:   o.HangClosing,
		MaxComplexity: number(o.MaxComplexity, standard.MaxComplexity),
		Builtins:      o.Builtins,
		Doctests:      o.Doctests,
		DisableNoqa:   o.DisableNoqa,
	})
}

// UnmarshalJSON reads an object of options. An option that does not exist is an
// error, as a task would else be scored by other rules than its author's.
func (s *Options) UnmarshalJSON(data []byte) error {
	var named optionsJSON
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var kind *json.UnmarshalTypeError
	switch err := decoder.Decode(&named); {
	case errors.As(err, &kind) && kind.Field == "":
		return errors.New(pyjson.Mismatch(kind))
	case errors.As(err, &kind):
		return fmt.Errorf("%s: %s", kind.Field, pyjson.Mismatch(kind))
	case err != nil:
		return errors.New(strings.Replace(strings.TrimPrefix(err.Error(), "json: "), "unknown field", "unknown option", 1))
	}
	o := lint.DefaultOptions()
	if named.Select != nil {
		o.Select = *named.Select
	}
	if named.Ignore != nil {
		o.Ignore = *named.Ignore
	}
	for _, number := range []struct{ to, value *int }{
		{&o.MaxLineLength, named.MaxLineLength},
		{&o.MaxDocLength, named.MaxDocLength},
		{&o.IndentSize, named.IndentSize},
		{&o.MaxComplexity, named.MaxComplexity},
	} {
		if number.value != nil {
			*number.to = *number.value
		}
	}
	if named.TargetVersion != "" {
		var err error
		if o.Target, err = lint.ParseTarget(named.TargetVersion); err != nil {
			return fmt.Errorf("target-version: %w", err)
		}
	}
	o.ExtendSelect, o.ExtendIgnore, o.Builtins = named.ExtendSelect, named.ExtendIgnore, named.Builtins
	o.HangClosing, o.Doctests, o.DisableNoqa = named.HangClosing, named.Doctests, named.DisableNoqa
	settings, err := NewOptions(o)
	if err == nil {
		*s = *settings
	}
	return err
}

// String returns what is not as by default as it stands on flake8's command
// line: "--ignore=W503 --max-complexity=5".
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

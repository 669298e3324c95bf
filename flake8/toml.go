package flake8

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2" // BurntSushi's reads the time zone when the process starts
)

// readTOML adds the table [tool.flake8] of a pyproject.toml, and reports whether there is one.
// found says that nobody named the file. flake8 reads no TOML; the table is that of the plugin
// Flake8-pyproject:
//
//	[tool.flake8]
//	max-line-length = 100
//	ignore = ["E203", "W503"]
//	per-file-ignores = ["__init__.py:F401", "tests/*:E501,W6"]
func (c configuration) readTOML(name string, found bool) (has bool, err error) {
	data, err := readConfigFile(name)
	if err != nil {
		return false, &executionError{"The specified config file does not exist: " + name}
	}
	if found && !bytes.Contains(data, []byte("flake8")) { // most of a project's files have no table, and start-up counts
		return false, nil
	}
	var project map[string]any
	if err := toml.Unmarshal(data, &project); err != nil {
		if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
			row, _ := at.Position()
			return false, fmt.Errorf("%s: toml: line %d: %s", name, row, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return false, fmt.Errorf("%s: %w", name, err)
	}
	tool, _ := project["tool"].(map[string]any)
	table, _ := tool["flake8"].(map[string]any)
	if table == nil {
		return false, nil
	}
	s := newSection()
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if _, another := table[key].(map[string]any); key == "plugins" {
			s.folders = !another
		}
		if err := s.setTOML(strings.ToLower(key), table[key]); err != nil && configOption(strings.ToLower(key)) != nil { // else it is a plugin's
			return false, fmt.Errorf("%s: %s: %w", name, key, err)
		}
	}
	c["flake8"] = s
	return true, nil
}

// setTOML sets an option. The elements of a list are kept apart: they may hold commas and blanks.
func (s *section) setTOML(key string, value any) error {
	text, err := textOfTOML(value)
	if err != nil {
		return err
	}
	s.set(key, text)
	if list, is := value.([]any); is {
		s.lists[key] = []string{}
		for _, element := range list {
			part, err := textOfTOML(element)
			if err != nil {
				return err
			}
			s.lists[key] = append(s.lists[key], part)
		}
	}
	return nil
}

// textOfTOML writes a value as in a setup.cfg.
func textOfTOML(value any) (string, error) {
	switch value := value.(type) {
	case string:
		return value, nil
	case bool:
		return strconv.FormatBool(value), nil
	case int64:
		return strconv.FormatInt(value, 10), nil
	case float64:
		text := strconv.FormatFloat(value, 'g', -1, 64)
		if strings.Trim(text, "-0123456789") == "" {
			text += ".0" // as Python writes it, which is then no int
		}
		return text, nil
	case []any:
		var parts []string
		for _, element := range value {
			part, err := textOfTOML(element)
			if err != nil {
				return "", err
			}
			parts = append(parts, part)
		}
		return strings.Join(parts, "\n"), nil
	case map[string]any: // patterns = codes, of per-file-ignores
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(value)) {
			codes, err := textOfTOML(value[key])
			if err != nil {
				return "", err
			}
			parts = append(parts, key+":"+codes)
		}
		return strings.Join(parts, "\n"), nil
	}
	return "", fmt.Errorf("%v is no string, number, boolean, list or table", value)
}

package flake8

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2" // BurntSushi's reads the time zone when the process starts
)

// readTOML adds the table [tool.flake8] of a pyproject.toml. flake8 reads no
// TOML; the table is that of the plugin Flake8-pyproject:
//
//	[tool.flake8]
//	max-line-length = 100
//	ignore = ["E203", "W503"]
//	per-file-ignores = ["__init__.py:F401", "tests/*:E501,W6"]
func (c configuration) readTOML(name string) error {
	data, err := readConfigFile(name)
	if err != nil {
		return &executionError{"The specified config file does not exist: " + name}
	}
	var project map[string]any
	if err := toml.Unmarshal(data, &project); err != nil {
		if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
			row, _ := at.Position()
			return fmt.Errorf("%s: toml: line %d: %s", name, row, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	tool, _ := project["tool"].(map[string]any)
	table, _ := tool["flake8"].(map[string]any)
	if table == nil {
		return fmt.Errorf("%s: there is no table [tool.flake8]", name)
	}
	s := newSection()
	for _, key := range slices.Sorted(maps.Keys(table)) {
		value, err := textOfTOML(table[key])
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, key, err)
		}
		s.set(strings.ToLower(key), value)
	}
	c["flake8"] = s
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

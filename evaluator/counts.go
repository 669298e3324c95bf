package evaluator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/rule"
)

// A Count is a number of findings of one code.
type Count struct {
	Code rule.Code
	N    int
}

// Counts are numbers of findings by code, in the order of [rule.Compare] and without those that
// are 0. Their JSON is an object: {"E225": 1, "W291": 2}.
type Counts []Count

// MarshalJSON writes an object in the codes' order.
func (c Counts) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil), nil }

// AppendJSON appends what MarshalJSON writes.
func (c Counts) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, count := range c {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(pyjson.AppendQuoted(dst, count.Code.String()), ':')
		dst = strconv.AppendInt(dst, int64(count.N), 10)
	}
	return append(dst, '}')
}

// UnmarshalJSON reads an object, in any order.
func (c *Counts) UnmarshalJSON(data []byte) error {
	var numbers map[string]int
	if err := json.Unmarshal(data, &numbers); err != nil {
		return err
	}
	*c = nil
	for text, n := range numbers {
		code, ok := task.ParseCode(text)
		if !ok {
			return fmt.Errorf("expected codes of flake8 or its plugins, found %q", text)
		}
		*c = append(*c, Count{Code: code, N: n})
	}
	slices.SortFunc(*c, func(a, b Count) int { return rule.Compare(a.Code, b.Code) })
	return nil
}

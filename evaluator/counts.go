package evaluator

import (
	"encoding/json"
	"fmt"
	"strconv"

	"codelinter/rule"
)

// A Count is a number of findings of one code.
type Count struct {
	Code rule.Code
	N    int
}

// Counts are numbers of findings by code, in the codes' order and without those that
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
		dst = append(strconv.AppendQuote(dst, count.Code.String()), ':')
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
	for code := range rule.Code(rule.Count) {
		if n, ok := numbers[code.String()]; ok {
			*c = append(*c, Count{Code: code, N: n})
			delete(numbers, code.String())
		}
	}
	for code := range numbers {
		return fmt.Errorf("expected codes of flake8, found %q", code)
	}
	return nil
}

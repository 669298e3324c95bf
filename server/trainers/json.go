package trainers

import (
	"fmt"

	"codelinter/internal/pyjson"
	"codelinter/server/api"
)

func fault(format string, args ...any) api.Fault { return api.Fault(fmt.Sprintf(format, args...)) }

// problem is what is wrong with a request as a whole.
func problem(format string, args ...any) error {
	return &api.Error{Problem: fmt.Sprintf(format, args...)}
}

// text reads a text; isText is false for anything else.
func text(value []byte) (text string, isText bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	text, _ = pyjson.Unquote(value)
	return text, true
}

// list reads the items of a list, which field is called in errors.
func list(field string, value []byte) ([][]byte, error) {
	if value == nil {
		return nil, problem("%s: expected a list, found nothing", field)
	}
	if value[0] != '[' {
		return nil, problem("%s: expected a list, found %s", field, pyjson.Kind(value))
	}
	var items [][]byte
	err := pyjson.Items(value, func(i int, item []byte) error {
		if i == api.MaxItems {
			return problem("%s: expected %d items at most", field, api.MaxItems)
		}
		items = append(items, item)
		return nil
	})
	return items, err
}

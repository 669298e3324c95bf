package trainers

import (
	"fmt"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
)

func fault(format string, args ...any) api.Fault { return api.Faultf(format, args...) }

// problem is an error in a request as a whole.
func problem(format string, args ...any) error {
	return &api.Error{Problem: fmt.Sprintf(format, args...)}
}

// list reads the items of a list, up to the bound in the defaults. field is its name in
// errors.
func list(field string, value []byte, defaults *api.Defaults) ([][]byte, error) {
	if value == nil {
		return nil, problem("%s: expected a list, found nothing", field)
	}
	if value[0] != '[' {
		return nil, problem("%s: expected a list, found %s", field, pyjson.Kind(value))
	}
	var items [][]byte
	err := pyjson.Items(value, func(_ int, item []byte) error {
		items = append(items, item)
		return defaults.Count(len(items))
	})
	return items, err
}

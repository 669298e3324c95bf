package trainers

import (
	"slices"

	"codelinter/internal/api"
)

// What trainers send beyond what they must is listed here and nowhere else. Any other key
// is an error: it is misspelt, or of a trainer that these functions were not written for.
// NeMo Gym posts rows of datasets to /verify and /seed_session, whose columns are
// theirs, so that there any key may come.
var (
	openRLHFKeys  = keys{read: []string{"query", "prompts", "labels"}}
	slimeKeys     = keys{read: []string{"response", "label"}, sent: []string{"prompt"}}
	aggregateKeys = keys{read: []string{"verify_responses"}}
)

// keys are those of one trainer's requests.
type keys struct {
	read []string // what is looked at
	sent []string // what it sends as well
}

// object reads an object of these keys, and returns the values of those that are read, nil
// where there is none. What is sent as well may be left out.
func (k *keys) object(body []byte) (values map[string][]byte, err error) {
	values = make(map[string][]byte, len(k.read))
	var unknown error
	err = api.ReadObject(body, func(name, value []byte) {
		switch {
		case slices.Contains(k.read, string(name)):
			values[string(name)] = value
		case unknown == nil && !slices.Contains(k.sent, string(name)):
			unknown = api.UnknownKey("", string(name), append(slices.Clone(k.read), k.sent...))
		}
	})
	if err == nil {
		err = unknown
	}
	return values, err
}

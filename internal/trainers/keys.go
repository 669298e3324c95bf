package trainers

import (
	"slices"

	"codelinter/internal/api"
)

// The keys that trainers may send besides the required ones are listed here and nowhere else. Any
// other key is an error: it is misspelt, or from an unknown trainer. NeMo Gym posts rows of data
// sets to /verify and /seed_session, so there every key is allowed.
var (
	openRLHFKeys  = keys{read: []string{"query", "prompts", "labels"}}
	slimeKeys     = keys{read: []string{"response", "label"}, sent: []string{"prompt"}}
	aggregateKeys = keys{read: []string{"verify_responses"}}
)

// keys are the keys of one trainer's requests.
type keys struct {
	read []string // the keys to read
	sent []string // other keys that it sends
}

// object reads an object with these keys, and returns the values of the keys to read, nil for a
// missing one. The keys that may be sent as well may be missing.
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

package trainers

import (
	"slices"
	"strconv"
	"strings"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
)

// The server acts as a resources server of NeMo Gym 0.7 (nemo_gym/base_resources_server.py). It
// keeps no state of a session: a verdict depends on task and answer alone, as [NemoGymReverifyMode]
// says.

// NemoGymReverifyMode is the answer to GET /reverify_mode: rollouts may be verified again at any
// time.
const NemoGymReverifyMode = `"stateless"`

// NemoGymSession answers POST /seed_session, and /close_session: with the identifier
// if the caller, an environment server, assigned one, and with an empty object otherwise.
func NemoGymSession(body []byte) ([]byte, error) {
	var session []byte
	err := api.ReadObject(body, func(name, value []byte) {
		if string(name) == "resources_session_id" {
			session = value
		}
	})
	if err != nil {
		return nil, err
	}
	if session == nil {
		return []byte("{}"), nil
	}
	if id, isText := api.Text(session); !isText || id == "" {
		return nil, problem("resources_session_id: expected a text that is not empty, found %s", none(session))
	}
	return append(append([]byte(`{"resources_session_id": `), session...), '}'), nil
}

// The kinds of failure of a verification: NeMo Gym's from nemo_gym/failure_kinds.py, and our own
// with the prefix that it asks for.
const (
	verifierError = "verifier_error"
	badRequest    = "codelinter:bad_request"
	noAnswer      = "codelinter:no_answer"
	unknownLogic  = "codelinter:unknown"
)

// NemoGymVerify reads what an agent posts to /verify: the row of the dataset, with the
// model's response in the shape of OpenAI's Responses API.
//
//	{"responses_create_params": {"input": ...}, "response": {"output": [{"type": "message",
//	 "role": "assistant", "content": [{"type": "output_text", "text": "..."}]}]}, "task_id": 7}
//
// The answer is the text of the last message. The task is the row's "task" or "task_id", or
// those of its "verifier_metadata". The reply has all of the request, "reward" and the
// other fields of the score, and three fields of the framework:
//
//	mask_sample     the reward measures nothing: something of ours or of the row failed, or
//	                the logic could not be decided and that is to be masked
//	failure_kind    what it was, such as "verifier_error"; null for none
//	failure_reason  the same for people
//
// NeMo Gym leaves a masked sample out of its means, and writes it to its file of failures by
// "_ng_failure_class", as it does when a judge fails. An empty answer is not masked: its reward is
// 0.
func NemoGymVerify(body []byte, defaults api.Defaults) (Call, error) {
	// The reply needs the whole request for longer than the body lives.
	body = slices.Clone(body)
	var response, params, instance, metadata []byte
	row := map[string][]byte{}
	err := api.ReadObject(body, func(name, value []byte) {
		switch string(name) {
		case "response":
			response = value
		case "responses_create_params":
			params = value
		case "instance_config":
			instance = value
		case "verifier_metadata":
			metadata = value
		case "task", "task_id":
			row[string(name)] = value
		}
	})
	switch {
	case err != nil:
		return Call{}, err
	case !isObject(response):
		return Call{}, problem(`response: expected an object, found %s`, pyjson.Kind(response))
	case !isObject(params):
		return Call{}, problem(`responses_create_params: expected an object, found %s`, pyjson.Kind(params))
	}
	kind := ""
	answer := api.Completion{}
	message, found, err := lastMessage(pyjson.Get(response, "output"))
	switch {
	case err != nil:
		return Call{}, err
	case !found:
		kind = noAnswer
		answer.Fault = fault("response.output: expected a message of the assistant's, found none")
	default:
		answer.Text = api.WithoutEnd(message)
	}
	path, label := "task", labelOf(row)
	if of, _ := pyjson.Find(metadata, "task", "task_id"); label == nil && labelOf(of) != nil {
		path, label = "verifier_metadata.task", labelOf(of)
	}
	asked := item(path, label, answer, defaults)
	if asked.Fault != "" && kind == "" {
		kind = badRequest
	}
	return Call{
		Request: api.Request{Items: []api.Item{asked}},
		Echo:    2*len(body) + verifiedBytes,
		Append: func(dst []byte, reply *api.Reply) []byte {
			score := &reply.Scores[0][0]
			switch {
			case kind == noAnswer:
				score.Masked = false
			case kind != "":
			case score.Error != "":
				kind = verifierError
			case score.Masked:
				kind = unknownLogic
			}
			return appendVerified(dst, body, score, kind, instance)
		},
	}, nil
}

// labelOf returns the value that names the task of a row, or nil.
func labelOf(row map[string][]byte) []byte {
	for _, name := range []string{"task", "task_id"} {
		if pyjson.Present(row[name]) {
			return row[name]
		}
	}
	return nil
}

func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }

// lastMessage returns the text of the assistant's last message in the list of a response's outputs.
// Other outputs are calls of tools and reasoning.
func lastMessage(output []byte) (message string, found bool, err error) {
	if len(output) == 0 || output[0] != '[' {
		return "", false, problem("response.output: expected a list, found %s", pyjson.Kind(output))
	}
	pyjson.Items(output, func(_ int, value []byte) error {
		if !isObject(value) || !isText(pyjson.Get(value, "type"), "message") || !isText(pyjson.Get(value, "role"), "assistant") {
			return nil
		}
		content := pyjson.Get(value, "content")
		var parts strings.Builder
		has := false
		if plain, isPlain := api.Text(content); isPlain {
			message, found = plain, true
		} else if len(content) > 0 && content[0] == '[' {
			pyjson.Items(content, func(_ int, part []byte) error {
				if isObject(part) && isText(pyjson.Get(part, "type"), "output_text") {
					if said, ok := api.Text(pyjson.Get(part, "text")); ok {
						parts.WriteString(said)
						has = true
					}
				}
				return nil
			})
		}
		if has {
			message, found = parts.String(), true
		}
		return nil
	})
	return message, found, nil
}

func isText(value []byte, want string) bool {
	found, is := api.Text(value)
	return is && found == want
}

// scored are the fields of a reply to /verify that we write.
var scored = []string{
	"reward", "mask_sample", "failure_kind", "failure_reason",
	"official", "guarded", "proof", "reasons", "findings", "fixed", "left", "introduced", "invalid", "empty", "noqa", "masked", "milliseconds",
	"instance_config", "_ng_failure_class",
}

// verifiedBytes is about the length of a reply without the request.
const verifiedBytes = 1 << 10

// longestReason is NeMo Gym's own bound on the reason of a failure.
const longestReason = 2000

// An object is JSON of an object without its end.
type object []byte

func (o *object) field(name string, value []byte) {
	*o = append(append(append(pyjson.AppendQuoted(*o, name), ": "...), value...), ", "...)
}

func (o *object) text(name, value string) { o.field(name, pyjson.AppendQuoted(nil, value)) }

func (o object) end() []byte { return append(o[:len(o)-len(", ")], '}') }

// appendVerified writes the request with the score in it.
func appendVerified(dst, body []byte, score *api.Score, kind string, instance []byte) []byte {
	o := object(append(slices.Grow(dst, len(body)+verifiedBytes), '{'))
	pyjson.Fields(api.Trim(body), func(name, value []byte) {
		if !slices.Contains(scored, string(name)) {
			o.field(string(name), value)
		}
	})
	masked := kind != "" && kind != noAnswer
	if masked {
		// Older consumers, without mask_sample, look for it here.
		config := object("{")
		if isObject(instance) {
			pyjson.Fields(instance, func(name, value []byte) {
				if string(name) != "mask_sample" {
					config.field(string(name), value)
				}
			})
		}
		config.field("mask_sample", []byte("true"))
		o.field("instance_config", config.end())
		o.text("_ng_failure_class", kind)
	} else if instance != nil {
		o.field("instance_config", instance)
	}
	o.field("mask_sample", strconv.AppendBool(nil, masked))
	if kind == "" {
		o.field("failure_kind", []byte("null"))
		o.field("failure_reason", []byte("null"))
	} else {
		reason := score.Error
		if kind == unknownLogic {
			reason = strings.Join(score.Reasons, ", ")
		}
		o.text("failure_kind", kind)
		o.text("failure_reason", reason[:min(len(reason), longestReason)])
	}
	// The score's fields become fields of the reply.
	pyjson.Fields(score.AppendJSON(nil), func(name, value []byte) {
		if string(name) != "error" {
			o.field(string(name), value)
		}
	})
	return o.end()
}

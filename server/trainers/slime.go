package trainers

import (
	"codelinter/internal/pyjson"
	"codelinter/server/api"
)

// Slime reads what slime and miles post to --rm-url with --rm-type remote_rm
// (slime/rollout/rm_hub and miles/rollout/rm_hub, as of August 2026):
//
//	{"prompt": "...", "response": "answer<|im_end|>", "label": "7"}
//
// and answers the bare number, which is the sample's reward there: 1.0. With full it
// answers an object, of which --reward-key reward names the number.
func Slime(body []byte, full bool, defaults api.Defaults) (Call, error) {
	var response, label []byte
	err := api.ReadObject(body, func(name, value []byte) {
		switch string(name) {
		case "response":
			response = value
		case "label":
			label = value
		}
	})
	if err != nil {
		return Call{}, err
	}
	if response == nil {
		return Call{}, problem(`expected an object with "response" and "label"`)
	}
	answer := api.Completion{}
	if answerText, isText := text(response); isText {
		answer.Text = withoutEnd(answerText)
	} else {
		answer.Fault = fault("response: expected a text, found %s", pyjson.Kind(response))
	}
	call := Call{Request: api.Request{Items: []api.Item{item("label", label, answer, defaults)}}}
	call.Append = func(dst []byte, reply *api.Reply) []byte {
		score := &reply.Scores[0][0]
		if full {
			return score.AppendJSON(dst)
		}
		return api.AppendFloat(dst, score.Reward)
	}
	return call, nil
}

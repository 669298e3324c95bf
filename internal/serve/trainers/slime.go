package trainers

import (
	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
)

// Slime reads what slime and miles post to --rm-url with --rm-type remote_rm
// (slime/rollout/rm_hub and miles/rollout/rm_hub, as of August 2026):
//
//	{"prompt": "...", "response": "answer<|im_end|>", "label": "7"}
//
// and answers with a bare number, the sample's reward: 1.0. With full it answers with an object, in
// which --reward-key reward names the number.
func Slime(body []byte, full bool, defaults api.Defaults) (Call, error) {
	values, err := api.ReadKeys(body, slimeKeys...)
	if err != nil {
		return Call{}, err
	}
	response := values["response"]
	if response == nil {
		return Call{}, problem(`expected an object with "response" and "label"`)
	}
	answer := api.Completion{}
	if answerText, isText := api.Text(response); isText {
		answer.Text = api.WithoutEnd(answerText)
	} else {
		answer.Fault = fault("response: expected a text, found %s", pyjson.Kind(response))
	}
	call := Call{Request: api.Request{Items: []api.Item{item("label", values["label"], answer, defaults)}}}
	call.Append = func(dst []byte, reply *api.Reply) []byte {
		score := &reply.Scores[0][0]
		if full {
			return score.AppendJSON(dst)
		}
		return api.AppendFloat(dst, score.Reward)
	}
	return call, nil
}

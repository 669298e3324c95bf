package trainers

import (
	"fmt"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
)

// OpenRLHF reads what OpenRLHF 0.11.2 posts to --reward.remote_url
// (openrlhf/utils/agent.py, SingleTurnAgentExecutor):
//
//	{"query": ["prompt and answer<|im_end|>"], "prompts": ["prompt and "], "labels": ["7"]}
//
// and answers
//
//	{"rewards": [1.0], "scores": [1.0], "extra_logs": {"official": [1.0], ...}}
//
// OpenRLHF makes a tensor of each value of extra_logs, so all values are floats, and the keys are
// always the same. An item that could not be scored has "error" and "masked" 1.0 and all others
// 0.0, as in the Python function.
func OpenRLHF(body []byte, defaults api.Defaults) (Call, error) {
	values, err := api.ReadKeys(body, openRLHFKeys...)
	if err != nil {
		return Call{}, err
	}
	var lists [3][][]byte
	for i, key := range openRLHFKeys {
		if lists[i], err = list(key, values[key], &defaults); err != nil {
			return Call{}, err
		}
	}
	queries, given, named := lists[0], lists[1], lists[2]
	if len(given) != len(queries) || len(named) != len(queries) {
		return Call{}, problem("expected as many prompts and labels as queries, found %d, %d and %d", len(given), len(named), len(queries))
	}
	request := api.Request{Batch: true, Items: make([]api.Item, len(queries))}
	for i, value := range queries {
		answer := api.Completion{}
		query, isText := api.Text(value)
		prompt, isPrompt := api.Text(given[i])
		switch {
		case !isText:
			answer.Fault = fault("query[%d]: expected a text, found %s", i, pyjson.Kind(value))
		case !isPrompt:
			answer.Fault = fault("prompts[%d]: expected a text, found %s", i, pyjson.Kind(given[i]))
		default:
			after, found := api.AfterPrompt(query, prompt)
			if !found {
				answer.Fault = fault("query[%d]: expected it to begin with prompts[%d], found %.80q", i, i, query)
			}
			answer.Text = api.WithoutEnd(after)
		}
		request.Items[i] = item(fmt.Sprintf("labels[%d]", i), named[i], answer, defaults)
	}
	return Call{Request: request, Append: appendOpenRLHF}, nil
}

// appendOpenRLHF writes rewards, and the other numbers of a score as floats.
func appendOpenRLHF(dst []byte, reply *api.Reply) []byte {
	column := func(name string, value func(s *api.Score) float64) {
		dst = append(pyjson.AppendQuoted(dst, name), ": ["...)
		for i := range reply.Scores {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = api.AppendFloat(dst, value(&reply.Scores[i][0]))
		}
		dst = append(dst, ']')
	}
	reward := func(s *api.Score) float64 { return s.Reward }
	dst = append(dst, '{')
	column("rewards", reward)
	dst = append(dst, ", "...)
	column("scores", reward)
	dst = append(dst, `, "extra_logs": {`...)
	for i, field := range logged {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		column(field.name, field.value)
	}
	// The scores of one request have the same terms, those that could not be scored too.
	if len(reply.Scores) > 0 {
		for i, term := range reply.Scores[0][0].Terms {
			dst = append(dst, ", "...)
			column("term_"+term.Name, func(s *api.Score) float64 { return s.Terms[i].Value })
		}
	}
	return append(dst, "}}"...)
}

// logged are the numbers of a score, for logs and means.
var logged = []struct {
	name  string
	value func(s *api.Score) float64
}{
	{"official", func(s *api.Score) float64 { return one(s.Official) }},
	{"guarded", func(s *api.Score) float64 { return one(s.Guarded == "pass") }},
	{"unknown", func(s *api.Score) float64 { return one(s.Guarded == "unknown" && s.Error == "") }},
	{"findings", func(s *api.Score) float64 { return float64(s.Findings) }},
	{"fixed", func(s *api.Score) float64 { return float64(s.Fixed) }},
	{"left", func(s *api.Score) float64 { return float64(s.Left) }},
	{"introduced", func(s *api.Score) float64 { return float64(s.Introduced) }},
	{"invalid", func(s *api.Score) float64 { return one(s.Invalid) }},
	{"empty", func(s *api.Score) float64 { return one(s.Empty) }},
	{"noqa", func(s *api.Score) float64 { return one(s.Noqa) }},
	{"masked", func(s *api.Score) float64 { return one(s.Masked) }},
	{"error", func(s *api.Score) float64 { return one(s.Error != "") }},
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Package trainers has the protocols of reinforcement-learning trainers: it reads what a
// trainer sends to a remote reward, and writes the reply that it expects. It neither scores
// nor knows HTTP. It returns a request of package api, and a function that writes the reply
// to it.
//
//	call, err := trainers.OpenRLHF(body, api.Defaults{})
//	reply, err := s.Do(ctx, client, &call.Request) // by a service.Service
//	body = call.Append(nil, &reply)
//
// The protocols follow the trainers' sources, in the version that each function names. Trainers
// handle errors differently, as the table shows. So an item that cannot be scored has a reward of
// 0.0 and a flag, and is no HTTP error:
//
//	             time-out   tries again                          in the end
//	OpenRLHF     180 s      4 times, 1 s apart, whatever failed  goes on without a reward
//	slime        120 s      9 times, up to 31 s apart            raises
//	miles        300 s      never                                raises
//
// An invalid request as a whole is an HTTP error: a wrong configuration should show at once, not
// after a night of training.
package trainers

import (
	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
)

// A Call is a request to the service, and how to write its reply.
type Call struct {
	Request api.Request
	// Append appends the body of the response to the reply.
	Append func(dst []byte, reply *api.Reply) []byte
}

// item returns one answer to the task of a label: an id, a task, or a text that holds either.
// path names the label in errors. A label without a task is a fault: scoring without a task
// would reward every clean answer.
func item(path string, label []byte, answer api.Completion, defaults api.Defaults) api.Item {
	item := defaults.Item()
	item.Completions = []api.Completion{answer}
	if !pyjson.Present(label) || string(label) == `""` {
		item.Fault = fault("%s: expected a task or the id of one, found %s", path, none(label))
		return item
	}
	task, err := api.DecodeTask(label)
	if err != nil {
		item.Fault = fault("%s: %v", path, err)
	}
	item.Task = task
	return item
}

// none names the kind of an invalid label, for an error message.
func none(label []byte) string {
	if string(label) == `""` {
		return "an empty text"
	}
	return pyjson.Kind(label)
}

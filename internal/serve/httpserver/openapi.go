package httpserver

import (
	"encoding/json"
	"reflect"
	"strings"

	"codelinter/internal/util/lazy"
)

// openAPI returns the document of /openapi.json, made of the types in openapi_types.go.
var openAPI = lazy.Value[[]byte]{Make: func() []byte {
	paths := object{}
	for _, o := range operations() {
		method, path, _ := strings.Cut(o.pattern, " ")
		item, has := paths[path].(object)
		if !has {
			item = object{}
			paths[path] = item
		}
		item[strings.ToLower(method)] = o.object()
	}
	document, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "codelinter serve", "version": "1",
			"description": "Scores answers of code models and lints Python as flake8 does. A fault of one answer or its task is reported in its score. " +
				"A fault of the whole request is status 400 with a text that says what was expected. Bodies and replies may be compressed with gzip.",
		},
		"security": []any{object{}, object{"bearer": []string{}}, object{"basic": []string{}}},
		"paths":    paths,
		"components": object{
			"securitySchemes": object{
				"bearer": object{"type": "http", "scheme": "bearer", "description": "Where the server has a token."},
				"basic":  object{"type": "http", "scheme": "basic", "description": "The token as the password, for clients that take nothing but a URL."},
			},
			"parameters": parameters(), "responses": responses(), "schemas": schemas(),
		},
	}, "", " ")
	if err != nil {
		panic(err) // of what the tests make
	}
	return document
}}

// An operation is what the document says of a route.
type operation struct {
	pattern, tag, summary, description string
	parameters                         []any
	request, example                   any // the type and an example; nil: no body
	replies                            string
	reply                              any  // the type, or a schema
	open                               bool // without a token
}

// operations returns what there is of each route.
func operations() []operation {
	slime := append(scoreParameters(), object{
		"name": "full", "in": "query", "description": "Answer the whole score; not with 0 or false.", "allowEmptyValue": true,
		"schema": object{"type": "string", "enum": []string{"", "1", "true", "0", "false"}},
	})
	return []operation{
		{pattern: "POST /v1/score", tag: "score", summary: "Score answers to a task, or a batch of such", parameters: scoreParameters(),
			request: reference("ScoreRequest"),
			example: object{"task": object{"program": "import os\nx=1\n"}, "completions": []string{"```python\nx = 1\n```", "x=1"}, "verdict": "guarded"},
			reply:   wireScoreReply{}, replies: "A list of scores, one a completion; for a batch a list of lists."},
		{pattern: "POST /v1/lint", tag: "lint", summary: "Find what flake8 finds",
			request: reference("LintRequest"), example: object{"code": "import os\n"},
			reply: wireLintReply{}, replies: "The findings in the order of flake8."},
		{pattern: "POST /v1/edit", tag: "lint", summary: "Compare two texts of a file",
			description: "Which findings an edit brings in, which are gone, and whether the program is the same.",
			request:     wireEditRequest{}, example: object{"before": "x = 1\n", "after": "import os\nx = 1\n", "run": false},
			reply: wireEditReply{}, replies: "What the edit changes."},
		{pattern: runCode, tag: "programs", summary: "Run a program, as SandboxFusion does",
			description: "A time limit is a number of counts: what CPython does in as long. An error of the server is 504, after which verl's client asks again.",
			request:     wireRunRequest{},
			example: object{"code": "print(sum(map(int, input().split())))", "language": "python", "stdin": "1 2", "run_timeout": 10, "compile_timeout": 10,
				"files": object{}, "fetch_files": []string{}},
			reply: wireRunReply{}, replies: "How the program ended."},
		{pattern: "POST /openrlhf", tag: "trainers", summary: "The remote reward of OpenRLHF", parameters: scoreParameters(),
			request: wireOpenRLHFRequest{},
			example: object{"query": []string{"Fix this.\n```python\nx = 1\n```<|im_end|>"}, "prompts": []string{"Fix this.\n"}, "labels": []string{`{"program": "import os\nx=1\n"}`}},
			reply:   wireOpenRLHFReply{}, replies: "Rewards, and more of the scores for logs."},
		{pattern: "POST /slime", tag: "trainers", summary: "The remote reward of slime and miles", parameters: slime,
			request: wireSlimeRequest{},
			example: object{"prompt": "Fix this.", "response": "```python\nx = 1\n```", "label": `{"program": "import os\nx=1\n"}`},
			reply:   object{"oneOf": []any{object{"type": "number"}, reference("Score")}},
			replies: "The bare reward, or with ?full the score. X-Codelinter-Error says why a reward was not earned."},
		{pattern: "GET /healthz", tag: "operation", summary: "Whether the process lives", reply: wireStatus{}, replies: "It does.", open: true},
		{pattern: "GET /readyz", tag: "operation", summary: "Whether the sandbox is warm, and more requests should come", reply: wireStatus{}, replies: "It is, and they should.", open: true},
		{pattern: "GET /metrics", tag: "operation", summary: "Numbers for Prometheus", replies: "Prometheus's text format."},
		{pattern: "GET /openapi.json", tag: "operation", summary: "This document", reply: object{"type": "object"}, replies: "This document.", open: true},
	}
}

// object returns the operation as the document has it.
func (o *operation) object() object {
	content := object{"text/plain": object{"schema": object{"type": "string"}}}
	if o.reply != nil {
		content = object{"application/json": object{"schema": schemaOf(o.reply)}}
	}
	replies := object{"200": object{"description": o.replies, "content": content}}
	refused := map[string]string{"403": "Forbidden", "431": "Headers", "503": "Busy"}
	if !o.open {
		refused["401"] = "Unauthorized"
	}
	out := object{"tags": []string{o.tag}, "summary": o.summary, "responses": replies}
	if o.request != nil {
		for status, name := range map[string]string{"400": "BadRequest", "408": "Slow", "413": "TooLarge", "415": "Encoding"} {
			refused[status] = name
		}
		out["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": schemaOf(o.request), "example": o.example}}}
		out["parameters"] = append([]any{}, o.parameters...)
	}
	if o.pattern == runCode {
		delete(refused, "503")
		refused["504"] = "Again"
	}
	for status, name := range refused {
		replies[status] = object{"$ref": "#/components/responses/" + name}
	}
	if o.open {
		out["security"] = []any{object{}}
	}
	if o.description != "" {
		out["description"] = o.description
	}
	return out
}

// schemaOf returns a schema, or the reference to that of a type.
func schemaOf(value any) any {
	if schema, is := value.(object); is {
		return schema
	}
	return typeSchema(reflect.TypeOf(value))
}

// scoreParameters are the parameters of URLs that ask for scores.
func scoreParameters() (all []any) {
	for _, name := range []string{"verdict", "reward", "on_unknown", "deadline", "deadlineHeader"} {
		all = append(all, object{"$ref": "#/components/parameters/" + name})
	}
	return all
}

// parameters returns the parameters that are shared.
func parameters() object {
	return object{
		"verdict":        parameter("verdict", "query", "For items that do not say it.", object{"type": "string", "enum": []string{"guarded", "official"}}),
		"reward":         parameter("reward", "query", "For items that do not say it.", object{"type": "string", "default": "binary"}),
		"on_unknown":     parameter("on_unknown", "query", "As in a request, for items that do not say it.", object{"type": "string", "enum": []string{"zero", "mask", "official"}}),
		"deadline":       parameter("deadline_ms", "query", "For items that do not say it.", object{"type": "number", "exclusiveMinimum": 0}),
		"deadlineHeader": parameter(DeadlineHeader, "header", "The same.", object{"type": "number", "exclusiveMinimum": 0}),
	}
}

func parameter(name, in, description string, schema object) object {
	return object{"name": name, "in": in, "description": description, "schema": schema}
}

// responses returns the replies that are shared.
func responses() object {
	all := object{}
	for name, description := range map[string]string{
		"BadRequest":   "The request makes no sense as a whole, or what it configures; the text says what was expected, and where.",
		"Unauthorized": "The token is missing or another.",
		"Forbidden":    "The page of another origin asks, or the Host is no loopback's where there is no token.",
		"Slow":         "The body did not come in time.",
		"TooLarge":     "The body has more than 64 MiB, or was made to burst; or there are more than 131,072 answers, or the request and its reply take more than --max-queue-bytes.",
		"Encoding":     "The body is in another encoding than gzip.",
		"Busy":         "There is no room, or the server is starting or stopping.",
		"Headers":      "There are more than 100 headers, or more than 8 KiB of them.",
		"Again":        "There is no room, the server is starting or stopping, or the program could not be run in time: nothing is known of it.",
	} {
		reply := object{"description": description, "content": object{"application/json": object{"schema": reference("Error")}}}
		if name == "Busy" || name == "Again" {
			reply["headers"] = object{"Retry-After": object{"description": "Seconds.", "schema": object{"type": "integer"}}}
		}
		all[name] = reply
	}
	return all
}

// notNull returns the types of a field that is there: null is as if it were not.
func notNull() object {
	return object{"type": []string{"string", "number", "boolean", "array", "object"}}
}

// both returns the schema of what has two fields that exclude each other.
func both(a, b string) object {
	return object{"required": []string{a, b}, "properties": object{a: notNull(), b: notNull()}}
}

// oneOf returns the schema of an object that has one of two fields.
func oneOf(a string, isA object, b string, isB object) []any {
	nothing := object{"type": "null"}
	return []any{
		object{"required": []string{a}, "properties": object{a: isA, b: nothing}},
		object{"required": []string{b}, "properties": object{b: isB, a: nothing}},
	}
}

// schemas returns the schemas of all types, with what a type does not say.
func schemas() object {
	all := object{
		"ScoreRequest": object{"oneOf": []any{reference("One"), reference("Batch")}},
		"LintRequest":  object{"oneOf": []any{reference("Lint"), reference("LintWithin")}, "description": `A Lint, or an object with one in "lint", as the stream has it.`},
	}
	for _, of := range []struct {
		value any
		doc   string
		more  object
	}{
		{wireError{}, "", nil},
		{wireStatus{}, "", nil},
		{wireItem{}, "Answers to one task. What is wrong with them or with it is an error in the score. Of completion and completions, and of task and task_id, one is null or not there.",
			object{"not": object{"anyOf": []any{both("task", "task_id"), both("completion", "completions")}}}},
		{wireOne{}, "An item that is the whole request.",
			object{"not": both("task", "task_id"), "oneOf": oneOf("completion", object{}, "completions", notNull())}},
		{wireBatch{}, "Items, and settings for those that have none.", nil},
		{wireScore{}, "", nil},
		{wireDetails{}, "Where the request asks for details, and there is no error.", nil},
		{wireScoreReply{}, "", nil},
		{wireLint{}, "One program, or several by name.", object{"oneOf": oneOf("code", object{"type": "string"}, "files", object{"type": "object"})}},
		{wireLintWithin{}, "", nil},
		{wireOptions{}, "Of flake8, by its names; null for the default. 64 KiB of JSON at most.", nil},
		{wireFinding{}, "", nil},
		{wireLintReply{}, "", nil},
		{wireEditRequest{}, "", nil},
		{wireEditReply{}, "", nil},
		{wireOpenRLHFRequest{}, "Three lists of one length. What is no text, or no task, is an error of that item.", nil},
		{wireOpenRLHFReply{}, "", nil},
		{wireSlimeRequest{}, "", nil},
		{wireRunRequest{}, "", nil},
		{wireRunResult{}, "", nil},
		{wireRunReply{}, "", nil},
	} {
		t := reflect.TypeOf(of.value)
		schema := structSchema(t)
		if of.doc != "" {
			schema["description"] = of.doc
		}
		for name, value := range of.more {
			schema[name] = value
		}
		all[schemaName(t)] = schema
	}
	return all
}

package httpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator/task"
)

// openAPIDocument returns the document, and its schemas by name.
func openAPIDocument(t *testing.T) (document, schemas map[string]any) {
	t.Helper()
	if err := json.Unmarshal(openAPI.Get(), &document); err != nil {
		t.Fatal(err)
	}
	return document, document["components"].(map[string]any)["schemas"].(map[string]any)
}

// The document holds of what is answered, and its examples are answered. The checker
// knows the part of JSON Schema that the document uses, and fails on any other.
func TestOpenAPI(t *testing.T) {
	document, schemas := openAPIDocument(t)
	c := checker{schemas}
	s := start(t, Options{})
	s.ready.Store(true)
	options := schemas["Options"].(map[string]any)["properties"].(map[string]any)
	if got, want := slices.Sorted(maps.Keys(options)), slices.Sorted(slices.Values(task.OptionNames())); !slices.Equal(got, want) {
		t.Errorf("options %q, want %q", got, want)
	}
	operations := 0
	for path, item := range document["paths"].(map[string]any) {
		for method, operation := range item.(map[string]any) {
			operations++
			operation := operation.(map[string]any)
			body := "null"
			if request, has := operation["requestBody"].(map[string]any); has {
				content := request["content"].(map[string]any)["application/json"].(map[string]any)
				text, _ := json.Marshal(content["example"])
				body = string(text)
				c.check(t, method+" "+path+" example", content["schema"], content["example"])
			}
			w := askAgain(s, strings.ToUpper(method), path, body)
			responses := operation["responses"].(map[string]any)
			response, has := responses[fmt.Sprint(w.Code)]
			if w.Code != 200 || !has {
				t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
				continue
			}
			content := response.(map[string]any)["content"].(map[string]any)
			if media, has := content["application/json"].(map[string]any); has {
				c.check(t, method+" "+path, media["schema"], decode(t, w.Body.Bytes()))
			}
			if method == "post" {
				w := ask(s, "POST", path, "[]")
				if _, has := responses["400"]; !has || w.Code != 400 {
					t.Errorf("%s: %d", path, w.Code)
				}
				c.check(t, path+" error", schemas["Error"], decode(t, w.Body.Bytes()))
			}
		}
	}
	if operations != 10 {
		t.Errorf("%d operations", operations)
	}
	for _, request := range []struct{ path, schema, body string }{
		{"/v1/score", "ScoreReply", `{"id": 1, "items": [{"task_id": 7, "completions": ["x", "y = 1\n"]}, {"completion": 7}], "verdict": "guarded"}`},
		{"/v1/lint", "LintReply", `{"files": {"a.py": "import os\n", "b.py": "x=1\n"}}`},
		{"/v1/edit", "EditReply", `{"before": "x = 1\n", "after": "import os\nx=1\n", "run": false}`},
		{"/slime?full", "Score", `{"response": "x", "label": 7}`},
	} {
		w := ask(s, "POST", request.path, request.body)
		c.check(t, request.body, schemas[request.schema], decode(t, w.Body.Bytes()))
	}
}

// What the document allows is answered, and what it forbids is refused.
func TestOpenAPIRequests(t *testing.T) {
	_, schemas := openAPIDocument(t)
	c := checker{schemas}
	s := start(t, Options{})
	requests := map[string][]string{
		"/v1/score ScoreRequest": {
			`{}`, `{"completion": "x"}`, `{"completion": null}`, `{"completions": []}`, `{"completion": null, "completions": []}`, `{"completion": 1, "completions": []}`,
			`{"completion": "x", "items": null}`, `{"completion": "x", "lint": null}`, `{"completion": "x", "lint": {}}`, `{"items": []}`, `{"items": 1}`, `{"items": [1, null, {}]}`,
			`{"items": [{"x": 1}]}`, `{"items": [{"completion": "x", "completions": []}]}`, `{"items": [{"completion": null, "completions": []}]}`,
			`{"completion": "x", "deadline_ms": 0}`, `{"completion": "x", "deadline_ms": 1e300}`, `{"completion": "x", "deadline_ms": null}`, `{"completion": "x", "deadline_ms": "1"}`,
			`{"completion": "x", "verdict": null, "reward": null, "task": null, "task_id": null}`, `{"completion": "x", "verdict": "x"}`, `{"completion": "x", "reward": true}`,
			`{"completion": "x", "verdict": "official", "reward": "shaped"}`, `{"completion": "x", "task": 1, "task_id": 1}`, `{"completion": "x", "task": 1, "task_id": null}`,
			`{"completion": "import os", "details": true, "task": {"program": "x=1"}}`, `{"items": [{"completion": "x", "details": false}], "details": true}`, `{"completion": "x", "details": 1}`, `{"completion": "x", "prompt": "x"}`, `{"completion": "x", "prompt": null}`, `{"completion": "x", "prompt": 1}`, `{"items": [], "prompt": "x"}`, `{"completion": "x", "task": []}`, `{"items": [{"completion": "x", "task": 1, "task_id": 1}]}`, `{"items": [], "task": 1}`, `{"items": [{"completion": "x", "id": null}], "lint": null, "task": null}`, `{"items": [{"completion": "x", "id": 1}]}`, `{"items": [], "id": {"a": [1]}}`, `[]`, `1`, `null`,
		},
		"/v1/lint LintRequest": {
			`{}`, `{"code": ""}`, `{"code": null}`, `{"code": "", "files": null}`, `{"code": null, "files": {}}`, `{"files": {"a": ""}}`, `{"files": {"a": 1}}`, `{"files": []}`,
			`{"code": "", "files": {}}`, `{"code": "", "options": null}`, `{"code": "", "options": {}}`, `{"code": "", "options": {"max-line-length": null}}`, `{"code": "", "options": {"max-line-length": 1}}`,
			`{"code": "", "options": {"max-line-length": "1"}}`, `{"code": "", "options": {"": 1}}`, `{"code": "", "options": 1}`, `{"code": "", "x": 1}`, `{"lint": {"code": ""}}`, `{"lint": {}}`, `{"lint": null}`,
			`{"lint": {"code": ""}, "id": 1}`, `{"lint": {"code": ""}, "verdict": null}`, `{"lint": {"code": ""}, "verdict": "official"}`, `{"lint": {"code": "", "options": null}}`, `{"lint": {"code": ""}, "code": ""}`, `{"code": "", "id": null}`, `[]`,
		},
		"/v1/edit EditRequest": {
			`{}`, `{"before": "", "after": ""}`, `{"before": "x=1", "after": null}`, `{"before": "", "after": 1}`, `{"after": ""}`, `{"before": "", "after": "", "name": "a.py", "id": [1]}`,
			`{"before": "", "after": "", "name": null, "run": null, "options": null}`, `{"before": "", "after": "", "name": 1}`, `{"before": "", "after": "", "run": 1}`, `{"before": "", "after": "", "run": false}`,
			`{"before": "", "after": "", "options": {"max-line-length": "1"}}`, `{"before": "", "after": "", "options": {"ignore": ["E"]}}`, `{"before": "", "after": "", "x": 1}`, `[]`,
		},
		"/run_code RunRequest": {
			`{}`, `{"code": ""}`, `{"code": "x = 1", "language": "python"}`, `{"code": "x = 1", "language": "cpp"}`, `{"code": null, "language": "python"}`, `{"code": 1, "language": "python"}`,
			`{"code": "", "language": "python", "stdin": null, "run_timeout": 1, "compile_timeout": 0.5, "memory_limit_MB": -1, "files": {"a": "YQ==", "b": null}, "fetch_files": ["a"], "args": []}`,
			`{"code": "", "language": "python", "run_timeout": 0}`, `{"code": "", "language": "python", "run_timeout": 121}`, `{"code": "", "language": "python", "run_timeout": "1"}`,
			`{"code": "", "language": "python", "memory_limit_MB": 0}`, `{"code": "", "language": "python", "memory_limit_MB": 2049}`, `{"code": "", "language": "python", "memory_limit_MB": 1.5}`,
			`{"code": "", "language": "python", "files": {"a": 1}}`, `{"code": "", "language": "python", "files": []}`, `{"code": "", "language": "python", "fetch_files": [1]}`,
			`{"code": "", "language": "python", "args": ["-v"]}`, `{"code": "", "language": "python", "stdin": 1}`, `{"code": "", "language": "python", "x": 1}`,
			`{"code": "", "language": "python", "files": null, "fetch_files": null, "args": null, "run_timeout": null}`, `[]`, `null`,
		},
		"/slime SlimeRequest": {
			`{}`, `{"response": "x"}`, `{"response": null, "label": null}`, `{"response": "x", "label": 7, "prompt": []}`, `{"response": "x", "x": 1}`, `[]`,
		},
		"/openrlhf OpenRLHFRequest": {
			`{}`, `{"query": [], "prompts": [], "labels": []}`, `{"query": [], "prompts": []}`, `{"query": [1], "prompts": [null], "labels": [{}]}`, `{"query": {}, "prompts": [], "labels": []}`,
			`{"query": [], "prompts": [], "labels": [], "x": 1}`,
		},
	}
	for where, bodies := range requests {
		path, schema, _ := strings.Cut(where, " ")
		for _, body := range bodies {
			problem := c.problem(schemas[schema], decode(t, []byte(body)))
			w := askAgain(s, "POST", path, body)
			if allowed := problem == ""; allowed != (w.Code == 200) || !allowed && w.Code != 400 {
				t.Errorf("%s %s: %d %.200s, and the document says %q", path, body, w.Code, w.Body, problem)
			}
		}
	}
}

func decode(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}

type checker struct{ schemas map[string]any }

func (c checker) check(t *testing.T, where string, schema, value any) {
	t.Helper()
	if problem := c.problem(schema, value); problem != "" {
		t.Errorf("%s: %s", where, problem)
	}
}

// problem says where a value is not as a schema says.
func (c checker) problem(schema, value any) string {
	rules := schema.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		rule := rules[name]
		switch name {
		case "description", "pattern": // of texts that no example has
		case "$ref":
			to, known := c.schemas[strings.TrimPrefix(rule.(string), "#/components/schemas/")]
			if !known {
				return fmt.Sprintf("there is no %v", rule)
			}
			if problem := c.problem(to, value); problem != "" {
				return problem
			}
		case "type":
			types, several := rule.([]any)
			if !several {
				types = []any{rule}
			}
			if !slices.ContainsFunc(types, func(name any) bool { return isOf(name.(string), value) }) {
				return fmt.Sprintf("%v is no %v", value, rule)
			}
		case "enum":
			if !slices.ContainsFunc(rule.([]any), func(one any) bool { return fmt.Sprint(one) == fmt.Sprint(value) }) {
				return fmt.Sprintf("%v is none of %v", value, rule)
			}
		case "minimum", "exclusiveMinimum", "maximum":
			if number, is := value.(json.Number); is {
				n, _ := number.Float64()
				if bound := rule.(float64); n < bound && name != "maximum" || n == bound && name == "exclusiveMinimum" || n > bound && name == "maximum" {
					return fmt.Sprintf("%v: %s %v", value, name, rule)
				}
			}
		case "required":
			object, _ := value.(map[string]any)
			for _, field := range rule.([]any) {
				if _, has := object[field.(string)]; !has {
					return fmt.Sprintf("%v has no %v", value, field)
				}
			}
		case "properties", "additionalProperties":
			object, _ := value.(map[string]any)
			known, _ := rules["properties"].(map[string]any)
			for field, value := range object {
				rule, has := known[field]
				if name == "properties" && !has || name == "additionalProperties" && has {
					continue
				}
				if name == "additionalProperties" {
					if rule = rules[name]; rule == false {
						return fmt.Sprintf("%s is unknown", field)
					}
				}
				if problem := c.problem(rule, value); problem != "" {
					return field + ": " + problem
				}
			}
		case "items":
			list, _ := value.([]any)
			for i, item := range list {
				if problem := c.problem(rule, item); problem != "" {
					return fmt.Sprintf("[%d]: %s", i, problem)
				}
			}
		case "minLength":
			if text, is := value.(string); is && float64(len(text)) < rule.(float64) {
				return fmt.Sprintf("%q is too short", text)
			}
		case "not":
			if c.problem(rule, value) == "" {
				return fmt.Sprintf("%v is what must not be", value)
			}
		case "oneOf", "anyOf":
			fit, problems := 0, []string{}
			for _, one := range rule.([]any) {
				problem := c.problem(one, value)
				if problem == "" {
					fit++
				}
				problems = append(problems, problem)
			}
			if fit == 0 {
				return strings.Join(problems, " and ")
			}
			if fit > 1 && name == "oneOf" {
				return fmt.Sprintf("%v fits %d of one", value, fit)
			}
		default:
			return "the checker does not know " + name
		}
	}
	return ""
}

func isOf(name string, value any) bool {
	switch value := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case float64: // of the document itself
		return name == "number" || name == "integer" && value == float64(int64(value))
	case json.Number:
		return name == "number" || name == "integer" && !strings.ContainsAny(string(value), ".e")
	}
	return false
}

package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The document holds of what is answered, and its examples are answered. The checker
// knows the part of JSON Schema that the document uses, and fails on any other.
func TestOpenAPI(t *testing.T) {
	var document map[string]any
	if err := json.Unmarshal(openAPI, &document); err != nil {
		t.Fatal(err)
	}
	schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
	c := checker{schemas}
	s := start(t, Options{})
	s.ready.Store(true)
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
			w := ask(s, strings.ToUpper(method), path, body)
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
	if operations != 14-1 { // the page is no part of it
		t.Errorf("%d operations", operations)
	}
	for _, request := range []struct{ path, schema, body string }{
		{"/v1/score", "ScoreReply", `{"id": 1, "items": [{"task_id": 7, "completions": ["x", "y = 1\n"]}, {"completion": 7}], "verdict": "guarded"}`},
		{"/v1/lint", "LintReply", `{"files": {"a.py": "import os\n", "b.py": "x=1\n"}}`},
		{"/slime?full", "Score", `{"response": "x", "label": 7}`},
		{"/verify", "VerifyReply", `{"responses_create_params": {}, "response": {"output": []}, "task_id": 7}`},
	} {
		w := ask(s, "POST", request.path, request.body)
		c.check(t, request.body, schemas[request.schema], decode(t, w.Body.Bytes()))
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
		case "description":
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

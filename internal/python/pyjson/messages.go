package pyjson

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
)

// Unmarshal is [json.Unmarshal], but two fields of one name in an object are an error, as in
// [End].
func Unmarshal(data []byte, into any) error {
	if problem, _ := Problem(data, End(data, skipBlanks(data, 0)), 0); problem != "" {
		return errors.New(problem)
	}
	return json.Unmarshal(data, into)
}

// Mismatch words encoding/json's error for a value of the wrong type, for users
// of JSON.
func Mismatch(err *json.UnmarshalTypeError) string {
	expected := "an object"
	isText := func(t reflect.Type) bool { return t.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) }
	switch kind := err.Type.Kind().String(); {
	case kind == "string" || isText(err.Type) || isText(reflect.PointerTo(err.Type)):
		expected = "a text"
	case kind == "slice":
		expected = "a list"
	case kind == "int":
		expected = "a whole number"
	case kind == "bool":
		expected = "true or false"
	}
	found := "a " + err.Value // "number 12"
	switch err.Value {
	case "string":
		found = "a text"
	case "array":
		found = "a list"
	case "object":
		found = "an object"
	case "bool":
		found = "true or false"
	}
	return "expected " + expected + ", found " + found
}

// Brief shows the start of some JSON.
func Brief(data []byte) string {
	const limit = 40
	if len(data) > limit {
		return strconv.Quote(string(data[:limit])) + "…"
	}
	return strconv.Quote(string(data))
}

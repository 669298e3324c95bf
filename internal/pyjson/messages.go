package pyjson

import (
	"encoding/json"
	"strconv"
)

// Mismatch says what encoding/json expected and what it found, as a user of JSON
// would.
func Mismatch(err *json.UnmarshalTypeError) string {
	expected := "an object"
	switch err.Type.Kind().String() {
	case "string":
		expected = "a text"
	case "slice":
		expected = "a list"
	case "int":
		expected = "a whole number"
	case "bool":
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

package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// A list's items come out as they stand, wherever the reader's buffer ends.
func TestList(t *testing.T) {
	const text = "{ \"a\": [1, {\"test\": []}], \"a\\u0062\" : {\"x\":\"]}\\\"\",\n \"test\" : [ {\"k\": [\"}\"]} ,\n\n -1.5e3\n,\"a\\\\\", null ,[ [ ] ] ] , \"z\":1 } , \"y\" : {} }\n\n"
	want := []string{`2 1 {"k": ["}"]}`, `4 2 -1.5e3`, `5 3 "a\\"`, `5 4 null`, `5 5 [ [ ] ]`}
	for name, r := range map[string]io.Reader{
		"at once":        strings.NewReader(text),
		"byte by byte":   iotest.OneByteReader(strings.NewReader(text)),
		"after a buffer": io.MultiReader(strings.NewReader(strings.Repeat(" ", 64<<10-30)), strings.NewReader(text)),
	} {
		list := NewList("t", r, "ab", "test")
		var got []string
		for {
			line, err := list.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%d %d %s", line.Line, line.Number, line.Text))
			if name == "at once" && !strings.HasPrefix(text[line.Offset:], string(line.Text)) {
				t.Errorf("%s: is not at %d", line.Text, line.Offset)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if _, err := list.Next(); err != io.EOF {
			t.Errorf("%s: after the end: %v", name, err)
		}
	}
}

// Of two lists of one name, one would be lost; so the objects around a list have each key once.
func TestListTwice(t *testing.T) {
	for text, row := range map[string]string{
		`{"a": [], "b": [1], "\u0062": [2]}`:   "b",
		`{"c": 1, "c": 2, "b": [1]}`:           "c",
		`{"c": 1, "b": [1], "c": {}}`:          "c",
		`{"b": [1], "c": {}, "c": {}}`:         "c",
		`{"b": [1, 2], "a": {"b": 1, "b": 2}}`: "",
	} {
		var err error
		for list := NewList("t", strings.NewReader(text), "b"); err == nil; {
			_, err = list.Next()
		}
		want := fmt.Sprintf("t:1: expected each key once in an object, found %q again", row)
		if row == "" {
			want = "EOF"
		}
		if err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Whatever the bytes: no panic and no hang; what JSON is for encoding/json has
// the same items.
func FuzzList(f *testing.F) {
	f.Add([]byte(`[1, "a", {"b": [2]}, [], null]`))
	f.Add([]byte("[ \n] "))
	f.Add([]byte(`["\\", "\"", 1,]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var want []json.RawMessage
		valid := json.Unmarshal(text, &want) == nil && want != nil
		list := NewList("t", bytes.NewReader(text))
		for i := 0; ; i++ {
			line, err := list.Next()
			if err == nil && i > len(text) {
				t.Fatal("more items than bytes")
			}
			if !valid {
				if err != nil {
					return
				}
				continue
			}
			if err != nil {
				if err != io.EOF || i != len(want) {
					t.Fatalf("after %d of %d items: %v", i, len(want), err)
				}
				return
			}
			if string(line.Text) != string(want[i]) {
				t.Fatalf("item %d is %q, want %q", i, line.Text, want[i])
			}
		}
	})
}

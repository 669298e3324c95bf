package evaluator

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSamples(t *testing.T) {
	tests := []struct {
		text string
		want Samples
		err  string
	}{
		{`{"id": 1, "outputs": ["a", ""]}`, Samples{ID: "1", Outputs: []string{"a", ""}}, ""},
		{`{"id": "a", "outputs": []}`, Samples{ID: "a", Outputs: []string{}}, ""},
		{`{"outputs": ["\ud800\u0000é\r\n"], "model": "m", "id": 1}`, Samples{ID: "1", Outputs: []string{"\ufffd\x00é\r\n"}, Halves: 1}, ""},
		{`{"id": 1, "outputs": ["a"], "task_digest": "0b5d1c33-8a0f2e61"}`, Samples{ID: "1", Digest: "0b5d1c33-8a0f2e61", Outputs: []string{"a"}}, ""},
		{`{"outputs": []}`, Samples{}, "s:9: field id is missing: expected an integer or a text"},
		{`{"id": 1}`, Samples{}, "s:9: field outputs is missing: expected a list of texts"},
		{`{"id": 1, "outputs": null}`, Samples{}, "s:9: outputs: expected a list, found null"},
		{`{"id": 1, "outputs": "a"}`, Samples{}, "s:9: outputs: expected a list, found a text"},
		{`{"id": 1, "outputs": ["a", null]}`, Samples{}, "s:9: outputs[1]: expected a text, found null"},
		{`{"id": 1, "outputs": [["a", "b"], "c"]}`, Samples{ID: "1", Outputs: []string{"a", "b", "c"}}, ""},
		{`{"id": 1, "outputs": ["a", [["b"]]]}`, Samples{}, "s:9: outputs[1][0]: expected a text, found a list"},
		{`{"ID": 2, "id": 1, "outputs": ["a"], "Outputs": null, "score": NaN}`, Samples{ID: "1", Outputs: []string{"a"}}, ""},
		{`{"id": true, "outputs": []}`, Samples{}, `s:9: id: expected an integer or a text, found true`},
		{`{"id": 1, "outputs": ["a"`, Samples{}, "s:9: expected one whole JSON object, found a fault at byte 25: unexpected end of JSON input"},
	}
	for _, test := range tests {
		got, err := NewJSONL("", nil).Parse(Row{File: "s", Line: 9, Text: []byte(test.text)})
		switch {
		case test.err != "":
			if err == nil || err.Error() != test.err {
				t.Errorf("samples of %s: %v\nwant %s", test.text, err, test.err)
			}
		case err != nil:
			t.Errorf("samples of %s: %v", test.text, err)
		default:
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("samples of %s: %s", test.text, diff)
			}
		}
	}
}

// Whatever the bytes: no panic, and what is read is UTF-8.
func FuzzParseSamples(f *testing.F) {
	f.Add([]byte("{\"id\": 7, \"outputs\": [\"```python\\nx = 1\\n```\"]}"))
	f.Add([]byte(`{"outputs": [["\ud800\u0000"], []], "id": "é"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := NewJSONL("t", bytes.NewReader(text))
		row, err := lines.Next()
		if err != nil {
			return
		}
		samples, err := lines.Parse(row)
		if err != nil {
			return
		}
		for _, output := range samples.Outputs {
			if !utf8.ValidString(output) {
				t.Errorf("output %q", output)
			}
		}
	})
}

package stream

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"codelinter/internal/serve/api"
)

// Whatever comes in, each line that is not blank has one reply, in order.
func FuzzRun(f *testing.F) {
	f.Add([]byte("{\"id\": 1, \"completion\": \"x = 1\\n\"}\n\n \nno\n{\"lint\": {\"code\": \"x\"}}"))
	f.Add([]byte("\ufeff{\"items\": [{}]}\r\n\x00\n\xff\n{}"))
	f.Add([]byte("{\"completion\": \"" + strings.Repeat("x", 600) + "\"}\n{\"completion\": \"\\ud800\"}\n"))
	s := start(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		lines := 0
		for line := range bytes.SplitSeq(in, []byte("\n")) {
			if len(api.Trim(line)) > 0 {
				lines++
			}
		}
		var out bytes.Buffer
		if err := Run(t.Context(), s, bytes.NewReader(in), &out, Options{Ordered: true, MaxLine: 500, Defaults: official}); err != nil {
			t.Fatal(err)
		}
		replies := bytes.SplitAfter(out.Bytes(), []byte("\n"))
		if last := replies[len(replies)-1]; len(last) > 0 || len(replies)-1 != lines {
			t.Fatalf("%d lines, %d replies: %q\n%s", lines, len(replies)-1, in, out.Bytes())
		}
		for _, reply := range replies[:len(replies)-1] {
			if !json.Valid(reply) {
				t.Errorf("a reply that is no JSON: %s", reply)
			}
		}
	})
}

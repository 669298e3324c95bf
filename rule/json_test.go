package rule

import (
	"encoding/json"
	"testing"
)

// The JSON form is valid, holds what the message says, and takes no memory.
func TestJSON(t *testing.T) {
	for _, test := range []struct {
		finding Finding
		want    string
	}{
		{Finding{Row: 1, Column: 80, Start: 79, End: 86, Code: E501, values: Values{A: 86, B: 79}},
			`{"code":"E501","row":1,"column":80,"start":79,"end":86,"message":"line too long (86 \u003e 79 characters)"}`},
		{Finding{Row: 2, Column: 1, Code: E999, values: Values{Text: "a \"\\\n\x00\x7f\u2028<é\U0001f600"}},
			`{"code":"E999","row":2,"column":1,"start":0,"end":0,"message":"a \"\\\n\u0000\u007f\u2028\u003cé😀"}`},
		{Finding{Row: 2, Column: 1, Code: E999, values: Values{Text: "\xed\xa0\x80 \xff"}},
			`{"code":"E999","row":2,"column":1,"start":0,"end":0,"message":"\ufffd\ufffd\ufffd \ufffd"}`},
		{Finding{Code: F401, values: Values{Text: "eggs", Shared: &SharedText{"spam."}}},
			`{"code":"F401","row":0,"column":0,"start":0,"end":0,"message":"'spam.eggs' imported but unused"}`},
	} {
		type form struct {
			Code                    string
			Row, Column, Start, End int
			Message                 string
		}
		text, err := json.Marshal(test.finding)
		if err != nil {
			t.Fatal(err)
		}
		var got, want form
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := json.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s, want %s", text, test.want)
		}
		buffer := make([]byte, 0, 1000)
		if n := testing.AllocsPerRun(10, func() { buffer = test.finding.AppendJSON(buffer[:0]) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

package diagnose

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"codelinter/source"
)

func TestCasesTmp(t *testing.T) {
	f, _ := os.Open("/work/shared/reference/syntax-cases.jsonl")
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	var d Diagnoser
	n, bad := 0, 0
	for sc.Scan() {
		var c struct {
			ID     string
			Code   string
			B64    []byte          `json:"code_b64"`
			Syntax []any           `json:"syntax_314"`
			Crash  string          `json:"crash_314"`
		}
		json.Unmarshal(sc.Bytes(), &c)
		n++
		data := []byte(c.Code)
		if c.B64 != nil {
			data = c.B64
		}
		var file source.File
		file.Load(data)
		got := "valid"
		if e := d.Diagnose(&file, 0); e != nil {
			got = fmt.Sprintf("%s: %s %d %d", e.Type, e.Message, e.Row, e.Offset)
			if e.Fatal {
				got = fmt.Sprintf("%s: %s", e.Type, e.Message)
			}
		}
		want := "valid"
		if c.Syntax != nil {
			r, o := 0, 0
			if c.Syntax[2] != nil {
				r = int(c.Syntax[2].(float64))
				o = int(c.Syntax[3].(float64))
			}
			want = fmt.Sprintf("%s: %s %d %d", c.Syntax[0], c.Syntax[1], r, o)
		}
		if c.Crash != "" && got == c.Crash {
			continue
		}
		if got != want {
			bad++
			if bad < 60 {
				s := c.Code
				if len(s) > 150 {
					s = s[:150]
				}
				t.Errorf("%s %q crash %q\n got %s\nwant %s", c.ID, s, c.Crash, got, want)
			}
		}
	}
	t.Logf("%d cases, %d bad", n, bad)
}

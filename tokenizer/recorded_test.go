package tokenizer

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"codelinter/source"

	"github.com/google/go-cmp/cmp"
)

// The flags name recorded streams that are too large to keep here, as JSON
// lines: -cases has {"id", "code"}, -streams {"id", "tokens", "error"} with
// what CPython 3.14's tokenize gives for them.
var (
	cases   = flag.String("cases", "", "file of `JSON lines` with programs")
	streams = flag.String("streams", "../testdata/tokens/streams.jsonl", "file of `JSON lines` with token streams")
)

// A stream is what tokenize gives for Code.
type stream struct {
	ID     string
	Code   string
	Tokens [][7]any // kind, string, row, column, end row, end column, line
	Error  *[4]any  // type, message, row, offset
}

func readLines(t *testing.T, name string, line func([]byte)) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		line(lines.Bytes())
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

func TestRecordedStreams(t *testing.T) {
	code := map[string]string{}
	if *cases != "" {
		readLines(t, *cases, func(line []byte) {
			var c struct {
				ID, Code string
				Code_b64 []byte
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			if c.Code_b64 != nil {
				c.Code = string(c.Code_b64)
			}
			code[c.ID] = c.Code
		})
	}
	checkStreams(t, *streams, source.Python314, code)
	checkStreams(t, "../testdata/tokens/python315.jsonl", source.Python315, nil)
}

// checkStreams compares the streams of a file with those of a CPython. code has the texts
// of those that the file names only.
func checkStreams(t *testing.T, name string, target source.Version, code map[string]string) {
	t.Helper()
	same, total := 0, 0
	var tokenizer Tokenizer
	readLines(t, name, func(line []byte) {
		var want stream
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		if want.Code == "" {
			want.Code = code[want.ID]
		}
		total++
		if want.Error != nil && want.Error[0] == "MemoryError" {
			same++ // CPython's own fault, on a text that it parses
			return
		}
		t.Run(want.ID, func(t *testing.T) {
			file := source.File{Target: target}
			if err := file.Load([]byte(want.Code)); err != nil {
				t.Fatal(err)
			}
			tokens, failure := tokenizer.Tokenize(file.Text, Options{Target: target})
			got := stream{ID: want.ID, Code: want.Code, Tokens: [][7]any{}}
			for _, token := range tokens {
				i := Describe(&file, token)
				got.Tokens = append(got.Tokens, [7]any{i.Kind, i.String, float64(i.Row), float64(i.Column), float64(i.EndRow), float64(i.EndColumn), i.Line})
			}
			if failure != nil {
				got.Error = &[4]any{failure.Type, failure.Message, float64(failure.Row), float64(failure.Offset)}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q\n%s", want.Code, diff)
				return
			}
			same++
		})
	})
	t.Logf("%d of %d streams are the same", same, total)
}

package rows

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// A line longer than any buffer is whole, and one above the limit is refused
// without being read into memory.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	lines := NewLines("t", strings.NewReader(long+"\n"+long+"y\nz"))
	for _, want := range []string{long, long + "y", "z"} {
		line, err := lines.Next()
		if err != nil || string(line.Text) != want {
			t.Fatalf("got %d bytes, %v; want %d", len(line.Text), err, len(want))
		}
	}
	if _, err := lines.Next(); err != io.EOF {
		t.Errorf("after the last line: %v, want EOF", err)
	}
	if testing.Short() {
		return
	}
	_, err := NewLines("t", endless{}).Next()
	if want := "t:1: expected a line of 256 MiB at most, found a longer one"; err == nil || err.Error() != want {
		t.Errorf("a line without end: %v, want %s", err, want)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestTexts(t *testing.T) {
	for list, want := range map[string]string{
		`[]`:                             `[] 0`,
		`[ "a" , "", "b\n" ]`:            `["a" "" "b\n"] 0`,
		`[["a", "b"], [], "c", [ "d" ]]`: `["a" "b" "c" "d"] 0`,
		`["\ud83d\udc0d", "\ud83d", "\udc0d\ud83d \ud83dx", "\ud83d\u0041"]`: `["🐍" "�" "�� �x" "�A"] 3`,
		`["a", [["b"]]]`:     `t:1: f[1][0]: expected a text, found a list`,
		`["a", 1]`:           `t:1: f[1]: expected a text, found a number`,
		`["a", ["b", null]]`: `t:1: f[1][1]: expected a text, found null`,
		`[{"a": "b"}]`:       `t:1: f[0]: expected a text, found an object`,
		`{}`:                 `t:1: f: expected a list, found an object`,
		`[` + strings.Repeat(`["",""],`, MaxTexts/2) + `""]`: `t:1: f: expected 1048576 texts at most, found 1048577`,
	} {
		row := Row{File: "t", Line: 1, Text: []byte(list)}
		texts, halves, err := row.Texts("f", row.Text)
		got := fmt.Sprintf("%q %d", texts, halves)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.80s: %s, want %s", list, got, want)
		}
	}
}

package job

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var reports = []Report{
	{Failure: "no interpreter"},
	{Exec: Step{Stop: Unknown}, Reason: "a guess", Resident: 1 << 30},
	{
		Exec:   Step{Stop: Replied, Reply: []byte{0}, Used: 1 << 40, Output: [2]int{0, 3}},
		Calls:  []Step{{Stop: Replied, Reply: []byte("\x00N\x00"), Output: [2]int{3, 3}, Errors: [2]int{0, 2}}, {Stop: Budget, Used: -1}},
		Finish: Step{Stop: Exit, Code: 1<<32 - 1, Output: [2]int{3, 5}},
		Output: []byte("a\x00b\xff\n"), Errors: []byte("no"), Truncated: true, Used: 1<<63 - 1,
	},
}

// three is a job of three calls.
var three = Job{Calls: make([][]byte, 3)}

// equal compares what is written with what is read. It compares bytes at once: one by one, a
// megabyte takes seconds.
var equal = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.FilterValues(func(a, b []byte) bool { return len(a)+len(b) > 0 }, cmp.Comparer(bytes.Equal)),
}

func TestFrames(t *testing.T) {
	var pipe bytes.Buffer
	jobs := []Job{
		{Before: []byte("import sys\n"), Source: []byte("x = 1\n"), Budget: -1},
		{Source: bytes.Repeat([]byte("x"), 1<<20), Calls: [][]byte{[]byte("one"), {}, []byte("three")}, Budget: 1<<63 - 1, Coverage: true, Traceback: true},
		{Once: true, Calls: [][]byte{}},
	}
	for _, want := range jobs {
		if err := want.Write(&pipe); err != nil {
			t.Fatal(err)
		}
		var got Job
		if err := got.Read(&pipe); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, equal); diff != "" {
			t.Error(diff)
		}
	}
	for _, want := range reports {
		if err := want.Write(&pipe); err != nil {
			t.Fatal(err)
		}
		var got Report
		if err := got.Read(&pipe, &three); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, equal); diff != "" {
			t.Error(diff)
		}
	}
	if err := new(Job).Read(&pipe); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// A frame that ends early, claims too much or has a byte too many is an error.
func TestDamagedFrames(t *testing.T) {
	var whole bytes.Buffer
	if err := reports[2].Write(&whole); err != nil {
		t.Fatal(err)
	}
	b := whole.Bytes()
	for n := 1; n < len(b); n++ {
		if err := new(Report).Read(bytes.NewReader(b[:n]), &three); err != io.ErrUnexpectedEOF {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
		if n >= 4 && new(Report).Decode(b[4:n], 2) == nil {
			t.Errorf("%d of %d bytes make a report", n-4, len(b)-4)
		}
	}
	if new(Report).Decode(append(bytes.Clone(b[4:]), 0), 2) == nil {
		t.Error("a byte too many makes a report")
	}
	if new(Report).Decode(b[4:], 1) == nil {
		t.Error("a report of two calls, where there was one")
	}
	if err := new(Report).Read(strings.NewReader("\xff\xff\xff\xff"), &three); err == nil || !strings.Contains(err.Error(), "4294967295") {
		t.Errorf("a frame of 4 GiB: %v", err)
	}
	big := Job{Source: make([]byte, MaxJob)}
	if err := big.Write(io.Discard); err == nil {
		t.Error("a job that is too large was written")
	}
}

// What a child sends may be anything.
func FuzzReport(f *testing.F) {
	for _, r := range reports {
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes()[4:])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r Report
		if r.Decode(data, len(three.Calls)) != nil {
			return
		}
		for _, s := range append(r.Calls, r.Exec, r.Finish) {
			_ = r.Output[s.Output[0]:s.Output[1]]
			_ = r.Errors[s.Errors[0]:s.Errors[1]]
		}
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		var again Report
		if err := again.Read(&b, &three); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, again, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

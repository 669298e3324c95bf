package terminal

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestDescribe(t *testing.T) {
	for _, test := range []struct {
		done, total int
		took        time.Duration
		want        string
	}{
		{0, 1120, time.Minute, "0 of 1120 samples in 1m0s"},
		{30, 1120, 2 * time.Minute, "30 of 1120 samples in 2m0s, 15.0 a minute, 1h12m40s left"},
		{1, 1, 61 * time.Second, "1 of 1 samples in 1m1s, 1.0 a minute, 0s left"},
		{1200, 4000, 3 * time.Second, "1200 of 4000 samples in 3s, 400.0 a second, 7s left"},
		{1200, 0, 3 * time.Second, "1200 samples in 3s, 400.0 a second"},
		{5, 9, 0, "5 of 9 samples in 0s"},
	} {
		if got := Describe(test.done, test.total, "samples", test.took); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	if NewProgress(&out, "files") != nil {
		t.Error("a buffer is no terminal")
	}
	var none *Progress
	none.Note(", well")
	none.Set(1, 2)
	none.Clear()

	synctest.Test(t, func(t *testing.T) {
		p := &Progress{w: &out, unit: "files", start: time.Now()}
		time.Sleep(delay - 1)
		p.Set(1, 9)
		p.Clear()
		if out.Len() > 0 {
			t.Errorf("a young run shows %q", &out)
		}
		time.Sleep(9*time.Second + 1)
		p.Note(", 2 retries")
		p.Set(5, 10)
		time.Sleep(interval - 1)
		p.Set(6, 10)
		if got, want := out.String(), "\r\x1b[K5 of 10 files in 10s, 30.0 a minute, 10s left, 2 retries\r"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		out.Reset()
		time.Sleep(time.Nanosecond)
		p.Set(6, 10)
		if got, want := out.String(), "\r\x1b[K6 of 10 files in 10s, 35.6 a minute, 7s left, 2 retries\r"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		out.Reset()
		p.Clear()
		p.Clear()
		if got, want := out.String(), "\r\x1b[K"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

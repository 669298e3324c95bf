package service

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"unsafe"

	"codelinter/internal/serve/api"
)

func TestHold(t *testing.T) {
	room := newRoom(100)
	first, second := room.Hold(), room.Hold()
	for _, step := range []struct {
		do   func() error
		want error
		used int64
	}{
		{func() error { return first.More(60) }, nil, 60},
		{func() error { return second.More(41) }, ErrBusy, 60},
		{func() error { return second.More(101) }, ErrTooLarge, 60},
		{func() error { return first.More(41) }, ErrTooLarge, 60},
		{func() error { return second.Set(40) }, nil, 100},
		{func() error { return second.Set(10) }, nil, 70},
		{func() error { return second.Alone(t.Context()) }, nil, 70},
		{func() error { return second.More(100) }, nil, 70}, // beside the room
		{func() error { return second.More(1) }, ErrTooLarge, 70},
		{func() error { second.Release(); return nil }, nil, 60},
		{func() error { return second.More(41) }, ErrBusy, 60},
		{func() error { first.Release(); return nil }, nil, 0},
	} {
		if err := step.do(); !errors.Is(err, step.want) || room.Used() != step.used {
			t.Fatalf("%v and %d bytes, want %v and %d", err, room.Used(), step.want, step.used)
		}
	}
}

// Who waits gets room in time, or the end of the context.
func TestHoldWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := newRoom(100)
		first, second, third := room.Hold(), room.Hold(), room.Hold()
		if err := first.Wait(t.Context(), 80); err != nil {
			t.Fatal(err)
		}
		got := make(chan error, 2)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { got <- second.Wait(ctx, 50) }()
		synctest.Wait()
		cancel()
		if err := <-got; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		go func() { got <- third.Wait(t.Context(), 50) }()
		synctest.Wait()
		if len(got) != 0 || room.Used() != 80 {
			t.Errorf("%d bytes are taken", room.Used())
		}
		first.Release()
		if err := <-got; err != nil || room.Used() != 50 {
			t.Error(err, room.Used())
		}
		if err := third.Wait(t.Context(), 51); !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
	})
}

// After much use memory is given back once.
func TestTidy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := newRoom(1 << 30)
		times := 0
		room.tidy = func() { times++ }
		use := func(bytes int64) {
			hold := room.Hold()
			for range 4 {
				if err := hold.More(bytes / 4); err != nil {
					t.Fatal(err)
				}
			}
			hold.Release()
			synctest.Wait()
		}
		for i, step := range []struct {
			bytes int64
			want  int
		}{{muchMemory - 4, 0}, {muchMemory, 1}, {muchMemory / 2, 1}, {4 * muchMemory, 2}} {
			if use(step.bytes); times != step.want {
				t.Errorf("step %d: %d times, want %d", i, times, step.want)
			}
		}
	})
}

// What a request is said to take is what it takes: the structures of its parts are not
// larger than their shares.
func TestCost(t *testing.T) {
	const reply = 100 // of a trainer's, for an item
	if item := unsafe.Sizeof(api.Item{}) + unsafe.Sizeof([]api.Score{}) + unsafe.Sizeof(api.Score{}) + unsafe.Sizeof(api.Completion{}) + reply; item > itemBytes {
		t.Errorf("an item takes %d bytes, want %d at most", item, itemBytes)
	}
	// A list of completions that grew may be a quarter longer than it must be.
	if answer := 5*unsafe.Sizeof(api.Completion{})/4 + unsafe.Sizeof(unit{}) + unsafe.Sizeof(api.Score{}); answer > answerBytes {
		t.Errorf("an answer takes %d bytes, want %d at most", answer, answerBytes)
	}
	if file := unsafe.Sizeof(api.File{}) + unsafe.Sizeof(api.FileFindings{}) + unsafe.Sizeof(unit{}); file > itemBytes {
		t.Errorf("a file takes %d bytes, want %d at most", file, itemBytes)
	}
	s := start(t, Options{})
	for text, want := range map[string]int64{
		`{"id": 12, "completion": "abc"}`:                        2 + itemBytes + answerBytes + 3,
		`{"items": [{"completions": ["ab", "c"]}]}`:              itemBytes + 2*answerBytes + 3,
		`{"completions": [], "task": {"program": "x"}}`:          itemBytes + taskFactor*int64(len(`{"program": "x"}`)),
		`{"completions": [], "task_id": "seven"}`:                itemBytes + 5,
		`{"lint": {"files": {"a.py": "x = 1\n", "b.py": "x"}}}`:  2*itemBytes + 4 + 6 + 4 + 1,
		`{"completion": null}`:                                   -1,
		`{"items": [7]}`:                                         -1,
		`{"completions": [` + strings.Repeat(`"",`, 9) + `"x"]}`: itemBytes + 10*answerBytes + 1,
	} {
		r, err := api.Decode([]byte(text), api.Defaults{})
		if err != nil && want >= 0 {
			t.Fatal(err)
		}
		if got := s.Cost(&r); got != want && want >= 0 {
			t.Errorf("%s: %d bytes, want %d", text, got, want)
		}
	}
}

// Findings that there is no room for refuse the request.
func TestFindingsTakeRoom(t *testing.T) {
	s := start(t, Options{MaxQueue: 100 << 10})
	lint := &api.Lint{Files: []api.File{{Name: "a.py", Text: strings.Repeat("x;", 150)}, {Name: "b.py", Text: strings.Repeat("x;", 150)}, {Name: "c.py", Text: "x"}}}
	if _, err := s.Lint(t.Context(), "me", lint); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	others := s.Hold()
	if err := others.More(60 << 10); err != nil {
		t.Fatal(err)
	}
	lint = &api.Lint{Files: lint.Files[1:]}
	if _, err := s.Lint(t.Context(), "me", lint); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	others.Release()
	if found, err := s.Lint(t.Context(), "me", lint); err != nil || found.Files[0].Found != 451 {
		t.Error(err)
	}
	if stats := s.Stats(); stats.QueuedBytes != 0 || stats.Busy != 2 {
		t.Errorf("%+v", stats)
	}
}

// A worker that is still at a file when its job ends, for want of room or because the
// client has gone, takes no room any more: nobody would give it back.
func TestNoRoomAfterTheEnd(t *testing.T) {
	room := newRoom(1000)
	findings := api.FileFindings{JSON: make([]byte, 400)}
	for name, end := range map[string]func(*job){
		"refused":   func(j *job) { j.settleFindings(0, api.FileFindings{JSON: make([]byte, 1001)}) },
		"abandoned": (*job).abandon,
		"done": func(j *job) {
			j.settleFindings(0, findings)
			j.settleFindings(1, findings)
		},
	} {
		hold := room.Hold()
		j := newJob(t.Context(), "me", nil, hold)
		j.addLint(&api.Lint{Files: make([]api.File, 2)})
		end(j)
		hold.Release()
		for i := range j.units {
			if j.settleFindings(i, findings); room.Used() != 0 {
				t.Errorf("%s: %d bytes are taken after the end", name, room.Used())
			}
		}
	}
}

// Large texts are worked on one at a time, and small ones beside them.
func TestLargeTexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := newService(Options{Workers: 3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.large <- struct{}{} // somebody is at work on one
		large := guardedItem("x = 1" + strings.Repeat(" ", largeText))
		large.Verdict = "official"
		small := guardedItem("x = 1\n")
		small.Verdict = "official"
		done := make(chan error, 1)
		go func() {
			_, err := s.Score(t.Context(), "large", []api.Item{large})
			done <- err
		}()
		if _, err := s.Score(t.Context(), "small", []api.Item{small}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if len(done) != 0 || s.Stats().Answers != 1 {
			t.Error("two large texts are worked on")
		}
		<-s.large
		if err := <-done; err != nil {
			t.Error(err)
		}
		s.Close()
	})
}

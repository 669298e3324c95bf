package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/serve/api"
)

// A judgeFunc is a judge that a test makes: it is given the answer.
type judgeFunc func(ctx context.Context, answer string) (evaluator.Judgement, error)

func (judgeFunc) Verdict() evaluator.Verdict { return evaluator.Guarded }

func (f judgeFunc) Judge(ctx context.Context, _ *task.Task, s *evaluator.Sample) (evaluator.Judgement, error) {
	return f(ctx, s.Output)
}

var pass = evaluator.Judgement{Outcome: evaluator.Pass, Proof: "runs", Reward: 1}

// startJudge starts a service that judges so.
func startJudge(t *testing.T, o Options, judge judgeFunc) *Service {
	s, err := newService(o, func(*api.Item) (*evaluator.Scorer, error) {
		return evaluator.NewScorer(evaluator.ScorerOptions{
			CodesOnly: true,
			Judges:    []func() (evaluator.Judge, error){func() (evaluator.Judge, error) { return judge, nil }},
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func guardedItem(answers ...string) api.Item {
	return api.Item{Verdict: evaluator.Guarded, Completions: texts(answers...)}
}

// What fails is tried once more, and then said; what panics too. Neither is
// remembered.
func TestFaults(t *testing.T) {
	var calls atomic.Int64
	s := startJudge(t, Options{Workers: 1}, func(_ context.Context, answer string) (evaluator.Judgement, error) {
		n := calls.Add(1)
		switch {
		case strings.HasPrefix(answer, "panics"), strings.HasPrefix(answer, "once") && n%2 == 1:
			panic("out of order")
		case strings.HasPrefix(answer, "fails"):
			return evaluator.Judgement{}, errors.New("no sandbox")
		}
		return pass, nil
	})
	for _, test := range []struct {
		answer, want string
		calls        int64
	}{
		{"once = 1\n", `1 pass ""`, 2},
		{"fails = 1\n", `0 unknown "no sandbox"`, 2},
		{"fails = 1\n", `0 unknown "no sandbox"`, 2},
		{"panics = 1\n", `0 unknown "panic: out of order"`, 2},
		{"x = 1\n", `1 pass ""`, 1},
		{"x = 1\n", `1 pass ""`, 0},
	} {
		calls.Store(0)
		scores, err := s.Score(t.Context(), "me", []api.Item{guardedItem(test.answer)})
		if err != nil {
			t.Fatal(err)
		}
		score := scores[0][0]
		if got := fmt.Sprintf("%v %s %q", score.Reward, score.Guarded, score.Error); got != test.want || calls.Load() != test.calls {
			t.Errorf("%q: %s after %d calls, want %s after %d", test.answer, got, calls.Load(), test.want, test.calls)
		}
	}
	if stats := s.Stats(); stats.Retries != 4 || stats.Faults != 3 || stats.Panics != 3 || stats.Known != 1 {
		t.Errorf("%+v", stats)
	}
}

// A deadline ends in a score, that of others is not touched, and who waits for the
// verdict on a like answer gets one in time of its own.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startJudge(t, Options{Workers: 2}, func(ctx context.Context, answer string) (evaluator.Judgement, error) {
			if strings.HasPrefix(answer, "endless") {
				<-ctx.Done()
				return evaluator.Judgement{}, ctx.Err()
			}
			return pass, nil
		})
		short := guardedItem("endless = 1\n", "x = 1\n")
		short.Deadline = 50 * time.Second
		long := guardedItem("endless = 1\n")
		long.Deadline = 200 * time.Second
		began := time.Now()
		scores, err := s.Score(t.Context(), "me", []api.Item{short, long, guardedItem("y = 1\n")})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 200*time.Second {
			t.Errorf("it took %v, want 200 s", took)
		}
		for i, want := range []string{`unknown "deadline"`, `pass ""`, `unknown "deadline"`, `pass ""`} {
			score := [...]api.Score{scores[0][0], scores[0][1], scores[1][0], scores[2][0]}[i]
			if got := fmt.Sprintf("%s %q", score.Guarded, score.Error); got != want {
				t.Errorf("%d: %s, want %s", i, got, want)
			}
		}
		synctest.Wait()
		if stats := s.Stats(); stats.Deadline != 2 || stats.Faults != 0 || stats.Queued != 0 || stats.QueuedBytes != 0 {
			t.Errorf("%+v", stats)
		}
		s.Close()
	})
}

// Answers that are alike are judged once, also those that come while the first is.
func TestJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		all := make(chan struct{})
		s := startJudge(t, Options{Workers: 4}, func(_ context.Context, answer string) (evaluator.Judgement, error) {
			calls.Add(1)
			<-all
			return pass, nil
		})
		answers := make([]string, 100)
		for i := range answers {
			answers[i] = "x = 1\n"
		}
		go func() {
			synctest.Wait() // for all but the first to wait for that
			if joined := s.Stats().Joined; joined != 99 {
				t.Errorf("%d answers wait for an equal one, want 99", joined)
			}
			close(all)
		}()
		scores, err := s.Score(t.Context(), "me", []api.Item{guardedItem(answers...)})
		if err != nil {
			t.Fatal(err)
		}
		for _, score := range scores[0] {
			if score.Reward != 1 {
				t.Fatalf("%+v", score)
			}
		}
		if calls.Load() != 1 {
			t.Errorf("%d calls, want 1", calls.Load())
		}
		s.Close()
	})
}

// Clients take turns: one answer is not kept waiting by a thousand of another's.
func TestFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startJudge(t, Options{Workers: 1}, func(context.Context, string) (evaluator.Judgement, error) {
			time.Sleep(2 * slice) // so that each is a turn of its own
			return pass, nil
		})
		many := make([]string, 1000)
		for i := range many {
			many[i] = fmt.Sprintf("x = %d\n", i)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := s.Score(ctx, "many", []api.Item{guardedItem(many...)})
			done <- err
		}()
		synctest.Wait() // until the first is being judged
		if _, err := s.Score(t.Context(), "one", []api.Item{guardedItem("y = 1\n")}); err != nil {
			t.Fatal(err)
		}
		if answered := s.Stats().Answers; answered > 3 {
			t.Errorf("one answer came after %d of another client's", answered-1)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if stats := s.Stats(); stats.Queued != 0 || stats.Clients != 0 || stats.QueuedBytes != 0 {
			t.Errorf("%+v is left of a client that has gone", stats)
		}
		s.Close()
	})
}

// What does not fit is refused at once, and what is under way when the service
// closes is not waited for.
func TestBusyAndClosed(t *testing.T) {
	begun := make(chan struct{})
	s := startJudge(t, Options{Workers: 1, MaxQueue: itemBytes + 4*answerBytes}, func(ctx context.Context, _ string) (evaluator.Judgement, error) {
		close(begun)
		<-ctx.Done()
		return evaluator.Judgement{}, ctx.Err()
	})
	done := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		_, err := s.Score(ctx, "a", []api.Item{guardedItem("x = 1\n", "x = 2\n")})
		done <- err
	}()
	<-begun
	if _, err := s.Score(t.Context(), "b", []api.Item{guardedItem("x = 3\n", "x = 4\n", "x = 5\n")}); err != ErrBusy {
		t.Error(err)
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	if err := <-done; err != ErrClosed {
		t.Error(err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := s.Score(t.Context(), "c", []api.Item{guardedItem("x = 6\n")}); err != ErrClosed {
		t.Error(err)
	}
	if stats := s.Stats(); stats.Busy != 1 {
		t.Errorf("%+v", stats)
	}
}

// What is remembered keeps to its bound, and is forgotten in the order in which it
// was last asked for.
func TestMemoryBound(t *testing.T) {
	// A generation of a shard has room for the answers of five requests, so that what each
	// request asks for stays, in whatever order the workers take them.
	const room = 4 << 20
	s := start(t, Options{Cache: room})
	for i := range 20 {
		answers := make([]string, 1000)
		for k := range answers {
			answers[k] = fmt.Sprintf("x = %d\n", i*len(answers)+k)
		}
		item := guardedItem(append(answers, "kept = 1\n")...)
		item.Verdict = evaluator.Official
		if _, err := s.Score(t.Context(), "me", []api.Item{item}); err != nil {
			t.Fatal(err)
		}
	}
	if stats := s.Stats(); stats.CachedBytes > room || stats.CachedBytes < room/4 || stats.Known != 19 {
		t.Errorf("%+v", stats)
	}
	off := start(t, Options{Cache: -1})
	for range 2 {
		if _, err := off.Score(t.Context(), "me", []api.Item{guardedItem("x = 1\n")}); err != nil {
			t.Fatal(err)
		}
	}
	if stats := off.Stats(); stats.Known != 0 || stats.CachedBytes != 0 {
		t.Errorf("%+v", stats)
	}
}

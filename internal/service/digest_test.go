package service

import (
	"bytes"
	"fmt"
	"testing"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/api"
)

// Texts that differ have digests that differ, in one process, and others in the next;
// also where no GMAC is to be had.
func TestDigest(t *testing.T) {
	first, second, plain := newDigester(), newDigester(), &digester{}
	if first.mac == nil {
		t.Fatal("no GMAC")
	}
	for _, d := range []*digester{first, plain} {
		seen := map[digest]string{}
		for _, text := range texts("", "a", "b", "\x00", "\x00\x00", string(make([]byte, 16)), string(make([]byte, 17)), "a"+string(make([]byte, 600)), "b"+string(make([]byte, 600))) {
			got := digest(d.append(nil, []byte(text.Text)))
			if other, ok := seen[got]; ok {
				t.Errorf("%.20q and %.20q have one digest", text.Text, other)
			}
			seen[got] = text.Text
			if again := d.append([]byte("x"), []byte(text.Text)); !bytes.Equal(again, append([]byte("x"), got[:]...)) {
				t.Errorf("%.20q has %x, then %x", text.Text, got, again)
			}
		}
	}
	if text := []byte("a"); bytes.Equal(first.append(nil, text), second.append(nil, text)) {
		t.Error("two processes have one key")
	}
}

// Whatever is asked has a question of its own: by text, verdict, reward and task.
func TestAsk(t *testing.T) {
	d := newDigester()
	seen := map[question]string{}
	var memory questionMemory
	byPlace := &known{Task: new(task.Task)}
	byPlace.key[0] = 17 // the task in place 17
	// An answer that is all that a question with a task has after its first bytes.
	disguised := string(make([]byte, 8)) + "\x01\x00\x00\x00\x00\x00\x00\x00" + "y"
	for _, text := range []string{"", "x", "y", disguised} {
		for _, verdict := range evaluator.Verdicts() {
			for _, task := range []*known{nil, byPlace, {Task: new(task.Task), key: digest{1}}} {
				for reward := range 2 {
					item := &api.Item{Verdict: verdict}
					if reward == 1 {
						item.Reward++
					}
					what := fmt.Sprintf("%q, %s, %v, %v", text, verdict, task, item.Reward)
					q := d.ask(&memory, &unit{item: item, task: task, text: text})
					if other, ok := seen[q]; ok {
						t.Errorf("%s and %s are one question", what, other)
					}
					seen[q] = what
				}
			}
		}
	}
	u := unit{item: &api.Item{}, text: string(make([]byte, 500))}
	if n := testing.AllocsPerRun(10, func() { d.ask(&memory, &u) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkDigest(b *testing.B) {
	text := make([]byte, 520)
	for name, d := range map[string]*digester{"GMAC": newDigester(), "SHA-256": {}} {
		b.Run(name, func(b *testing.B) {
			var to digest
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				d.append(to[:0], text)
			}
		})
	}
}

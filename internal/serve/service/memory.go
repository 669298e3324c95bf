package service

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"unsafe"

	"codelinter/evaluator"
	"codelinter/evaluator/judge"
	"codelinter/internal/serve/api"
	"codelinter/internal/util/lru"
)

// A digest is the SHA-256 of a text from a client, for example as a key. Texts are hostile: a text
// made to have another's digest would get its verdict.
type digest [sha256.Size]byte

// A question is the digest of an answer, its task and what is asked about it.
type question digest

// ask returns the question of a unit. It uses memory, and keeps it for the next question.
func ask(memory *[]byte, u *unit) question {
	reward := u.item.Reward.String()
	b := append((*memory)[:0], 0, byte(u.item.OnUnknown))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(reward)))
	b = append(b, reward...)
	if u.item.Details {
		b[0] |= 4
	}
	if u.item.Verdict == evaluator.Official {
		b[0] |= 1
	}
	if u.task != nil {
		b[0] |= 2 // so that an answer without a task cannot imitate one with a task
		b = append(b, u.task.key[:]...)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(len(u.text)))
	b = append(b, u.text...)
	if cap(b) <= keptBytes {
		*memory = b
	}
	return sha256.Sum256(b)
}

// keptBytes bounds the memory that a worker keeps for the next question.
const keptBytes = 64 << 10

// A memory caches the scores of questions, and has the callers that wait for a question that is
// being answered. Questions recur: samples of a prompt repeat in training, and trainers repeat
// requests.
type memory struct {
	shards [shards]shard
	off    bool // cache nothing
}

// shards is the number of parts with separate locks.
const shards = 32

type shard struct {
	mu      sync.Mutex
	scores  lru.Map[question, *api.Score]
	flights map[question][]waiter // questions being answered, and the units that wait for them
}

// A waiter is a unit that was taken and waits for the score of an equal one.
type waiter struct {
	job *job
	at  int
}

func newMemory(bytes int64) *memory {
	m := &memory{off: bytes < 0}
	for i := range m.shards {
		m.shards[i].scores.Room = bytes / 2 / shards
		m.shards[i].flights = map[question][]waiter{}
	}
	return m
}

// scoreBytes is the memory of a score with its question, without its reasons, as measured with
// 100,000 of them.
const scoreBytes = int64(unsafe.Sizeof(api.Score{})+unsafe.Sizeof(question{})) + 64

// A lookup is the result of looking for a question.
type lookup uint8

const (
	mine   lookup = iota // the caller must answer it
	found                // here is the score
	joined               // the caller's unit will be settled with an equal one
)

// find looks up the question of a waiter.
func (m *memory) find(q question, w waiter) (score *api.Score, l lookup) {
	s := &m.shards[q[0]%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	if score, ok := s.scores.Get(q); ok {
		return score, found
	}
	if waiters, flies := s.flights[q]; flies {
		s.flights[q] = append(waiters, w)
		return nil, joined
	}
	s.flights[q] = nil
	return nil, mine
}

// land ends the answering of a question, and caches the score if it is a verdict. It returns
// the units that wait for it.
func (m *memory) land(q question, score *api.Score) []waiter {
	s := &m.shards[q[0]%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	if score.Error == "" && !m.off {
		kept := *score
		size := scoreBytes
		size += int64(16*len(score.Reasons) + 24*len(score.Terms))
		if score.Details != nil {
			size += score.Details.Size()
		}
		s.scores.Put(q, &kept, size)
	}
	waiters := s.flights[q]
	delete(s.flights, q)
	return waiters
}

func (m *memory) bytes() (total int64) {
	for i := range m.shards {
		s := &m.shards[i]
		s.mu.Lock()
		total += s.scores.Size()
		s.mu.Unlock()
	}
	return total
}

// A kind is what a scorer must give.
type kind struct {
	official  bool
	details   bool   // with findings' messages
	reward    string // of the guarded verdict
	onUnknown judge.OnUnknown
}

// maxKinds bounds the kinds for which a worker keeps a scorer: clients choose the rewards.
const maxKinds = 16

func kindOf(item *api.Item) kind {
	if item.Verdict == evaluator.Official {
		return kind{official: true, details: item.Details}
	}
	return kind{details: item.Details, reward: item.Reward.String(), onUnknown: item.OnUnknown}
}

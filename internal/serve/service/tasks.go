package service

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"codelinter/evaluator/task"
	"codelinter/internal/serve/api"
	"codelinter/internal/util/lru"
)

// A known is a task with its identity.
type known struct {
	*task.Task
	key  digest
	text int // bytes of the programs and tests of an inline task; else 0
}

// A taskCache caches tasks that came in requests, as each answer to a task brings the task along. A
// task is parsed once, and its answers share the cached facts about it.
type taskCache struct {
	maxCode int // bound on the bytes of a task's program
	known   lru.Cache[digest, *known]
}

// cachedTasks is the size in bytes of a generation of tasks.
const cachedTasks = 16 << 20

// findTask returns the task that a request names.
func (s *Service) findTask(t *api.Task) (*known, api.Fault) {
	if t.Inline != nil {
		return s.tasks.parse(t.Inline)
	}
	if s.options.Tasks == nil {
		return nil, api.Faultf("task %.100s: expected a task inline, as no tasks are known here by id", t.ID)
	}
	at, ok := s.options.Tasks.Find(t.ID)
	if !ok {
		return nil, api.Faultf("task %.100s: expected the id of a known task, such as %.100s", t.ID, s.options.Tasks.At(0).Meta.ID)
	}
	// Its index takes the place of a digest: an inline task has the same with a chance of 2^-256.
	found := &known{Task: s.options.Tasks.At(at)}
	binary.LittleEndian.PutUint64(found.key[:], uint64(at))
	return found, ""
}

// parse returns the task in text. Equal texts give the same task, and its address is the key to the
// cached facts about it.
func (c *taskCache) parse(text []byte) (*known, api.Fault) {
	key := digest(sha256.Sum256(text))
	found, err := c.known.Of(cachedTasks, key, func() (*known, int64, error) {
		parsed, err := api.ParseTask(text)
		if err != nil {
			return nil, 0, err
		}
		tests, size := 0, len(text)
		if row := parsed.Meta.Row; row != nil {
			tests = len(row.TestSetupCode)
			for _, test := range slices.Concat(row.TestList, row.ChallengeTestList) {
				tests += len(test) + 1
				size += int(unsafe.Sizeof(test))
			}
		}
		longest := 0
		for _, part := range []struct {
			name  string
			bytes int
		}{{"a program", len(parsed.Inputs.Code)}, {"a canonical program", len(parsed.Meta.CanonicalCode)}, {"tests", tests}} {
			if part.bytes > c.maxCode {
				return nil, 0, fmt.Errorf("task: expected %s of %d bytes at most, found %d", part.name, c.maxCode, part.bytes)
			}
			longest = max(longest, part.bytes)
		}
		return &known{parsed, key, longest}, int64(size), nil
	})
	if err != nil {
		return nil, api.Faultf("%v", err)
	}
	return found, ""
}

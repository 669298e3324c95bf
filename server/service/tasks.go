package service

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"codelinter/evaluator/task"
	"codelinter/internal/recent"
	"codelinter/server/api"
)

// A known is a task, and what identifies it.
type known struct {
	*task.Task
	key [sha256.Size]byte
}

// A taskCache keeps tasks that came inline, as each of a task's answers brings it
// along: it is parsed once, and its answers find what is known of it.
type taskCache struct {
	maxCode int // bytes of a task's program

	mu    sync.Mutex
	known recent.Map[[sha256.Size]byte, *known]
}

// cachedTasks is how many bytes of JSON a generation of tasks comes from.
const cachedTasks = 16 << 20

// findTask returns the task that a request names.
func (s *Service) findTask(t *api.Task) (*known, api.Fault) {
	if t.Inline != nil {
		return s.tasks.parse(t.Inline)
	}
	if s.options.Tasks == nil {
		return nil, api.Fault(fmt.Sprintf("task %s: expected a task inline, as no tasks are known here by id", t.ID))
	}
	at, ok := s.options.Tasks.Find(t.ID)
	if !ok {
		return nil, api.Fault(fmt.Sprintf("task %s: expected the id of a known task, such as %s", t.ID, s.options.Tasks.At(0).Meta.ID))
	}
	// Its place stands for a hash that no inline task has.
	found := &known{Task: s.options.Tasks.At(at)}
	binary.LittleEndian.PutUint64(found.key[:], uint64(at))
	return found, ""
}

// parse returns the task in text.
func (c *taskCache) parse(text []byte) (*known, api.Fault) {
	key := sha256.Sum256(text)
	c.mu.Lock()
	found, ok := c.known.Get(key)
	c.mu.Unlock()
	if ok {
		return found, ""
	}
	parsed, err := api.ParseTask(text)
	if err != nil {
		return nil, api.Fault(err.Error())
	}
	if n := len(parsed.Inputs.Code); n > c.maxCode {
		return nil, api.Fault(fmt.Sprintf("task: expected a program of %d bytes at most, found one of %d", c.maxCode, n))
	}
	found = &known{parsed, key}
	c.mu.Lock()
	defer c.mu.Unlock()
	if other, ok := c.known.Get(key); ok {
		return other, "" // who has it already finds by its address what is known of it
	}
	c.known.Room = cachedTasks
	c.known.Put(key, found, int64(len(text)))
	return found, ""
}

package service

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"codelinter/evaluator/task"
	"codelinter/server/api"
)

// A known is a task, and what tells it from all others.
type known struct {
	*task.Task
	key [sha256.Size]byte
}

// A taskCache keeps tasks that came inline, as each of a task's answers brings it
// along: it is parsed once, and its answers find what is known of it. There are two
// generations of them. When the young one is full it becomes the old one, and what was
// not asked for since is dropped.
type taskCache struct {
	maxCode int // bytes of a task's program

	mu         sync.Mutex
	young, old map[[sha256.Size]byte]*known
	bytes      int // of young
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
	found := c.young[key]
	if found == nil {
		if found = c.old[key]; found != nil {
			c.keep(found, len(text))
		}
	}
	c.mu.Unlock()
	if found != nil {
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
	if other := c.young[key]; other != nil {
		return other, ""
	}
	c.keep(found, len(text))
	return found, ""
}

func (c *taskCache) keep(k *known, bytes int) {
	if c.young == nil || c.bytes+bytes > cachedTasks {
		c.old, c.young, c.bytes = c.young, map[[sha256.Size]byte]*known{}, 0
	}
	c.young[k.key] = k
	c.bytes += bytes
}

package service

import (
	"slices"
	"sync"
	"time"
)

// slice is how long a worker stays with one job if others wait.
const slice = 2 * time.Millisecond

// A queue holds the jobs of clients, who take turns.
type queue struct {
	mu      sync.Mutex
	work    sync.Cond // there is a job, or the queue is closed
	turns   []*client // in the order of their turns
	clients map[string]*client
	closed  bool
}

// A client has jobs with units to take, the oldest first. Without any it leaves the queue at its
// next turn.
type client struct {
	name string
	jobs []*job
}

func (q *queue) init() {
	q.work.L = &q.mu
	q.clients = map[string]*client{}
}

// add queues a job, unless it is queued.
func (q *queue) add(j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	c := q.clients[j.client]
	if c == nil {
		c = &client{name: j.client}
		q.clients[j.client] = c
		q.turns = append(q.turns, c)
	}
	if !slices.Contains(c.jobs, j) {
		c.jobs = append(c.jobs, j)
	}
	if len(j.units) == 1 {
		q.work.Signal()
	} else {
		q.work.Broadcast() // several workers may work on one job
	}
	return nil
}

// release removes a job.
func (q *queue) release(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c := q.clients[j.client]; c != nil {
		c.jobs = slices.DeleteFunc(c.jobs, func(other *job) bool { return other == j })
	}
}

// next waits for a job with units to take and returns the next in turn, or nil when the
// queue is closed.
func (q *queue) next() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed {
		if len(q.turns) == 0 {
			q.work.Wait()
			continue
		}
		c := q.turns[0]
		q.turns = q.turns[1:]
		c.jobs = slices.DeleteFunc(c.jobs, func(j *job) bool { return j.waiting() == 0 })
		if len(c.jobs) > 0 {
			q.turns = append(q.turns, c)
			return c.jobs[0]
		}
		delete(q.clients, c.name)
	}
	return nil
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.work.Broadcast()
}

// sizes counts the clients with units to take, and these.
func (q *queue) sizes() (clients, queued int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range q.turns {
		before := queued
		for _, j := range c.jobs {
			queued += j.waiting()
		}
		if queued > before {
			clients++
		}
	}
	return clients, queued
}

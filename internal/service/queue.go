package service

import (
	"container/list"
	"sync"
	"time"
)

// slice is how long a worker stays with one job if others wait.
const slice = 2 * time.Millisecond

// A queue holds the jobs of clients, who take turns.
type queue struct {
	mu      sync.Mutex
	work    sync.Cond          // there is a job, or the queue is closed
	turns   list.List          // of *client, in the order of their turns
	clients map[string]*client // the clients in turns
	closed  bool
}

// A client has jobs with units to take, the oldest first.
type client struct {
	name string
	jobs list.List // of *job
	turn *list.Element
}

func (q *queue) init() {
	q.work.L = &q.mu
	q.clients = map[string]*client{}
}

// add queues a job, unless it is queued.
func (q *queue) add(j *job, name string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	j.client = name
	q.list(j)
	return nil
}

func (q *queue) release(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unlist(j)
}

func (q *queue) list(j *job) {
	if j.place == nil {
		c := q.clients[j.client]
		if c == nil {
			c = &client{name: j.client}
			c.turn = q.turns.PushBack(c)
			q.clients[j.client] = c
		}
		j.place = c.jobs.PushBack(j)
	}
	if len(j.units) == 1 {
		q.work.Signal()
	} else {
		q.work.Broadcast() // several workers may work on one job
	}
}

func (q *queue) unlist(j *job) {
	if j.place == nil {
		return
	}
	c := q.clients[j.client]
	c.jobs.Remove(j.place)
	j.place = nil
	if c.jobs.Len() == 0 {
		q.turns.Remove(c.turn)
		delete(q.clients, c.name)
	}
}

// next waits for a job with units to take and returns the next in turn, or nil when the
// queue is closed.
func (q *queue) next() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed {
		turn := q.turns.Front()
		if turn == nil {
			q.work.Wait()
			continue
		}
		q.turns.MoveToBack(turn)
		j := turn.Value.(*client).jobs.Front().Value.(*job)
		if j.waiting() > 0 {
			return j
		}
		q.unlist(j)
	}
	return nil
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.work.Broadcast()
}

func (q *queue) sizes() (clients, queued int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range q.clients {
		for e := c.jobs.Front(); e != nil; e = e.Next() {
			queued += e.Value.(*job).waiting()
		}
	}
	return len(q.clients), queued
}

package service

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// # Memory
//
// One [Room] bounds the memory of all requests: their bodies, their decoded form, scores, findings.
// A request has a [Hold] in the room from its first byte to the last byte of its reply. The cost of
// a request is known when it is decoded, as each completion takes its text and a constant
// ([api.Request.Cost]). Findings can take fifty times the length of a text, so they are added as
// they are made.

// ErrTooLarge is the error of a request that exceeds the whole room.
var ErrTooLarge = errors.New("the request and its reply take too much memory")

// A Room bounds the memory of requests. It is safe for concurrent use.
type Room struct {
	most int64
	free *semaphore.Weighted
	used atomic.Int64
	peak atomic.Int64 // maximum of used since memory was last returned to the system
	tidy func()

	alone chan struct{} // its one value belongs to the Hold that is alone
}

// muchMemory is the use of a room above which memory is then returned to the system. Go itself
// keeps it for several minutes, in vain on an idle server.
const muchMemory = 64 << 20

// tidyMemory returns memory to the system, twice, as workers may still be busy at first.
func tidyMemory() {
	debug.FreeOSMemory()
	time.Sleep(time.Second)
	debug.FreeOSMemory()
}

func newRoom(most int64) *Room {
	return &Room{most: most, free: semaphore.NewWeighted(most), tidy: tidyMemory, alone: make(chan struct{}, 1)}
}

// Used returns the number of bytes taken.
func (r *Room) Used() int64 { return r.used.Load() }

func (r *Room) took(bytes int64) {
	used := r.used.Add(bytes)
	for peak := r.peak.Load(); used > peak && !r.peak.CompareAndSwap(peak, used); peak = r.peak.Load() {
	}
}

func (r *Room) give(bytes int64) {
	used := r.used.Add(-bytes)
	r.free.Release(bytes)
	if peak := r.peak.Load(); peak >= muchMemory && used < peak/4 && r.peak.CompareAndSwap(peak, used) {
		go r.tidy()
	}
}

// A Hold is the room of one request. It is safe for concurrent use.
type Hold struct {
	room   *Room
	has    atomic.Int64
	alone  bool         // see [Hold.Alone]
	within atomic.Int64 // bytes taken since then
}

// Hold returns an empty Hold.
func (r *Room) Hold() *Hold { return &Hold{room: r} }

// Has returns the Hold's bytes.
func (h *Hold) Has() int64 { return h.has.Load() }

// More takes more bytes. The error is [ErrBusy], or [ErrTooLarge] if the request would not fit even
// alone; then nothing is taken.
func (h *Hold) More(bytes int64) error {
	if bytes <= 0 {
		return nil
	}
	if h.alone {
		if h.within.Add(bytes) > h.room.most {
			return h.refused(bytes)
		}
		return nil
	}
	if !h.room.free.TryAcquire(bytes) {
		return h.refused(bytes)
	}
	h.took(bytes)
	return nil
}

// Wait is More, but waits for room until ctx ends.
func (h *Hold) Wait(ctx context.Context, bytes int64) error {
	if bytes <= 0 {
		return nil
	}
	if h.has.Load()+bytes > h.room.most {
		return h.refused(bytes)
	}
	if err := h.room.free.Acquire(ctx, bytes); err != nil {
		return err
	}
	h.took(bytes)
	return nil
}

func (h *Hold) took(bytes int64) {
	h.has.Add(bytes)
	h.room.took(bytes)
}

func (h *Hold) refused(bytes int64) error {
	if h.alone || h.has.Load()+bytes > h.room.most {
		return fmt.Errorf("%w: expected %d bytes at most (--max-queue-bytes)", ErrTooLarge, h.room.most)
	}
	return ErrBusy
}

// Set changes the Hold to bytes: it takes the missing bytes, as More does, or gives back the
// surplus.
func (h *Hold) Set(bytes int64) error {
	more := bytes - h.has.Load()
	if more < 0 {
		h.has.Add(more)
		h.room.give(-more)
		return nil
	}
	return h.More(more)
}

// Release gives all bytes back.
func (h *Hold) Release() {
	h.room.give(h.has.Swap(0))
	if h.alone {
		h.alone = false
		h.within.Store(0)
		<-h.room.alone
	}
}

// Alone waits until no other Hold is alone, and then lets this Hold take as much as the whole room,
// beside the others. So work that is repeated with it cannot fail with [ErrBusy]. It does not wait
// for the others to give back their bytes, as they may be waiting for this one.
func (h *Hold) Alone(ctx context.Context) error {
	select {
	case h.room.alone <- struct{}{}:
		h.alone = true
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

package recent

import "sync"

// A Cache is a [Map] for any number of goroutines, whose values are made when they are
// first asked for. The zero Cache is ready for use.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	known Map[K, V]
}

// Of returns the value of a key, in a cache whose generations have the given room. A
// value that is not known is made, with the size it takes; what make returns with an
// error is returned, and not kept. The cache is not locked meanwhile: two goroutines
// that ask for the same may both make it, and both get the value of who was first.
func (c *Cache[K, V]) Of(room int64, key K, make func() (value V, size int64, err error)) (V, error) {
	c.mu.Lock()
	value, ok := c.known.Get(key)
	c.mu.Unlock()
	if ok {
		return value, nil
	}
	value, size, err := make()
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if first, ok := c.known.Get(key); ok {
		return first, nil
	}
	c.known.Room = room
	c.known.Put(key, value, size)
	return value, nil
}

// Size returns the size of all that is kept.
func (c *Cache[K, V]) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known.Size()
}

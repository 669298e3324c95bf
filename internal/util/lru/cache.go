package lru

import "sync"

// A Cache is a [Map] for concurrent use that makes its values on demand. The zero
// Cache is ready for use.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	known Map[K, V]
}

// Of returns the value of a key. room is the size of a generation. If the value is not
// cached, make makes it and returns its size. If make returns an error, Of returns the
// same value and error, and caches nothing. The cache is not locked meanwhile: two
// goroutines that ask for the same key may both make it, and both get the value that
// was stored first.
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

// Size returns the size of all cached values.
func (c *Cache[K, V]) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known.Size()
}

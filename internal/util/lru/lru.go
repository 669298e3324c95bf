// Package lru caches the most recently used values in bounded memory.
package lru

// A Map is a map that forgets. It has two generations. When the young one is full, it
// becomes the old one, and values that were not used since are dropped. So it keeps
// what is in use, like an LRU list, at the cost of a map. The zero Map keeps the last
// two values. It is not safe for concurrent use.
type Map[K comparable, V any] struct {
	// Room is the size of a generation. A larger value has a generation alone.
	Room int64

	young, old  map[K]entry[V]
	size, older int64 // of young and old
}

type entry[V any] struct {
	value V
	size  int64
}

// Get returns the value of a key, and keeps it for another generation.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	if e, ok := m.young[key]; ok {
		return e.value, true
	}
	e, ok := m.old[key]
	if ok {
		delete(m.old, key)
		m.older -= e.size
		m.put(key, e)
	}
	return e.value, ok
}

// Put stores a value of the given size.
func (m *Map[K, V]) Put(key K, value V, size int64) {
	if e, ok := m.young[key]; ok {
		m.size -= e.size
		delete(m.young, key)
	} else if e, ok := m.old[key]; ok {
		m.older -= e.size
		delete(m.old, key)
	}
	m.put(key, entry[V]{value, size})
}

func (m *Map[K, V]) put(key K, e entry[V]) {
	if m.young == nil || len(m.young) > 0 && m.size+e.size > m.Room {
		m.old, m.older = m.young, m.size
		m.young, m.size = map[K]entry[V]{}, 0
	}
	m.young[key] = e
	m.size += e.size
}

// Size returns the size of all that is kept.
func (m *Map[K, V]) Size() int64 { return m.size + m.older }

package lru

import (
	"math/rand/v2"
	"testing"
)

func TestMap(t *testing.T) {
	m := Map[string, int]{Room: 10}
	expect := func(key string, want int) {
		t.Helper()
		if got, ok := m.Get(key); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %d %v, want %d", key, got, ok, want)
		}
	}
	m.Put("a", 1, 5)
	m.Put("b", 2, 5)
	m.Put("c", 3, 5) // a and b are old
	expect("a", 1)   // and a is young again
	m.Put("d", 4, 5) // c and a are old
	expect("b", -1)
	expect("c", 3)
	m.Put("huge", 5, 100)
	expect("huge", 5)
	expect("d", 4)
	m.Put("d", 6, 1)
	expect("d", 6)
	if m.Size() > 2*m.Room+100 {
		t.Errorf("%d is kept", m.Size())
	}
}

// Whatever comes: what was put or asked for last is there, sizes are those of what is
// kept, and their sum has its bound.
func TestMapKeepsItsBound(t *testing.T) {
	const room, most = 1000, 100
	m := Map[int, int]{Room: room}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		key := random.IntN(200)
		if value, ok := m.Get(key); ok && value != key {
			t.Fatalf("%d has the value %d", key, value)
		}
		if random.IntN(2) == 0 {
			m.Put(key, key, 1+random.Int64N(most))
			if _, ok := m.Get(key); !ok {
				t.Fatalf("%d was put and is not there", key)
			}
		}
		var total int64
		for _, generation := range []map[int]entry[int]{m.young, m.old} {
			for _, e := range generation {
				total += e.size
			}
		}
		if total != m.Size() || total > 2*room {
			t.Fatalf("%d is kept, %d is counted", total, m.Size())
		}
	}
}

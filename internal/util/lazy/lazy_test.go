package lazy

import (
	"sync"
	"testing"
)

// A value is made once, however many goroutines ask for it at once, and not before.
func TestValue(t *testing.T) {
	made := 0
	v := Value[*int]{Make: func() *int { made++; return new(int) }}
	if made != 0 {
		t.Fatal("the value was made before its first use")
	}
	got := make([]*int, 16)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i] = v.Get() })
	}
	all.Wait()
	for _, p := range got {
		if p == nil || p != got[0] {
			t.Fatalf("two values: %p and %p", p, got[0])
		}
	}
	if made != 1 {
		t.Errorf("the value was made %d times", made)
	}
	if n := testing.AllocsPerRun(100, func() { v.Get() }); n != 0 {
		t.Errorf("Get makes %v allocations", n)
	}
}

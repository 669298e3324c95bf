package lru

import (
	"errors"
	"sync"
	"testing"
)

// All who ask for a key at once get one value, whoever made it.
func TestCacheGivesTheFirst(t *testing.T) {
	var cache Cache[int, *int]
	var made, started sync.WaitGroup
	const asking = 8
	values := make([]*int, asking)
	started.Add(asking)
	for i := range asking {
		made.Go(func() {
			values[i], _ = cache.Of(10, 1, func() (*int, int64, error) {
				started.Done()
				started.Wait() // until all are making theirs
				return new(int), 1, nil
			})
		})
	}
	made.Wait()
	for i, value := range values {
		if value != values[0] {
			t.Errorf("%d has a value of its own", i)
		}
	}
	if cache.Size() != 1 {
		t.Errorf("%d is kept", cache.Size())
	}
}

func TestCacheKeepsNoErrors(t *testing.T) {
	var cache Cache[string, int]
	failure := errors.New("failure")
	if _, err := cache.Of(10, "a", func() (int, int64, error) { return 1, 1, failure }); err != failure {
		t.Errorf("the error is %v", err)
	}
	for want := range 2 {
		value, err := cache.Of(10, "a", func() (int, int64, error) { return want, 1, nil })
		if value != 0 || err != nil {
			t.Errorf("%d %v, want 0, which was made first", value, err)
		}
	}
}

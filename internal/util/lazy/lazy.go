// Package lazy makes the value of a package's variable when it is used first.
package lazy

import "sync"

// A Value is made by Make at its first use, once for all goroutines:
//
//	var digits = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`\d+`) }}
//
// Such a variable costs no start anything, as the linker writes it. Go has to call
// [sync.OnceValue] for each variable before main, and a package with such a call costs a start
// its pages besides. Make must not panic.
type Value[T any] struct {
	Make  func() T
	once  sync.Once
	value T
}

// Get returns the value.
func (v *Value[T]) Get() T {
	v.once.Do(func() { v.value = v.Make() })
	return v.value
}

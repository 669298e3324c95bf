package parser

import "slices"

// Page sizes in items: the first of a slab or list, and the largest. A snippet
// of a few lines should not pay for thousands of nodes.
const (
	firstPage = 16
	lastPage  = 1024
)

// What a reset keeps for the next file: one huge file must not hold its memory
// for ever.
const (
	keptPages = 256     // of a slab or list
	keptItems = 1 << 16 // of one page, or of a list's stack
)

// A slab hands out values of one type from pages, which it keeps for the next
// file. Values are not cleared: who takes one overwrites it whole. With new for
// nodes and slices of their own for lists, a parse takes 2.1 times the instructions
// and an allocation for each.
type slab[T any] struct {
	page  []T // the current page
	used  int // of the current page
	pages [][]T
	next  int // index of the page after the current one
}

// new returns a value that holds anything.
func (s *slab[T]) new() *T {
	if s.used == len(s.page) {
		s.turn()
	}
	value := &s.page[s.used]
	s.used++
	return value
}

// turn goes on to the next page, making one if there is none.
func (s *slab[T]) turn() {
	if s.next == len(s.pages) {
		s.pages = append(s.pages, make([]T, min(max(2*len(s.page), firstPage), lastPage)))
	}
	s.page, s.used = s.pages[s.next], 0
	s.next++
}

// reset takes all values back.
func (s *slab[T]) reset() {
	s.page, s.used, s.next = nil, 0, 0
	if len(s.pages) > keptPages {
		s.pages = append([][]T(nil), s.pages[:keptPages]...)
	}
}

// A list builds slices of one type, such as the statements of a block. Items
// are pushed on a stack, because the items of an inner slice come while the
// outer one is still growing; take moves the finished ones into a page.
type list[T any] struct {
	stack []T
	page  []T
	used  int
	pages [][]T
	next  int
	large bool // one of pages is larger than a reset keeps
}

// mark returns the place in the stack where a new slice begins.
func (l *list[T]) mark() int { return len(l.stack) }

func (l *list[T]) push(item T) { l.stack = append(l.stack, item) }

// take returns the items pushed since mark, and pops them; nil for none.
func (l *list[T]) take(mark int) []T {
	n := len(l.stack) - mark
	if n == 0 {
		return nil
	}
	if n > len(l.page)-l.used {
		l.turn(n)
	}
	from := l.used
	l.used += n
	items := l.page[from:l.used:l.used]
	copy(items, l.stack[mark:])
	l.stack = l.stack[:mark]
	return items
}

// one returns a slice of the one item.
func (l *list[T]) one(item T) []T {
	if l.used == len(l.page) {
		l.turn(1)
	}
	from := l.used
	l.used++
	l.page[from] = item
	return l.page[from:l.used:l.used]
}

// turn goes on to the next page with room for n items.
func (l *list[T]) turn(n int) {
	size := max(min(max(2*len(l.page), firstPage), lastPage), n)
	if l.next == len(l.pages) {
		l.pages = append(l.pages, make([]T, size))
	} else if len(l.pages[l.next]) < n {
		l.pages[l.next] = make([]T, size)
	}
	l.page, l.used = l.pages[l.next], 0
	l.next++
	l.large = l.large || len(l.page) > keptItems
}

// reset takes all slices back.
func (l *list[T]) reset() {
	l.stack = l.stack[:0]
	l.page, l.used, l.next = nil, 0, 0
	if len(l.pages) > keptPages || l.large {
		l.pages = slices.DeleteFunc(l.pages, func(page []T) bool { return len(page) > keptItems })
		l.pages = append([][]T(nil), l.pages[:min(len(l.pages), keptPages)]...)
		l.large = false
	}
	if cap(l.stack) > keptItems {
		l.stack = nil
	}
}

package parser

import "slices"

// Page sizes in items: the first of a slab, the first of a list, and the largest. A
// snippet of a few lines should not pay for thousands of nodes.
const (
	firstPage = 16
	firstList = 64
	lastPage  = 1024
)

// Bounds on the memory that a reset keeps for the next file. One huge file must not hold
// its memory for ever.
const (
	keptPages = 256     // of a slab or list
	keptItems = 1 << 16 // of one page, or of a list's stack
)

// A slab hands out values of one type from pages, which it keeps for the next file.
// Values are not cleared: the caller overwrites all fields. With Go's new for nodes and
// a slice for each list, a parse takes 2.1 times the instructions and an allocation for
// each node and list.
type slab[T any] struct {
	page  []T // the current page
	used  int // of the current page
	pages [][]T
	next  int // index of the page after the current one
}

// put returns a new value.
func (s *slab[T]) put(value T) *T {
	if s.used == len(s.page) {
		s.turn()
	}
	n := &s.page[s.used]
	s.used++
	*n = value
	return n
}

// turn moves to the next page, making one if there is none.
func (s *slab[T]) turn() {
	if s.next == len(s.pages) {
		s.pages = append(s.pages, make([]T, min(max(2*len(s.page), firstPage), lastPage)))
	}
	s.page, s.used = s.pages[s.next], 0
	s.next++
}

// reset takes all values back. The values of a small file fit in the first page. That
// stays the current page, so resetting costs nothing.
func (s *slab[T]) reset() {
	s.used = 0
	if s.next > 1 {
		s.rewind()
	}
}

// rewind makes the first page the current one. If the last page is larger, it becomes the
// first, so that the next file of this size fits in it.
//
//go:noinline
func (s *slab[T]) rewind() {
	if len(s.pages) > keptPages {
		s.pages = append([][]T(nil), s.pages[:keptPages]...)
	}
	if last := len(s.pages) - 1; len(s.pages[0]) < len(s.pages[last]) {
		s.pages[0], s.pages[last] = s.pages[last], s.pages[0]
	}
	s.page, s.next = s.pages[0], 1
}

// A list builds slices of one type, such as the statements of a block. Items are pushed on
// a stack, because an inner slice is built while the outer one still grows. take moves the
// items of a finished slice from the stack into a page.
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

// take returns the items pushed since mark, and pops them; nil for none. They last until the next
// reset.
func (l *list[T]) take(mark int) []T {
	items := l.stack[mark:]
	if len(items) == 0 {
		return nil
	}
	l.stack = l.stack[:mark]
	if len(items) > len(l.page)-l.used {
		l.turn(len(items))
	}
	taken := l.page[l.used:][:len(items):len(items)]
	l.used += len(items)
	//lint:ignore S1001 a call of typedslicecopy takes longer
	for i := range taken {
		taken[i] = items[i]
	}
	return taken
}

// one returns a slice of the one item.
func (l *list[T]) one(item T) []T {
	l.push(item)
	return l.take(len(l.stack) - 1)
}

// keep returns a copy of items.
func (l *list[T]) keep(items []T) []T {
	mark := l.mark()
	l.stack = append(l.stack, items...)
	return l.take(mark)
}

// turn moves to the next page with room for n items. Reset keeps the first page, so that
// page must not be too large.
//
//go:noinline
func (l *list[T]) turn(n int) {
	if len(l.pages) == 0 && n > firstList {
		l.pages = append(l.pages, make([]T, firstList))
		l.next = 1
	}
	size := max(min(max(2*len(l.page), firstList), lastPage), n)
	if l.next == len(l.pages) {
		l.pages = append(l.pages, make([]T, size))
	} else if len(l.pages[l.next]) < n {
		l.pages[l.next] = make([]T, size)
	}
	l.page, l.used = l.pages[l.next], 0
	l.next++
	l.large = l.large || len(l.page) > keptItems
}

// reset takes all slices back. The stack is empty already.
func (l *list[T]) reset() {
	l.used = 0
	if l.next > 1 {
		l.rewind()
	}
}

// rewind makes the first page the current one.
//
//go:noinline
func (l *list[T]) rewind() {
	if len(l.pages) > keptPages || l.large {
		l.pages = slices.DeleteFunc(l.pages, func(page []T) bool { return len(page) > keptItems })
		l.pages = append([][]T(nil), l.pages[:min(len(l.pages), keptPages)]...)
		l.large = false
	}
	l.page, l.next = l.pages[0], 1
	if cap(l.stack) > keptItems {
		l.stack = nil
	}
}

// drop forgets the slices that a refusal left unfinished.
func (l *list[T]) drop() {
	l.stack = l.stack[:0]
	if cap(l.stack) > keptItems {
		l.stack = nil
	}
}

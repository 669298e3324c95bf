package parser

import "slices"

// Page sizes in items: of a slab, and of a list the first and the largest. A snippet of a few lines
// should not pay for thousands of nodes.
const (
	slabPage  = 32
	firstList = 64
	lastPage  = 1024
)

// Bounds on the memory that a reset keeps for the next file. One huge file must not hold
// its memory for ever.
const (
	keptText  = 1 << 20 // bytes of text that slabs have the nodes of
	keptPages = 256     // of a list
	keptItems = 1 << 16 // of one page, or of a list's stack
)

// A slab hands out values of one type from pages, which it keeps for the next file.
// Values are not cleared: the caller overwrites all fields. With Go's new for nodes and
// a slice for each list, a parse takes 2.1 times the instructions and an allocation for
// each node and list.
type slab[T any] struct {
	page  *[slabPage]T // that of the last value
	used  uint         // values in all pages
	pages []*[slabPage]T
}

// put returns a new value.
func (s *slab[T]) put(value T) *T {
	i := s.used % slabPage
	if i == 0 {
		s.turn()
	}
	s.used++
	n := &s.page[i]
	*n = value
	return n
}

// turn moves to the next page, making one if there is none.
func (s *slab[T]) turn() {
	i := s.used / slabPage
	if i == uint(len(s.pages)) {
		s.pages = append(s.pages, new([slabPage]T))
	}
	s.page = s.pages[i]
}

// reset takes all values back.
func (s *slab[T]) reset() { s.used = 0 }

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
	if len(l.stack) == mark {
		return nil
	}
	return l.move(mark)
}

// move is take for one item or more.
func (l *list[T]) move(mark int) []T {
	items := l.stack[mark:]
	l.stack = l.stack[:mark]
	if len(items) > len(l.page)-l.used {
		l.turn(len(items))
	}
	moved := l.page[l.used:][:len(items):len(items)]
	l.used += len(items)
	for i := range moved { // as copy is a call of typedslicecopy, which takes longer
		moved[i] = items[i]
	}
	return moved
}

// one returns a slice of the one item.
func (l *list[T]) one(item T) []T {
	l.push(item)
	return l.move(len(l.stack) - 1)
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

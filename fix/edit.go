package fix

import "slices"

// An Edit replaces a part of a text.
type Edit struct {
	// Start and End are byte offsets into the text before any edit. Start equals End for an
	// insertion.
	Start, End int32
	New        string
}

// Apply appends the edited text to dst. Edits are sorted by Start and do not overlap. Two
// insertions at one offset keep their order.
func Apply(dst []byte, text string, edits []Edit) []byte {
	size := len(text)
	for _, e := range edits {
		size += len(e.New) - int(e.End-e.Start)
	}
	dst = slices.Grow(dst, size)
	at := int32(0)
	for _, e := range edits {
		dst = append(dst, text[at:e.Start]...)
		dst = append(dst, e.New...)
		at = e.End
	}
	return append(dst, text[at:]...)
}

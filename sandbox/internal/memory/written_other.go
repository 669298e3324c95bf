//go:build !linux

package memory

// A writtenPages knows nothing here.
type writtenPages struct{}

type writtenSpans struct{}

func openWrittenPages() *writtenPages { return nil }

func (*writtenPages) close() {}

func touchedPages([]byte) []bool { return nil }

func (*writtenPages) in([]byte, int, *writtenSpans) ([]span, bool) { return nil, false }

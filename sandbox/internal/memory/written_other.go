//go:build !linux

package memory

// A writtenPages is not implemented for this system.
type writtenPages struct{}

type writtenSpans struct{}

func openWrittenPages() *writtenPages { return nil }

func (*writtenPages) close() {}

func (*writtenPages) in([]byte, int, *writtenSpans) ([]span, bool) { return nil, false }

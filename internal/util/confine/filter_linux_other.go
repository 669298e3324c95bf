//go:build linux && !amd64 && !arm64

package confine

// filter does nothing, as the numbers of the calls are unknown here.
func filter() bool { return false }

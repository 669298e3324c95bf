//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package codecache

import "sync"

// making is held while an entry is made. Other processes make it at the same time: the
// last to rename its own finds theirs.
var making sync.Mutex

func lock(string) (unlock func()) {
	making.Lock()
	return making.Unlock
}

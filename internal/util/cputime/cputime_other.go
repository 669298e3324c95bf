//go:build !unix && !windows

package cputime

import "time"

// Resolution is the shortest time that [Of] measures well.
const Resolution = 10 * time.Millisecond

func of(int) (time.Duration, bool) { return 0, false }

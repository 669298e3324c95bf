//go:build !unix && !windows

package bench

import "time"

// exact is the least time that CPU measures well.
const exact = 10 * time.Millisecond

var began = time.Now()

// CPU returns the time since the process began, where its processor time cannot
// be had.
func CPU() time.Duration { return time.Since(began) }

//go:build !unix && !windows

package bench

import "time"

// exact is the shortest time that CPU measures well.
const exact = 10 * time.Millisecond

var began = time.Now()

// CPU returns the time since the process began, as its processor time is
// unknown here.
func CPU() time.Duration { return time.Since(began) }

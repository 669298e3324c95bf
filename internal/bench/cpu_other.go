//go:build !unix && !windows

package bench

import "time"

const tick = 0

var began = time.Now()

// CPU returns the time since the process began, where its processor time cannot
// be had.
func CPU() time.Duration { return time.Since(began) }

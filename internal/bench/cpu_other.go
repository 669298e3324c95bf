//go:build !unix

package bench

import "time"

var began = time.Now()

// CPU returns the time since the process began, where its processor time cannot
// be had.
func CPU() time.Duration { return time.Since(began) }

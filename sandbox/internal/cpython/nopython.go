//go:build nopython

// Package cpython holds CPython, but in this build it does not.
package cpython

import "errors"

// Version is the version of CPython: none.
const Version = ""

// Embedded reports whether the binary holds CPython.
const Embedded = false

var errNone = errors.New("this binary was built without CPython (tag nopython)")

// Module returns an error.
func Module() ([]byte, error) { return nil, errNone }

// Image returns an error.
func Image() ([]byte, error) { return nil, errNone }

// Pages returns none.
func Pages() []int { return nil }

// Sum returns nothing.
func Sum() string { return "" }

// ImageSum returns nothing.
func ImageSum() string { return "" }

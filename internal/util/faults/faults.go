// Package faults makes faults on purpose, to show that none of them becomes a result.
//
//	defer faults.Begin(faults.Plan{Seed: 7, Every: faults.Rates{faults.Kill: 5}})()
//
// What may fail asks [Hit] whether it fails now. Without a plan nothing does, and asking
// takes a load of a pointer. A plan counts the questions of each kind, and its seed says
// which of them are hit: the same questions in the same order have the same faults, whatever
// the time and the load.
//
// In a binary built with the tag faults, the variable CODELINTER_FAULTS gives a plan to the
// process, such as "seed=7 kill=5 cut=9". Its children have no plan.
package faults

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// NoSpace is the error of a full disk.
const NoSpace = syscall.ENOSPC

// A Kind is a kind of fault.
type Kind uint8

// The kinds.
const (
	Kill    Kind = iota // a child process is killed
	Cut                 // a pipe to a child process is cut
	Full                // a disk is full
	Corrupt             // a cached file is damaged
	Stop                // a clock stands still
	kinds
)

var names = [kinds]string{"kill", "cut", "full", "corrupt", "stop"}

// String returns the name of a kind.
func (k Kind) String() string { return names[k] }

// Rates has, for each kind, of how many questions one is hit on average; 0: none.
type Rates [kinds]uint64

// A Plan says which faults happen.
type Plan struct {
	Seed  uint64
	Every Rates
}

// Parse reads a plan such as "seed=7 kill=5".
func Parse(text string) (p Plan, err error) {
	for _, field := range strings.Fields(text) {
		name, value, _ := strings.Cut(field, "=")
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return p, fmt.Errorf("faults: expected NAME=NUMBER, found %q", field)
		}
		if name == "seed" {
			p.Seed = n
			continue
		}
		known := false
		for k := range names {
			if names[k] == name {
				p.Every[k], known = n, true
			}
		}
		if !known {
			return p, fmt.Errorf("faults: expected seed, %s, found %q", strings.Join(names[:], ", "), name)
		}
	}
	return p, nil
}

// A running plan counts.
type running struct {
	Plan
	asked, hit [kinds]atomic.Uint64
}

var current atomic.Pointer[running]

// Begin makes a plan the process's plan until end is called.
func Begin(p Plan) (end func()) {
	before := current.Swap(&running{Plan: p})
	return func() { current.Store(before) }
}

// Hit reports whether a fault of the kind happens now.
func Hit(k Kind) bool {
	p := current.Load()
	if p == nil || p.Every[k] == 0 {
		return false
	}
	if mix(p.Seed+uint64(k)<<56+p.asked[k].Add(1))%p.Every[k] != 0 {
		return false
	}
	p.hit[k].Add(1)
	return true
}

// Counts returns how many faults of each kind the plan has made, by name.
func Counts() map[string]uint64 {
	counts := map[string]uint64{}
	if p := current.Load(); p != nil {
		for k := range names {
			counts[names[k]] = p.hit[k].Load()
		}
	}
	return counts
}

// mix is the finalizer of SplitMix64: its result looks random.
func mix(n uint64) uint64 {
	n *= 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

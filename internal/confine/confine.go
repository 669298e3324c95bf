// Package confine starts the running executable once more, as a child, and takes from
// that process what it will not need: it can compute, read and write what it has open,
// and end.
//
// Programs run in such a child, behind the walls of their interpreter, and Parquet is
// read in one, as the library that reads it trusts what it reads.
package confine

import "time"

// Limits bound what is left to a process.
type Limits struct {
	Memory int64         // bytes of address space beyond what it has now
	CPU    time.Duration // of processor time in its life; it is killed past it
}

// Process confines the running process for good. It opens nothing and starts
// nothing afterwards; what it has open stays so. It reports what held, for
// documentation and tests: a system that lacks a measure is no error.
func Process(l Limits) Measures { return process(l) }

// Measures are what confines a process.
type Measures struct {
	Rlimits bool // limits on memory, processor time, files and core dumps
	NoNew   bool // no program that it executes has more rights than it
	Seccomp bool // system calls that it has no use for fail
	Parent  bool // it is killed when its parent dies
}

// CloseInherited closes the files beyond the standard ones that the process
// was started with. It must be the first thing that a process does.
func CloseInherited() { closeInherited() }

// Resident is how many bytes of memory the process had at most so far; 0: not
// known.
func Resident() int64 { return resident() }

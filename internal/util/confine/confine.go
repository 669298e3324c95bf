// Package confine starts the running executable as a child and confines it: the child
// can only compute, read and write its open files, and end.
//
// Programs run in such a child, as a wall around their interpreter. Parquet is read
// in one, because the library that reads it trusts its input.
package confine

import "time"

// Limits bound a process.
type Limits struct {
	Memory int64         // bytes of address space beyond the current ones
	CPU    time.Duration // of processor time in total; the process is then killed
}

// Process confines the running process for good. The process can then open and start
// nothing; its open files stay open. It returns the measures that took effect, for
// documentation and tests: a measure that the system lacks is no error.
func Process(l Limits) Measures { return process(l) }

// Measures are the measures that confine a process.
type Measures struct {
	Rlimits      bool // limits on memory, processor time, files and core dumps
	NoNew        bool // a program that it executes gets no more rights
	Capabilities bool // it has none, even as root; not where the C library is linked
	Seccomp      bool // other system calls fail
	Parent       bool // it is killed when its parent dies
}

// Resident returns the maximum memory of the process so far in bytes, or 0 if it is
// unknown.
func Resident() int64 { return resident() }

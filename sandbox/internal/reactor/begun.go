package reactor

import "codelinter/sandbox/internal/job"

// The same few programs run before many others, such as the one that watches an answer. Each starts
// from the same memory and does the same, so what it leaves is kept and copied: to run the one that
// watches takes 600 us, to copy its 200 pages 60.

// A begun is an instance on which the program that runs before another has ended. All that it is then
// lies in its memory: it wrote nothing, and the machine that it saw is as it was.
type begun struct {
	pages []byte // as [Instance.written] returns them; nil: it must run
	used  int64  // counts
}

// begunRoom bounds a generation of such instances, in bytes.
const begunRoom = 8 << 20

// begin runs the program that runs before a job's own. It reports whether it came to its end.
func (s *stepper) begin(j *job.Job, before *execution) bool {
	in, key := s.in, string(j.Before)
	kept, known := in.begun.Get(key)
	compiled := before.flags&hasCode != 0 && j.Machine == nil // else compiling counts
	if compiled && kept.pages != nil && kept.used <= s.left {
		content := in.memory.Bytes()
		eachPage(kept.pages, func(at int, page []byte) { copy(content[at:], page) })
		s.left -= kept.used
		in.charge(kept.used)
		return true
	}
	var step job.Step
	s.step(&step, "exec", before.request, before.flags)
	if !isDone(&step) {
		return false
	}
	if compiled && !known {
		kept = begun{used: step.Used}
		if len(in.output)+len(in.errors) == 0 && in.system.IsAtRest() {
			if pages, exact := in.written(); exact && len(pages) <= begunRoom {
				kept.pages = pages
			}
		}
		in.begun.Put(key, kept, int64(len(key)+len(kept.pages)))
	}
	return true
}

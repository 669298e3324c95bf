package reactor

import (
	"encoding/binary"

	"codelinter/sandbox/internal/job"
)

// CPython takes some 60 counts a byte to compile a text, ten times what a usual call
// takes. A task's program and all answers to it make the same calls, and the same
// program runs again and again. So the texts of a job with calls are compiled before
// the run, each once, and the run gets their code.
//
// What a program gets, and what is counted for it, does not depend on what was
// compiled before:
//
// - An instance compiles a program's own text right after it was restored.
// - The code of calls has no trace of other texts.
// - A text that does not compile, or not within the budget, is passed as text, and
//   the program meets the exception.
// - Compiling is not counted.
//
// The instance is restored between the texts and the program, and between one
// program's text and all others.

// Kinds of texts, as in the guest's compile.
const (
	programText = iota
	statementsText
	expressionText
)

// Bounds of compiling before a run.
const (
	codeRoom   = 4 << 20   // bytes of code, and of requests, in a generation of their caches
	maxText    = 64 << 10  // bytes of a call's text
	textBudget = 8_000_000 // counts for a call's text
)

// A textKey is the key of compiled code.
type textKey struct {
	kind int
	text string
}

// A code is a compiled text.
type code struct {
	bytes []byte // nil: it does not compile
	used  int64  // counts
}

// compile returns the code of a text, if it compiles within a budget.
func (in *Instance) compile(kind int, text []byte, budget int64) (made code, ok bool) {
	key := textKey{kind, string(text)}
	made, known := in.codes.Get(key)
	if !known {
		stop := job.NotRun
		for tries := 0; tries < 2; tries++ {
			if alone := kind == programText; alone || in.alone || tries > 0 {
				if in.Reset() != nil {
					return code{}, false
				}
				in.alone = alone
			}
			first := in.fresh
			// The failure may come from what was compiled before.
			if made, stop = in.tryCompile(kind, text, budget); made.bytes != nil || first {
				break
			}
		}
		if stop == job.Budget {
			return code{}, false // of this size
		}
		in.codes.Put(key, made, int64(len(text)+len(made.bytes)+64))
	}
	return made, made.bytes != nil && made.used <= budget
}

func (in *Instance) tryCompile(kind int, text []byte, budget int64) (code, job.Stop) {
	in.fresh = false
	in.budget.Set(uint64(budget))
	s := stepper{in: in, left: budget}
	var step job.Step
	s.step(&step, "compile", text, uint64(kind))
	if s.dead {
		in.kill()
	}
	if isDone(&step) && len(step.Reply) > 1 {
		return code{step.Reply[1:], step.Used}, step.Stop
	}
	return code{}, step.Stop
}

// A prepared is a job with compiled texts.
type prepared struct {
	before, source execution
	calls          [][]byte
}

// An execution is a request of exec with its flags.
type execution struct {
	request []byte
	flags   uint64
}

// prepare compiles a job's texts, if it has calls. A program without calls is
// compiled in its run.
func (in *Instance) prepare(j *job.Job) prepared {
	if len(j.Calls) == 0 {
		return prepared{before: execution{request: j.Before}, source: execution{request: j.Source}}
	}
	p := prepared{before: in.prepareProgram(j.Before, j.Budget), source: execution{request: j.Source}, calls: make([][]byte, len(j.Calls))}
	if !j.Once {
		p.source = in.prepareProgram(j.Source, j.Budget)
	}
	for i, call := range j.Calls {
		p.calls[i] = in.prepareCall(call)
	}
	return p
}

func (in *Instance) prepareProgram(source []byte, budget int64) execution {
	if len(source) > 0 {
		if made, ok := in.compile(programText, source, budget); ok {
			request := appendText(make([]byte, 0, 10+len(source)+len(made.bytes)), source, 0)
			return execution{append(request, made.bytes...), hasCode}
		}
	}
	return execution{request: source}
}

// prepareCall returns a request of call with compiled texts. All answers to a task get the same calls,
// so a request is made once.
func (in *Instance) prepareCall(request []byte) []byte {
	key := string(request)
	if with, known := in.requests.Get(key); known {
		return with
	}
	with, whole := in.compileCall(request)
	if whole {
		in.requests.Put(key, with, int64(len(key)+len(with)+64))
	}
	return with
}

// compileCall is prepareCall for a new request. whole says that all of its texts are compiled.
func (in *Instance) compileCall(request []byte) (with []byte, whole bool) {
	d := job.NewDecoder(request)
	with, whole = make([]byte, 0, 512), true
	text := func(kind int) {
		text := d.Raw(min(int(d.Uvarint()>>1), d.Len()))
		if kind == expressionText {
			if value, ok := in.appendLiteral(in.literal[:0], string(text)); ok {
				with = append(binary.AppendUvarint(with, uint64(len(value))<<1|1), value...)
				in.literal = value
				return
			}
		}
		if len(text) > 0 && len(text) <= maxText {
			if made, ok := in.compile(kind, text, textBudget); ok {
				with = append(binary.AppendUvarint(with, uint64(len(made.bytes))<<1|1), made.bytes...)
				return
			}
		}
		whole = whole && len(text) == 0
		with = appendText(with, text, 1)
	}
	with = binary.AppendUvarint(with, d.Uvarint())
	text(statementsText)
	text(expressionText)
	bindings := d.Count(2)
	with = binary.AppendUvarint(with, uint64(bindings))
	for range bindings {
		with = appendText(with, d.Bytes(), 0)
		text(expressionText)
	}
	return append(with, d.Raw(d.Len())...), whole
}

// appendText appends a text after its shifted length.
func appendText(b, text []byte, shift int) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))<<shift), text...)
}

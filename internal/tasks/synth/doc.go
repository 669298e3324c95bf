// Package synth makes tasks by putting faults into clean programs.
//
//	programs, _, err := synth.Collect(ctx, []string{"src"}, synth.CollectOptions{Lint: options})
//	report, err := synth.Run(ctx, programs, synth.RunOptions{Options: synth.Options{Lint: options}, N: 1000},
//		func(m synth.Made) error {
//			_, err := os.Stdout.Write(m.Line)
//			return err
//		})
//
// # Faults
//
// A fault is an edit of a clean program, the inverse of a repair. The finder goes over tokens, rows
// and tree once, and collects the places where people make faults, by code:
//
//	x = f(a, b)      x=f(a, b)        E225
//	                 x = f(a,b)       E231
//	                 x = f(a,
//	                     b)           E128
//	a is None        a == None        E711, by package asked's table read from right to left
//	import re        import re
//	                 import os        F401
//
// A [Maker] chooses some of these faults by weights, so that no two touch. So a task has several
// codes, as often as the weights ask.
//
// # What is checked
//
// The finder may be wrong about flake8's findings, because each task is checked. flake8 must find
// each code that was put in, and no other. Package guard must prove that the clean program does the
// same as the program with faults: by its tree, or by the edits that the findings ask for. If a
// check fails, other faults are drawn.
//
// # Repeating
//
// All random choices depend on the seed, the program's hash and the number of the attempt alone. So
// the number of workers does not matter, and a run that was killed can be resumed.
//
// # Codes without an inverse
//
// No faults are made of codes whose repair cannot be proven (F821: which name was meant?), or of
// programs that do not parse (E999). [Codes] lists the others.
package synth

import "codelinter/rule"

// Codes returns the codes of which faults can be made.
func Codes() []rule.Code {
	return []rule.Code{
		rule.E111, rule.E114, rule.E115, rule.E116, rule.E117,
		rule.E121, rule.E122, rule.E123, rule.E124, rule.E125, rule.E126, rule.E127, rule.E128, rule.E129, rule.E131,
		rule.E201, rule.E202, rule.E203, rule.E204, rule.E211, rule.E221, rule.E222, rule.E223, rule.E224, rule.E225, rule.E226, rule.E227, rule.E228,
		rule.E231, rule.E241, rule.E242, rule.E251, rule.E252, rule.E261, rule.E262, rule.E265, rule.E266,
		rule.E271, rule.E272, rule.E273, rule.E274, rule.E275,
		rule.E301, rule.E302, rule.E303, rule.E304, rule.E305, rule.E306, rule.E401, rule.E402, rule.E501, rule.E502,
		rule.E701, rule.E702, rule.E703, rule.E704, rule.E711, rule.E712, rule.E713, rule.E714, rule.E721, rule.E722, rule.E731, rule.E741,
		rule.W191, rule.W291, rule.W292, rule.W293, rule.W391, rule.W605,
		rule.F401, rule.F541, rule.F632, rule.F811, rule.F841,
	}
}

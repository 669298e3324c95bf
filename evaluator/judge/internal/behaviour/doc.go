// Package behaviour judges whether an answer to a task keeps the logic of the
// task's program, by running both.
//
//	pool, err := sandbox.New(ctx, sandbox.Options{})
//	...
//	judge := behaviour.New(pool, behaviour.Options{})
//	plan, err := judge.Plan(ctx, &behaviour.Task{ID: "7", Program: program, Tests: tests})
//	...
//	verdict := plan.Judge(ctx, answer, &report) // report is a guard.Checker's
//
// # The measure
//
// A task asks for a program to be mended in style, so the program itself says
// what its logic is. No tests are needed; where there are some, they say how the
// program is called. The canonical answer is the measure instead where the
// program does not parse, does not run, or fails tests that the canonical answer
// passes; and where both run but differ, an answer is held to nothing there:
// mending may change what faulty code does, such as assert (x, "text").
//
// # The plan
//
// What answers are made to do is settled once a task, with the program alone:
//
//  1. The tests are taken apart (script.go). Of assert round(f([3, 1]), 2) == 0.5
//     remains f([3, 1]); what is compared with it stays outside. Statements
//     between asserts are kept, in their order.
//  2. Calls are known: those of the tests, wherever they stand, those that the
//     program makes itself, and the examples in its docstrings (targets.go).
//  3. What the program's values are is inferred from its text: from annotations,
//     uses, comparisons, constants, docstrings, and from the calls that are known
//     (infer.go, signatures.go). From that calls are drawn (generate.go): of functions, with
//     optional arguments and without, and of methods of an object, one after the
//     other. A few have rare values at which functions part that are mostly the
//     same (nan, '\r', 'ß', 2 ** 31 + 1). Others go on with objects with which it went
//     well (candidates.go). Chance is a PCG whose seed is the program.
//  4. The program makes these calls, and some dozens are kept (choose.go): those
//     that run through most lines and branches that nothing ran through so far;
//     then those with results not seen so far; then any.
//  5. The program makes the calls that are kept in two instances: in one after the
//     tests' own script, in the other some of them in another order, a few twice,
//     and after one of them was made many times.
//     What it did there is kept.
//
// # The verdict
//
// An answer is made to do the same in two instances of its own, and is compared
// step by step, in Go: results, exceptions, output, and what became of arguments.
// What is expected of it never enters an instance in which it runs, so there is
// nothing there to be found; calls come one by one, and which will come is seen
// by nobody; an answer that remembers meets another order and repetitions.
//
// An answer may look at constants that the program does not have: a == 77777, or
// len(s) >= 500. From these a dozen more calls are made (constants.go), and program
// and answer make them in an instance each. Which they are follows from the task,
// the seed and the answer's constants; an answer without new ones is spared them.
//
// What is not reached is not compared, so what an answer's calls reach is measured
// (layout.go, coverage.go). If they left something out that is not left out of the
// program in the same way, more calls are made, and if those do not reach it either
// the verdict is unknown (reach.go).
//
// What binds an answer:
//
//   - where the program returns, it returns the same; see comparison in
//     compare.go for what that means;
//   - what global statements bind in the program's module is the same at the end
//     of an instance;
//   - where the program raises on purpose, by raise or assert, it raises the same
//     type with the same text. Where something else raises in it, as [][0] does,
//     an answer has to raise as well, but may raise anything;
//   - the program's module may not print less or other than it does; an answer may
//     print something where the program's module prints nothing, such as a demo,
//     unless the program is a script that defines nothing. A script is compared by
//     its output and by the variables that it leaves;
//   - it takes no more than ten times the counts that the program takes, plus
//     2,000,000. Counts are the sandbox's, so no machine and no load makes an
//     answer too slow. What is too slow has failed: the program ended.
//
// Unknown, and never a pass, is where nothing can be compared: the program asks a
// clock or chance, it spends its own budget, no call returned anything that can be
// told from anything else, or an answer has something that no call reaches.
//
// # Tests
//
// An assert whose calls gave what they gave with the program holds for an answer
// if it holds for the program. Where an answer is not held to the program, the
// assert is decided by its own values: they are made again from plain data in an
// instance that runs the program, and compared there by Python. Where there is no
// program to hold an answer to, the tests alone decide.
package behaviour

// Package behaviour judges whether an answer to a task keeps the logic of the
// task's program, by running both.
//
//	pool, err := sandbox.New(ctx, sandbox.Options{})
//	...
//	judge := behaviour.New(pool, behaviour.Options{})
//	plan, err := judge.Plan(ctx, &behaviour.Task{ID: "7", Program: program, Tests: tests})
//	...
//	verdict, err := plan.Judge(ctx, answer, &report) // report is a guard.Checker's
//
// # The measure
//
// A task asks for a repair of a program's style, so the program itself defines its
// logic. No tests are needed; if there are any, they show how the program is
// called. The canonical answer takes the program's place if the program does not
// parse, does not run, or fails tests that the canonical answer passes. For calls
// on which both run and differ, an answer does what one of the two does: a repair may change
// what faulty code does, such as assert (x, "text"). Another result is unknown.
//
// # The plan
//
// The calls are chosen once for each task, with the program alone:
//
//  1. The tests are taken apart (script.go). Of assert round(f([3, 1]), 2) == 0.5
//     the call f([3, 1]) is kept, without the expected value. Statements between
//     asserts are kept in their order.
//  2. Known calls are those of the tests, those that the program makes itself, and
//     the examples in its docstrings (targets.go).
//  3. Types and values are inferred from the program's text: annotations, uses,
//     comparisons, constants, docstrings, known calls (infer.go), and from what
//     Python's own functions and methods take (signatures.txt).
//     From these, calls are drawn (generate.go): of functions, with and without
//     optional arguments, and of methods of one object in sequence. A few have rare
//     values for which otherwise equal functions differ (nan, '\r', 'ß', 2 ** 31 +
//     1). Others extend sequences that ended well (candidates.go). The random
//     generator is a PCG seeded by the program.
//     These calls are drawn twice: as if there were no tests, and from the tests' calls.
//  4. The program makes these calls, and some dozens are kept (choose.go): first
//     those that reach new lines and branches, then those with new results, then
//     any.
//  5. The program makes the kept calls in two instances. The first makes them after
//     the tests' own script. The second makes those that cover the program in another
//     order. The results are kept. The first instance is made again elsewhere in memory,
//     and is watched.
//
// # The verdict
//
// An answer does the same in two instances of its own, and is compared step by step in Go
// (verdict.go, compare.go). docs/judge.md says what is compared, and what every reason means.
// Expected results never enter an answer's instance, so the answer cannot find them there. Calls
// arrive one by one, so no answer sees the next one. After 16, 64 and 256 calls the results are
// compared: if they decide the verdict, the rest of the calls is not made.
//
// An answer may test for constants that the program does not have: a == 77777, or len(s) >= 500.
// Then a dozen more calls have these constants (constants.go), in one more instance each of
// program and answer. For a new regular expression they have texts that it and the program's
// match otherwise (patterns.go).
//
// Code that is not reached is not compared. So in the second instance an answer runs in a text
// that says what its calls reach, and what they change of the program's state (watch.go, sites.go,
// watch.py). If it does there what is expected, it need not run as it is. If the calls do not
// show of the answer what all calls show of the program, a third instance makes these all. If
// the answer has an unreached part that the program does not have unreached too (gaps.go), more
// calls are made (reach.go).
//
// What was reached may still do nothing in all calls. So a new expression of an answer must
// have two values. And what only the answer has, or only the program, runs with something else in
// its place: an operand, the program's expression (beside.go), another constant, nothing. Some call
// must tell (vouch.go).
//
// # Tests
//
// If an assert's calls give the same values as with the program, the assert holds
// for the answer if it holds for the program. Otherwise, where an answer is not
// compared with the program, the assert is evaluated on the answer's values: plain
// data from which an instance that runs the program makes the values again, for
// Python to compare. Without a program to compare with, the tests alone decide.
package behaviour

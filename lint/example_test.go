package lint_test

import (
	"fmt"

	"codelinter/lint"
	"codelinter/source"
)

func Example() {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range linter.Lint([]byte("import os \n")) {
		fmt.Printf("%d:%d: %s %s\n", finding.Row, finding.Column, finding.Code, finding.Message())
	}
	// Output:
	// 1:1: F401 'os' imported but unused
	// 1:10: W291 trailing whitespace
}

// Start and End say what a finding is about, in the bytes that were given.
func ExampleLinter_Lint() {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	data := []byte("\ufeffx = 1\r\nprint(x , y)\r\n")
	for _, finding := range linter.Lint(data) {
		fmt.Printf("%s %q\n", finding.Code, data[finding.Start:finding.End])
	}
	// Output:
	// E203 " "
	// F821 "y"
}

// The name of a file matters: a package may export what it does not define.
func ExampleLinter_LintFile() {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	data := []byte("__all__ = ['spam']\n")
	fmt.Println(len(linter.LintFile("eggs.py", data)), len(linter.LintFile("__init__.py", data)))
	// Output: 1 0
}

func ExampleLinter_LintStdin() {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range linter.LintStdin("spam.py", []byte("x = (\n"), nil) {
		fmt.Println(finding.Code, finding.Message())
	}
	// Output: E999 SyntaxError: '(' was never closed
}

// A clean file may be clean because a comment says so.
func ExampleLinter_Facts() {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(linter.Lint([]byte("# coding: latin-1\nimport os  # noqa\n"))))
	facts := linter.Facts()
	fmt.Println(facts.Silenced, facts.Encoding)
	// Output:
	// 0
	// true latin-1
}

// Options are flake8's.
func ExampleOptions() {
	options := lint.DefaultOptions()
	options.Select = []string{"E501"}
	options.MaxLineLength = 10
	linter, err := lint.New(options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range linter.Lint([]byte("import os, sys\n")) {
		fmt.Println(finding.Message())
	}
	// Output: line too long (14 > 10 characters)
}

// One Linter for each goroutine.
func ExampleLinter_Clone() {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan int)
	for _, text := range []string{"import os\n", "import os, sys\n"} {
		go func(linter *lint.Linter) { done <- len(linter.Lint([]byte(text))) }(linter.Clone())
	}
	fmt.Println(<-done + <-done)
	// Output: 4
}

func ExampleDefaultSelect() {
	fmt.Println(lint.DefaultSelect())
	fmt.Println(lint.DefaultIgnore())
	// Output:
	// [C90 E F W]
	// [E121 E123 E126 E226 E24 E704 W503 W504]
}

func ExampleIsCodePrefix() {
	fmt.Println(lint.IsCodePrefix("E5"), lint.IsCodePrefix("e501"))
	// Output: true false
}

// Findings are those of an older CPython where that is asked for.
func ExampleOptions_target() {
	target, err := source.ParseVersion("3.10")
	if err != nil {
		fmt.Println(err)
		return
	}
	options := lint.DefaultOptions()
	options.Target = target
	linter, err := lint.New(options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range linter.Lint([]byte("type X = int\n")) {
		fmt.Println(finding.Message())
	}
	// Output: SyntaxError: invalid syntax
}

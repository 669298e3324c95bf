package lint_test

import (
	"fmt"
	"strings"

	"codelinter/ast"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

func Example() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range linter.Lint(lint.Input{Data: []byte("import os \n")}).Findings {
		fmt.Printf("%d:%d: %s %s\n", finding.Row, finding.Column, finding.Code, finding.Message())
	}
	// Output:
	// 1:1: F401 'os' imported but unused
	// 1:10: W291 trailing whitespace
}

// Start and End say what a finding is about, in the bytes that were given.
func ExampleLinter_Lint() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	data := []byte("\ufeffx = 1\r\nprint(x , y)\r\n")
	for _, finding := range linter.Lint(lint.Input{Data: data}).Findings {
		fmt.Printf("%s %q\n", finding.Code, data[finding.Start:finding.End])
	}
	// Output:
	// E203 " "
	// F821 "y"
}

// The name of a file matters: a package may export what it does not define.
func ExampleInput() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	data := []byte("__all__ = ['spam']\n")
	for _, name := range []string{"eggs.py", "__init__.py"} {
		fmt.Println(name, len(linter.Lint(lint.Input{Name: name, Data: data}).Findings))
	}
	// Output:
	// eggs.py 1
	// __init__.py 0
}

func ExampleInput_stdin() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range linter.Lint(lint.Input{Name: "spam.py", Data: []byte("x = (\n"), Stdin: true}).Findings {
		fmt.Println(finding.Code, finding.Message())
	}
	// Output: E999 SyntaxError: '(' was never closed
}

// A clean file may be clean because a comment says so.
func ExampleResult_facts() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := linter.Lint(lint.Input{Data: []byte("# coding: latin-1\nimport os  # noqa\n"), Facts: true})
	fmt.Println(len(result.Findings), result.Facts.Silenced, result.Facts.Encoding)
	// Output:
	// 0 true latin-1
}

// The tree that the rules saw is at hand.
func ExampleResult_tree() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := linter.Lint(lint.Input{Data: []byte("import os\n\n\ndef spam():\n    return os.name\n"), Tree: true})
	ast.Inspect(result.Tree, func(node ast.Node) bool {
		if def, ok := node.(*ast.FunctionDef); ok {
			fmt.Println(def.Name, "in line", result.File.Row(def.Bounds().Start))
		}
		return true
	})
	// Output: spam in line 4
}

// A hostile text may have very many findings.
func ExampleBounds() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := []byte(strings.Repeat("x=1\n", 1000))
	result := linter.Lint(lint.Input{Data: text, Bounds: lint.Bounds{Findings: 10}})
	fmt.Println(len(result.Findings), result.Omitted, result.OmittedOf(rule.E225))
	// Output: 10 990 990
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
	for _, finding := range linter.Lint(lint.Input{Data: []byte("import os, sys\n")}).Findings {
		fmt.Println(finding.Message())
	}
	// Output: line too long (14 > 10 characters)
}

// One Linter for each goroutine.
func ExampleLinter_Clone() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan int)
	for _, text := range []string{"import os\n", "import os, sys\n"} {
		go func(linter *lint.Linter) { done <- len(linter.Lint(lint.Input{Data: []byte(text)}).Findings) }(linter.Clone())
	}
	fmt.Println(<-done + <-done)
	// Output: 4
}

func ExampleDefaultIgnore() {
	fmt.Println(lint.DefaultIgnore())
	// Output: [E121 E123 E126 E226 E24 E704 W503 W504]
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
	for _, finding := range linter.Lint(lint.Input{Data: []byte("type X = int\n")}).Findings {
		fmt.Println(finding.Message())
	}
	// Output: SyntaxError: invalid syntax
}

package pyflakes_test

import (
	"fmt"

	"codelinter/checks/pyflakes"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

func ExampleChecker() {
	var file source.File
	if err := file.Load([]byte("import os\nprint(eggs)\n")); err != nil {
		fmt.Println(err)
		return
	}
	module, _ := parser.Parse(&file, parser.Options{})
	var enabled rule.Set
	for code := range rule.Codes() {
		enabled.Add(code)
	}
	var checker pyflakes.Checker
	for _, finding := range checker.Check(&file, module, pyflakes.Options{Filename: "spam.py"}, &enabled, nil) {
		fmt.Println(finding.Row, finding.Code, finding.Message())
	}
	// Output:
	// 2 F821 undefined name 'eggs'
	// 1 F401 'os' imported but unused
}

package mccabe_test

import (
	"fmt"

	"codelinter/checks/mccabe"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

func ExampleChecker() {
	var file source.File
	if err := file.Load([]byte("def spam(eggs):\n    if eggs:\n        for egg in eggs:\n            print(egg)\n")); err != nil {
		fmt.Println(err)
		return
	}
	module, _ := parser.Parse(&file, parser.Options{})
	var enabled rule.Set
	enabled.Add(rule.C901)
	var checker mccabe.Checker
	for _, finding := range checker.Check(&file, module, 2, &enabled, nil) {
		fmt.Println(finding.Row, finding.Code, finding.Message())
	}
	// Output: 1 C901 'spam' is too complex (3)
}

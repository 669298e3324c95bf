package pep8_test

import (
	"fmt"

	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

func ExampleChecker() {
	var file source.File
	if err := file.Load([]byte("x = spam(1 , 2)  \n")); err != nil {
		fmt.Println(err)
		return
	}
	var t tokenizer.Tokenizer
	tokens, failure := t.Tokenize(file.Text, tokenizer.Options{})
	if failure != nil {
		fmt.Println(failure)
		return
	}
	var enabled rule.Set
	for code := range rule.Codes() {
		enabled.Add(code)
	}
	var checker pep8.Checker
	for _, finding := range checker.Check(&file, tokens, pep8.Options{MaxLineLength: 79, MaxDocLength: pep8.NoLimit, IndentSize: 4}, &enabled, nil) {
		fmt.Println(finding.Column, finding.Code, finding.Message())
	}
	// Output:
	// 16 W291 trailing whitespace
	// 11 E203 whitespace before ','
}

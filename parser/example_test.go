package parser_test

import (
	"fmt"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
	"codelinter/tokenizer"
)

func ExampleParse() {
	var file source.File
	if err := file.Load([]byte("print('spam')\n")); err != nil {
		fmt.Println(err)
		return
	}
	module, err := parser.Parse(&file, parser.Options{})
	if err != nil {
		fmt.Println("not Python")
		return
	}
	fmt.Println(len(module.Body), module.Body[0].Kind())
	// Output: 1 Expr
}

// A Parser reuses its memory: a tree is valid until the next.
func ExampleParser() {
	var (
		tokens tokenizer.Tokenizer
		p      parser.Parser
	)
	for _, text := range []string{"x = 1\n", "def f(): pass\n", "1 = x\n"} {
		list, err := tokens.Tokenize(text, tokenizer.Options{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		if module, ok := p.Parse(text, list, parser.Options{}); ok {
			fmt.Println(module.Body[0].Kind())
		} else {
			fmt.Println("not Python")
		}
	}
	// Output:
	// Assign
	// FunctionDef
	// not Python
}

// An annotation in a string is an expression of its own.
func ExampleParser_ParseExpression() {
	var p parser.Parser
	n, ok := p.ParseExpression("list[int]", parser.Options{})
	fmt.Println(ast.Dump(n, nil, source.Python314), ok)
	// Output: Subscript(value=Name(id='list', ctx=Load()), slice=Name(id='int', ctx=Load()), ctx=Load()) true
}

package ast_test

import (
	"fmt"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
)

// Prints the calls of a program.
func ExampleInspect() {
	var file source.File
	if err := file.Load([]byte("print(len('spam'))\n")); err != nil {
		fmt.Println(err)
		return
	}
	module, err := parser.Parse(&file, parser.Options{})
	if err != nil {
		fmt.Println("not Python")
		return
	}
	ast.Inspect(module, func(n ast.Node) bool {
		if call, is := n.(*ast.Call); is {
			fmt.Println(file.Text[call.Start:call.End])
		}
		return true
	})
	// Output:
	// print(len('spam'))
	// len('spam')
}

func ExampleDump() {
	var file source.File
	if err := file.Load([]byte("x += 1\n")); err != nil {
		fmt.Println(err)
		return
	}
	module, _ := parser.Parse(&file, parser.Options{})
	fmt.Println(ast.Dump(module, nil, source.Python314))
	// Output: Module(body=[AugAssign(target=Name(id='x', ctx=Store()), op=Add(), value=Constant(value=1))])
}

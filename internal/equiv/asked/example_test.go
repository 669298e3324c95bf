package asked_test

import (
	"fmt"
	"log"

	"codelinter/ast"
	"codelinter/internal/equiv/asked"
	"codelinter/lint"
)

// An E711 asks for another operator in its comparison.
func ExampleAsk() {
	linter, err := lint.New(lint.Options{})
	if err != nil {
		log.Fatal(err)
	}
	result := linter.Lint(lint.Input{Data: []byte("def empty(x):\n    return x == None\n"), Tree: true})
	edits := asked.Ask(result.Tree, result.File.Text, result.Findings)
	ast.Inspect(result.Tree, func(node ast.Node) bool {
		if compare, ok := node.(*ast.Compare); ok {
			for _, to := range edits.Expressions(compare, false) {
				fmt.Println(compare.Ops, "becomes", to.(*ast.Compare).Ops)
			}
		}
		return true
	})
	// Output: [Eq] becomes [Is]
}

package tokenizer_test

import (
	"fmt"

	"codelinter/source"
	"codelinter/tokenizer"
)

func Example() {
	var file source.File
	if err := file.Load([]byte("if x:\n    pass\n")); err != nil {
		fmt.Println(err)
		return
	}
	var t tokenizer.Tokenizer
	tokens, failure := t.Tokenize(file.Text, tokenizer.Options{})
	if failure != nil {
		fmt.Println(failure)
		return
	}
	for _, token := range tokens {
		info := tokenizer.Describe(&file, token)
		fmt.Printf("%d %s %q\n", info.Row, info.Kind, token.Text(file.Text))
	}
	// Output:
	// 1 NAME "if"
	// 1 NAME "x"
	// 1 OP ":"
	// 1 NEWLINE "\n"
	// 2 INDENT "    "
	// 2 NAME "pass"
	// 2 NEWLINE "\n"
	// 3 DEDENT ""
	// 3 ENDMARKER ""
}

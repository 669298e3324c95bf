package extent_test

import (
	"fmt"

	"codelinter/checks/internal/extent"
	"codelinter/parser"
	"codelinter/source"
)

// What is said of a definition is said of its head.
func ExampleOf() {
	var file source.File
	if err := file.Load([]byte("async def spam(eggs):\n    return eggs\n")); err != nil {
		fmt.Println(err)
		return
	}
	module, _ := parser.Parse(&file, parser.Options{})
	about := extent.Of(file.Text, module.Body[0])
	fmt.Println(file.Text[about.Start:about.End])
	// Output: async def spam
}

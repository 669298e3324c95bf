package fix_test

import (
	"fmt"
	"log"

	"codelinter/fix"
	"codelinter/lint"
)

// What no edit mends is left: a name that is not bound, and an == that x's class may define. Its
// row is that of the text as it is now.
func Example() {
	fixer, err := fix.New(lint.Options{})
	if err != nil {
		log.Fatal(err)
	}
	result := fixer.FixFile("spam.py", []byte("import os\nx=eggs\nif x == None:\n    print(x )\n"))
	fmt.Printf("%s", result.Text)
	for _, left := range result.Remaining {
		fmt.Println("left:", left.Finding.Row, left.Finding.Code)
	}
	// Output:
	// x = eggs
	// if x == None:
	//     print(x)
	// left: 1 F821
	// left: 2 E711
}

package same_test

import (
	"fmt"
	"log"

	"codelinter/internal/equiv/same"
	"codelinter/parser"
	"codelinter/source"
)

// Variables have other names, a result has a name, and a branch is flipped, in a program whose
// import nobody knows.
func ExampleOriginal() {
	program, err := same.Read([]byte(`import orders

def total(order):
    prices = orders.prices(order)
    if not prices:
        return None
    else:
        return sum(prices)
`))
	if err != nil {
		log.Fatal(err)
	}
	program.Ask(nil)
	var file source.File
	if err := file.Load([]byte(`import orders


def total(order):
    """Return the sum of an order's prices."""
    found = orders.prices(order)
    if found:
        result: float = sum(found)
        return result
    return None
`)); err != nil {
		log.Fatal(err)
	}
	module, err := parser.Parse(&file, parser.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var c same.Comparer
	c.Read(program, module, file.Text)
	fmt.Println(c.Same(program))
	// Output: true
}

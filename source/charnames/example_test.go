package charnames_test

import (
	"fmt"

	"codelinter/source/characters"
	"codelinter/source/charnames"
)

func ExampleLookup() {
	c, ok := charnames.Lookup("Greek small letter pi", characters.Latest)
	fmt.Printf("%c %v\n", c, ok)
	// Output: π true
}

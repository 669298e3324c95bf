package charnames_test

import (
	"fmt"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/charnames"
)

func ExampleLookup() {
	c, ok := charnames.Lookup("Greek small letter pi", characters.Latest)
	fmt.Printf("%c %v\n", c, ok)
	// Output: π true
}

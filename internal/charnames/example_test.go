package charnames_test

import (
	"fmt"

	"codelinter/internal/characters"
	"codelinter/internal/charnames"
)

func ExampleLookup() {
	c, ok := charnames.Lookup("Greek small letter pi", characters.Latest)
	fmt.Printf("%c %v\n", c, ok)
	// Output: π true
}

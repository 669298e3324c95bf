package characters_test

import (
	"fmt"

	"codelinter/internal/python/characters"
)

func Example() {
	fmt.Println(characters.IsIdentifierStart('π'), characters.IsIdentifierStart('1'))
	fmt.Println(characters.IsPrintable('é'), characters.IsPrintable('\u200b'))
	fmt.Println(characters.IsWord('é'), characters.IsWord('-'))
	// Output:
	// true false
	// true false
	// true false
}

// What is printable depends on the version of Unicode: U+1CCF0 came with the 16th.
func ExampleUnicode() {
	fmt.Println(characters.Unicode15_1.IsPrintable('\U0001ccf0'), characters.Unicode16.IsPrintable('\U0001ccf0'))
	// Output: false true
}

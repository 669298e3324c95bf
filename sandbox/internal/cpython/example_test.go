package cpython_test

import (
	"fmt"
	"log"

	"codelinter/sandbox/internal/cpython"
)

// Every WebAssembly module begins with four bytes of magic and a version.
func ExampleModule() {
	if !cpython.Embedded {
		fmt.Println("CPython as \"\\x00asm\\x01\\x00\\x00\\x00\"")
		return
	}
	module, err := cpython.Module()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("CPython as %q\n", module[:8])
	// Output: CPython as "\x00asm\x01\x00\x00\x00"
}

//go:build ignore

// freeze boots the reactor, and writes the memory that it then has, and the
// module that goes with it. build calls it.
package main

import (
	"flag"
	"log"
	"os"

	"codelinter/sandbox/internal/freeze"
)

func main() {
	log.SetFlags(0)
	reactor := flag.String("reactor", "", "read the linked reactor from `file`")
	library := flag.String("library", "", "read the marshalled library from `file`")
	module := flag.String("module", "", "write the module to `file`")
	image := flag.String("image", "", "write the image to `file`")
	flag.Parse()
	code, err := os.ReadFile(*reactor)
	if err != nil {
		log.Fatal(err)
	}
	modules, err := os.ReadFile(*library)
	if err != nil {
		log.Fatal(err)
	}
	frozen, err := freeze.Freeze(code, modules)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*module, frozen.Module, 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*image, frozen.Image, 0o644); err != nil {
		log.Fatal(err)
	}
}

// Package freeze is a command: it makes the image that programs start from: it boots CPython once, warms it
// up, and saves its memory.
//
// It writes the memory, the module that goes with it, and the pages that most programs write
// to. build calls it. Without a reactor it reads module and image, and writes the pages alone.
package freeze

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
)

// Main is the command.
func Main() {
	log.SetFlags(0)
	reactor := flag.String("reactor", "", "read the linked reactor from `file`")
	library := flag.String("library", "", "read the marshalled library from `file`")
	module := flag.String("module", "", "write the module to `file`, or read it")
	image := flag.String("image", "", "write the image to `file`, or read it")
	pages := flag.String("pages", "", "write the pages to `file`")
	flag.Parse()
	if err := run(*reactor, *library, *module, *image, *pages); err != nil {
		log.Fatal(err)
	}
}

func run(reactor, library, module, image, pages string) error {
	var f frozen
	if reactor == "" {
		var errs [2]error
		f.module, errs[0] = os.ReadFile(module)
		f.image, errs[1] = os.ReadFile(image)
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
	} else {
		code, err := os.ReadFile(reactor)
		if err != nil {
			return err
		}
		modules, err := os.ReadFile(library)
		if err != nil {
			return err
		}
		if f, err = freeze(code, modules); err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(module, f.module, 0o644), os.WriteFile(image, f.image, 0o644)); err != nil {
			return err
		}
	}
	numbers, exact, err := f.pages()
	if err != nil {
		return err
	}
	if !exact {
		return errors.New("this system does not say which pages were written to: Linux does from 6.7 on")
	}
	var text bytes.Buffer
	for _, n := range numbers {
		fmt.Fprintln(&text, n)
	}
	return os.WriteFile(pages, text.Bytes(), 0o644)
}

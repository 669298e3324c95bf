package bundle

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// Main is the command: it writes the scripts and styles of all pages, and the licences of the
// packages in them. It runs in the repository's root, after `npm ci` in the folders of the pages.
// With "check" it writes nothing: it fails if a file is not as it would be.
func Main() {
	check := len(os.Args) > 1 && os.Args[1] == "check"
	for _, page := range Pages() {
		if err := write(&page, check); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func write(page *Page, check bool) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	built, err := page.Build(root)
	if err != nil {
		return err
	}
	files := map[string][]byte{page.Out + ".js": built.Script, page.Out + ".css": built.Style}
	for name, text := range built.Licenses {
		files[filepath.Join(page.Licenses, name)] = text
	}
	old, err := filepath.Glob(filepath.Join(page.Licenses, "*"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, wanted := files[name]; wanted {
			continue
		}
		if check {
			return fmt.Errorf("%s is of no package in %s: make page", name, page.Out)
		}
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	for name, text := range files {
		if check {
			now, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if !bytes.Equal(now, text) {
				return fmt.Errorf("%s is not what its sources give: make page", name)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

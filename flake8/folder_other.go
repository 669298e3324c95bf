//go:build !linux

package flake8

import "os"

// readFolder lists the entries of a folder, in no order. Their names get the prefix.
func (d *discovery) readFolder(folder, prefix string) error {
	opened, err := os.Open(folder)
	if err != nil {
		return err
	}
	entries, err := opened.ReadDir(-1)
	opened.Close()
	for _, entry := range entries {
		d.find(prefix, entry.Name(), entry.Type())
	}
	return err
}

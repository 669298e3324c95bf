//go:build !linux

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// nameless is not supported: on other systems Go cannot give such a file a name.
func nameless(string, fs.FileMode) (*os.File, error) { return nil, errors.ErrUnsupported }

func named(*os.File, string) (string, error) { return "", errors.ErrUnsupported }

func hide(*os.File, string, string) (string, error) { return "", errors.ErrUnsupported }

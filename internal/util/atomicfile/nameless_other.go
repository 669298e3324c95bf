//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// nameless is not supported: on other systems Go cannot give such a file a name.
func nameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func named(*os.File, string) (string, error) { return "", errors.ErrUnsupported }

func hide(*os.File, string) (string, error) { return "", errors.ErrUnsupported }

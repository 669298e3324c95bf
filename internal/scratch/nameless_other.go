//go:build !linux

package scratch

import (
	"errors"
	"os"
)

// nameless opens no file: what another system has for that, Go cannot name again.
func nameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func named(*os.File, string) (string, error) { return "", errors.ErrUnsupported }

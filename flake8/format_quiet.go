package flake8

// filenameOnly is the format of -q: the names of files with findings.
type filenameOnly struct{ lines }

func (filenameOnly) frame() frame { return frame{Once: true} }

func (filenameOnly) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	if i > 0 {
		return dst, nil
	}
	return append(append(dst, file.Name...), '\n'), nil
}

// nothing is the format of -qq: nothing.
type nothing struct{ lines }

func (nothing) appendFinding(dst []byte, _ *lintedFile, _ int) ([]byte, error) { return dst, nil }

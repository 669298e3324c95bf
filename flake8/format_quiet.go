package flake8

// FilenameOnly is the format of -q: the names of files with findings.
type FilenameOnly struct{ lines }

// Frame implements [Formatter].
func (FilenameOnly) Frame() Frame { return Frame{Once: true} }

// AppendFinding implements [Formatter].
func (FilenameOnly) AppendFinding(dst []byte, file *File, i int) ([]byte, error) {
	if i > 0 {
		return dst, nil
	}
	return append(append(dst, file.Name...), '\n'), nil
}

// Nothing is the format of -qq: nothing.
type Nothing struct{ lines }

// AppendFinding implements [Formatter].
func (Nothing) AppendFinding(dst []byte, _ *File, _ int) ([]byte, error) { return dst, nil }

package flake8

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
)

// parseInt reads text as Python's int() does: blanks around the digits and
// underscores between them are allowed. A number too large for 32 bits becomes
// the largest one, with its sign. The error has argparse's message.
func parseInt(text string) (int, error) {
	digits, ok := pytext.AppendInt(nil, text, characters.Latest)
	if !ok {
		return 0, fmt.Errorf("invalid int value: %s", pythonRepr(text))
	}
	value, _ := strconv.ParseInt(string(digits), 10, 64) // saturates: Python's have no bounds
	return int(min(max(value, -math.MaxInt32), math.MaxInt32)), nil
}

// parseList splits a list of codes or patterns as flake8 does: at commas and
// blanks, without empty entries. The list of nothing is empty, not nil.
func parseList(text string) []string {
	return append([]string{}, strings.FieldsFunc(text, func(r rune) bool {
		return r == ',' || pytext.IsSpace(r)
	})...)
}

// parseJobs reads the value of --jobs: a number, or "auto", which is 0. flake8
// takes 0 for no parallel work, which is 1.
func parseJobs(text string) (int, error) {
	if text == "auto" {
		return 0, nil
	}
	jobs, err := strconv.ParseUint(text, 10, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%s must be 'auto' or an integer.", pythonRepr(text)) //lint:ignore ST1005 flake8's words
	}
	return int(min(max(jobs, 1), math.MaxInt32)), nil
}

package opensetgen_test

import (
	"fmt"
	"io"
	"log"
	"strings"
	"testing/fstest"

	"codelinter/internal/tasks/dataset"
	"codelinter/internal/tools/opensetgen"
)

// A folder of one task becomes one row.
func ExampleGenerate() {
	folder := fstest.MapFS{"001_double.txtar": {Data: []byte(`Double a number.
-- dirty.py --
def double(x):
    return 2*x
y=double(1)
-- clean.py --
def double(x):
    return 2 * x


y = double(1)
-- tests.py --
assert double(2) == 4
`)}}
	var rows strings.Builder
	if err := opensetgen.Generate(&rows, io.Discard, folder); err != nil {
		log.Fatal(err)
	}
	tasks, err := dataset.Read("rows", strings.NewReader(rows.String()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tasks.At(0).Meta.ID, tasks.At(0).Meta.Text)
	fmt.Print(tasks.At(0).Inputs.Feedback)
	// Output:
	// 1 Double a number.
	// E305: expected 2 blank lines after class or function definition, found 0 in 3 line
	// E225: missing whitespace around operator in 3 line
}

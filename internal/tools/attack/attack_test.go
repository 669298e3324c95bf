package attack

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"codelinter/sandbox"
)

var tasks = flag.String("tasks", "", "the tasks of TestHiddenCode, a file (default: the open set)")

func TestMain(m *testing.M) {
	sandbox.RunChild()
	flag.Parse()
	os.Exit(m.Run())
}

// TestHiddenCode has answers judged that run their task's program from a text, in forty spellings.
// None may pass: one that does is a template for all tasks.
func TestHiddenCode(t *testing.T) {
	var report bytes.Buffer
	found, err := run(t.Context(), []string{"-only", "hidden code", "-tasks", *tasks}, &report)
	if err != nil {
		t.Fatal(err)
	}
	if found > 0 {
		t.Errorf("%d answers pass", found)
	}
	t.Logf("\n%s", &report)
}

// TestTries holds tries to what they say: edits that are made, and other texts than the
// honest answer.
func TestTries(t *testing.T) {
	o := options{}
	targets, err := o.targets()
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) < 100 {
		t.Errorf("%d targets, expected more of the open set's", len(targets))
	}
	filled := map[string]bool{}
	for i, a := range targets {
		for _, one := range a.each("", rand.New(rand.NewPCG(1, uint64(i)))) {
			filled[one.class] = true
			if one.code == a.honest {
				t.Errorf("%s: %s is the honest answer", a.task.Meta.ID, one.class)
			}
			if code, ok := a.with(one.edits); len(one.edits) > 0 && (!ok || code != one.code) {
				t.Errorf("%s: %s is not what its edits make", a.task.Meta.ID, one.class)
			}
		}
	}
	for i := range templates {
		if !filled[templates[i].class] {
			t.Errorf("%s suits no task", templates[i].class)
		}
	}
}

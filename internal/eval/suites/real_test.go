package suites

import (
	"compress/gzip"
	"context"
	"os"
	"testing"
	"time"

	"codelinter/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.RunChild()
	os.Exit(m.Run())
}

// TestCanonical checks the tasks' own solutions, as answers, if the suites' files are there.
func TestCanonical(t *testing.T) {
	folder := os.Getenv("EVALPLUS_DATA")
	if folder == "" {
		t.Skip("EVALPLUS_DATA is not the folder of HumanEvalPlus.jsonl.gz and MbppPlus.jsonl.gz")
	}
	for suite, name := range map[Suite]string{HumanEval: "HumanEvalPlus.jsonl.gz", MBPP: "MbppPlus.jsonl.gz"} {
		file, err := os.Open(folder + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		in, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		tasks, err := Read(suite, name, in)
		if err != nil {
			t.Fatal(err)
		}
		pool, err := sandbox.New(context.Background(), PoolOptions())
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		runner := New(suite, pool)
		pass := 0
		for i := range tasks {
			began := time.Now()
			ref, err := runner.Reference(t.Context(), &tasks[i])
			if err != nil {
				t.Error(err)
				continue
			}
			took := time.Since(began)
			for _, skipped := range ref.Skipped {
				t.Log("not used: ", skipped)
			}
			base, plus, err := runner.Check(t.Context(), ref, tasks[i].Prompt+tasks[i].Canonical)
			if err != nil {
				t.Error(tasks[i].ID, err)
			}
			if base.Status == Pass && plus.Status == Pass {
				pass++
			} else {
				t.Errorf("%s: %+v, %+v", tasks[i].ID, base, plus)
			}
			if took > 5*time.Second {
				t.Logf("%s took %v", tasks[i].ID, took)
			}
		}
		t.Logf("%s: %d of %d", suite, pass, len(tasks))
	}
}

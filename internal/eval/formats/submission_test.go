package formats

import (
	"archive/zip"
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/evaluator"
)

func TestSubmission(t *testing.T) {
	tasks, samples := formatTasks()
	tasks = tasks[1:3]
	samples["a/b"] = []string{"x = 1\n", "é\u2028\U0001f40d\x00\x1f\x7f\t\r\b\f/<&>\\\"", "\xff\xfe"}
	// As Python writes it: json.dump(…, ensure_ascii=False, indent=4).
	want := `{
    "data": {
        "test": [
            {
                "outputs": [
                    [
                        "x = 1\n",
                        "é` + "\u2028\U0001f40d" + `\u0000\u001f` + "\x7f" + `\t\r\b\f/<&>\\\"",
                        "` + "\ufffd\ufffd" + `"
                    ]
                ],
                "meta": {
                    "id": "a/b"
                }
            },
            {
                "outputs": [
                    []
                ],
                "meta": {
                    "id": 9
                }
            }
        ]
    }
}`
	write := func(zipped bool) []byte {
		var file bytes.Buffer
		s, err := NewSubmissionWriter(&file, zipped)
		if err != nil {
			t.Fatal(err)
		}
		texts, _ := encoded(t, tasks, samples, []int{1}, s.Encode)
		if n, err := s.Write(bytes.Join(texts, nil)); err != nil || n != len(texts[0])+len(texts[1]) {
			t.Fatalf("Write: %d, %v", n, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
	if diff := cmp.Diff(want, string(write(false))); diff != "" {
		t.Error(diff)
	}
	zipped := write(true)
	archive, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.File) != 1 || archive.File[0].Name != "CodeLinterEval.json" || archive.File[0].Modified.Year() != 1980 {
		t.Errorf("the zip holds %+v", archive.File)
	}
	entry, err := archive.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(entry); err != nil || text.String() != want {
		t.Errorf("in the zip: %v\n%s", err, cmp.Diff(want, text.String()))
	}

	var empty bytes.Buffer
	s, err := NewSubmissionWriter(&empty, false)
	if err == nil {
		err = s.Close()
	}
	if want := "{\n    \"data\": {\n        \"test\": []\n    }\n}"; err != nil || empty.String() != want {
		t.Errorf("of no tasks: %v\n%s", err, empty.String())
	}
}

// A submission that was written is read with the same samples, which have the same
// scores, bare and as the zip that is handed in.
func TestSubmissionRoundTrip(t *testing.T) {
	for _, inZip := range []bool{false, true} {
		tasks, source := roundTripTasks(t)
		var file bytes.Buffer
		w, err := NewSubmissionWriter(&file, inZip)
		if err != nil {
			t.Fatal(err)
		}
		scored, summary := scoreSource(t, tasks, source, evaluator.Output{Encode: w.Encode, Writer: w})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		checkRoundTrip(t, Submission, file.Bytes(), tasks, scored, summary)
	}
}

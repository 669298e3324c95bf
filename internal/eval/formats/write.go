package formats

import (
	"bufio"
	"io"
	"path/filepath"
	"strings"

	"codelinter/evaluator"
)

// A NewFile is a file that a run writes in a tool's format.
type NewFile struct {
	Path  string
	Begin func(w io.Writer, about evaluator.About) (Output, error)
}

// An Output is a file that a run is writing.
type Output struct {
	evaluator.Output                                // without Encode the file has sums alone
	Finish           func(*evaluator.Summary) error // called when all results are in it
	Close            func() error                   // called at the end, also after a failure; may be nil
}

// Files returns the files that a run by these verdicts writes in a format, of which the first has
// the path that is given. There are none if the format is only read.
func Files(format Format, path string, verdicts []evaluator.Verdict) []NewFile {
	for i := range tools {
		if tools[i].format == format && tools[i].write != nil {
			return tools[i].write(path, verdicts)
		}
	}
	return nil
}

// Lines returns an output of what encode makes of each result.
func Lines(w io.Writer, encode func(dst []byte, result *evaluator.Result) []byte) Output {
	out := bufio.NewWriter(w)
	return Output{
		Output: evaluator.Output{Encode: encode, Writer: out},
		Finish: func(*evaluator.Summary) error { return out.Flush() },
	}
}

// newSubmission is a submission in a zip, or bare in a file called .json.
func newSubmission(path string, _ []evaluator.Verdict) []NewFile {
	return []NewFile{{path, func(w io.Writer, _ evaluator.About) (Output, error) {
		submission, err := NewSubmissionWriter(w, filepath.Ext(path) != ".json")
		if err != nil {
			return Output{}, err
		}
		return Output{
			Output: evaluator.Output{Encode: submission.Encode, Writer: submission},
			Finish: func(*evaluator.Summary) error { return submission.Close() },
		}, nil
	}}}
}

// newLMEvalResults is a file of results.
func newLMEvalResults(path string, _ []evaluator.Verdict) []NewFile {
	return []NewFile{{path, func(w io.Writer, about evaluator.About) (Output, error) {
		return Output{Finish: func(s *evaluator.Summary) error {
			_, err := w.Write(LMEvalResults(about, s))
			return err
		}}, nil
	}}}
}

// newInspect is a log; or, in files called .jsonl, the scores of each verdict for a log that
// inspect_ai wrote, as such a file has one score for a sample.
func newInspect(path string, verdicts []evaluator.Verdict) []NewFile {
	base, scores := strings.CutSuffix(path, ".jsonl")
	if !scores {
		return []NewFile{{path, func(w io.Writer, about evaluator.About) (Output, error) {
			log, err := NewInspectWriter(about)
			if err != nil {
				return Output{}, err
			}
			return Output{
				Output: evaluator.Output{Encode: log.Encode, Writer: log},
				Finish: func(s *evaluator.Summary) error { return log.Render(w, s) },
				Close:  log.Close,
			}, nil
		}}}
	}
	var files []NewFile
	for i, verdict := range verdicts {
		if i > 0 {
			path = base + "." + string(verdict) + ".jsonl"
		}
		files = append(files, NewFile{path, func(w io.Writer, _ evaluator.About) (Output, error) {
			return Lines(w, func(dst []byte, r *evaluator.Result) []byte { return AppendInspectScores(dst, r, verdict) }), nil
		}})
	}
	return files
}

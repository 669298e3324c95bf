package programs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"codelinter/internal/pytext"
)

// submitTimeout is the time limit of a case if the submission has none.
const submitTimeout = 20 * time.Second

// A Submission is a completion, and the cases that judge it: the program is run for each, and
// what it prints is compared here. What is expected never enters the sandbox.
type Submission struct {
	ID             json.RawMessage
	Code           string // the program that stands in the completion
	Cases          []Case
	RunTimeout     time.Duration // of one case
	CompileTimeout time.Duration
	All            bool // runs the cases after the first that fails, too
	Whole          bool // replies with long texts of cases that passed, uncut
}

// A Case is what a program reads and has to print. SandboxFusion calls both stdin and stdout,
// among what could be the names of files, and knows no other.
type Case struct {
	Input  map[string]string `json:"input"`
	Output map[string]string `json:"output"`
}

type wireSubmission struct {
	Dataset    *string         `json:"dataset"`
	ID         json.RawMessage `json:"id"`
	Completion *string         `json:"completion"`
	Config     *wireConfig     `json:"config"`
}

type wireConfig struct {
	DatasetType    *string         `json:"dataset_type"`
	Language       *string         `json:"language"`
	Locale         *string         `json:"locale"`
	FewShot        *bool           `json:"is_fewshot"`
	CompileTimeout *float64        `json:"compile_timeout"`
	RunTimeout     *float64        `json:"run_timeout"`
	Extract        *string         `json:"custom_extract_logic"`
	Data           json.RawMessage `json:"provided_data"`
	Extra          map[string]any  `json:"extra"`
}

// These say that cases of standard input and output are meant: a class of SandboxFusion's, and
// the one data set that SandboxFusion registers for it.
const (
	stdioClass   = "CommonOJDataset"
	stdioDataset = "code_contests"
)

// DecodeSubmission reads a request of /submit. What is wrong with it is said by the error.
func DecodeSubmission(body []byte) (*Submission, error) {
	var wire wireSubmission
	if err := decode(body, "a submission", &wire); err != nil {
		return nil, err
	}
	switch {
	case wire.Dataset == nil:
		return nil, errors.New("dataset: expected a text, found none")
	case !isID(wire.ID):
		return nil, errors.New("id: expected a text or a whole number")
	case wire.Completion == nil:
		return nil, errors.New("completion: expected a text, found none")
	case wire.Config == nil:
		return nil, errors.New("config: expected an object, found none")
	}
	config := wire.Config
	class := ""
	if config.DatasetType != nil {
		class = *config.DatasetType
	}
	switch {
	case class != stdioClass && (class != "" || *wire.Dataset != stdioDataset):
		return nil, fmt.Errorf("config.dataset_type: expected %s, found %.60q: other classes of data sets are not here, as they put what is expected into the sandbox", stdioClass, class)
	case len(config.Data) == 0 || string(config.Data) == "null":
		return nil, fmt.Errorf("config.provided_data: expected the cases: the data set %.60q is not here, and no other", *wire.Dataset)
	case config.Language == nil:
		return nil, errors.New("config.language: expected python, found none")
	case *config.Language != "python":
		return nil, fmt.Errorf("config.language: expected python, found %.40q: there is no other here", *config.Language)
	case config.Extract != nil:
		return nil, errors.New("config.custom_extract_logic: expected none: it is a program for the server itself, which runs none")
	}
	s := &Submission{ID: bytes.Clone(wire.ID), Code: extract(*wire.Completion), All: config.Extra["run_all_cases"] == true, Whole: config.Extra["return_full_case"] == true}
	var err error
	if s.RunTimeout, err = timeout("config.run_timeout", orNone(config.RunTimeout), submitTimeout); err != nil {
		return nil, err
	}
	if s.CompileTimeout, err = timeout("config.compile_timeout", orNone(config.CompileTimeout), DefaultTimeout); err != nil {
		return nil, err
	}
	s.Cases, err = decodeCases(config.Data)
	return s, err
}

// isID reports whether raw is the id of a problem: a text or a whole number.
func isID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9') && !(raw[0] != '"' && bytes.ContainsAny(raw, ".eE"))
}

// orNone returns seconds, or nil if they are 0, which SandboxFusion takes for none.
func orNone(seconds *float64) *float64 {
	if seconds != nil && *seconds == 0 {
		return nil
	}
	return seconds
}

// decodeCases reads the cases in a row of a data set, where they are an array, or a text that
// has it as JSON.
func decodeCases(row json.RawMessage) (cases []Case, err error) {
	var data struct {
		Test json.RawMessage `json:"test"`
	}
	if err := json.Unmarshal(row, &data); err != nil {
		return nil, errors.New("config.provided_data: expected the object of one problem")
	}
	list := []byte(data.Test)
	if len(list) > 0 && list[0] == '"' {
		var text string
		if err := json.Unmarshal(list, &text); err != nil {
			return nil, fmt.Errorf("config.provided_data.test: %w", err)
		}
		list = []byte(text)
	}
	if err := json.Unmarshal(list, &cases); err != nil || len(cases) == 0 {
		return nil, errors.New("config.provided_data.test: expected an array of cases, with an input and an output each, one at least")
	}
	for i, c := range cases {
		for _, side := range []struct {
			name, stream string
			texts        map[string]string
		}{{"input", "stdin", c.Input}, {"output", "stdout", c.Output}} {
			text, has := side.texts[side.stream]
			switch {
			case !has || len(side.texts) != 1:
				return nil, fmt.Errorf("config.provided_data.test[%d].%s: expected %s alone: files are not compared", i, side.name, side.stream)
			case side.stream == "stdout" && len(text) > maxOutput:
				return nil, fmt.Errorf("config.provided_data.test[%d].output: expected at most %d bytes, found %d", i, maxOutput, len(text))
			}
		}
	}
	return cases, nil
}

// Cost is how many bytes a submission takes, with the reply.
func (s *Submission) Cost() int64 {
	n := int64(len(s.ID)) + 2*int64(len(s.Code))
	for _, c := range s.Cases {
		n += 2*int64(len(c.Input["stdin"])) + 3*int64(len(c.Output["stdout"])) + 512
	}
	return n
}

// A Judgement is what became of a submission, as SandboxFusion says it.
type Judgement struct {
	ID       json.RawMessage `json:"id"`
	Accepted bool            `json:"accepted"`
	Code     string          `json:"extracted_code"`
	FullCode *string         `json:"full_code"`
	TestCode *string         `json:"test_code"`
	Tests    []Test          `json:"tests"`
	Type     *string         `json:"extracted_type"`
	Extra    *struct{}       `json:"extra"`
}

// A Test is how one case went.
type Test struct {
	Passed bool   `json:"passed"`
	Run    *Reply `json:"exec_info"`
	Case   Case   `json:"test_info"`
}

// A NotHereError is that a program needs a module which is not part of the sandbox: it can
// be neither accepted nor rejected.
type NotHereError struct{ problem string }

func (e *NotHereError) Error() string { return e.problem }

// Judge runs a submission's program for one case after the other. The error is a
// [NotHereError], or ours: then nothing is known of the program.
func (r *Runner) Judge(ctx context.Context, s *Submission) (*Judgement, error) {
	j := &Judgement{ID: s.ID, Accepted: true, Code: s.Code}
	spare := maxOutput // what the reply may have of output beside what is expected
	for _, c := range s.Cases {
		reply, err := r.Run(ctx, &Request{Code: s.Code, Stdin: c.Input["stdin"], RunTimeout: s.RunTimeout, CompileTimeout: s.CompileTimeout, Memory: DefaultMemory})
		if err != nil {
			return nil, err
		}
		if reply.Status == "SandboxError" {
			return nil, &NotHereError{reply.Message}
		}
		want := c.Output["stdout"]
		passed := reply.Status == "Success" && samePrint(reply.Run.Stdout, want)
		reply.cut(&reply.Run.Stdout, len(want), &spare)
		reply.cut(&reply.Run.Stderr, 0, &spare)
		if passed && !s.Whole {
			c = Case{Input: map[string]string{"stdin": middleOut(c.Input["stdin"])}, Output: map[string]string{"stdout": middleOut(want)}}
		}
		j.Tests = append(j.Tests, Test{Passed: passed, Run: reply, Case: c})
		j.Accepted = j.Accepted && passed
		if !passed && !s.All {
			break
		}
	}
	return j, nil
}

// cut shortens a stream to a length and what is left of spare, which it takes from.
func (reply *Reply) cut(stream *string, length int, spare *int) {
	if over := len(*stream) - length; over > *spare {
		*stream = strings.ToValidUTF8((*stream)[:length+*spare], "")
		reply.Message = outputTruncated
		*spare = 0
	} else {
		*spare -= max(over, 0)
	}
}

// middleOut returns a text of at most 1,000 characters, as SandboxFusion cuts longer ones.
func middleOut(text string) string {
	const most, mark = 1000, "..."
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	const kept = (most - len(mark)) / 2
	runes := []rune(text)
	return string(runes[:kept]) + mark + string(runes[len(runes)-kept:])
}

// samePrint reports whether a program printed what is expected. Lines are compared without
// the white space around them, whatever the case of their letters. Lines that are numbers may
// differ by one part in 100,000.
func samePrint(got, want string) bool {
	gotLines, wantLines := strings.Split(pytext.TrimSpace(got), "\n"), strings.Split(pytext.TrimSpace(want), "\n")
	if len(gotLines) != len(wantLines) {
		return false
	}
	for i := range gotLines {
		got, want := pytext.TrimSpace(strings.ToLower(gotLines[i])), pytext.TrimSpace(strings.ToLower(wantLines[i]))
		if got == want {
			continue
		}
		a, isNumber := number(got)
		b, expected := number(want)
		if !isNumber || !expected || !(math.Abs(a-b)/max(math.Abs(b), 1e-10) < 1e-5) {
			return false
		}
	}
	return true
}

var numeral = regexp.MustCompile(`^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$`)

// number returns the finite number that float() makes of a text.
func number(text string) (value float64, ok bool) {
	if !numeral.MatchString(text) {
		return 0, false
	}
	value, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return value, err == nil
}

// blank is what \s matches in Python.
const blank = `[\t-\r\x1c-\x1f\x{85}\pZ]`

var (
	fenced     = regexp.MustCompile("(?s)```([^\n]*)\n(.*?)\n" + blank + "*```")
	openFence  = regexp.MustCompile("(?s)```([^\n]*)\n(.*)")
	definition = regexp.MustCompile(`(?m)(?:^(?:import|from|#)[^\n]+\n)*^(?:def|class) [^\n]+\n(?:` + blank + `+[^\n]+\n)+`)
)

// isPython has the names that a fence gives to Python.
var isPython = map[string]bool{"python": true, "Python": true, "py": true, "Python3": true, "python3": true, "PY": true}

// extract returns the program in a completion, by SandboxFusion's rules: of the blocks in
// fences, or what follows a fence that is not closed, the first that is named Python's, or the
// first. Without fences it is the first definition, with the imports and comments above it and
// without blank lines.
func extract(completion string) string {
	for _, fence := range []*regexp.Regexp{fenced, openFence} {
		blocks := fence.FindAllStringSubmatch(completion, -1)
		for _, block := range blocks {
			if isPython[pytext.TrimSpace(block[1])] {
				return block[2]
			}
		}
		if len(blocks) > 0 {
			return blocks[0][2]
		}
	}
	var lines strings.Builder
	for line := range strings.SplitSeq(completion, "\n") {
		if pytext.TrimSpace(line) != "" {
			lines.WriteString(line + "\n")
		}
	}
	return definition.FindString(lines.String())
}

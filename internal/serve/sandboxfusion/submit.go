package sandboxfusion

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

	"codelinter/internal/python/pytext"
)

// submitTimeout is the time limit of a case if the submission has none.
const submitTimeout = 20 * time.Second

// A Submission is a completion with the cases that judge it. The program runs for each case,
// and its output is compared here. Expected output never enters the sandbox.
type Submission struct {
	ID             json.RawMessage
	Code           string // the program in the completion
	Cases          []Case
	RunTimeout     time.Duration // for one case
	CompileTimeout time.Duration
	All            bool // also run the cases after the first that fails
	Whole          bool // do not shorten long texts of cases that passed
}

// A Case is a program's input and the expected output. SandboxFusion only knows the names
// stdin and stdout, where names of files could be.
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

// Cases of standard input and output: a class of SandboxFusion's, and the only data set that
// it registers for it.
const (
	stdioClass   = "CommonOJDataset"
	stdioDataset = "code_contests"
)

// DecodeSubmission reads a request of /submit. The error says why it is invalid.
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

// isID reports whether raw is a problem's id: a text or an integer.
func isID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9') && !(raw[0] != '"' && bytes.ContainsAny(raw, ".eE"))
}

// orNone returns seconds, or nil for 0, which means none to SandboxFusion.
func orNone(seconds *float64) *float64 {
	if seconds != nil && *seconds == 0 {
		return nil
	}
	return seconds
}

// decodeCases reads the cases in a row of a data set: an array, or a text with its JSON.
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

// Cost returns the bytes that a submission and its reply take.
func (s *Submission) Cost() int64 {
	n := int64(len(s.ID)) + 2*int64(len(s.Code))
	for _, c := range s.Cases {
		n += 2*int64(len(c.Input["stdin"])) + 3*int64(len(c.Output["stdout"])) + 512
	}
	return n
}

// A Judgement is a submission's result in SandboxFusion's form.
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

// A Test is the result of one case.
type Test struct {
	Passed bool   `json:"passed"`
	Run    *Reply `json:"exec_info"`
	Case   Case   `json:"test_info"`
}

// A NotHereError says that a program needs a module that the sandbox lacks, so it can be
// neither accepted nor rejected.
type NotHereError struct{ problem string }

func (e *NotHereError) Error() string { return e.problem }

// Judge runs a submission's program for one case after another. The error is a
// [NotHereError], or ours: then nothing is known about the program.
func (r *Runner) Judge(ctx context.Context, s *Submission) (*Judgement, error) {
	j := &Judgement{ID: s.ID, Accepted: true, Code: s.Code}
	spare := maxOutput // output that the reply may have beyond the expected output
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

// cut shortens a stream to length plus what is left of spare.
func (reply *Reply) cut(stream *string, length int, spare *int) {
	if over := len(*stream) - length; over > *spare {
		*stream = strings.ToValidUTF8((*stream)[:length+*spare], "")
		reply.Message = outputTruncated
		*spare = 0
	} else {
		*spare -= max(over, 0)
	}
}

// middleOut shortens a text to 1,000 characters, as SandboxFusion does.
func middleOut(text string) string {
	const most, mark = 1000, "..."
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	const kept = (most - len(mark)) / 2
	runes := []rune(text)
	return string(runes[:kept]) + mark + string(runes[len(runes)-kept:])
}

// samePrint reports whether a program printed the expected output. Lines are compared without
// regard to letter case and to white space at their ends. Lines that are numbers may differ
// by one part in 100,000.
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

var numeral = lazy(`^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$`)

// number returns float(text), if it is finite.
func number(text string) (value float64, ok bool) {
	if !numeral().MatchString(text) {
		return 0, false
	}
	value, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return value, err == nil
}

// blank matches what Python's \s matches.
const blank = `[\t-\r\x1c-\x1f\x{85}\pZ]`

var (
	fenced     = lazy("(?s)```([^\n]*)\n(.*?)\n" + blank + "*```")
	openFence  = lazy("(?s)```([^\n]*)\n(.*)")
	definition = lazy(`(?m)(?:^(?:import|from|#)[^\n]+\n)*^(?:def|class) [^\n]+\n(?:` + blank + `+[^\n]+\n)+`)
)

// isPython has the names of Python in fences.
var isPython = map[string]bool{"python": true, "Python": true, "py": true, "Python3": true, "python3": true, "PY": true}

// extract returns the program in a completion, by SandboxFusion's rules. Of the blocks in
// fences, or of the text after an unclosed fence, it is the first that is named Python's,
// else the first. Without fences it is the first definition, with the imports and comments
// above it and without blank lines.
func extract(completion string) string {
	for _, fence := range []*regexp.Regexp{fenced(), openFence()} {
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
	return definition().FindString(lines.String())
}

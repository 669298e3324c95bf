package flake8

import (
	"strconv"

	"codelinter/internal/python/pyjson"
)

// jsonFormat is the format of the plugin flake8-json, to the byte: one object whose
// keys are the files, clean ones too.
//
//	{"spam.py": [{"code": "W291", "filename": "spam.py", "line_number": 1, "column_number": 6,
//	              "text": "trailing whitespace", "physical_line": "x = 1 \n"}], "eggs.py": []}
//
// but without line breaks.
type jsonFormat struct{}

func (jsonFormat) frame() frame { return frame{Start: "{", Between: ", ", End: "}", Document: true} }

func (jsonFormat) appendStart(dst []byte, file *lintedFile) []byte {
	return append(pyjson.AppendASCII(dst, file.Name), ": ["...)
}

func (jsonFormat) appendEnd(dst []byte, _ *lintedFile) []byte { return append(dst, ']') }

func (jsonFormat) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	if i > 0 {
		dst = append(dst, ", "...)
	}
	dst = pyjson.AppendASCII(append(dst, `{"code": `...), finding.Code.String())
	dst = append(dst, `, "filename": `...)
	dst = pyjson.AppendASCII(dst, file.Name)
	dst = append(dst, `, "line_number": `...)
	dst = strconv.AppendInt(dst, int64(finding.Row), 10)
	dst = append(dst, `, "column_number": `...)
	dst = strconv.AppendInt(dst, int64(finding.Column), 10)
	dst = append(dst, `, "text": `...)
	dst = pyjson.AppendASCII(dst, finding.Message())
	dst = append(dst, `, "physical_line": `...)
	if line, found := file.Line(finding); found {
		dst = pyjson.AppendASCII(dst, line)
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, '}'), nil
}

package flake8

import (
	"bytes"
	"encoding/xml"
	"strconv"
)

// junit is the format of JUnit's reports, in which a file is a test suite, a
// finding a test that failed, and a clean file one that passed.
type junit struct{}

func (junit) frame() frame {
	return frame{
		Start:    `<?xml version="1.0" encoding="UTF-8"?>` + "\n<testsuites name=\"flake8\">\n",
		End:      "</testsuites>\n",
		Document: true,
	}
}

func (junit) appendStart(dst []byte, file *lintedFile) []byte {
	tests, failures := strconv.Itoa(max(1, len(file.Findings))), strconv.Itoa(len(file.Findings))
	dst = appendXML(append(dst, `  <testsuite name="`...), file.Name)
	dst = append(dst, `" tests="`+tests+`" failures="`+failures+"\" errors=\"0\">\n"...)
	if len(file.Findings) == 0 {
		dst = appendXML(append(dst, `    <testcase classname="`...), file.Name)
		dst = append(dst, "\" name=\"flake8\"/>\n"...)
	}
	return dst
}

func (junit) appendEnd(dst []byte, _ *lintedFile) []byte { return append(dst, "  </testsuite>\n"...) }

func (junit) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	code := finding.Code.String()
	row, column := strconv.Itoa(int(finding.Row)), strconv.Itoa(int(finding.Column))
	dst = appendXML(append(dst, `    <testcase classname="`...), file.Name)
	dst = append(dst, `" name="`+code+` `+row+`:`+column+`"><failure type="`+code+`" message="`...)
	dst = appendXML(dst, finding.Message())
	dst = append(dst, `">`...)
	dst = appendXML(dst, file.Name)
	dst = append(dst, ":"+row+":"+column+": "+code+" "...)
	dst = appendXML(dst, finding.Message())
	return append(dst, "</failure></testcase>\n"...), nil
}

// appendXML appends text with XML's special characters escaped. Characters that
// XML cannot hold become U+FFFD.
func appendXML(dst []byte, text string) []byte {
	buffer := bytes.NewBuffer(dst)
	xml.EscapeText(buffer, []byte(text)) // a buffer takes everything
	return buffer.Bytes()
}

package fix

import (
	"strings"

	"codelinter/source"
)

// restore returns the bytes of an edited text in the file's form: with its byte order mark
// and the line ends of its rows. New rows get the line end of the first row.
func restore(data []byte, file *source.File, first, now *analysis) []byte {
	const mark = "\xef\xbb\xbf"
	var out []byte
	rest := string(data)
	if strings.HasPrefix(rest, mark) {
		out, rest = append(out, mark...), rest[len(mark):]
	}
	if strings.IndexByte(rest, '\r') < 0 {
		return append(out, now.text...)
	}
	var steps []*analysis
	for s := now; s != first; s = s.parent {
		steps = append(steps, s)
	}
	ends := lineEnds(rest)
	usual := "\n"
	if len(ends) > 0 {
		usual = ends[0]
	}
	for i := len(steps) - 1; i >= 0; i-- {
		ends = editEnds(ends, steps[i].parent.text, steps[i].edits, usual)
	}
	row := 0
	for text := now.text; text != ""; {
		line, after, ended := strings.Cut(text, "\n")
		out = append(out, line...)
		if ended {
			out = append(out, ends[row]...)
		}
		text, row = after, row+1
	}
	return out
}

// lineEnds returns the line end of each row.
func lineEnds(text string) []string {
	var ends []string
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			ends = append(ends, "\n")
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			ends = append(ends, "\r\n")
			i++
		case text[i] == '\r':
			ends = append(ends, "\r")
		}
	}
	return ends
}

// editEnds returns the line ends after edits.
func editEnds(ends []string, text string, edits []Edit, usual string) []string {
	var after []string
	at, row := int32(0), 0
	for _, e := range edits {
		kept := strings.Count(text[at:e.Start], "\n")
		after = append(after, ends[row:row+kept]...)
		row += kept
		gone, added := strings.Count(text[e.Start:e.End], "\n"), strings.Count(e.New, "\n")
		for i := range added {
			if i < gone {
				after = append(after, ends[row+i])
			} else {
				after = append(after, usual)
			}
		}
		row += gone
		at = e.End
	}
	return append(after, ends[row:]...)
}

package api

import (
	"bufio"
	"math"
	"strconv"

	"codelinter/internal/python/pyjson"
)

// MarshalJSON returns the score as [Score.AppendJSON] writes it.
func (s Score) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// AppendJSON appends the score as an object. Scores by one reward have the same fields.
func (s *Score) AppendJSON(dst []byte) []byte {
	dst = AppendFloat(append(dst, `{"reward": `...), s.Reward)
	dst = strconv.AppendBool(append(dst, `, "official": `...), s.Official)
	dst = appendNamed(append(dst, `, "guarded": `...), s.Guarded)
	dst = pyjson.AppendQuoted(append(dst, `, "proof": `...), s.Proof)
	dst = append(dst, `, "reasons": [`...)
	for i, reason := range s.Reasons {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = pyjson.AppendQuoted(dst, reason)
	}
	dst = strconv.AppendInt(append(dst, `], "findings": `...), int64(s.Findings), 10)
	dst = strconv.AppendInt(append(dst, `, "fixed": `...), int64(s.Fixed), 10)
	dst = strconv.AppendInt(append(dst, `, "left": `...), int64(s.Left), 10)
	dst = strconv.AppendInt(append(dst, `, "introduced": `...), int64(s.Introduced), 10)
	dst = strconv.AppendBool(append(dst, `, "invalid": `...), s.Invalid)
	dst = strconv.AppendBool(append(dst, `, "empty": `...), s.Empty)
	dst = strconv.AppendBool(append(dst, `, "noqa": `...), s.Noqa)
	dst = strconv.AppendBool(append(dst, `, "masked": `...), s.Masked)
	if s.Terms != nil {
		dst = s.appendTerms(dst)
	}
	if s.Details != nil {
		dst = s.Details.appendJSON(append(dst, `, "details": `...))
	}
	dst = AppendFloat(append(dst, `, "milliseconds": `...), math.Round(s.Milliseconds*1000)/1000)
	dst = pyjson.AppendQuoted(append(dst, `, "error": `...), s.Error)
	return append(dst, '}')
}

// appendTerms appends what a formula for rewards adds to a score.
func (s *Score) appendTerms(dst []byte) []byte {
	dst = appendNamed(append(dst, `, "logic": `...), s.Logic)
	dst = appendNamed(append(dst, `, "tests": `...), s.Tests)
	dst = append(dst, `, "terms": {`...)
	for i := range s.Terms {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(pyjson.AppendQuoted(dst, s.Terms[i].Name), ": "...)
		dst = AppendFloat(dst, s.Terms[i].Value)
	}
	return append(dst, '}')
}

// appendNamed appends a name, or null for "".
func appendNamed(dst []byte, name string) []byte {
	if name == "" {
		return append(dst, "null"...)
	}
	return pyjson.AppendQuoted(dst, name)
}

// appendJSON appends the details as an object, with [fixed, left, introduced] of each code.
func (d *Details) appendJSON(dst []byte) []byte {
	dst = pyjson.AppendQuoted(append(dst, `{"code": `...), d.Code)
	dst = append(append(dst, `, "findings": `...), d.Findings...)
	dst = append(dst, `, "changes": {`...)
	for i := range d.Changes {
		c := &d.Changes[i]
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = pyjson.AppendQuoted(dst, c.Code.String())
		for k, n := range [...]int{c.Fixed, c.Left, c.Introduced} {
			dst = strconv.AppendInt(append(dst, [...]string{": [", ", ", ", "}[k]...), int64(n), 10)
		}
		dst = append(dst, ']')
	}
	dst = strconv.AppendInt(append(dst, `}, "added": `...), int64(d.Added), 10)
	dst = strconv.AppendInt(append(dst, `, "removed": `...), int64(d.Removed), 10)
	return append(dst, '}')
}

// AppendFloat appends a number with a point, as Python writes a float: Python programs
// distinguish 1.0 from 1. NaN and infinities, which no reward is, become 0.0.
func AppendFloat(dst []byte, value float64) []byte {
	switch value { // nearly all rewards
	case 0:
		return append(dst, "0.0"...)
	case 1:
		return append(dst, "1.0"...)
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return append(dst, "0.0"...)
	}
	return pyjson.Float(value).Append(dst)
}

// WriteReply writes a reply as one line of JSON, without a newline. What w cannot write is
// an error of its Flush.
func WriteReply(w *bufio.Writer, r *Reply) {
	w.WriteString(`{"id": `)
	if r.ID == nil {
		w.WriteString("null")
	} else {
		w.Write(appendOneLine(w.AvailableBuffer(), r.ID))
	}
	switch {
	case r.Error != "":
		if r.Line > 0 {
			w.WriteString(`, "line": `)
			writeInt(w, r.Line)
		}
		w.WriteString(`, "error": `)
		writeQuoted(w, r.Error)
	case r.Lint != nil:
		w.WriteString(", ")
		r.Lint.write(w)
	case r.Batch:
		w.WriteString(`, "scores": [`)
		for i, scores := range r.Scores {
			if i > 0 {
				w.WriteString(", ")
			}
			writeScores(w, scores)
		}
		w.WriteString("]")
	default:
		w.WriteString(`, "scores": `)
		if len(r.Scores) == 0 {
			w.WriteString("[]")
		} else {
			writeScores(w, r.Scores[0])
		}
	}
	w.WriteString("}")
}

func writeInt(w *bufio.Writer, n int) { w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(n), 10)) }

func writeQuoted(w *bufio.Writer, text string) {
	w.Write(pyjson.AppendQuoted(w.AvailableBuffer(), text))
}

func writeScores(w *bufio.Writer, scores []Score) {
	w.WriteString("[")
	for i := range scores {
		if i > 0 {
			w.WriteString(", ")
		}
		w.Write(scores[i].AppendJSON(w.AvailableBuffer()))
	}
	w.WriteString("]")
}

// appendOneLine appends JSON with its newlines, which are all between tokens, replaced
// by blanks.
func appendOneLine(dst, text []byte) []byte {
	for _, c := range text {
		dst = append(dst, max(c, ' '))
	}
	return dst
}

// write writes the fields of a reply to a Lint: "findings" and "found" for one text, or an
// object with these for each file. A file that was not linted has an "error".
func (f *Findings) write(w *bufio.Writer) {
	if f.Edit {
		w.Write(f.Files[0].JSON)
		w.WriteString(`, "error": `)
		writeQuoted(w, f.Files[0].Error)
		return
	}
	if f.Single {
		w.WriteString(`"findings": `)
		w.Write(f.Files[0].JSON)
		w.WriteString(`, "found": `)
		writeInt(w, f.Files[0].Found)
		w.WriteString(`, "error": `)
		writeQuoted(w, f.Files[0].Error)
		return
	}
	object := func(name string, value func(*FileFindings)) {
		w.WriteString(name)
		for i := range f.Files {
			if i > 0 {
				w.WriteString(", ")
			}
			writeQuoted(w, f.Files[i].Name)
			w.WriteString(": ")
			value(&f.Files[i])
		}
		w.WriteString("}")
	}
	object(`"files": {`, func(f *FileFindings) { w.Write(f.JSON) })
	object(`, "found": {`, func(f *FileFindings) { writeInt(w, f.Found) })
	object(`, "errors": {`, func(f *FileFindings) { writeQuoted(w, f.Error) })
}

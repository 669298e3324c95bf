package api

import (
	"io"
	"math"
	"strconv"

	"codelinter/internal/pyjson"
)

// MarshalJSON returns the score as [Score.AppendJSON] writes it.
func (s Score) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// AppendJSON appends the score as an object, which always has the same fields.
func (s *Score) AppendJSON(dst []byte) []byte {
	dst = AppendFloat(append(dst, `{"reward": `...), s.Reward)
	dst = strconv.AppendBool(append(dst, `, "official": `...), s.Official)
	dst = append(dst, `, "guarded": `...)
	if s.Guarded == "" {
		dst = append(dst, "null"...)
	} else {
		dst = pyjson.AppendQuoted(dst, s.Guarded)
	}
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
	if s.Details != nil {
		dst = s.Details.appendJSON(append(dst, `, "details": `...))
	}
	dst = AppendFloat(append(dst, `, "milliseconds": `...), math.Round(s.Milliseconds*1000)/1000)
	dst = pyjson.AppendQuoted(append(dst, `, "error": `...), s.Error)
	return append(dst, '}')
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
	from := len(dst)
	dst = strconv.AppendFloat(dst, value, 'f', -1, 64)
	for _, c := range dst[from:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// AppendReply appends a reply as one line of JSON, without a newline.
func AppendReply(dst []byte, r *Reply) []byte {
	e := encoder{dst: dst}
	e.reply(r)
	return e.dst
}

// WriteReply writes a reply as one line of JSON, without a newline, in pieces, as it
// may be long. It uses memory, and returns it for the next reply.
func WriteReply(w io.Writer, memory []byte, r *Reply) ([]byte, error) {
	e := encoder{dst: memory[:0], to: w}
	e.reply(r)
	e.spill(0)
	return e.dst[:0], e.err
}

// An encoder appends to dst. If it has a writer, it keeps at most a piece there.
type encoder struct {
	dst []byte
	to  io.Writer
	err error
}

// piece is the number of bytes that are written at once.
const piece = 32 << 10

// spill writes dst if it has at least length bytes.
func (e *encoder) spill(length int) {
	if e.to == nil || len(e.dst) < length {
		return
	}
	if e.err == nil {
		_, e.err = e.to.Write(e.dst)
	}
	e.dst = e.dst[:0]
}

func (e *encoder) text(text string) { e.dst = append(e.dst, text...) }

func (e *encoder) scores(scores []Score) {
	e.text("[")
	for i := range scores {
		if i > 0 {
			e.text(", ")
		}
		e.dst = scores[i].AppendJSON(e.dst)
		e.spill(piece)
	}
	e.text("]")
}

func (e *encoder) reply(r *Reply) {
	e.text(`{"id": `)
	if r.ID == nil {
		e.text("null")
	} else {
		e.dst = appendOneLine(e.dst, r.ID)
	}
	switch {
	case r.Error != "":
		if r.Line > 0 {
			e.text(`, "line": `)
			e.dst = strconv.AppendInt(e.dst, int64(r.Line), 10)
		}
		e.text(`, "error": `)
		e.dst = pyjson.AppendQuoted(e.dst, r.Error)
	case r.Lint != nil:
		e.text(", ")
		e.findings(r.Lint)
	case r.Batch:
		e.text(`, "scores": [`)
		for i, scores := range r.Scores {
			if i > 0 {
				e.text(", ")
			}
			e.scores(scores)
			e.spill(piece)
		}
		e.text("]")
	default:
		var scores []Score
		if len(r.Scores) > 0 {
			scores = r.Scores[0]
		}
		e.text(`, "scores": `)
		e.scores(scores)
	}
	e.text("}")
}

// appendOneLine appends JSON with its newlines, which are all between tokens, replaced
// by blanks.
func appendOneLine(dst, text []byte) []byte {
	for _, c := range text {
		if c < ' ' {
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// findings appends the fields of a reply to a Lint: "findings" and "found" for one
// text, or an object with these for each file. A file that was not linted has an
// "error".
func (e *encoder) findings(f *Findings) {
	if f.Single {
		e.text(`"findings": `)
		e.list(f.Files[0].JSON)
		e.text(`, "found": `)
		e.dst = strconv.AppendInt(e.dst, int64(f.Files[0].Found), 10)
		e.text(`, "error": `)
		e.dst = pyjson.AppendQuoted(e.dst, f.Files[0].Error)
		return
	}
	object := func(name string, value func(*FileFindings)) {
		e.dst = append(pyjson.AppendQuoted(e.dst, name), ": {"...)
		for i := range f.Files {
			if i > 0 {
				e.text(", ")
			}
			e.dst = append(pyjson.AppendQuoted(e.dst, f.Files[i].Name), ": "...)
			value(&f.Files[i])
			e.spill(piece)
		}
		e.text("}")
	}
	object("files", func(f *FileFindings) { e.list(f.JSON) })
	e.text(", ")
	object("found", func(f *FileFindings) { e.dst = strconv.AppendInt(e.dst, int64(f.Found), 10) })
	e.text(", ")
	object("errors", func(f *FileFindings) { e.dst = pyjson.AppendQuoted(e.dst, f.Error) })
}

// list appends findings. Those of one file may be megabytes, which are not copied.
func (e *encoder) list(findings []byte) {
	if e.to == nil || len(findings) < piece {
		e.dst = append(e.dst, findings...)
		return
	}
	e.spill(0)
	if e.err == nil {
		_, e.err = e.to.Write(findings)
	}
}

package api

import (
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
	dst = AppendFloat(append(dst, `, "milliseconds": `...), math.Round(s.Milliseconds*1000)/1000)
	dst = pyjson.AppendQuoted(append(dst, `, "error": `...), s.Error)
	return append(dst, '}')
}

// AppendFloat appends a number with a point, as Python writes a float, whose programs
// distinguish 1.0 from 1. NaN and infinities, which no reward is, are written 0.0.
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

// AppendScores appends a list of scores.
func AppendScores(dst []byte, scores []Score) []byte {
	dst = append(dst, '[')
	for i := range scores {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = scores[i].AppendJSON(dst)
	}
	return append(dst, ']')
}

// AppendReply appends a reply as one line of JSON, without a newline.
func AppendReply(dst []byte, r *Reply) []byte {
	dst = append(dst, `{"id": `...)
	if r.ID == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendOneLine(dst, r.ID)
	}
	switch {
	case r.Error != "":
		if r.Line > 0 {
			dst = strconv.AppendInt(append(dst, `, "line": `...), int64(r.Line), 10)
		}
		dst = pyjson.AppendQuoted(append(dst, `, "error": `...), r.Error)
	case r.Lint != nil:
		dst = appendFindings(append(dst, ", "...), r.Lint)
	case r.Batch:
		dst = append(dst, `, "scores": [`...)
		for i, scores := range r.Scores {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = AppendScores(dst, scores)
		}
		dst = append(dst, ']')
	default:
		var scores []Score
		if len(r.Scores) > 0 {
			scores = r.Scores[0]
		}
		dst = AppendScores(append(dst, `, "scores": `...), scores)
	}
	return append(dst, '}')
}

// appendOneLine appends JSON with blanks for the newlines in it, which are all
// between its parts.
func appendOneLine(dst, text []byte) []byte {
	for _, c := range text {
		if c < ' ' {
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// appendFindings appends the fields of a reply to a Lint: "findings" and "found" for
// one text, and objects of these for files. There is an "error" where something was
// not linted.
func appendFindings(dst []byte, f *Findings) []byte {
	if f.Single {
		dst = append(append(dst, `"findings": `...), f.Files[0].JSON...)
		dst = strconv.AppendInt(append(dst, `, "found": `...), int64(f.Files[0].Found), 10)
		return pyjson.AppendQuoted(append(dst, `, "error": `...), f.Files[0].Error)
	}
	object := func(name string, value func([]byte, *FileFindings) []byte) {
		dst = append(pyjson.AppendQuoted(dst, name), ": {"...)
		for i := range f.Files {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(pyjson.AppendQuoted(dst, f.Files[i].Name), ": "...)
			dst = value(dst, &f.Files[i])
		}
		dst = append(dst, '}')
	}
	object("files", func(dst []byte, f *FileFindings) []byte { return append(dst, f.JSON...) })
	dst = append(dst, ", "...)
	object("found", func(dst []byte, f *FileFindings) []byte { return strconv.AppendInt(dst, int64(f.Found), 10) })
	dst = append(dst, ", "...)
	object("errors", func(dst []byte, f *FileFindings) []byte { return pyjson.AppendQuoted(dst, f.Error) })
	return dst
}

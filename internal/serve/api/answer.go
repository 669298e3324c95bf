package api

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// # Special tokens
//
// Trainers decode answers together with the tokens that end a turn. These are not part of the
// answer, and not Python. They are recognized by their form, <|...|> and DeepSeek's full-width
// variant; older ones by name. They are removed only at the end of a text: elsewhere the model
// wrote them.

var namedTokens = []string{"</s>", "<s>", "<eos>", "<bos>", "<pad>", "<end_of_turn>", "<start_of_turn>", "<unk>", "[PAD]", "[gMASK]", "<sop>"}

// longestToken bounds what is looked at for a token of the form <|...|>.
const longestToken = 48

// WithoutEnd returns text without the special tokens at its end, and without blanks after or
// between them.
func WithoutEnd(text string) string {
	for {
		rest, found := cutLastToken(strings.TrimRightFunc(text, unicode.IsSpace))
		if !found {
			return text
		}
		text = rest
	}
}

func cutLastToken(text string) (rest string, found bool) {
	for _, token := range namedTokens {
		if rest, found := strings.CutSuffix(text, token); found {
			return rest, true
		}
	}
	for _, form := range [][2]string{{"<|", "|>"}, {"<｜", "｜>"}} {
		inside, found := strings.CutSuffix(text, form[1])
		if !found {
			continue
		}
		from := max(len(inside)-longestToken, 0)
		if at := strings.LastIndex(inside[from:], form[0]); at >= 0 && isTokenName(inside[from+at+len(form[0]):]) {
			return inside[:from+at], true
		}
	}
	return text, false
}

// withoutStart returns text without the special tokens, and the blanks, at its start.
func withoutStart(text string) string {
	for {
		rest, found := cutFirstToken(strings.TrimLeftFunc(text, isBlank))
		if !found {
			return text
		}
		text = rest
	}
}

func cutFirstToken(text string) (rest string, found bool) {
	for _, token := range namedTokens {
		if rest, found := strings.CutPrefix(text, token); found {
			return rest, true
		}
	}
	for _, form := range [][2]string{{"<|", "|>"}, {"<｜", "｜>"}} {
		inside, found := strings.CutPrefix(text, form[0])
		if !found {
			continue
		}
		window := inside[:min(len(inside), longestToken)]
		if at := strings.Index(window, form[1]); at >= 0 && isTokenName(window[:at]) {
			return inside[at+len(form[1]):], true
		}
	}
	return text, false
}

func isTokenName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '|' || r == '<' || r == '>' || r == '｜' })
}

// # The prompt
//
// OpenRLHF sends the prompt and the answer in one text, decoded from tokens. Usually the text
// begins with the prompt. There are three exceptions: the tokenizer put a token before it, decoding
// removed blanks ("x ." becomes "x."), or the prompt was too long and lost its start. So if the
// plain comparison fails, blanks are ignored, and the text may begin with an end of the prompt.

// leastPrompt is how many characters of a prompt that lost its start must be found.
const leastPrompt = 16

// longestPrompt is the largest length in bytes of a prompt for that search, which takes six bytes
// for each byte. A longer prompt must be in the text exactly.
const longestPrompt = 4 << 20

// AfterPrompt returns the part of text after the prompt. found is false if text does not begin with
// the prompt: then the answer cannot be known.
func AfterPrompt(text, prompt string) (answer string, found bool) {
	if answer, found := strings.CutPrefix(text, prompt); found {
		return answer, true
	}
	if len(prompt) > longestPrompt {
		return "", false
	}
	text, prompt = withoutStart(text), withoutStart(prompt)
	pattern, _ := withoutBlanks(text, len(prompt))
	whole, _ := withoutBlanks(prompt, len(prompt))
	n := overlap(whole, pattern)
	if n == 0 || n < len(whole) && utf8.RuneCount(pattern[:n]) < leastPrompt {
		return "", false
	}
	_, end := withoutBlanks(text, n)
	answer = text[end:]
	// Remove the blanks at the end of the prompt, as far as decoding has left them.
	for blanks := len(prompt) - len(strings.TrimRightFunc(prompt, isBlank)); blanks > 0 && answer != ""; {
		r, size := utf8.DecodeRuneInString(answer)
		if !isBlank(r) {
			break
		}
		answer, blanks = answer[size:], blanks-size
	}
	return answer, true
}

// isBlank includes the mark of sentencepiece's tokenizers.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '▁' }

// withoutBlanks returns the first n bytes or a little more of text without its blanks, and their
// end in text.
func withoutBlanks(text string, n int) (kept []byte, end int) {
	kept = make([]byte, 0, min(n+utf8.UTFMax, len(text)))
	for at := 0; at < len(text) && len(kept) < n; {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isBlank(r) {
			kept = append(kept, text[at:at+size]...)
			end = at + size
		}
		at += size
	}
	return kept, end
}

// overlap returns the length of the longest end of whole that is a beginning of pattern, in
// linear time (by Knuth, Morris and Pratt). Both are whole characters of UTF-8, and so is the
// overlap.
func overlap(whole, pattern []byte) int {
	if len(pattern) == 0 {
		return 0
	}
	borders := make([]int32, len(pattern)) // length of the longest proper border of pattern[:i+1]
	for i, k := 1, 0; i < len(pattern); i++ {
		for k > 0 && pattern[i] != pattern[k] {
			k = int(borders[k-1])
		}
		if pattern[i] == pattern[k] {
			k++
		}
		borders[i] = int32(k)
	}
	k := 0
	for _, c := range whole {
		for k > 0 && (k == len(pattern) || pattern[k] != c) {
			k = int(borders[k-1])
		}
		if k < len(pattern) && pattern[k] == c {
			k++
		}
	}
	return k
}

package api

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// # Special tokens
//
// Trainers decode answers with the tokens that end a turn in them. They are not part
// of the answer, and not Python. Known are those that have the form of such tokens,
// <|...|> and its full-width twin of DeepSeek's, and the older ones by name. They are
// taken off the ends of a text alone: within it, they are what the model wrote.

var namedTokens = []string{"</s>", "<s>", "<eos>", "<bos>", "<pad>", "<end_of_turn>", "<start_of_turn>", "<unk>", "[PAD]", "[gMASK]", "<sop>"}

// longestToken bounds what is looked at for a token of the form <|...|>.
const longestToken = 48

// WithoutEnd returns text without the special tokens at its end, and the blanks that
// stand after or between these.
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
// OpenRLHF sends the prompt and the answer in one text, decoded from tokens. It begins
// with the prompt, mostly. It does not quite where the tokenizer put a token before
// it, where decoding took blanks away ("x ." becomes "x."), or where the prompt was
// too long and lost its start. So where the plain comparison fails, blanks are left
// aside, and what the text begins with may be an end of the prompt.

// leastPrompt is how many characters of a prompt that lost its start must be found.
const leastPrompt = 16

// longestPrompt is the length of a prompt, in bytes, beyond which it must be there as it is:
// the search takes six bytes for each of its bytes.
const longestPrompt = 4 << 20

// AfterPrompt returns what stands in text after the prompt. It is not found where text does not
// begin with the prompt: what the answer is cannot be known then.
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
	// The blanks that end the prompt are not the answer's, as many as are left of them.
	for blanks := len(prompt) - len(strings.TrimRightFunc(prompt, isBlank)); blanks > 0 && answer != ""; {
		r, size := utf8.DecodeRuneInString(answer)
		if !isBlank(r) {
			break
		}
		answer, blanks = answer[size:], blanks-size
	}
	return answer, true
}

// isBlank knows the mark of sentencepiece's tokenizers, too.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '▁' }

// withoutBlanks returns the first characters of text that are no blanks, of n bytes
// or some more, and where in text they end.
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

// overlap returns how long the longest end of whole is that pattern begins with, in
// time linear in both (Knuth, Morris and Pratt's way). Both begin and end with whole
// characters of UTF-8, and so does the overlap.
func overlap(whole, pattern []byte) int {
	if len(pattern) == 0 {
		return 0
	}
	borders := make([]int32, len(pattern)) // of pattern[:i+1], the longest proper border
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

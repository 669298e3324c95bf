// Package trainers has the protocols of reinforcement-learning trainers: it reads what a
// trainer sends to a remote reward, and writes the reply that it expects. It neither
// scores nor knows HTTP: what comes out is a request of package api, and a way to write
// the reply to it.
//
//	call, err := trainers.OpenRLHF(body, api.Defaults{})
//	reply, err := s.Do(ctx, client, &call.Request) // by a service.Service
//	body = call.Append(nil, &reply)
//
// What each sends was read in its sources, of the version that stands at each
// function. What they do when things go wrong differs, and is why an item that
// cannot be scored is a reward of 0.0 with a flag and no error of HTTP:
//
//	             time-out   tries again                          in the end
//	OpenRLHF     180 s      4 times, 1 s apart, whatever failed  goes on without a reward
//	slime        120 s      9 times, up to 31 s apart            raises
//	miles        300 s      never                                raises
//	NeMo Gym     none       forever if the connection breaks     raises on a status of 400 or more
//
// A whole request that makes no sense is an error all the same: it comes from a wrong
// configuration, which should show at once and not after a night of training.
package trainers

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"codelinter/internal/pyjson"
	"codelinter/server/api"
)

// A Call is a request as the service takes it, and how its reply is written.
type Call struct {
	Request api.Request
	// Echo is how many bytes of the request its reply has, which are kept for it.
	Echo int
	// Append appends the body of the response to the reply.
	Append func(dst []byte, reply *api.Reply) []byte
}

// item returns one answer to the task that a label names or carries: an id, a task,
// or a text that holds either. path names the label in errors. A label that names
// nothing is a fault: to score without a task would reward whatever is clean.
func item(path string, label []byte, answer api.Completion, defaults api.Defaults) api.Item {
	item := api.Item{
		Completions: []api.Completion{answer},
		Verdict:     defaults.Verdict,
		Reward:      defaults.Reward,
		Deadline:    defaults.Deadline,
	}
	if !pyjson.Present(label) || string(label) == `""` {
		item.Fault = fault("%s: expected a task or the id of one, found %s", path, none(label))
		return item
	}
	task, err := api.DecodeTask(label)
	if err != nil {
		item.Fault = fault("%s: %v", path, err)
	}
	item.Task = task
	return item
}

// none says what a label is that is none.
func none(label []byte) string {
	switch {
	case label == nil:
		return "nothing"
	case label[0] == '"':
		return "an empty text"
	}
	return pyjson.Kind(label)
}

// # Special tokens
//
// Trainers decode answers with the tokens that end a turn in them. They are not part
// of the answer, and not Python. Known are those that have the form of such tokens,
// <|...|> and its full-width twin of DeepSeek's, and the older ones by name. They are
// taken off the ends of a text alone: within it, they are what the model wrote.

var namedTokens = []string{"</s>", "<s>", "<eos>", "<bos>", "<pad>", "<end_of_turn>", "<start_of_turn>", "<unk>", "[PAD]", "[gMASK]", "<sop>"}

// longestToken bounds what is looked at for a token of the form <|...|>.
const longestToken = 48

// withoutEnd returns text without the special tokens at its end, and the blanks that
// stand after or between these.
func withoutEnd(text string) string {
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

// afterPrompt returns what stands in text after the prompt.
func afterPrompt(text, prompt string) (answer string, found bool) {
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

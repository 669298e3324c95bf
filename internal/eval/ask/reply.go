package ask

import (
	"encoding/json"
	"errors"
	"fmt"
)

// An answer is one sample as it arrived.
type answer struct {
	text   string
	finish string // "length" if the model was cut off
}

// A reply is a server's response with status 200.
type reply struct {
	answers []answer
	model   string // the server's name for it; "" if it gives none
	// Numbers of tokens; 0 if the server gives none. If a request has several
	// answers, llama.cpp counts the tokens of one.
	promptTokens, tokens int64
}

// unexpectedEndpoint is LM Studio's message, with status 200, where other
// servers answer 404.
const unexpectedEndpoint = "Unexpected endpoint or method"

// parseReply reads a response with status 200. Unused fields may be missing or
// of any type, as servers differ in them.
func (c *client) parseReply(text []byte, n int) (*reply, error) {
	var response struct {
		Choices []struct {
			Message *struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
			Text         *string         `json:"text"`
			FinishReason json.RawMessage `json:"finish_reason"`
		} `json:"choices"`
		Model json.RawMessage `json:"model"`
		Usage json.RawMessage `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(text, &response); err != nil {
		return nil, fmt.Errorf("expected a JSON object with choices, found %d bytes that begin %s", len(text), c.brief(string(text)))
	}
	if len(response.Choices) == 0 {
		if message := innerMessage(response.Error); message != "" {
			return nil, fmt.Errorf("expected choices, found the error %s", c.brief(message))
		}
		return nil, errors.New("expected at least one of choices, found none")
	}
	r := &reply{}
	for i, choice := range response.Choices[:min(n, len(response.Choices))] {
		var a answer
		// A reason that is not a string is ignored.
		_ = json.Unmarshal(choice.FinishReason, &a.finish)
		ok := false
		switch {
		case choice.Message != nil:
			a.text, ok = contentText(choice.Message.Content)
			// null is the content of a model that spent all its tokens on
			// thinking, or refused. It is the answer if the model has finished.
			ok = ok || a.finish != "" && isNull(choice.Message.Content)
		case choice.Text != nil:
			a.text, ok = *choice.Text, true
		}
		if !ok {
			return nil, fmt.Errorf("choices[%d]: expected message.content or text, found neither", i)
		}
		r.answers = append(r.answers, a)
	}
	// These are optional.
	var usage struct {
		Prompt     int64 `json:"prompt_tokens"`
		Completion int64 `json:"completion_tokens"`
	}
	_ = json.Unmarshal(response.Usage, &usage)
	_ = json.Unmarshal(response.Model, &r.model)
	r.promptTokens, r.tokens = max(usage.Prompt, 0), max(usage.Completion, 0)
	return r, nil
}

func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// contentText returns a message's text, which may be in parts.
func contentText(content json.RawMessage) (text string, ok bool) {
	if isNull(content) {
		return "", false
	}
	if json.Unmarshal(content, &text) == nil {
		return text, true
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return "", false
	}
	for _, part := range parts {
		if part.Type == "text" {
			text += part.Text
		}
	}
	return text, true
}

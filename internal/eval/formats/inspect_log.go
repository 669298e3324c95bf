package formats

import (
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
)

// # A log of inspect_ai
//
// The types are those of inspect_ai's own JSON schema (`inspect log schema`), named as there. They
// have the fields that the schema requires, and those that a run gives.

// inspectEvalLog is EvalLog without its samples and reductions, which are written apart.
type inspectEvalLog struct {
	Version     int                `json:"version"`
	Status      string             `json:"status"`
	Eval        inspectEvalSpec    `json:"eval"`
	Plan        inspectEvalPlan    `json:"plan"`
	Results     inspectEvalResults `json:"results"`
	Stats       inspectEvalStats   `json:"stats"`
	Invalidated bool               `json:"invalidated"`
	Tags        list[string]       `json:"tags"`
	Metadata    object             `json:"metadata"`
}

type inspectEvalSpec struct {
	EvalID              string             `json:"eval_id"`
	RunID               string             `json:"run_id"`
	Created             string             `json:"created"`
	Task                string             `json:"task"`
	TaskID              string             `json:"task_id"`
	TaskVersion         int                `json:"task_version"`
	TaskDisplayName     string             `json:"task_display_name"`
	TaskAttribs         object             `json:"task_attribs"`
	TaskArgs            object             `json:"task_args"`
	TaskArgsPassed      object             `json:"task_args_passed"`
	Dataset             inspectEvalDataset `json:"dataset"`
	Model               string             `json:"model"`
	ModelGenerateConfig object             `json:"model_generate_config"`
	ModelArgs           object             `json:"model_args"`
	Config              inspectEvalConfig  `json:"config"`
	Packages            object             `json:"packages"`
	Scorers             []inspectScorer    `json:"scorers"`
}

type inspectEvalDataset struct {
	Name      string        `json:"name"`
	Samples   int           `json:"samples"`
	SampleIDs list[task.ID] `json:"sample_ids"`
	Shuffled  bool          `json:"shuffled"`
}

type inspectEvalConfig struct {
	Epochs        int      `json:"epochs"`
	EpochsReducer []string `json:"epochs_reducer"`
}

type inspectScorer struct {
	Name    string             `json:"name"`
	Metrics []inspectNamedOnly `json:"metrics"`
}

type inspectNamedOnly struct {
	Name string `json:"name"`
}

type inspectEvalPlan struct {
	Name   string    `json:"name"`
	Steps  list[any] `json:"steps"`
	Config object    `json:"config"`
}

type inspectEvalResults struct {
	TotalSamples     int                `json:"total_samples"`
	CompletedSamples int                `json:"completed_samples"`
	Scores           []inspectEvalScore `json:"scores"`
	Headline         inspectHeadline    `json:"headline"`
}

type inspectHeadline struct {
	Scorer  string `json:"scorer"`
	Score   string `json:"score"`
	Metric  string `json:"metric"`
	Reducer string `json:"reducer"`
}

type inspectEvalScore struct {
	Name            string                       `json:"name"`
	Scorer          string                       `json:"scorer"`
	Reducer         string                       `json:"reducer"`
	ScoredSamples   int                          `json:"scored_samples"`
	UnscoredSamples int                          `json:"unscored_samples"`
	Params          object                       `json:"params"`
	Metrics         map[string]inspectEvalMetric `json:"metrics"`
}

type inspectEvalMetric struct {
	Name   string       `json:"name"`
	Value  pyjson.Float `json:"value"`
	Params object       `json:"params"`
}

type inspectEvalStats struct {
	StartedAt              string    `json:"started_at"`
	CompletedAt            string    `json:"completed_at"`
	ModelUsage             object    `json:"model_usage"`
	RoleUsage              object    `json:"role_usage"`
	ConnectionLimitHistory list[any] `json:"connection_limit_history"`
}

// inspectReductions is EvalSampleReductions.
type inspectReductions struct {
	Scorer  string                     `json:"scorer"`
	Reducer string                     `json:"reducer"`
	Samples list[inspectReducedSample] `json:"samples"`
}

// inspectReducedSample is EvalSampleScore.
type inspectReducedSample struct {
	Value    pyjson.Float `json:"value"`
	SampleID task.ID      `json:"sample_id"`
	History  list[any]    `json:"history"`
}

type inspectEvalSample struct {
	ID          task.ID           `json:"id"`
	Epoch       int               `json:"epoch"`
	Input       string            `json:"input"`
	Target      string            `json:"target"`
	Messages    []inspectMessage  `json:"messages"`
	Output      inspectOutput     `json:"output"`
	Scores      pyjson.Object     `json:"scores"` // an inspectLoggedScore by the scorer's name
	Metadata    object            `json:"metadata"`
	Store       object            `json:"store"`
	Events      list[any]         `json:"events"` // an inspectModelEvent, or an inspectScoreEvent
	ModelUsage  object            `json:"model_usage"`
	RoleUsage   object            `json:"role_usage"`
	UUID        string            `json:"uuid"`
	Error       *inspectError     `json:"error,omitempty"`
	Attachments map[string]string `json:"attachments"` // the texts of events, by hash
}

// inspectMessage is ChatMessageUser or ChatMessageAssistant.
type inspectMessage struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	Source  string `json:"source"`
	Content string `json:"content"`
	Model   string `json:"model,omitempty"`
}

// inspectOutput is ModelOutput.
type inspectOutput struct {
	Model      string              `json:"model"`
	Choices    list[inspectChoice] `json:"choices"`
	Completion string              `json:"completion"`
}

// inspectChoice is ChatCompletionChoice.
type inspectChoice struct {
	Message    inspectMessage `json:"message"`
	StopReason string         `json:"stop_reason"`
}

type inspectScore struct {
	Value       string  `json:"value"`
	Answer      *string `json:"answer,omitempty"`
	Explanation string  `json:"explanation"`
	Metadata    any     `json:"metadata,omitempty"` // an *inspectScoreMetadata or *inspectReasons
}

// inspectLoggedScore is a Score in a log.
type inspectLoggedScore struct {
	inspectScore
	History list[any] `json:"history"`
}

// inspectError is EvalError.
type inspectError struct {
	Message       string `json:"message"`
	Traceback     string `json:"traceback"`
	TracebackANSI string `json:"traceback_ansi"`
}

// inspectEvent is what all events have.
type inspectEvent struct {
	UUID         string `json:"uuid"`
	Timestamp    string `json:"timestamp"`
	WorkingStart int    `json:"working_start"`
	Event        string `json:"event"`
}

type inspectModelEvent struct {
	inspectEvent
	Model      string           `json:"model"`
	Input      []inspectMessage `json:"input"`
	Tools      list[any]        `json:"tools"`
	ToolChoice string           `json:"tool_choice"`
	Config     object           `json:"config"`
	Output     inspectOutput    `json:"output"`
}

type inspectScoreEvent struct {
	inspectEvent
	Score        inspectLoggedScore `json:"score"`
	Target       string             `json:"target"`
	Scorer       string             `json:"scorer"`
	Intermediate bool               `json:"intermediate"`
}

// A list is [] in JSON where it is nil, as the schema has no null there.
type list[T any] []T

// MarshalJSON returns the list.
func (l list[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return pyjson.Append(nil, []T(l)), nil
}

// An object is {} in JSON where it is nil.
type object pyjson.Object

// MarshalJSON returns the object.
func (o object) MarshalJSON() ([]byte, error) { return pyjson.Append(nil, pyjson.Object(o)), nil }

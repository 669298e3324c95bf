package httpserver

// The types of requests and replies, of which /openapi.json is made. TestOpenAPI and
// TestOpenAPIRequests hold them to what is answered.

// wireError is the reply with every status that is not 200.
type wireError struct {
	Error string `json:"error" doc:"What was expected, and what was found."`
}

// wireStatus answers whether the server lives or is ready.
type wireStatus struct {
	Status string `json:"status"`
}

// wireSettings are the settings of an item, and the defaults of a batch.
type wireSettings struct {
	Verdict    *string  `json:"verdict,omitempty" enum:"guarded|official"`
	Reward     *string  `json:"reward,omitempty" doc:"binary, shaped, or a formula of terms such as graded*meaning + 0.5*tests. The official verdict has no terms that need the logic or the tests; such a formula is binary there."`
	OnUnknown  *string  `json:"on_unknown,omitempty" doc:"The reward of the guarded verdict where the logic cannot be decided: 0.0, none (see masked), or the one that there is if the logic is kept." enum:"zero|mask|official"`
	Details    *bool    `json:"details,omitempty" doc:"Whether scores have details."`
	DeadlineMS *float64 `json:"deadline_ms,omitempty" doc:"What has no verdict by then is unknown, with the error deadline." above:"0"`
}

// wireAnswers are answers to one task.
type wireAnswers struct {
	Task        any `json:"task,omitempty" doc:"A task, JSON of one, or its id; anything else is an error in the score. A task is a row of a task file, or an object with program and, if known, id, canonical, tests, setup, options and logic. Without the keys task and task_id, answers are linted and held to the guards that need no task; null without the other is an error in the score. An object or its JSON has 4 MiB at most."`
	TaskID      any `json:"task_id,omitempty" doc:"In its place, the id of a task that the server knows, see --tasks: an integer or a text; anything else is an error in the score."`
	Completion  any `json:"completion,omitempty" doc:"What a model answered, a text; anything else is an error in the score."`
	Completions any `json:"completions,omitempty" doc:"What a model answered, a list of texts, each whole; anything else is an error in the score."`
	Prompt      any `json:"prompt,omitempty" doc:"What each completion begins with, where it has the prompt before the answer: what follows it is the answer, without special tokens at its end. A completion that does not begin with it has an error in the score; so has anything else than a text."`
}

// wireItem is an item of a batch.
type wireItem struct {
	wireAnswers
	wireSettings
	ID    null `json:"id,omitempty"`
	Items null `json:"items,omitempty"`
	Lint  null `json:"lint,omitempty"`
	Edit  null `json:"edit,omitempty"`
}

// wireOne is an item that is the whole request.
type wireOne struct {
	wireAnswers
	wireSettings
	ID    any  `json:"id,omitempty" doc:"Comes back as it is: any JSON of 4,096 bytes at most."`
	Items null `json:"items,omitempty"`
	Lint  null `json:"lint,omitempty"`
	Edit  null `json:"edit,omitempty"`
}

// wireBatch is a request with items.
type wireBatch struct {
	wireSettings
	ID          any   `json:"id,omitempty" doc:"Comes back as it is: any JSON of 4,096 bytes at most."`
	Items       []any `json:"items" schema:"{\"type\": \"array\", \"items\": {\"anyOf\": [{\"$ref\": \"#/components/schemas/Item\"}, {\"type\": [\"string\", \"number\", \"boolean\", \"null\", \"array\"], \"description\": \"An error in the score.\"}]}}"`
	Lint        null  `json:"lint,omitempty"`
	Edit        null  `json:"edit,omitempty"`
	Task        null  `json:"task,omitempty"`
	TaskID      null  `json:"task_id,omitempty"`
	Completion  null  `json:"completion,omitempty"`
	Completions null  `json:"completions,omitempty"`
	Prompt      null  `json:"prompt,omitempty"`
}

// wireScore is the score of a completion, as [api.Score.AppendJSON] writes it.
type wireScore struct {
	Reward       float64            `json:"reward" doc:"From 0 to 1, but for a formula with penalties or bounds. Always written with a point."`
	Official     bool               `json:"official" doc:"flake8 finds nothing in the code."`
	Guarded      *string            `json:"guarded" doc:"null where the official verdict was asked for." enum:"pass|fail|unknown"`
	Proof        string             `json:"proof" doc:"By what the logic is known to be kept: tree, runs or tests; empty for none."`
	Reasons      []string           `json:"reasons" doc:"Why it does not pass: short, stable names."`
	Findings     int                `json:"findings" doc:"What the linter finds in the code." min:"0"`
	Fixed        int                `json:"fixed" doc:"Findings of the task's program that are gone; 0 where the code is no Python." min:"0"`
	Left         int                `json:"left" doc:"Those that are still there." min:"0"`
	Introduced   int                `json:"introduced" doc:"Those that the program did not have." min:"0"`
	Invalid      bool               `json:"invalid" doc:"The code is no Python."`
	Empty        bool               `json:"empty" doc:"Nothing in the code does anything."`
	Noqa         bool               `json:"noqa" doc:"A comment silences findings."`
	Masked       bool               `json:"masked" doc:"There is no reward, which is then 0.0: for an error, or as the logic cannot be decided and on_unknown is mask."`
	Logic        *string            `json:"logic,omitempty" doc:"Whether the logic is kept, also if the answer does not pass officially; null if the reward does not ask. With a reward that is a formula." enum:"kept|lost|unknown"`
	Tests        *string            `json:"tests,omitempty" doc:"Whether the task's tests pass; null if the reward does not ask. With a reward that is a formula." enum:"pass|fail|unknown"`
	Terms        map[string]float64 `json:"terms,omitempty" doc:"The terms of a reward that is a formula, by name."`
	Details      wireDetails        `json:"details,omitempty"`
	Milliseconds float64            `json:"milliseconds" doc:"Of work; 0.0 for what was known already." min:"0"`
	Error        string             `json:"error" doc:"What of the request or of the server failed, so that the reward was not earned; empty for nothing."`
}

// wireDetails are the details of a score.
type wireDetails struct {
	Code     string           `json:"code" doc:"What was taken out of the completion, and linted."`
	Findings []wireFinding    `json:"findings" doc:"In the code, the first thousand of them."`
	Changes  map[string][]int `json:"changes" doc:"By code, how many findings of the task's program are gone, how many are left, and how many are introduced."`
	Added    int              `json:"added" doc:"Lines that the code has and the task's program has not, wherever they stand." min:"0"`
	Removed  int              `json:"removed" doc:"The other way round." min:"0"`
}

// wireScoreReply is the reply to a request for scores.
type wireScoreReply struct {
	ID     any   `json:"id" doc:"Comes back as it is."`
	Scores []any `json:"scores" schema:"{\"type\": \"array\", \"items\": {\"oneOf\": [{\"$ref\": \"#/components/schemas/Score\"}, {\"type\": \"array\", \"items\": {\"$ref\": \"#/components/schemas/Score\"}}]}}"`
}

// wireLint is a request to lint.
type wireLint struct {
	ID      any                `json:"id,omitempty" doc:"Comes back as it is: any JSON of 4,096 bytes at most."`
	Code    *string            `json:"code,omitempty"`
	Files   *map[string]string `json:"files,omitempty" doc:"By name, of 4,096 bytes at most."`
	Options *wireOptions       `json:"options,omitempty"`
}

// wireOptions are flake8's options, see [task.OptionNames].
type wireOptions struct {
	Select        *[]string          `json:"select,omitempty" pattern:"^[A-Z]{1,3}[0-9]{0,3}$"`
	Ignore        *[]string          `json:"ignore,omitempty" pattern:"^[A-Z]{1,3}[0-9]{0,3}$"`
	ExtendSelect  *[]string          `json:"extend-select,omitempty" pattern:"^[A-Z]{1,3}[0-9]{0,3}$"`
	ExtendIgnore  *[]string          `json:"extend-ignore,omitempty" pattern:"^[A-Z]{1,3}[0-9]{0,3}$"`
	MaxLineLength *int               `json:"max-line-length,omitempty" min:"-2147483648" max:"2147483647"`
	MaxDocLength  *int               `json:"max-doc-length,omitempty" min:"-2147483648" max:"2147483647"`
	IndentSize    *int               `json:"indent-size,omitempty" min:"-2147483648" max:"2147483647"`
	HangClosing   *bool              `json:"hang-closing,omitempty"`
	MaxComplexity *int               `json:"max-complexity,omitempty" min:"-2147483648" max:"2147483647"`
	Builtins      *[]*string         `json:"builtins,omitempty"`
	Doctests      *bool              `json:"doctests,omitempty"`
	DisableNoqa   *bool              `json:"disable-noqa,omitempty"`
	Flake8Version *string            `json:"flake8-version,omitempty" enum:"7.3.0|7.5.0"`
	TargetVersion *string            `json:"target-version,omitempty" doc:"3.10 with flake8 7.3.0 alone, 3.15 with 7.5.0 alone." enum:"3.10|3.11|3.12|3.13|3.14|3.15"`
	Plugins       *map[string]string `json:"plugins,omitempty" doc:"Plugins of flake8 with their versions, by the names of their packages; see --plugins."`
	PluginOptions *map[string]any    `json:"plugin-options,omitempty" doc:"Their options." schema:"{\"type\": [\"object\", \"null\"], \"additionalProperties\": {\"type\": [\"string\", \"number\", \"boolean\", \"array\"], \"items\": {\"type\": \"string\"}}}"`
}

// wireFinding is a finding, as [rule.Finding.AppendJSON] writes it.
type wireFinding struct {
	Code    string `json:"code"`
	Row     int    `json:"row" min:"0"`
	Column  int    `json:"column" min:"0"`
	Start   int    `json:"start" doc:"In bytes of UTF-8, as end." min:"0"`
	End     int    `json:"end" min:"0"`
	Message string `json:"message"`
}

// wireLintReply is the reply to a request to lint.
type wireLintReply struct {
	ID       any                      `json:"id" doc:"Comes back as it is."`
	Findings []wireFinding            `json:"findings,omitempty"`
	Files    map[string][]wireFinding `json:"files,omitempty"`
	Found    any                      `json:"found" doc:"How many there are; a list has the first of very many." schema:"{\"oneOf\": [{\"type\": \"integer\"}, {\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}}]}"`
	Error    string                   `json:"error,omitempty" doc:"Why the code was not linted; empty if it was."`
	Errors   map[string]string        `json:"errors,omitempty" doc:"The same for each file."`
}

// wireOpenRLHFRequest is what OpenRLHF sends.
type wireOpenRLHFRequest struct {
	Query   []any `json:"query" doc:"Prompt and answer, with special tokens."`
	Prompts []any `json:"prompts"`
	Labels  []any `json:"labels"`
}

// wireOpenRLHFReply is what OpenRLHF gets.
type wireOpenRLHFReply struct {
	Rewards   []float64            `json:"rewards"`
	Scores    []float64            `json:"scores"`
	ExtraLogs map[string][]float64 `json:"extra_logs"`
}

// wireSlimeRequest is what slime and miles send.
type wireSlimeRequest struct {
	Prompt   any `json:"prompt,omitempty"`
	Response any `json:"response" doc:"A text; anything else is an error."`
	Label    any `json:"label,omitempty" doc:"A task, JSON of one, or an id; anything else is an error."`
}

// wireRunRequest is what clients of SandboxFusion send.
type wireRunRequest struct {
	Code           string              `json:"code"`
	Language       string              `json:"language" doc:"There is no other language." enum:"python"`
	Stdin          *string             `json:"stdin,omitempty"`
	CompileTimeout *float64            `json:"compile_timeout,omitempty" doc:"Without effect: nothing is compiled apart." above:"0" max:"120"`
	RunTimeout     *float64            `json:"run_timeout,omitempty" doc:"Seconds, counted: one count for each 8 ns. 10 if it is not there." above:"0" max:"120"`
	MemoryLimitMB  any                 `json:"memory_limit_MB,omitempty" doc:"-1 is 512." schema:"{\"oneOf\": [{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 2048}, {\"type\": \"integer\", \"enum\": [-1]}, {\"type\": \"null\"}]}"`
	Files          *map[string]*string `json:"files,omitempty" doc:"Files in base64, by names below the current directory or absolute ones."`
	FetchFiles     *[]string           `json:"fetch_files,omitempty" doc:"Names of files to be returned."`
	Args           any                 `json:"args,omitempty" doc:"They are for pytest, which is not here." schema:"{\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"array\", \"items\": {\"not\": {}}}]}"`
}

// wireRunResult is how a program ended.
type wireRunResult struct {
	Status        string  `json:"status" enum:"Finished|TimeLimitExceeded"`
	ExecutionTime float64 `json:"execution_time" doc:"Seconds, counted."`
	ReturnCode    *int    `json:"return_code" doc:"Null if the time limit ended it; 137 if it needed more memory than it may have, without a MemoryError."`
	Stdout        string  `json:"stdout"`
	Stderr        string  `json:"stderr"`
}

// wireRunReply is what clients of SandboxFusion get.
type wireRunReply struct {
	Status          string            `json:"status" doc:"Failed: a return code that is not 0, or the time limit. SandboxError: the program needs a module that is not here." enum:"Success|Failed|SandboxError"`
	Message         string            `json:"message" doc:"MemoryLimitExceeded, or ModuleNotHere and more, or OutputTruncated and more; else empty."`
	CompileResult   null              `json:"compile_result"`
	RunResult       wireRunResult     `json:"run_result"`
	ExecutorPodName null              `json:"executor_pod_name"`
	Files           map[string]string `json:"files" doc:"The files that were asked for, in base64; those that are not there are left out."`
}

// wireEditRequest is a request to compare two texts of a file.
type wireEditRequest struct {
	ID      any          `json:"id,omitempty" doc:"Comes back as it is: any JSON of 4,096 bytes at most."`
	Before  string       `json:"before"`
	After   string       `json:"after"`
	Name    *string      `json:"name,omitempty" doc:"The file's, on which pyflakes' findings may depend, of 4,096 bytes at most."`
	Options *wireOptions `json:"options,omitempty"`
	Run     *bool        `json:"run,omitempty" doc:"Run what the texts leave open; true if it is not given."`
}

// wireEditReply is the reply to it.
type wireEditReply struct {
	ID      any           `json:"id" doc:"Comes back as it is."`
	New     []wireFinding `json:"new" doc:"Findings in after that before does not have; the first of very many."`
	Gone    []wireFinding `json:"gone" doc:"Findings in before that after does not have."`
	Found   int           `json:"found" doc:"The number of findings in after." min:"0"`
	Tree    string        `json:"tree" doc:"Whether the syntax trees are equal." enum:"same|other|unknown"`
	Meaning string        `json:"meaning" doc:"Whether both programs do the same." enum:"same|other|unknown"`
	Proof   string        `json:"proof" doc:"Of a meaning that is the same: tree, form, edits or runs; empty for none."`
	Reasons []string      `json:"reasons" doc:"Why the meaning is another, or unknown after a run."`
	Error   string        `json:"error" doc:"Why the texts were not compared; empty if they were."`
}

// wireLintWithin is a request to lint as the stream has it.
type wireLintWithin struct {
	ID          any      `json:"id,omitempty" doc:"Comes back as it is: any JSON of 4,096 bytes at most."`
	Lint        wireLint `json:"lint"`
	Items       null     `json:"items,omitempty"`
	Task        null     `json:"task,omitempty"`
	TaskID      null     `json:"task_id,omitempty"`
	Completion  null     `json:"completion,omitempty"`
	Completions null     `json:"completions,omitempty"`
	Prompt      null     `json:"prompt,omitempty"`
	Verdict     null     `json:"verdict,omitempty"`
	Reward      null     `json:"reward,omitempty"`
	OnUnknown   null     `json:"on_unknown,omitempty"`
	Details     null     `json:"details,omitempty"`
	DeadlineMS  null     `json:"deadline_ms,omitempty"`
}

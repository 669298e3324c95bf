package ask

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// A Journal is the file to which samples are appended. Its first line has the
// [Settings], and each other line the number of tasks that were asked, from the first, or a sample:
//
//	{"journal":1,"model":"m","completions":false,"system":"","temperature":0.6,"max_tokens":1024,"seed":null}
//	{"asked":121}
//	{"id":7,"sample":0,"task_digest":"0b5d1c33-8a0f2e61","prompt":"5c1d0f5f0a4a1b7e","finish":"stop","output":"x = 1\n"}
//
// The samples stay on disk; memory holds their places.
type Journal struct {
	path  string
	file  *os.File
	size  int64 // of the complete lines
	tasks *task.Set
	// prompts has a digest of each task's prompt, to detect other tasks with the
	// same ids.
	prompts []string
	digests []string        // of the tasks, see [task.Task.Digest]
	asked   int             // the tasks that were asked, from the first
	entries []map[int]entry // for each task, by sample
	seed    maphash.Seed
	buffer  []byte
}

// An entry is the place of a sample.
type entry struct {
	line          int // from 1; 0 for a sample of this run
	start, length int64
	cut, empty    bool
	thinking      bool   // the text contains the model's thinking
	hash          uint64 // of the text
}

type header struct {
	Journal int `json:"journal"` // the format's version
	Settings
}

const journalVersion = 1

type record struct {
	ID     task.ID `json:"id"`
	Sample int     `json:"sample"`
	Digest string  `json:"task_digest"` // "" in journals of earlier versions
	Prompt string  `json:"prompt"`
	Finish string  `json:"finish"`
	Output *string `json:"output"`
}

const maxSample = 1 << 20

// Suffix is added to the name of the samples' file for its journal.
const Suffix = ".journal"

// Open opens the journal of the samples' file path, or begins it. It refuses a
// journal that another process writes to, that has other settings or prompts, or
// that has an invalid line. An incomplete last line was cut by the end of a run,
// and is removed. Open also refuses to begin a journal beside existing samples,
// which would be replaced. An error in the text is a [*rows.Error].
func Open(path string, tasks *task.Set, settings Settings) (*Journal, error) {
	j := &Journal{path: path + Suffix, tasks: tasks, entries: make([]map[int]entry, tasks.Len()), seed: maphash.MakeSeed()}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: expected a regular file, or none", path)
	case err == nil:
		if _, err := os.Stat(j.path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s has samples and no %s to go on from: name another file, or remove it", path, j.path)
		}
	}
	for i, t := range tasks.All() {
		j.prompts = append(j.prompts, digest(t.Prompt()))
		j.digests = append(j.digests, t.Digest())
		j.entries[i] = map[int]entry{}
	}
	j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if lock(j.file) {
		err = j.load(settings)
	} else {
		err = fmt.Errorf("%s: another run is writing to it", j.path)
	}
	if err != nil {
		j.file.Close()
		return nil, err
	}
	return j, nil
}

// ReadSettings returns the settings of the samples in the file path, from the
// journal beside it, or nil if there is none.
func ReadSettings(path string) (*Settings, error) {
	file, err := os.Open(path + Suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	row, err := rows.NewLines(path+Suffix, file).Next()
	if err != nil && err != io.EOF {
		return nil, err
	}
	return settingsOf(path+Suffix, row.Text)
}

func digest(prompt string) string {
	sum := sha256.Sum256([]byte(prompt))
	return hex.EncodeToString(sum[:8])
}

// Close closes the file. Appended samples are on disk already.
func (j *Journal) Close() error { return j.file.Close() }

// load reads the existing lines and cuts off an incomplete last one.
func (j *Journal) load(settings Settings) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: expected a regular file", j.path)
	}
	j.size = info.Size()
	var other error // the settings differ
	for row, err := range rows.All(rows.NewLines(j.path, j.file)) {
		if err != nil {
			return err
		}
		if !json.Valid(row.Text) && !j.isEnded(row) && (row.Line > 1 || begun(row.Text)) {
			j.size = row.Offset // the end of a run cut this line
			break
		}
		if row.Line == 1 {
			other, err = j.readHeader(row.Text, settings)
		} else {
			err = j.readRecord(row, other)
		}
		if err != nil {
			return err
		}
	}
	if other != nil {
		// Without samples, other settings do no harm, for example after a run
		// with a wrong model.
		j.size, j.asked = 0, 0
	}
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	if j.size == 0 {
		j.buffer = pyjson.AppendLine(nil, header{journalVersion, settings})
		return j.flush()
	}
	end := []byte{0}
	if _, err := j.file.ReadAt(end, j.size-1); err != nil || end[0] == '\n' {
		return err
	}
	j.buffer = []byte{'\n'} // only the newline is missing
	return j.flush()
}

// isEnded reports whether a row has a newline after it.
func (j *Journal) isEnded(row rows.Row) bool {
	rest := make([]byte, 1<<10)
	n, _ := j.file.ReadAt(rest, row.Offset+int64(len(row.Text)))
	return bytes.Contains(rest[:n], []byte{'\n'})
}

// begun reports whether text may be the incomplete first line of a journal, and
// not of another file.
func begun(text []byte) bool {
	const start = `{"journal":`
	return strings.HasPrefix(start, string(text[:min(len(text), len(start))]))
}

// settingsOf reads the first line of the journal called path.
func settingsOf(path string, line []byte) (*Settings, error) {
	var h header
	if err := pyjson.Unmarshal(line, &h); err != nil || h.Journal != journalVersion {
		return nil, &rows.Error{File: path, Line: 1, Problem: fmt.Sprintf("expected the first line of a journal, {\"journal\":%d,...}, found something else", journalVersion)}
	}
	return &h.Settings, nil
}

// readHeader reads the first line. other says how its settings differ from now,
// which matters only if there are samples.
func (j *Journal) readHeader(line []byte, now Settings) (other, err error) {
	was, err := settingsOf(j.path, line)
	if err != nil {
		return nil, err
	}
	texts := now.texts()
	for i, of := range was.texts() {
		if of.text != texts[i].text {
			return &rows.Error{File: j.path, Line: 1, Problem: fmt.Sprintf(
				"its samples were made with %s %s, and this run has %s: expected the same, or another file", of.name, of.text, texts[i].text)}, nil
		}
	}
	return nil, nil
}

type setting struct{ name, text string }

// texts returns the settings for a message. They differ if the settings do.
func (s Settings) texts() []setting {
	seed, extra := "none", "none"
	if s.Seed != nil {
		seed = strconv.FormatInt(*s.Seed, 10)
	}
	if text, err := json.Marshal(s.Extra); err == nil && len(s.Extra) > 0 {
		extra = string(text) // sorted by name, without blanks
	}
	return []setting{
		{"model", strconv.Quote(s.Model)},
		{"endpoint", endpoint(s)},
		{"system prompt", strconv.Quote(s.System)},
		{"temperature", fmt.Sprint(s.Temperature)},
		{"max-tokens", strconv.Itoa(s.MaxTokens)},
		{"seed", seed},
		{"extra fields", extra},
	}
}

// readRecord reads a line after the first. other is an error for the first sample, or nil.
func (j *Journal) readRecord(row rows.Row, other error) error {
	var r struct {
		record
		Asked *int `json:"asked"`
	}
	if err := pyjson.Unmarshal(row.Text, &r); err != nil {
		return row.Errorf("expected a sample: %v", err)
	}
	if r.Asked != nil {
		j.asked = max(j.asked, *r.Asked)
		return nil
	}
	if other != nil {
		return other
	}
	task, known := j.tasks.Find(r.ID)
	switch {
	case r.ID == "" || r.Output == nil:
		return row.Errorf("expected a sample with id and output")
	case r.Sample < 0 || r.Sample >= maxSample:
		return row.Errorf("sample: expected 0 to %d, found %d", maxSample-1, r.Sample)
	case !known:
		return row.Errorf("id %s is no task's: expected the tasks this journal was begun with", r.ID)
	case r.Prompt != j.prompts[task]:
		return row.Errorf("id %s was asked with another prompt: expected the tasks this journal was begun with", r.ID)
	case r.Digest != "" && r.Digest != j.digests[task]:
		return row.Errorf("id %s was asked of a task with the digest %s, and has %s now: expected the tasks this journal was begun with", r.ID, r.Digest, j.digests[task])
	}
	if first, twice := j.entries[task][r.Sample]; twice {
		return row.Errorf("sample %d of id %s is already on line %d", r.Sample, r.ID, first.line)
	}
	j.entries[task][r.Sample] = j.entry(*r.Output, r.Finish, row.Line, row.Offset, int64(len(row.Text)))
	return nil
}

func (j *Journal) entry(output, finish string, line int, start, length int64) entry {
	return entry{
		line: line, start: start, length: length,
		cut: finish == "length", empty: output == "", thinking: StripThinking(output) != output,
		hash: maphash.String(j.seed, output),
	}
}

// missing returns the numbers of a task's first n samples that are missing.
func (j *Journal) missing(task, n int) (missing []int) {
	for sample := range n {
		if _, has := j.entries[task][sample]; !has {
			missing = append(missing, sample)
		}
	}
	return missing
}

// append appends the results' answers and syncs them to disk.
func (j *Journal) append(batch []result) error {
	j.buffer = j.buffer[:0]
	type added struct {
		task, sample int
		entry        entry
	}
	var all []added
	for _, r := range batch {
		for i, a := range r.answers() {
			before := len(j.buffer)
			j.buffer = pyjson.AppendLine(j.buffer, record{j.tasks.At(r.job.task).Meta.ID, r.job.samples[i], j.digests[r.job.task], j.prompts[r.job.task], a.finish, &a.text})
			entry := j.entry(a.text, a.finish, 0, j.size+int64(before), int64(len(j.buffer)-before))
			all = append(all, added{r.job.task, r.job.samples[i], entry})
		}
	}
	if len(all) == 0 {
		return nil
	}
	if err := j.flush(); err != nil {
		return err
	}
	for _, a := range all {
		j.entries[a.task][a.sample] = a.entry
	}
	return nil
}

// ask notes that the first n tasks are asked.
func (j *Journal) ask(n int) error {
	if n <= j.asked {
		return nil
	}
	j.asked = n
	j.buffer = pyjson.AppendLine(j.buffer[:0], pyjson.Object{{"asked", n}})
	return j.flush()
}

// flush appends the buffer to the file and syncs it. If this fails, for example
// on a full disk, the file is truncated to its old size.
func (j *Journal) flush() error {
	_, err := j.file.Write(j.buffer)
	if err == nil {
		err = j.file.Sync()
		if errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
	}
	if err != nil {
		return errors.Join(err, j.file.Truncate(j.size))
	}
	j.size += int64(len(j.buffer))
	return nil
}

// Counts are the numbers of samples in a journal.
type Counts struct {
	Tasks    int // with samples
	Samples  int
	Cut      int // samples that the server cut off
	Empty    int // samples without text
	Thinking int // samples with the model's thinking, see [StripThinking]
	// Several counts the tasks with several samples, and Alike those of them
	// whose samples are all equal.
	Alike, Several int
}

// Counts counts the samples in the journal.
func (j *Journal) Counts() (c Counts) {
	for _, entries := range j.entries {
		hashes := map[uint64]bool{}
		for _, e := range entries {
			if e.cut {
				c.Cut++
			}
			if e.empty {
				c.Empty++
			}
			if e.thinking {
				c.Thinking++
			}
			hashes[e.hash] = true
		}
		c.Samples += len(entries)
		if len(entries) > 0 {
			c.Tasks++
		}
		if len(entries) > 1 {
			c.Several++
			if len(hashes) == 1 {
				c.Alike++
			}
		}
	}
	return c
}

// StripThinking returns an answer without the model's thinking at its beginning,
// which some servers leave in the text:
//
//	<think>Is x used? ...</think>
//
//	The corrected code: ...
//
// The opening tag may be missing, as many models have it at the end of their
// prompt. Blank lines after the thinking are removed too. If the thinking was cut
// off, the answer is empty.
func StripThinking(text string) string {
	const opening, closing = "<think>", "</think>"
	rest, opened := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), opening)
	thinking, answer, closed := strings.Cut(rest, closing)
	switch {
	case closed && (opened || !strings.Contains(thinking, opening)):
		for {
			line, after, ok := strings.Cut(answer, "\n")
			if strings.TrimSpace(line) != "" {
				return answer
			}
			if !ok {
				return ""
			}
			answer = after
		}
	case opened && !closed:
		return ""
	}
	return text
}

// Collect writes all samples in the scorer's format, a line for each task that was asked or has
// samples, in the order of the tasks and of the samples' numbers. The same
// samples give the same bytes, whatever the order in which they arrived. edit, if
// set, changes the written samples, not the journal.
func (j *Journal) Collect(w io.Writer, edit func(string) string) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var text []byte
	for at, entries := range j.entries {
		if len(entries) == 0 && at >= j.asked {
			continue
		}
		line := struct {
			ID      task.ID  `json:"id"`
			Digest  string   `json:"task_digest"`
			Outputs []string `json:"outputs"`
		}{j.tasks.At(at).Meta.ID, j.digests[at], []string{}}
		for _, sample := range slices.Sorted(maps.Keys(entries)) {
			e := entries[sample]
			text = slices.Grow(text[:0], int(e.length))[:e.length]
			if _, err := j.file.ReadAt(text, e.start); err != nil {
				return fmt.Errorf("%s: %w", j.path, err)
			}
			var r record
			if err := pyjson.Unmarshal(text, &r); err != nil || r.Output == nil {
				return fmt.Errorf("%s: the sample at byte %d is no longer there", j.path, e.start)
			}
			if edit != nil {
				*r.Output = edit(*r.Output)
			}
			line.Outputs = append(line.Outputs, *r.Output)
		}
		if _, err := out.Write(pyjson.AppendLine(nil, line)); err != nil {
			return err
		}
	}
	return out.Flush()
}

package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"

	"codelinter/internal/version"
)

// versions are the protocol's versions that a client may ask for. They agree in what a server of
// tools needs. Clients of later versions begin with another message, and ask for one of these after
// an error.
var versions = [...]string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// The bounds on what is read and not yet answered.
const (
	maxMessage  = 16 << 20 // bytes
	maxMessages = 16
)

// Serve serves a client until it leaves or ctx ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	s := &server{service: o.Service, slots: make(chan struct{}, max(1, o.Workers))}
	tools := s.tools()
	var rpc *jrpc2.Server
	rpc = jrpc2.NewServer(handler.Map{
		"initialize":                handler.New(initialize),
		"ping":                      handler.New(func(context.Context, *jrpc2.Request) (any, error) { return struct{}{}, nil }),
		"tools/list":                handler.New(func(context.Context, *jrpc2.Request) (any, error) { return map[string]any{"tools": tools}, nil }),
		"tools/call":                func(ctx context.Context, request *jrpc2.Request) (any, error) { return call(ctx, tools, request) },
		"notifications/initialized": handler.New(func(context.Context, *jrpc2.Request) error { return nil }),
		"notifications/cancelled": func(_ context.Context, request *jrpc2.Request) (any, error) {
			var of struct {
				RequestID json.RawMessage `json:"requestId"`
			}
			if request.UnmarshalParams(&of) == nil {
				rpc.CancelRequest(string(of.RequestID))
			}
			return nil, nil
		},
	}, &jrpc2.ServerOptions{DisableBuiltin: true, Concurrency: maxMessages})
	read, write := io.Pipe() // in may stay open when the session ends
	go func() {
		_, err := io.Copy(write, in)
		write.CloseWithError(err)
	}()
	stop := sync.OnceFunc(func() {
		read.Close()
		rpc.Stop()
	})
	defer context.AfterFunc(ctx, stop)()
	status := rpc.Start(newLines(read, out)).WaitStatus()
	stop()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if status.Err != nil && !errors.Is(status.Err, io.EOF) {
		return status.Err
	}
	return nil
}

func initialize(_ context.Context, in struct {
	ProtocolVersion string `json:"protocolVersion"`
}) (any, error) {
	if !slices.Contains(versions[:], in.ProtocolVersion) {
		in.ProtocolVersion = versions[len(versions)-1]
	}
	return map[string]any{
		"protocolVersion": in.ProtocolVersion,
		"capabilities":    map[string]any{"tools": struct{}{}},
		"serverInfo":      map[string]string{"name": "codelinter", "version": version.Version()},
		"instructions":    "Lint Python as flake8 does, without Python; fix it by proven edits; ask after an edit what it brought in; run programs in a sandbox.",
	}, nil
}

// A tool is one of the server's.
type tool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  map[string]any  `json:"inputSchema"`
	OutputSchema map[string]any  `json:"outputSchema"`
	Annotations  map[string]bool `json:"annotations"`

	call func(ctx context.Context, arguments []byte) (any, error)
}

// newTool returns a tool that takes an In and returns an Out.
func newTool[In, Out any](name, description string, work func(context.Context, In) (Out, error)) tool {
	return tool{
		Name: name, Description: description,
		InputSchema:  schema(reflect.TypeFor[In]()),
		OutputSchema: schema(reflect.TypeFor[Out]()),
		Annotations:  map[string]bool{"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
		call: func(ctx context.Context, arguments []byte) (any, error) {
			var in In
			if err := decode(arguments, &in); err != nil {
				return nil, err
			}
			return work(ctx, in)
		},
	}
}

// call calls a tool. An error of the tool is a result that says so, as the model is to read it.
func call(ctx context.Context, tools []tool, request *jrpc2.Request) (any, error) {
	var in struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := request.UnmarshalParams(&in); err != nil {
		return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%v", err)
	}
	i := slices.IndexFunc(tools, func(t tool) bool { return t.Name == in.Name })
	if i < 0 {
		return nil, jrpc2.Errorf(jrpc2.InvalidParams, "there is no tool %.40q", in.Name)
	}
	out, err := guarded(ctx, &tools[i], in.Arguments)
	if err != nil {
		return map[string]any{"content": content(err.Error()), "isError": true}, nil
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return map[string]any{"content": content(string(text)), "structuredContent": out}, nil
}

// guarded calls a tool. A panic ends the call and not the server.
func guarded(ctx context.Context, t *tool, arguments []byte) (out any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	return t.call(ctx, arguments)
}

func content(text string) []map[string]string {
	return []map[string]string{{"type": "text", "text": text}}
}

// decode reads arguments. An unknown one is an error, and so is a missing one that must be there.
func decode(arguments []byte, into any) error {
	var given map[string]json.RawMessage
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &given); err != nil {
			return fmt.Errorf("arguments: expected an object: %w", err)
		}
	}
	for _, name := range required(reflect.TypeOf(into).Elem()) {
		if _, has := given[name]; !has {
			return fmt.Errorf("arguments: expected %q", name)
		}
	}
	if len(given) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("arguments: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// schema returns the JSON schema of a type. Fields have their descriptions in the tag jsonschema.
func schema(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return schema(t.Elem())
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int32:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schema(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object"}
	}
	properties := map[string]any{}
	for _, field := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			property := schema(field.Type)
			if said := field.Tag.Get("jsonschema"); said != "" {
				property["description"] = said
			}
			properties[name] = property
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required(t), "additionalProperties": false}
}

// required returns the names of the fields that are always there.
func required(t reflect.Type) []string {
	names := []string{}
	for _, field := range reflect.VisibleFields(t) {
		if name, more, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && more == "" {
			names = append(names, name)
		}
	}
	return names
}

// lines carry a message a line. They read no more while as many requests are not answered as is the
// bound, and report the input's end when all are, as the server ends then.
type lines struct {
	in  *bufio.Reader
	out io.Writer

	mutex  sync.Mutex
	change sync.Cond       // of what follows
	open   map[string]bool // ids of requests without an answer
	closed bool
}

func newLines(in io.Reader, out io.Writer) *lines {
	l := &lines{in: bufio.NewReaderSize(in, 1<<16), out: out, open: map[string]bool{}}
	l.change.L = &l.mutex
	return l
}

// answer is how answers begin; their ids follow.
const answer = `{"jsonrpc":"2.0","id":`

// Send implements [channel.Channel].
func (l *lines) Send(message []byte) error {
	if rest, is := bytes.CutPrefix(message, []byte(answer)); is {
		var id json.RawMessage
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&id) == nil {
			l.mutex.Lock()
			delete(l.open, string(id))
			l.change.Broadcast()
			l.mutex.Unlock()
		}
	}
	_, err := l.out.Write(append(message, '\n'))
	return err
}

// wait waits until at most so many requests are open. It returns false if the channel is closed
// before.
func (l *lines) wait(most int) bool {
	for len(l.open) > most && !l.closed {
		l.change.Wait()
	}
	return !l.closed
}

// Recv implements [channel.Channel].
func (l *lines) Recv() ([]byte, error) {
	line, err := l.line()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err != nil {
		l.wait(0)
		return nil, err
	}
	if !l.wait(maxMessages - 1) {
		return nil, io.EOF
	}
	var asks struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(line, &asks) == nil && asks.Method != "" && len(asks.ID) > 0 && string(asks.ID) != "null" {
		l.open[string(asks.ID)] = true
	}
	return line, nil
}

// line reads a line that is not blank.
func (l *lines) line() ([]byte, error) {
	for {
		var line []byte
		for {
			part, err := l.in.ReadSlice('\n')
			if line = append(line, part...); len(line) > maxMessage {
				return nil, fmt.Errorf("expected messages of %d bytes at most, found a longer one", maxMessage)
			}
			if err == nil {
				break
			}
			if err != bufio.ErrBufferFull {
				return nil, err
			}
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// Close implements [channel.Channel].
func (l *lines) Close() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.closed = true
	l.change.Broadcast()
	return nil
}

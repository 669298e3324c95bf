// Package lsp is a language server: an editor sends text as it is typed, and receives
// flake8's findings as diagnostics.
//
//	err := lsp.Serve(ctx, os.Stdin, os.Stdout, lsp.Options{Args: []string{"--max-line-length=100"}})
//
// A document gets the findings of `codelinter check` in the workspace's folder, as if it were
// saved: configuration files, --exclude and --per-file-ignores apply. It need not match --filename.
// Configuration is read again for each lint, so changes take effect. A text that has
// changed again is not linted.
//
// The protocol is Microsoft's, version 3.17, with incremental edits. Diagnostics are
// pushed with the document's version; hovering shows the rule's page. Code actions mend a
// finding, or all of a document, by package fix. Positions count UTF-16, or UTF-8 if the
// client offers it.
package lsp

import (
	"context"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"

	"codelinter/fix"
	"codelinter/internal/version"
)

// Options configure [Serve].
type Options struct {
	Args []string // flake8's options, before those of configuration files
}

// ErrNotShutDown is the error for a client that left without shutdown.
var ErrNotShutDown = errors.New("the client left without shutdown")

// Serve serves one client until it leaves or ctx ends. It changes the process' working
// folder to that of the file it lints, as flake8 resolves all names from there.
func Serve(ctx context.Context, in io.Reader, out io.WriteCloser, o Options) error {
	s := &session{options: o, project: fix.NewProject(), documents: map[string]*document{}, wake: make(chan struct{}, 1)}
	s.rpc = jrpc2.NewServer(inOrder{s, handler.Map{
		"initialize":                          handler.New(s.initialize),
		"initialized":                         handler.New(s.initialized),
		"shutdown":                            ignored, // see inOrder
		"exit":                                handler.New(s.exit),
		"$/setTrace":                          ignored,
		"$/cancelRequest":                     ignored, // requests are answered at once
		"textDocument/didOpen":                handler.New(s.didOpen),
		"textDocument/didChange":              handler.New(s.didChange),
		"textDocument/didClose":               handler.New(s.didClose),
		"textDocument/didSave":                handler.New(s.didSave),
		"textDocument/hover":                  handler.New(s.hover),
		"textDocument/codeAction":             handler.New(s.codeAction),
		"workspace/didChangeConfiguration":    handler.New(s.didChangeConfiguration),
		"workspace/didChangeWatchedFiles":     handler.New(s.didChangeConfiguration),
		"workspace/didChangeWorkspaceFolders": handler.New(s.didChangeWorkspaceFolders),
	}}, &jrpc2.ServerOptions{
		AllowPush:      true,
		DisableBuiltin: true,
		Concurrency:    1, // edits must be applied in order
	})
	// in may stay open when the session ends. A pipe between in and the server can be
	// closed.
	read, write := io.Pipe()
	go func() {
		_, err := io.Copy(write, in)
		write.CloseWithError(err)
	}()
	ending, cancel := context.WithCancel(ctx)
	var worker sync.WaitGroup
	worker.Go(func() { s.work(ending) })
	defer worker.Wait()
	defer cancel()
	s.stop = sync.OnceFunc(func() {
		read.Close()
		s.rpc.Stop()
	})
	defer context.AfterFunc(ctx, s.stop)()
	status := s.rpc.Start(newStream(read, out)).WaitStatus()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case status.Err != nil && !errors.Is(status.Err, io.ErrClosedPipe): // stop may close it first
		return status.Err
	case !s.isShutDown:
		return ErrNotShutDown
	}
	return nil
}

// notInitialized is the protocol's code for a request before initialize.
const notInitialized jrpc2.Code = -32002

// inOrder are the session's handlers. They refuse what comes before initialize or after shutdown,
// except for exit.
type inOrder struct {
	session *session
	all     handler.Map
}

// Assign implements [jrpc2.Assigner]. It is called for each message in turn, while handlers of
// requests may run in any order.
func (h inOrder) Assign(ctx context.Context, method string) jrpc2.Handler {
	s := h.session
	switch {
	case method == "exit":
	case s.isShutDown:
		return refuse(jrpc2.InvalidRequest, "the server is shut down")
	case method == "initialize":
		s.isInitialized = true
	case !s.isInitialized:
		return refuse(notInitialized, "the server is not initialized")
	case method == "shutdown":
		s.isShutDown = true
	}
	return h.all.Assign(ctx, method)
}

func refuse(code jrpc2.Code, message string) jrpc2.Handler {
	return func(context.Context, *jrpc2.Request) (any, error) { return nil, jrpc2.Errorf(code, "%s", message) }
}

var ignored = handler.New(func(context.Context, *jrpc2.Request) error { return nil })

// A session is the session of one client.
type session struct {
	options Options
	rpc     *jrpc2.Server
	stop    func() // ends the session

	isInitialized, isShutDown bool // see inOrder

	watches bool // the client can watch files for us

	mutex     sync.Mutex // of the following fields
	encoding  encoding
	folders   []string // of the workspace
	documents map[string]*document
	said      string // the last configuration error shown to the user

	wake chan struct{} // signals that there is something to lint

	project *fix.Project // what files on the disk mention, for fixers

	working sync.Mutex // locks the working folder while files are looked up from it
}

type initializeParams struct {
	RootURI          string            `json:"rootUri"`
	WorkspaceFolders []workspaceFolder `json:"workspaceFolders"`
	Capabilities     struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

type workspaceFolder struct {
	URI string `json:"uri"`
}

func (s *session) initialize(_ context.Context, p initializeParams) (any, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, name := range p.Capabilities.General.PositionEncodings {
		if name == "utf-8" {
			s.encoding = utf8Encoding
		}
	}
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	if len(p.WorkspaceFolders) == 0 && p.RootURI != "" {
		p.WorkspaceFolders = []workspaceFolder{{p.RootURI}}
	}
	s.addFolders(p.WorkspaceFolders)
	return map[string]any{
		"serverInfo": map[string]string{"name": "codelinter", "version": version.Version()},
		"capabilities": map[string]any{
			"positionEncoding":   s.encoding.String(),
			"textDocumentSync":   map[string]any{"openClose": true, "change": 2, "save": true},
			"hoverProvider":      true,
			"codeActionProvider": map[string]any{"codeActionKinds": []string{quickFix, fixAll}},
			"workspace":          map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}},
		},
	}, nil
}

// initialized asks the client to report changes of configuration files. It does not wait
// for the answer, which cannot be read before this handler returns.
func (s *session) initialized(context.Context, *jrpc2.Request) error {
	if s.watches {
		watchers := []map[string]string{}
		for _, name := range []string{"setup.cfg", "tox.ini", ".flake8"} {
			watchers = append(watchers, map[string]string{"globPattern": "**/" + name})
		}
		go s.rpc.Callback(context.Background(), "client/registerCapability", map[string]any{"registrations": []any{map[string]any{ //nolint:errcheck // a client that cannot, says so
			"id": "configuration", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": watchers},
		}}})
	}
	return nil
}

func (s *session) exit(context.Context, *jrpc2.Request) error {
	go s.stop() // a goroutine, as stop waits for this handler
	return nil
}

func (s *session) didChangeWorkspaceFolders(_ context.Context, p struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}) error {
	s.mutex.Lock()
	for _, removed := range p.Event.Removed {
		for i, folder := range s.folders {
			if path, ok := pathOf(removed.URI); ok && path == folder {
				s.folders = append(s.folders[:i:i], s.folders[i+1:]...)
				break
			}
		}
	}
	s.addFolders(p.Event.Added)
	s.mutex.Unlock()
	s.lintAll()
	return nil
}

func (s *session) addFolders(folders []workspaceFolder) {
	for _, folder := range folders {
		if path, ok := pathOf(folder.URI); ok {
			s.folders = append(s.folders, path)
		}
	}
}

// place returns the folder from which flake8 would lint a document, and the document's
// name there. A document that is not a file has no folder.
func (s *session) place(uri string) (folder, name string) {
	path, ok := pathOf(uri)
	if !ok {
		if len(s.folders) > 0 {
			folder = s.folders[0]
		}
		return folder, "stdin"
	}
	folder = filepath.Dir(path)
	longest := -1
	for _, candidate := range s.folders {
		if relative, err := filepath.Rel(candidate, path); err == nil && filepath.IsLocal(relative) && len(candidate) > longest {
			folder, longest = candidate, len(candidate)
		}
	}
	if name, err := filepath.Rel(folder, path); err == nil {
		return folder, name
	}
	return folder, path
}

// pathOf returns the path of a file's URI.
func pathOf(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	path = u.Path
	if runtime.GOOS == "windows" { // file:///c%3A/spam.py
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(filepath.Clean(path)), path != ""
}

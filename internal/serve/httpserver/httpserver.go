// Package httpserver serves codelinter over HTTP: scores, findings, the trainers' protocols,
// and metrics.
//
//	var options server.Options
//	options.Service.Tasks = tasks
//	server, err := server.New(options)
//	...
//	defer server.Close()
//	listener, err := server.Listen("127.0.0.1:8414")
//	...
//	err = server.Serve(ctx, listener) // until ctx ends and what is in flight is answered
//
// /openapi.json, which is made of the types in openapi_types.go, and docs/serving.md describe
// requests and replies.
//
// # What is promised
//
// Every request is answered, or its connection is closed at a documented bound: of the
// time for headers, bodies, idle connections and slow readers; of the size of bodies; of
// the number of connections; and of the bytes held at once. If there is no room, a
// request is refused at once with 503 and Retry-After. If a client is refused while it
// sends, the server reads on for some time, as the client would otherwise see a broken
// connection in place of the reply.
//
// Errors in an answer or its task are in its score, with status 200, as trainers repeat
// requests with other statuses for minutes. An error in the whole request, or in its
// settings, is 400 with a text that says what was expected, and where.
//
// # Who may ask
//
// Without a token, everyone who reaches the listener may ask. A browser on this machine
// runs scripts of any page in the world. So requests from pages of another origin are
// refused. So are requests to a Host that is not the loopback's, unless
// [Options.AnyHost] is set: a page could let its own name resolve to the loopback.
package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"codelinter/evaluator"
	"codelinter/internal/serve/api"
	"codelinter/internal/serve/sandboxfusion"
	"codelinter/internal/serve/service"
	"codelinter/internal/version"
	"codelinter/rule"
)

// Options configure a Server. The zero Options serve this machine alone.
type Options struct {
	Service  service.Options // the server sets Observe
	Defaults api.Defaults    // for requests without settings; Deadline 0: [DefaultDeadline]

	// Requests must have Token or a token of TokenFile, which has one a line; "" for both: none.
	Token, TokenFile string
	AnyHost          bool // accept any Host, if the listener is not the loopback
	// CertFile and KeyFile turn on TLS. They and TokenFile are read again when they change.
	CertFile, KeyFile string

	MaxBody        int64 // bytes of a body, after decompression; 0: [DefaultMaxBody]
	MaxConnections int   // 0: [DefaultMaxConnections], or fewer if the system allows fewer files

	HeaderTimeout time.Duration // for the headers of a request; 0: [DefaultHeaderTimeout]
	BodyTimeout   time.Duration // for its body; 0: [DefaultBodyTimeout]
	WriteTimeout  time.Duration // for the client to read the reply; 0: [DefaultWriteTimeout]
	IdleTimeout   time.Duration // between requests; 0: [DefaultIdleTimeout]
	Grace         time.Duration // for requests in flight when the server stops; 0: [DefaultGrace]

	Log        *slog.Logger // nil: no log
	LogAnswers bool         // with the texts of requests
	// Dropped, if set, returns the number of dropped log lines.
	Dropped func() int64
}

// The defaults. The deadline is shorter than the patience of any client; slime, the
// least patient, waits 120 s.
const (
	DefaultDeadline       = 100 * time.Second
	DefaultMaxBody        = 64 << 20
	DefaultMaxConnections = 4096
	DefaultHeaderTimeout  = 10 * time.Second
	DefaultBodyTimeout    = 60 * time.Second
	DefaultWriteTimeout   = 60 * time.Second
	DefaultIdleTimeout    = 120 * time.Second
	DefaultGrace          = 30 * time.Second
)

// Bounds on a request's headers: their length, to which net/http adds 4 KiB, and their
// number.
const (
	maxHeaderBytes = 4 << 10
	maxHeaders     = 100
)

// halfClosed is the time for which work goes on after the client has closed its side.
// TCP does not show whether the client has left or has only finished sending.
const halfClosed = 5 * time.Second

// A Server is an HTTP handler with a service behind it. It is safe for concurrent use.
type Server struct {
	options     Options
	service     *service.Service
	programs    *sandboxfusion.Runner
	metrics     *metrics
	starts      func(context.Context) error // starts the sandboxes
	handler     http.Handler
	debug       http.Handler
	tokens      *reloaded[[]digest]         // of TokenFile; nil without one
	certificate *reloaded[*tls.Certificate] // nil without TLS
	version     string
	product     []string // the header Server, with the linter's versions
	origins     *http.CrossOriginProtection
	decoding    chan struct{}   // holds a value for each body that is being decoded
	ending      context.Context // ends when the server stops
	end         context.CancelFunc
	conns       atomic.Int64
	nextConn    atomic.Int64
	ready       atomic.Bool
	stopping    atomic.Bool
}

// New returns a Server and starts its service.
func New(o Options) (*Server, error) {
	if o.Defaults.Verdict == "" {
		o.Defaults.Verdict = evaluator.Guarded
	}
	setDefault(&o.Defaults.Deadline, DefaultDeadline)
	setDefault(&o.MaxBody, DefaultMaxBody)
	setDefault(&o.MaxConnections, DefaultMaxConnections)
	if files := openFiles(); files > 0 {
		// The sandbox and the process need some files.
		o.MaxConnections = max(min(o.MaxConnections, files-files/4), 1)
	}
	setDefault(&o.HeaderTimeout, DefaultHeaderTimeout)
	setDefault(&o.BodyTimeout, DefaultBodyTimeout)
	setDefault(&o.WriteTimeout, DefaultWriteTimeout)
	setDefault(&o.IdleTimeout, DefaultIdleTimeout)
	setDefault(&o.Grace, DefaultGrace)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	var err error
	if o.Service.Release, o.Service.Target, err = rule.Resolve(o.Service.Release, o.Service.Target); err != nil {
		return nil, err
	}
	s := &Server{
		options:  o,
		origins:  http.NewCrossOriginProtection(),
		decoding: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	s.ending, s.end = context.WithCancel(context.Background())
	s.version = version.Full(o.Service.Release, o.Service.Target)
	s.product = []string{"codelinter/" + version.Version() + " (" + rule.Reference(o.Service.Release, o.Service.Target) + ")"}
	s.metrics = newMetrics()
	o.Service.Observe = s.metrics.observe
	if s.service, err = service.New(o.Service); err != nil {
		return nil, err
	}
	s.programs = sandboxfusion.New(sandboxfusion.Options{Workers: o.Service.Workers, CacheDir: o.Service.Sandbox.CacheDir, Notice: o.Service.Sandbox.Notice, Observe: s.metrics.program})
	s.starts = s.startSandboxes
	s.handler, s.debug = s.routes(), s.debugRoutes()
	return s, nil
}

func setDefault[T comparable](value *T, other T) {
	var zero T
	if *value == zero {
		*value = other
	}
}

// Close ends the service. Requests in flight get 503.
func (s *Server) Close() error {
	s.end()
	return errors.Join(s.programs.Close(), s.service.Close())
}

// Handler returns the handler of all routes. [Server.Serve] adds the bounds on
// connections and headers.
func (s *Server) Handler() http.Handler { return s.handler }

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	methods := map[string]string{} // by path
	for _, route := range []struct {
		pattern string
		guarded bool
		handle  func(*exchange)
	}{
		{"GET /openapi.json", false, s.getOpenAPI},
		{"GET /healthz", false, s.getHealth},
		{"GET /readyz", false, s.getReady},
		{"GET /metrics", true, s.getMetrics},

		{"POST /v1/score", true, serviceHandler(scoreSettings, decodeScore)},
		{"POST /v1/lint", true, serviceHandler(noSettings, decodeLint)},
		{"POST /v1/edit", true, serviceHandler(noSettings, decodeEdit)},

		{runCode, true, s.postRunCode},

		{"POST /openrlhf", true, serviceHandler(scoreSettings, decodeOpenRLHF)},
		{"POST /slime", true, serviceHandler(slimeSettings, decodeSlime)},
	} {
		mux.Handle(route.pattern, s.handle(route.pattern, route.guarded, route.handle))
		method, path, _ := strings.Cut(route.pattern, " ")
		methods[path] = method
	}
	mux.Handle("/", s.handle("/", false, func(x *exchange) {
		path := x.request.URL.Path
		if method, known := methods[path]; known {
			x.writer.Header().Set("Allow", method)
			x.fail(http.StatusMethodNotAllowed, fmt.Sprintf("%s: expected %s, found %s", path, method, x.request.Method))
			return
		}
		x.fail(http.StatusNotFound, fmt.Sprintf("%.100s: there is no such path; /openapi.json lists those there are", path))
	}))
	return compress(mux)
}

// handle wraps a handler in what all handlers share.
func (s *Server) handle(pattern string, guarded bool, handle func(*exchange)) http.Handler {
	route := pattern
	if pattern == "/" {
		route = "other"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{server: s, writer: w, request: r, began: time.Now(), hold: s.service.Hold(), ids: identify(r.Header)}
		x.control = http.NewResponseController(w)
		if pattern == runCode {
			x.again = http.StatusGatewayTimeout
		}
		defer x.end(route)
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-store")
		header["Server"] = s.product
		x.ids.set(header)
		// Without the deadline of the previous reply on this connection.
		x.control.SetWriteDeadline(time.Time{})
		if len(r.TransferEncoding) > 0 {
			// A request may have Content-Length beside it, which net/http hides, and which a
			// proxy may have believed. What follows on the connection is then not to be
			// trusted (RFC 9112, 6.1).
			header.Set("Connection", "close")
		}
		if len(r.Header) > maxHeaders {
			clear(r.Header) // they take many times their length
			header.Set("Connection", "close")
			x.fail(http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("expected %d headers at most", maxHeaders))
			return
		}
		if s.conns.Load() > int64(s.options.MaxConnections) {
			header.Set("Connection", "close")
			x.busy("too many connections")
			return
		}
		if status, problem := s.refuse(r, guarded); problem != "" {
			if status == http.StatusUnauthorized {
				header.Set("WWW-Authenticate", `Bearer realm="codelinter"`)
			}
			x.fail(status, problem)
			return
		}
		handle(x)
	})
}

// Serve serves the listener until ctx ends, and closes it. Then it accepts nothing new
// and answers the requests in flight within [Options.Grace]. It returns nil, or an error
// if that was not enough time.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.options.HeaderTimeout,
		IdleTimeout:       s.options.IdleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		TLSConfig:         s.tlsConfig(),
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return life },
		ConnState:         s.count,
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, clientKey{}, strconv.FormatInt(s.nextConn.Add(1), 36))
		},
	}
	go s.warm(life)
	go s.watch(life)
	done := make(chan error, 1)
	go func() {
		if server.TLSConfig != nil {
			done <- server.ServeTLS(listener, "", "")
		} else {
			done <- server.Serve(listener)
		}
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	s.end()
	s.options.Log.Info("stopping", "grace", s.options.Grace.String())
	grace, release := context.WithTimeout(life, s.options.Grace)
	defer release()
	err := server.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		cancel()
		server.Close()
		err = fmt.Errorf("some requests were not answered within %v", s.options.Grace)
	}
	<-done
	return err
}

// clientKey is the context key of a connection's name.
type clientKey struct{}

// clientOf names a request's client, which is its connection. Clients take turns.
func clientOf(r *http.Request) string {
	if name, ok := r.Context().Value(clientKey{}).(string); ok {
		return name
	}
	return r.RemoteAddr
}

// startSandboxes starts what the server offers: the judge's sandbox, unless only requests that
// ask for it have the guarded verdict, and that of /run_code.
func (s *Server) startSandboxes(ctx context.Context) error {
	if s.options.Defaults.Verdict != evaluator.Official {
		if err := s.service.Ready(ctx); err != nil {
			return err
		}
	}
	return s.programs.Ready(ctx)
}

// warm starts the sandboxes, and retries until they run.
func (s *Server) warm(ctx context.Context) {
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		err := s.starts(ctx)
		if err == nil {
			s.ready.Store(true)
			s.options.Log.Info("ready")
			return
		}
		if ctx.Err() != nil {
			return
		}
		s.options.Log.Error("the sandbox does not start", "error", err.Error(), "again", wait.String())
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

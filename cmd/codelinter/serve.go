package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codelinter/internal/serve/httpserver"
	"codelinter/internal/serve/service"
)

type serveOptions struct {
	serviceOptions
	listen, debugListen string
	logLevel, logFormat string
	options             httpserver.Options
}

// tokenVariable is the environment variable with the token. Unlike the option
// --token, it is not visible to everybody on the machine.
const tokenVariable = "CODELINTER_TOKEN"

func newServeCommand() *cobra.Command {
	var o serveOptions
	command := &cobra.Command{
		Use:        "serve [--tasks FILE] [--listen ADDRESS] [options]",
		SuggestFor: []string{"api", "http", "reward", "server", "daemon"},
		Short:      "Give scores and findings over HTTP, as the reward of a trainer",
		Long: `Answers POST /v1/score and /v1/lint, and the trainers' own requests:
/openrlhf and /slime (slime and miles). POST /run_code runs a program for clients
of SandboxFusion. /openapi.json describes each endpoint.

Each request is answered in bounded time and memory. An error in one completion
stands in its score. A request without room gets 503 at once. After SIGTERM the
server answers the requests in flight, and ends.

Other machines need a token: --token-file, --token or ` + tokenVariable + `.`,
		Example: "  codelinter serve --tasks tasks.jsonl\n" +
			"  codelinter serve --listen unix:/run/codelinter.sock --verdict official",
		Args: arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error { return runServe(command, &o) }),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8414", "listen on `ADDRESS`, or on the socket PATH for unix:PATH")
	flags.StringVar(&o.options.Token, "token", "", "answer only who bears `TOKEN` (default: $"+tokenVariable+", or none)")
	flags.StringVar(&o.options.TokenFile, "token-file", "", "answer who bears a token of `FILE`, which has one a line and is read again when it changes")
	flags.StringVar(&o.options.CertFile, "cert", "", "speak TLS with the certificates in `FILE`, in PEM, which is read again when it changes")
	flags.StringVar(&o.options.KeyFile, "key", "", "and with the key in `FILE`, in PEM")
	o.addFlags(command, flags, service.DefaultMaxQueue, "hold `N` bytes of requests that are not answered yet; beyond, answer 503")
	deadline := flags.Lookup("deadline")
	deadline.DefValue, o.Deadline = httpserver.DefaultDeadline.String(), httpserver.DefaultDeadline
	deadline.Usage = "have an answer unknown after `TIME` where a request does not say"
	flags.DurationVar(&o.options.Grace, "grace", httpserver.DefaultGrace, "wait `TIME` for what is in flight when the server is stopped")
	flags.StringVar(&o.debugListen, "debug-listen", "", "serve profiles (/debug/pprof/) and metrics, without a token, on `ADDRESS` of this machine or unix:PATH")
	flags.StringVar(&o.logLevel, "log-level", "info", "log what is of `LEVEL` and above: debug (each request), info, warn, error")
	completeValues(command, "log-level", "debug", "info", "warn", "error")
	o.logFormat = "text"
	addChoice(command, &o.logFormat, "log-format", "log in `FORMAT`: text or json", "text", "json")
	flags.BoolVar(&o.options.LogAnswers, "log-answers", false, "log the bodies of requests as well, with the texts of answers")
	return command
}

func (o *serveOptions) check(command *cobra.Command) (level slog.Level, err error) {
	if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
		return 0, badArgument("--log-level", "expected debug, info, warn or error, found %q", o.logLevel)
	}
	if (o.options.CertFile == "") != (o.options.KeyFile == "") {
		return 0, misuse{errors.New("--cert goes with --key")}
	}
	if o.Deadline <= 0 {
		return 0, badArgument("--deadline", "expected a time like 90s or 5m, found %v", o.Deadline)
	}
	if o.options.Grace <= 0 {
		return 0, badArgument("--grace", "expected a time like 90s or 5m, found %v", o.options.Grace)
	}
	return level, nil
}

func runServe(command *cobra.Command, o *serveOptions) error {
	level, err := o.check(command)
	if err != nil {
		return err
	}
	defer o.plugins.Close()
	if err := o.complete(command); err != nil {
		return err
	}
	options := o.options
	options.Service, options.Defaults = o.Options, o.Defaults
	if options.Token == "" && options.TokenFile == "" {
		options.Token = os.Getenv(tokenVariable)
	}
	listener, debug, err := o.listeners(command, options.Token == "" && options.TokenFile == "")
	if err != nil {
		return err
	}
	defer listener.Close()
	options.AnyHost = !httpserver.IsLocal(listener) || httpserver.IsSocket(listener)

	lines := httpserver.NewLogWriter(command.ErrOrStderr())
	defer func() {
		soon, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		lines.Close(soon.Done())
	}()
	options.Dropped = lines.Dropped
	handler := slog.Handler(slog.NewTextHandler(lines, &slog.HandlerOptions{Level: level}))
	if o.logFormat == "json" {
		handler = slog.NewJSONHandler(lines, &slog.HandlerOptions{Level: level})
	}
	options.Log = slog.New(handler)
	options.Service.Sandbox.Notice = func(text string) { options.Log.Warn(text) }
	server, err := httpserver.New(options)
	if _, invalid := errors.AsType[*httpserver.FileError](err); invalid {
		return misuse{err}
	}
	if err != nil {
		return err
	}
	defer server.Close()
	if debug != nil {
		defer debug.Close()
		options.Log.Info("listening for debugging", "address", debug.Addr().String())
		go server.ServeDebug(command.Context(), debug)
	}
	options.Log.Info("listening", "address", address(listener.Addr().String(), o), "tasks", o.name, "verdict", o.Verdict, "reward", o.reward)
	return server.Serve(command.Context(), listener)
}

// listeners returns the listener and, with --debug-listen, that for debugging. open says that
// there is no token.
func (o *serveOptions) listeners(command *cobra.Command, open bool) (listener, debug net.Listener, err error) {
	if listener, err = listen(command, "--listen", o.listen); err != nil {
		return nil, nil, err
	}
	if !httpserver.IsLocal(listener) && open {
		listener.Close()
		return nil, nil, badArgument("--listen", "%s is reached by other machines, for which --token-file, --token or %s is required", o.listen, tokenVariable)
	}
	if o.debugListen == "" {
		return listener, nil, nil
	}
	debug, err = listen(command, "--debug-listen", o.debugListen)
	if err == nil && !httpserver.IsLocal(debug) {
		debug.Close()
		err = badArgument("--debug-listen", "expected an address of this machine alone, such as 127.0.0.1:8415, found %s", o.debugListen)
	}
	if err != nil {
		listener.Close()
		return nil, nil, err
	}
	return listener, debug, nil
}

// listen listens on the address that is an option's value.
func listen(command *cobra.Command, option, at string) (net.Listener, error) {
	listener, err := httpserver.Listen(at)
	if _, wrong := errors.AsType[*net.AddrError](err); wrong {
		return nil, badArgument(option, "expected HOST:PORT or unix:PATH, found %q", at)
	}
	if err != nil {
		tell(command, "error: argument %s: %v", option, err)
		return nil, exitCode(exitMisuse)
	}
	return listener, nil
}

// address is the listener's address for a browser or a trainer.
func address(of string, o *serveOptions) string {
	if strings.HasPrefix(o.listen, "unix:") {
		return "unix:" + of
	}
	scheme := "http"
	if o.options.CertFile != "" {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: of, Path: "/"}).String()
}

package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
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
	listen, token       string
	cert, key           string
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

Other machines need a token: --token or ` + tokenVariable + `.`,
		Example: "  codelinter serve --tasks tasks.jsonl\n" +
			"  codelinter serve --listen unix:/run/codelinter.sock --verdict official",
		Args: arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error { return runServe(command, &o) }),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8414", "listen on `ADDRESS`, or on the socket PATH for unix:PATH")
	flags.StringVar(&o.token, "token", "", "answer only who bears `TOKEN` (default: $"+tokenVariable+", or none)")
	flags.StringVar(&o.cert, "cert", "", "speak TLS with the certificates in `FILE`, in PEM")
	flags.StringVar(&o.key, "key", "", "and with the key in `FILE`, in PEM")
	o.addFlags(command, flags, service.DefaultMaxQueue, "hold `N` bytes of requests that are not answered yet; beyond, answer 503")
	deadline := flags.Lookup("deadline")
	deadline.DefValue, o.Deadline = httpserver.DefaultDeadline.String(), httpserver.DefaultDeadline
	deadline.Usage = "have an answer unknown after `TIME` where a request does not say"
	flags.Int64Var(&o.options.MaxBody, "max-body", httpserver.DefaultMaxBody, "take no body of more than `N` bytes, after decompression")
	flags.IntVar(&o.options.MaxConnections, "max-connections", httpserver.DefaultMaxConnections, "keep `N` connections; beyond, answer 503")
	flags.DurationVar(&o.options.HeaderTimeout, "header-timeout", httpserver.DefaultHeaderTimeout, "wait `TIME` for the headers of a request")
	flags.DurationVar(&o.options.BodyTimeout, "body-timeout", httpserver.DefaultBodyTimeout, "wait `TIME` for the body of a request")
	flags.DurationVar(&o.options.WriteTimeout, "write-timeout", httpserver.DefaultWriteTimeout, "wait `TIME` for the client to take a reply")
	flags.DurationVar(&o.options.IdleTimeout, "idle-timeout", httpserver.DefaultIdleTimeout, "wait `TIME` for the next request of a connection")
	flags.DurationVar(&o.options.Grace, "grace", httpserver.DefaultGrace, "wait `TIME` for what is in flight when the server is stopped")
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
	if (o.cert == "") != (o.key == "") {
		return 0, misuse{errors.New("--cert goes with --key")}
	}
	if err := atLeast(command, 1, "max-body", "max-connections"); err != nil {
		return 0, err
	}
	for _, wait := range []struct {
		option string
		value  time.Duration
	}{
		{"--deadline", o.Deadline}, {"--header-timeout", o.options.HeaderTimeout}, {"--body-timeout", o.options.BodyTimeout},
		{"--write-timeout", o.options.WriteTimeout}, {"--idle-timeout", o.options.IdleTimeout}, {"--grace", o.options.Grace},
	} {
		if wait.value <= 0 {
			return 0, badArgument(wait.option, "expected a time like 90s or 5m, found %v", wait.value)
		}
	}
	return level, nil
}

func runServe(command *cobra.Command, o *serveOptions) error {
	level, err := o.check(command)
	if err != nil {
		return err
	}
	if err := o.complete(command); err != nil {
		return err
	}
	options := o.options
	options.Service, options.Defaults = o.Options, o.Defaults
	if o.token == "" {
		o.token = os.Getenv(tokenVariable)
	}
	options.Token = o.token
	if o.cert != "" {
		certificate, err := tls.LoadX509KeyPair(o.cert, o.key)
		if err != nil {
			return misuse{fmt.Errorf("arguments --cert and --key: %w", err)}
		}
		options.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}}
	}
	listener, err := httpserver.Listen(o.listen)
	if _, wrong := errors.AsType[*net.AddrError](err); wrong {
		return badArgument("--listen", "expected HOST:PORT or unix:PATH, found %q", o.listen)
	}
	if err != nil {
		tell(command, "error: argument --listen: %v", err)
		return exitCode(exitMisuse)
	}
	options.AnyHost = !httpserver.IsLocal(listener) || httpserver.IsSocket(listener)
	if !httpserver.IsLocal(listener) && o.token == "" {
		listener.Close()
		return badArgument("--listen", "%s is reached by other machines, for which --token or %s is required", o.listen, tokenVariable)
	}

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
	if err != nil {
		listener.Close()
		return err
	}
	defer server.Close()
	options.Log.Info("listening", "address", address(listener.Addr().String(), o), "tasks", o.name, "verdict", o.Verdict, "reward", o.reward)
	return server.Serve(command.Context(), listener)
}

// address is the listener's address for a browser or a trainer.
func address(of string, o *serveOptions) string {
	if strings.HasPrefix(o.listen, "unix:") {
		return "unix:" + of
	}
	scheme := "http"
	if o.cert != "" {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: of, Path: "/"}).String()
}

package httpserver

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"time"
)

// # The debug listener
//
// It has the server's profiles, as `go tool pprof` and `go tool trace` read them, and its metrics.
// net/http/pprof is not used: it registers its handlers at the start of every command.

// profileTime is how long a profile of time is by default, and maxProfileTime how long it may be.
const (
	profileTime    = 30 * time.Second
	maxProfileTime = 5 * time.Minute
)

// ServeDebug serves /debug/pprof/ and /metrics on a listener until ctx ends, and closes it. Who
// reaches the listener needs no token, so it must be local, see [IsLocal].
func (s *Server) ServeDebug(ctx context.Context, listener net.Listener) error {
	socket := IsSocket(listener)
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if problem := s.foreign(r, socket); problem != "" {
				http.Error(w, problem, http.StatusForbidden)
				return
			}
			s.debug.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: s.options.HeaderTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
	}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}

func (s *Server) debugRoutes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", metricsType)
		s.writeMetrics(w)
	})
	mux.HandleFunc("GET /debug/pprof/{$}", listProfiles)
	mux.HandleFunc("GET /debug/pprof/{profile}", getProfile)
	return mux
}

func listProfiles(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, "/debug/pprof/profile?seconds=%d\n/debug/pprof/trace?seconds=1\n", int(profileTime.Seconds()))
	for _, p := range pprof.Profiles() {
		fmt.Fprintf(w, "/debug/pprof/%s?debug=1 (%d)\n", p.Name(), p.Count())
	}
}

// getProfile writes a profile. One of time lasts as many seconds as asked for, or until the client
// leaves.
func getProfile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("profile")
	switch name {
	case "profile":
		record(w, r, profileTime, func() error { return pprof.StartCPUProfile(w) }, pprof.StopCPUProfile)
		return
	case "trace":
		record(w, r, time.Second, func() error { return trace.Start(w) }, trace.Stop)
		return
	}
	profile := pprof.Lookup(name)
	if profile == nil {
		http.Error(w, fmt.Sprintf("there is no profile %.100q; /debug/pprof/ lists those there are", name), http.StatusNotFound)
		return
	}
	level := 0
	if text := r.FormValue("debug"); text != "" {
		var err error
		if level, err = strconv.Atoi(text); err != nil {
			http.Error(w, fmt.Sprintf("?debug: expected a whole number, found %.40q", text), http.StatusBadRequest)
			return
		}
	}
	if level == 0 {
		w.Header().Set("Content-Type", "application/octet-stream")
	}
	profile.WriteTo(w, level)
}

func record(w http.ResponseWriter, r *http.Request, lasts time.Duration, start func() error, stop func()) {
	if text := r.FormValue("seconds"); text != "" {
		seconds, err := strconv.ParseFloat(text, 64)
		lasts = time.Duration(seconds * float64(time.Second))
		if err != nil || !(seconds > 0) || lasts > maxProfileTime {
			http.Error(w, fmt.Sprintf("?seconds: expected a number above 0 and %v at most, found %.40q", maxProfileTime.Seconds(), text), http.StatusBadRequest)
			return
		}
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	if err := start(); err != nil { // another one is being recorded
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	defer stop()
	select {
	case <-time.After(lasts):
	case <-r.Context().Done():
	}
}

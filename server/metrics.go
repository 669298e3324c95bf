package server

import (
	"net/http"
	"strconv"
	"time"

	"codelinter/evaluator"
	"codelinter/internal/service"
)

// metrics are the metrics for Prometheus. Labels have few values, and a client
// cannot invent others.
type metrics struct {
	families  []*family // in the order in which they are written
	requests  *family
	durations *family
	stages    map[string]*series
	answers   map[answerKind]*series
	proofs    *family
	reasons   *family
	busy      *series
	refused   *series
	panics    *series
}

// An answerKind is a kind of answers that are counted together.
type answerKind struct {
	verdict evaluator.Verdict
	outcome string // pass, fail, unknown or error
}

const namespace = "codelinter_"

// stages are the stages of a request and its answers, in order.
var stages = []string{"read", "decode", "wait", "work", "write"}

func newMetrics() *metrics {
	m := &metrics{stages: map[string]*series{}, answers: map[answerKind]*series{}}
	add := func(name, help string, bounds []float64, labels ...string) *family {
		f := &family{name: namespace + name, help: help, labels: labels, bounds: bounds, series: map[string]*series{}}
		m.families = append(m.families, f)
		return f
	}
	seconds := []float64{.00003, .0001, .0003, .001, .003, .01, .03, .1, .3, 1, 3, 10, 30, 100}
	m.requests = add("requests_total", "Requests that were answered.", nil, "route", "status")
	m.durations = add("request_seconds", "Time from the headers of a request to the end of its reply.", seconds, "route")
	stage := add("stage_seconds", "Time in a stage: read, decode and write of a request, wait and work of an answer.", seconds, "stage")
	for _, name := range stages {
		m.stages[name] = stage.with(name)
	}
	answers := add("answers_total", "Answers that were judged.", nil, "outcome", "verdict")
	for _, verdict := range evaluator.Verdicts() {
		for _, outcome := range []string{"pass", "fail", "unknown", "error"} {
			m.answers[answerKind{verdict, outcome}] = answers.with(outcome, string(verdict))
		}
	}
	m.proofs = add("proofs_total", "Answers that pass the guarded verdict, by what shows that the logic is kept.", nil, "proof")
	m.reasons = add("reasons_total", "Reasons why answers do not pass.", nil, "reason")
	m.busy = add("busy_total", "Requests that were answered with 503.", nil).with()
	m.refused = add("refused_connections_total", "Connections that were closed as they came.", nil).with()
	m.panics = add("panics_total", "Panics of handlers, which are errors of ours.", nil).with()
	return m
}

func (m *metrics) request(route string, status int, took time.Duration) {
	m.requests.with(route, strconv.Itoa(status)).Inc()
	m.durations.with(route).Observe(took.Seconds())
}

func (m *metrics) stage(name string, took time.Duration) { m.stages[name].Observe(took.Seconds()) }

// observe is [service.Options.Observe].
func (m *metrics) observe(o *service.Observation) {
	outcome := o.Score.Guarded
	switch {
	case o.Score.Error != "":
		outcome = "error"
	case o.Verdict == evaluator.Official && o.Score.Official:
		outcome = "pass"
	case o.Verdict == evaluator.Official:
		outcome = "fail"
	}
	if counter := m.answers[answerKind{o.Verdict, outcome}]; counter != nil {
		counter.Inc()
	}
	if o.Score.Proof != "" {
		m.proofs.with(o.Score.Proof).Inc()
	}
	for _, reason := range o.Score.Reasons {
		m.reasons.with(reason).Inc()
	}
	m.stages["wait"].Observe(o.Waited.Seconds())
	m.stages["work"].Observe(o.Worked.Seconds())
}

// A number is a metric that is read on demand.
type number struct {
	name, help string
	kind       string // counter or gauge
	value      float64
}

const counter, gauge = "counter", "gauge"

// numbers returns the current numbers of the service and the server.
func (s *Server) numbers() []number {
	stats := service.Stats{}
	if s.service != nil {
		stats = s.service.Stats()
	}
	dropped := int64(0)
	if s.options.Dropped != nil {
		dropped = s.options.Dropped()
	}
	numbers := []number{
		{"service_requests_total", "Requests that the service took.", counter, float64(stats.Requests)},
		{"linted_files_total", "Files that were linted.", counter, float64(stats.Lints)},
		{"cache_hits_total", "Answers whose verdict was known already.", counter, float64(stats.Known)},
		{"cache_joins_total", "Answers that waited for the verdict on their like.", counter, float64(stats.Joined)},
		{"cache_bytes", "Memory of verdicts that are remembered.", gauge, float64(stats.CachedBytes)},
		{"faults_total", "Answers that have no verdict for a fault of ours.", counter, float64(stats.Faults)},
		{"retries_total", "Answers that were judged again, as the sandbox failed.", counter, float64(stats.Retries)},
		{"deadlines_total", "Answers that had no verdict in time.", counter, float64(stats.Deadline)},
		{"service_panics_total", "Panics while judging, which are errors of ours.", counter, float64(stats.Panics)},
		{"queue_clients", "Clients that have something queued.", gauge, float64(stats.Clients)},
		{"queue_answers", "Answers and files that wait for a worker.", gauge, float64(stats.Queued)},
		{"queue_bytes", "Bytes that requests and their replies take, from the first of a body on.", gauge, float64(stats.QueuedBytes)},
		{"connections", "Connections that are open.", gauge, float64(s.conns.Load())},
		{"log_lines_dropped_total", "Lines that the log has lost.", counter, float64(dropped)},
		{"sandbox_programs_total", "Programs that were run.", counter, float64(stats.Sandbox.Programs)},
		{"sandbox_restarts_total", "Children of the sandbox that were started in place of others.", counter, float64(stats.Sandbox.Restarts)},
		{"ready", "1 if the sandbox is warm.", gauge, gaugeOf(s.ready.Load())},
	}
	for i := range numbers {
		numbers[i].name = namespace + numbers[i].name
	}
	return numbers
}

func gaugeOf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// getMetrics answers GET /metrics in Prometheus's text format.
func (s *Server) getMetrics(x *exchange) {
	var text []byte
	for _, f := range s.metrics.families {
		text = f.append(text)
	}
	text = appendHead(text, namespace+"build_info", "1; the version is its label.", gauge)
	text = appendValue(text, namespace+"build_info", string(appendLabel(nil, "version", s.version)), 1)
	for _, n := range s.numbers() {
		text = appendNumber(text, n)
	}
	text = appendRuntime(text)
	x.send(http.StatusOK, exposition, text)
}

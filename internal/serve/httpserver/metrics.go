package httpserver

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"codelinter/evaluator"
	"codelinter/internal/serve/exposition"
	"codelinter/internal/serve/sandboxfusion"
	"codelinter/internal/serve/service"
	"codelinter/sandbox"
)

// metrics are the metrics for Prometheus. Labels have few values, and a client
// cannot invent others.
type metrics struct {
	set      *exposition.Set
	requests *table[replyLabels, *exposition.Counter]
	routes   *table[string, *exposition.Histogram]
	answers  *table[answerLabels, *exposition.Counter]
	proofs   *table[string, *exposition.Counter]
	reasons  *table[string, *exposition.Counter]
	verdicts *table[verdictLabels, *exposition.Histogram]
	ends     *table[string, *exposition.Histogram]
	stages   map[string]*exposition.Histogram
	busy     *exposition.Counter
	refused  *exposition.Counter
	panics   *exposition.Counter
}

// The labels of metrics with several.
type (
	replyLabels struct {
		route  string
		status int
	}
	answerLabels struct {
		outcome string
		by      evaluator.Verdict
	}
	verdictLabels struct {
		answerLabels
		proof string
	}
)

// A table has metrics by their labels. Each is named when it is used first.
type table[K comparable, V any] struct {
	named sync.Map
	name  func(K) V
}

func newTable[K comparable, V any](name func(K) V) *table[K, V] { return &table[K, V]{name: name} }

func (t *table[K, V]) of(labels K) V {
	metric, is := t.named.Load(labels)
	if !is {
		metric, _ = t.named.LoadOrStore(labels, t.name(labels))
	}
	return metric.(V)
}

const namespace = "codelinter_"

// help explains each metric.
var help = [...][2]string{
	{"answer_seconds", "Time of work on an answer whose verdict was not known, by the verdict and what shows that the logic is kept."},
	{"answers_total", "Answers that were judged."},
	{"build_info", "1; the version is its label."},
	{"busy_total", "Requests that were answered with 503."},
	{"cache_bytes", "Memory of verdicts that are remembered."},
	{"cache_hits_total", "Answers whose verdict was known already."},
	{"cache_joins_total", "Answers that waited for the verdict on their like."},
	{"connections", "Connections that are open."},
	{"deadlines_total", "Answers that had no verdict in time."},
	{"faults_total", "Answers that have no verdict for a fault of ours."},
	{"linted_files_total", "Files that were linted."},
	{"log_lines_dropped_total", "Lines that the log has lost."},
	{"panics_total", "Panics of handlers, which are errors of ours."},
	{"program_seconds", "Time from a program's first turn at /run_code to its end, by how it ended."},
	{"proofs_total", "Answers that pass the guarded verdict, by what shows that the logic is kept."},
	{"queue_answers", "Answers and files that wait for a worker."},
	{"queue_bytes", "Bytes that requests and their replies take, from the first of a body on."},
	{"queue_clients", "Clients that have something queued."},
	{"ready", "1 if the sandbox is warm."},
	{"reasons_total", "Reasons why answers do not pass."},
	{"refused_connections_total", "Connections that were closed as they came."},
	{"request_seconds", "Time from the headers of a request to the end of its reply."},
	{"requests_total", "Requests that were answered."},
	{"retries_total", "Answers that were judged again, as the sandbox failed."},
	{"sandbox_busy_workers", "Workers of a sandbox that have a program now."},
	{"sandbox_failures_total", "Programs that a sandbox has no result of, for a fault of ours."},
	{"sandbox_programs_total", "Programs that a sandbox has run."},
	{"sandbox_resident_bytes", "Most memory that the children of a sandbox took."},
	{"sandbox_restarts_total", "Children of a sandbox that were started in place of others."},
	{"sandbox_waiting", "Programs that wait for a worker of a sandbox."},
	{"sandbox_workers", "Workers of a sandbox, each with a child."},
	{"service_panics_total", "Panics while judging, which are errors of ours."},
	{"service_requests_total", "Requests that the service took."},
	{"stage_seconds", "Time in a stage: read, decode and write of a request, wait and work of an answer."},
}

func newMetrics() *metrics {
	texts := map[string]string{}
	for _, line := range help {
		texts[namespace+line[0]] = line[1]
	}
	m := &metrics{set: exposition.NewSet(texts), stages: map[string]*exposition.Histogram{}}
	m.requests = newTable(func(r replyLabels) *exposition.Counter {
		return m.counter(`requests_total{route=%q,status="%d"}`, r.route, r.status)
	})
	m.routes = newTable(func(route string) *exposition.Histogram { return m.seconds("request_seconds{route=%q}", route) })
	m.answers = newTable(func(v answerLabels) *exposition.Counter {
		return m.counter("answers_total{outcome=%q,verdict=%q}", v.outcome, v.by)
	})
	m.proofs = newTable(func(proof string) *exposition.Counter { return m.counter("proofs_total{proof=%q}", proof) })
	m.reasons = newTable(func(reason string) *exposition.Counter { return m.counter("reasons_total{reason=%q}", reason) })
	m.verdicts = newTable(func(v verdictLabels) *exposition.Histogram {
		return m.seconds("answer_seconds{verdict=%q,outcome=%q,proof=%q}", v.by, v.outcome, v.proof)
	})
	m.ends = newTable(func(end string) *exposition.Histogram { return m.seconds("program_seconds{end=%q}", end) })
	for _, end := range sandboxfusion.Ends() {
		m.ends.of(end)
	}
	for _, stage := range []string{"read", "decode", "wait", "work", "write"} {
		m.stages[stage] = m.seconds("stage_seconds{stage=%q}", stage)
	}
	for _, by := range evaluator.Verdicts() {
		for _, outcome := range []string{"pass", "fail", "unknown", "error"} {
			m.answers.of(answerLabels{outcome, by})
		}
	}
	m.busy = m.counter("busy_total")
	m.refused = m.counter("refused_connections_total")
	m.panics = m.counter("panics_total")
	return m
}

// counter returns the counter of a name and its labels.
func (m *metrics) counter(format string, labels ...any) *exposition.Counter {
	return m.set.Counter(namespace + fmt.Sprintf(format, labels...))
}

// seconds returns the histogram of a name and its labels.
func (m *metrics) seconds(format string, labels ...any) *exposition.Histogram {
	bounds := []float64{.00003, .0001, .0003, .001, .003, .01, .03, .1, .3, 1, 3, 10, 30, 100}
	return m.set.Histogram(namespace+fmt.Sprintf(format, labels...), bounds)
}

func (m *metrics) request(route string, status int, took time.Duration) {
	m.requests.of(replyLabels{route, status}).Inc()
	m.routes.of(route).Observe(took.Seconds())
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
	labels := answerLabels{outcome, o.Verdict}
	m.answers.of(labels).Inc()
	if !o.Cached {
		m.verdicts.of(verdictLabels{labels, o.Score.Proof}).Observe(o.Worked.Seconds())
	}
	if o.Score.Proof != "" {
		m.proofs.of(o.Score.Proof).Inc()
	}
	for _, reason := range o.Score.Reasons {
		m.reasons.of(reason).Inc()
	}
	m.stage("wait", o.Waited)
	m.stage("work", o.Worked)
}

// program is [sandboxfusion.Options.Observe].
func (m *metrics) program(end string, took time.Duration) { m.ends.of(end).Observe(took.Seconds()) }

// A number is a metric that is read on demand, as [exposition.Set.Read] takes it.
type number struct {
	name  string // with its labels, without the namespace
	value float64
}

// numbers returns the current numbers of the service and the server.
func (s *Server) numbers() []number {
	stats := s.service.Stats()
	dropped := int64(0)
	if s.options.Dropped != nil {
		dropped = s.options.Dropped()
	}
	numbers := []number{
		{fmt.Sprintf("build_info{version=%q}", s.version), 1},
		{"service_requests_total", float64(stats.Requests)},
		{"linted_files_total", float64(stats.Lints)},
		{"cache_hits_total", float64(stats.Known)},
		{"cache_joins_total", float64(stats.Joined)},
		{"cache_bytes", float64(stats.CachedBytes)},
		{"faults_total", float64(stats.Faults)},
		{"retries_total", float64(stats.Retries)},
		{"deadlines_total", float64(stats.Deadline)},
		{"service_panics_total", float64(stats.Panics)},
		{"queue_clients", float64(stats.Clients)},
		{"queue_answers", float64(stats.Queued)},
		{"queue_bytes", float64(stats.QueuedBytes)},
		{"connections", float64(s.conns.Load())},
		{"log_lines_dropped_total", float64(dropped)},
		{"ready", gaugeOf(s.ready.Load())},
	}
	for _, of := range []struct {
		pool  string
		stats sandbox.Stats
	}{{"judge", stats.Sandbox}, {"run_code", s.programs.Stats()}} {
		for name, value := range map[string]float64{
			"sandbox_workers":        float64(of.stats.Workers),
			"sandbox_busy_workers":   float64(of.stats.Busy),
			"sandbox_waiting":        float64(of.stats.Waiting),
			"sandbox_resident_bytes": float64(of.stats.Resident),
			"sandbox_programs_total": float64(of.stats.Programs),
			"sandbox_failures_total": float64(of.stats.Failures),
			"sandbox_restarts_total": float64(of.stats.Restarts),
		} {
			numbers = append(numbers, number{fmt.Sprintf("%s{pool=%q}", name, of.pool), value})
		}
	}
	return numbers
}

func gaugeOf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// metricsType is the type of Prometheus's text format.
const metricsType = "text/plain; version=0.0.4; charset=utf-8"

// getMetrics answers GET /metrics.
func (s *Server) getMetrics(x *exchange) { x.respond(http.StatusOK, metricsType, s.writeMetrics) }

// writeMetrics writes the metrics in Prometheus's text format. The numbers of Go and of the
// process have the names that dashboards know.
func (s *Server) writeMetrics(w io.Writer) {
	for _, n := range s.numbers() {
		s.metrics.set.Read(namespace+n.name, n.value)
	}
	s.metrics.set.ReadProcess()
	s.metrics.set.Write(w)
}

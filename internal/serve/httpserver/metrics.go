package httpserver

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	victoria "github.com/VictoriaMetrics/metrics"

	"codelinter/evaluator"
	"codelinter/internal/serve/service"
	"codelinter/sandbox"
)

// metrics are the metrics for Prometheus. Labels have few values, and a client
// cannot invent others.
type metrics struct {
	set      *victoria.Set
	requests *table[replyLabels, *victoria.Counter]
	routes   *table[string, *victoria.PrometheusHistogram]
	answers  *table[answerLabels, *victoria.Counter]
	proofs   *table[string, *victoria.Counter]
	reasons  *table[string, *victoria.Counter]
	stages   map[string]*victoria.PrometheusHistogram
	help     *strings.Replacer // of the library's empty HELP lines
	busy     *victoria.Counter
	refused  *victoria.Counter
	panics   *victoria.Counter
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

// help explains each name of the set.
var help = [][2]string{
	{"requests_total", "Requests that were answered."},
	{"request_seconds", "Time from the headers of a request to the end of its reply."},
	{"stage_seconds", "Time in a stage: read, decode and write of a request, wait and work of an answer."},
	{"answers_total", "Answers that were judged."},
	{"proofs_total", "Answers that pass the guarded verdict, by what shows that the logic is kept."},
	{"reasons_total", "Reasons why answers do not pass."},
	{"busy_total", "Requests that were answered with 503."},
	{"refused_connections_total", "Connections that were closed as they came."},
	{"panics_total", "Panics of handlers, which are errors of ours."},
}

func newMetrics() *metrics {
	victoria.ExposeMetadata(true)
	m := &metrics{set: victoria.NewSet(), stages: map[string]*victoria.PrometheusHistogram{}}
	var pairs []string
	for _, line := range help {
		empty := "# HELP " + namespace + line[0]
		pairs = append(pairs, empty+"\n", empty+" "+line[1]+"\n")
	}
	m.help = strings.NewReplacer(pairs...)
	m.requests = newTable(func(r replyLabels) *victoria.Counter {
		return m.counter(`requests_total{route=%q,status="%d"}`, r.route, r.status)
	})
	m.routes = newTable(func(route string) *victoria.PrometheusHistogram { return m.seconds("request_seconds{route=%q}", route) })
	m.answers = newTable(func(v answerLabels) *victoria.Counter {
		return m.counter("answers_total{outcome=%q,verdict=%q}", v.outcome, v.by)
	})
	m.proofs = newTable(func(proof string) *victoria.Counter { return m.counter("proofs_total{proof=%q}", proof) })
	m.reasons = newTable(func(reason string) *victoria.Counter { return m.counter("reasons_total{reason=%q}", reason) })
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
func (m *metrics) counter(format string, labels ...any) *victoria.Counter {
	return m.set.GetOrCreateCounter(namespace + fmt.Sprintf(format, labels...))
}

// seconds returns the histogram of a name and its labels.
func (m *metrics) seconds(format string, labels ...any) *victoria.PrometheusHistogram {
	bounds := []float64{.00003, .0001, .0003, .001, .003, .01, .03, .1, .3, 1, 3, 10, 30, 100}
	return m.set.GetOrCreatePrometheusHistogramExt(namespace+fmt.Sprintf(format, labels...), bounds)
}

func (m *metrics) request(route string, status int, took time.Duration) {
	m.requests.of(replyLabels{route, status}).Inc()
	m.routes.of(route).Update(took.Seconds())
}

func (m *metrics) stage(name string, took time.Duration) { m.stages[name].Update(took.Seconds()) }

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
	m.answers.of(answerLabels{outcome, o.Verdict}).Inc()
	if o.Score.Proof != "" {
		m.proofs.of(o.Score.Proof).Inc()
	}
	for _, reason := range o.Score.Reasons {
		m.reasons.of(reason).Inc()
	}
	m.stage("wait", o.Waited)
	m.stage("work", o.Worked)
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
	judged, ran := stats.Sandbox, sandbox.Stats{}
	if s.programs != nil {
		ran = s.programs.Stats()
	}
	dropped := int64(0)
	if s.options.Dropped != nil {
		dropped = s.options.Dropped()
	}
	return []number{
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
		{"sandbox_programs_total", "Programs that were run.", counter, float64(judged.Programs + ran.Programs)},
		{"sandbox_failures_total", "Programs that the sandbox has no result of, for a fault of ours.", counter, float64(judged.Failures + ran.Failures)},
		{"sandbox_restarts_total", "Children of the sandbox that were started in place of others.", counter, float64(judged.Restarts + ran.Restarts)},
		{"ready", "1 if the sandbox is warm.", gauge, gaugeOf(s.ready.Load())},
	}
}

func gaugeOf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// getMetrics answers GET /metrics in Prometheus's text format. The numbers of Go and of the
// process have the names that dashboards know.
func (s *Server) getMetrics(x *exchange) {
	var text strings.Builder
	s.metrics.set.WritePrometheus(&text)
	fmt.Fprintf(&text, "# HELP %[1]s 1; the version is its label.\n# TYPE %[1]s gauge\n%[1]s{version=%[2]q} 1\n", namespace+"build_info", s.version)
	for _, n := range s.numbers() {
		fmt.Fprintf(&text, "# HELP %[1]s %[2]s\n# TYPE %[1]s %[3]s\n%[1]s %[4]v\n", namespace+n.name, n.help, n.kind, n.value)
	}
	victoria.WriteProcessMetrics(&text)
	victoria.WriteFDMetrics(&text)
	x.send(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", []byte(s.metrics.help.Replace(text.String())))
}

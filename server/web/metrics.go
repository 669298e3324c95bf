package web

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"codelinter/evaluator"
	"codelinter/internal/release"
	"codelinter/server/service"
)

// metrics are what Prometheus reads. Labels have few values, none of which a client
// can make up.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	stages    map[string]prometheus.Observer
	answers   map[answerKind]prometheus.Counter
	proofs    *prometheus.CounterVec
	reasons   *prometheus.CounterVec
	busy      prometheus.Counter
	refused   prometheus.Counter
	panics    prometheus.Counter
}

// An answerKind is what answers are counted by.
type answerKind struct {
	verdict evaluator.Verdict
	outcome string // pass, fail, unknown or error
}

const namespace = "codelinter_"

// stages are those of a request and of its answers, in their order.
var stages = []string{"read", "decode", "wait", "work", "write"}

func newMetrics(s *Server) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), stages: map[string]prometheus.Observer{}, answers: map[answerKind]prometheus.Counter{}}
	seconds := []float64{.00003, .0001, .0003, .001, .003, .01, .03, .1, .3, 1, 3, 10, 30, 100}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: namespace + name, Help: help}, labels)
		m.registry.MustRegister(vec)
		return vec
	}
	histogram := func(name, help, label string) *prometheus.HistogramVec {
		vec := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: namespace + name, Help: help, Buckets: seconds}, []string{label})
		m.registry.MustRegister(vec)
		return vec
	}
	m.requests = counter("requests_total", "Requests that were answered.", "route", "status")
	m.durations = histogram("request_seconds", "Time from the headers of a request to the end of its reply.", "route")
	stage := histogram("stage_seconds", "Time in a stage: read, decode and write of a request, wait and work of an answer.", "stage")
	for _, name := range stages {
		m.stages[name] = stage.WithLabelValues(name)
	}
	answers := counter("answers_total", "Answers that were judged.", "verdict", "outcome")
	for _, verdict := range evaluator.Verdicts() {
		for _, outcome := range []string{"pass", "fail", "unknown", "error"} {
			m.answers[answerKind{verdict, outcome}] = answers.WithLabelValues(string(verdict), outcome)
		}
	}
	m.proofs = counter("proofs_total", "Answers that pass the guarded verdict, by what shows that the logic is kept.", "proof")
	m.reasons = counter("reasons_total", "Reasons why answers do not pass.", "reason")
	m.busy = counter("busy_total", "Requests that were answered with 503.").WithLabelValues()
	m.refused = counter("refused_connections_total", "Connections that were closed as they came.").WithLabelValues()
	m.panics = counter("panics_total", "Panics of handlers, which are errors of ours.").WithLabelValues()

	// Of what the service counts itself, the numbers of now are read when they are asked for.
	m.registry.MustRegister(&serviceCollector{server: s, descriptions: map[string]*prometheus.Desc{}})
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: namespace + "build_info", Help: "1; the version is its label.", ConstLabels: prometheus.Labels{"version": release.Full()},
	})
	build.Set(1)
	m.registry.MustRegister(build)
	return m
}

func (m *metrics) request(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.durations.WithLabelValues(route).Observe(took.Seconds())
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
		m.proofs.WithLabelValues(o.Score.Proof).Inc()
	}
	for _, reason := range o.Score.Reasons {
		m.reasons.WithLabelValues(reason).Inc()
	}
	m.stages["wait"].Observe(o.Waited.Seconds())
	m.stages["work"].Observe(o.Worked.Seconds())
}

// A serviceCollector reads the numbers of the service and of the server.
type serviceCollector struct {
	server       *Server
	descriptions map[string]*prometheus.Desc
}

// A number of a service, and how it is called.
type number struct {
	name, help string
	kind       prometheus.ValueType
	value      float64
}

func (c *serviceCollector) numbers() []number {
	s := c.server
	stats := service.Stats{}
	if s.service != nil {
		stats = s.service.Stats()
	}
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
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
		{"queue_bytes", "Bytes of requests that are taken and not answered.", gauge, float64(stats.QueuedBytes)},
		{"body_bytes", "Bytes of bodies that are being read.", gauge, float64(s.held.Load())},
		{"connections", "Connections that are open.", gauge, float64(s.conns.Load())},
		{"log_lines_dropped_total", "Lines that the log has lost.", counter, float64(dropped)},
		{"sandbox_programs_total", "Programs that were run.", counter, float64(stats.Sandbox.Programs)},
		{"sandbox_restarts_total", "Children of the sandbox that were started in place of others.", counter, float64(stats.Sandbox.Restarts)},
		{"ready", "1 if the sandbox is warm.", gauge, gaugeOf(s.ready.Load())},
	}
}

func gaugeOf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (c *serviceCollector) Describe(to chan<- *prometheus.Desc) {
	for _, n := range c.numbers() {
		c.descriptions[n.name] = prometheus.NewDesc(namespace+n.name, n.help, nil, nil)
		to <- c.descriptions[n.name]
	}
}

func (c *serviceCollector) Collect(to chan<- prometheus.Metric) {
	for _, n := range c.numbers() {
		to <- prometheus.MustNewConstMetric(c.descriptions[n.name], n.kind, n.value)
	}
}

// getMetrics answers GET /metrics in Prometheus's text format.
func (s *Server) getMetrics(x *exchange) {
	families, err := s.metrics.registry.Gather()
	if err != nil {
		x.fail(http.StatusInternalServerError, err.Error())
		return
	}
	format := expfmt.NegotiateAccept(x.request.Header, expfmt.DefaultAcceptedFormats()...)
	var text bytes.Buffer
	encoder := expfmt.NewEncoder(&text, format)
	for _, family := range families {
		if err := encoder.Encode(family); err != nil {
			x.fail(http.StatusInternalServerError, err.Error())
			return
		}
	}
	if closer, ok := encoder.(expfmt.Closer); ok {
		closer.Close()
	}
	x.send(http.StatusOK, string(format), text.Bytes())
}

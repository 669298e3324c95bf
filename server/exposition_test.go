package server

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// parse reads an exposition as Prometheus does.
func parse(t *testing.T, text []byte) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return families
}

func TestExposition(t *testing.T) {
	counted := &family{name: "a_total", help: "What is counted.", labels: []string{"x", "y"}, series: map[string]*series{}}
	if got := counted.append(nil); len(got) != 0 {
		t.Errorf("%q of no series", got)
	}
	counted.with("2", "z").Inc()
	counted.with("1", "a\"b\\c\nd").Inc()
	counted.with("2", "z").Inc()
	timed := &family{name: "b_seconds", help: "Times.", labels: []string{"route"}, bounds: []float64{.00003, .1, 10}, series: map[string]*series{}}
	for _, value := range []float64{.00003, .05, 20, .1, 9} {
		timed.with("/").Observe(value)
	}
	got := string(appendNumber(timed.append(counted.append(nil)), number{"c", "A number.", gauge, 1e21}))
	want := `# HELP a_total What is counted.
# TYPE a_total counter
a_total{x="1",y="a\"b\\c\nd"} 1
a_total{x="2",y="z"} 2
# HELP b_seconds Times.
# TYPE b_seconds histogram
b_seconds_bucket{route="/",le="3e-05"} 1
b_seconds_bucket{route="/",le="0.1"} 3
b_seconds_bucket{route="/",le="10"} 4
b_seconds_bucket{route="/",le="+Inf"} 5
b_seconds_sum{route="/"} 29.15003
b_seconds_count{route="/"} 5
# HELP c A number.
# TYPE c gauge
c 1e+21
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if value := parse(t, []byte(got))["a_total"].Metric[0].Label[1].GetValue(); value != "a\"b\\c\nd" {
		t.Errorf("%q", value)
	}
}

// Buckets never sum to more than the count, whoever observes meanwhile.
func TestExpositionWhileObserving(t *testing.T) {
	f := &family{name: "b_seconds", help: "Times.", labels: []string{"route"}, bounds: []float64{1, 2}, series: map[string]*series{}}
	const each = 2000
	var observing sync.WaitGroup
	for i := range 4 {
		observing.Go(func() {
			for range each {
				f.with([]string{"a", "b"}[i%2]).Observe(float64(i))
			}
		})
	}
	for range 50 {
		text := f.append(nil)
		if len(text) == 0 {
			continue
		}
		for _, metric := range parse(t, text)["b_seconds"].Metric {
			last := uint64(0)
			for _, bucket := range metric.Histogram.Bucket {
				if n := bucket.GetCumulativeCount(); n < last || n > metric.Histogram.GetSampleCount() {
					t.Fatalf("%s", text)
				} else {
					last = n
				}
			}
		}
	}
	observing.Wait()
	for i, metric := range parse(t, f.append(nil))["b_seconds"].Metric {
		h := metric.Histogram
		if h.GetSampleCount() != 2*each || h.GetSampleSum() != []float64{2 * each, 4 * each}[i] {
			t.Errorf("%v", h)
		}
	}
}

// What is exposed is what Prometheus reads, each name once, with the names that
// dashboards ask for.
func TestMetricsAreRead(t *testing.T) {
	s := start(t, Options{})
	ask(s, "POST", "/v1/score", `{"completions": ["x = 1\n", "x=1\n"]}`)
	w := ask(s, "GET", "/metrics", "")
	if got := w.Header().Get("Content-Type"); got != exposition {
		t.Error(got)
	}
	text := w.Body.String()
	families := parse(t, []byte(text))
	for name, f := range families {
		if f.GetHelp() == "" || strings.Count(text, "# TYPE "+name+" ") != 1 {
			t.Errorf("%s: %q", name, f.GetHelp())
		}
	}
	for _, name := range []string{"codelinter_build_info", "codelinter_ready", "go_goroutines", "go_info", "go_gc_duration_seconds", "go_memstats_heap_alloc_bytes", "process_start_time_seconds"} {
		if families[name] == nil {
			t.Errorf("no %s in\n%s", name, text)
		}
	}
	if n := families["codelinter_stage_seconds"].Metric[0].Histogram.GetSampleCount(); n == 0 {
		t.Error("no stage was observed")
	}
}

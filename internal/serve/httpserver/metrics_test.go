package httpserver

import (
	"bytes"
	"strings"
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

// What is exposed is what Prometheus reads, each name once, with the names that
// dashboards ask for.
func TestMetricsAreRead(t *testing.T) {
	s := start(t, Options{})
	ask(s, "POST", "/v1/score", `{"completions": ["x = 1\n", "x=1\n"]}`)
	w := ask(s, "GET", "/metrics", "")
	if got := w.Header().Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Error(got)
	}
	text := w.Body.String()
	families := parse(t, []byte(text))
	for name, f := range families {
		if strings.HasPrefix(name, namespace) && f.GetHelp() == "" || strings.Count(text, "# TYPE "+name+" ") != 1 {
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

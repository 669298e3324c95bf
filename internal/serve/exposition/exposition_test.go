package exposition

import (
	"bytes"
	"math"
	"strings"
	"sync"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// read reads what a set writes, as Prometheus does.
func read(t *testing.T, s *Set) (text string, families map[string]*dto.MetricFamily) {
	t.Helper()
	var out bytes.Buffer
	if err := s.Write(&out); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(out.String()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, &out)
	}
	return out.String(), families
}

func TestWrite(t *testing.T) {
	s := NewSet(map[string]string{"b_total": "Lines of \\ and\nthe next."})
	s.Counter(`b_total{x="1"}`).Inc()
	s.Read(`b_total{x="0"}`, 1)
	s.Read(`b_total{x="0"}`, 1<<40)
	s.Counter("b_total_more").Inc()
	s.Read("a", math.Inf(1))
	h := s.Histogram(`c_seconds{x="1"}`, []float64{.1, 1})
	for _, v := range []float64{.05, .1, .5, 7, math.NaN()} {
		h.Observe(v)
	}
	const want = `# TYPE a gauge
a +Inf
# HELP b_total Lines of \\ and\nthe next.
# TYPE b_total counter
b_total{x="0"} 1.099511627776e+12
b_total{x="1"} 1
# TYPE b_total_more counter
b_total_more 1
# TYPE c_seconds histogram
c_seconds_bucket{x="1",le="0.1"} 2
c_seconds_bucket{x="1",le="1"} 3
c_seconds_bucket{x="1",le="+Inf"} 4
c_seconds_sum{x="1"} 7.65
c_seconds_count{x="1"} 4
`
	text, families := read(t, s)
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	if h := families["c_seconds"].Metric[0].Histogram; h.GetSampleCount() != 4 || h.GetSampleSum() != 7.65 || len(h.Bucket) != 3 {
		t.Errorf("%v", h)
	}
}

// A name is one metric, whoever asks for it.
func TestAtOnce(t *testing.T) {
	s := NewSet(nil)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 1000 {
				s.Counter("n_total").Inc()
				s.Histogram("h", []float64{1}).Observe(.5)
			}
		})
	}
	group.Wait()
	if text, _ := read(t, s); !strings.Contains(text, "n_total 8000\n") || !strings.Contains(text, "h_sum 4000\n") || !strings.Contains(text, "h_count 8000\n") {
		t.Error(text)
	}
}

func TestReadProcess(t *testing.T) {
	s := NewSet(nil)
	s.ReadProcess()
	s.ReadProcess() // sets the same metrics again
	_, families := read(t, s)
	for name, kind := range map[string]dto.MetricType{
		"go_goroutines": dto.MetricType_GAUGE, "go_info": dto.MetricType_GAUGE, "go_gc_duration_seconds": dto.MetricType_SUMMARY,
		"go_memstats_heap_alloc_bytes": dto.MetricType_GAUGE, "go_memstats_mallocs_total": dto.MetricType_COUNTER, "process_start_time_seconds": dto.MetricType_GAUGE,
	} {
		if f := families[name]; f == nil || f.GetType() != kind || len(f.Metric) != 1 {
			t.Errorf("%s: %v", name, f)
		}
	}
	if n := families["go_goroutines"].Metric[0].Gauge.GetValue(); n < 1 {
		t.Errorf("%v goroutines", n)
	}
}

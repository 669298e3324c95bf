// Package exposition keeps metrics and writes them in Prometheus's text format.
//
//	set := exposition.NewSet(map[string]string{"hits_total": "Answers from the cache."})
//	hits := set.Counter("hits_total")
//	hits.Inc()
//	set.Write(w)
//
// A metric's name may have labels: requests_total{route="/v1/score"}. A metric is found by its
// whole name and written once its name was asked for.
//
// The libraries for this read the process's cgroup and list the runtime's metrics as they are
// linked, which took a tenth of each start of a linter that serves nothing.
package exposition

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// A Set has metrics by their names. It may be used from several goroutines.
type Set struct {
	help map[string]string

	mutex   sync.Mutex
	metrics map[string]metric
}

// NewSet returns a set without metrics. help explains names, which are without labels.
func NewSet(help map[string]string) *Set {
	return &Set{help: help, metrics: map[string]metric{}}
}

// A metric is what has lines.
type metric interface {
	kind() string
	// append appends the lines of the metric. labels are without braces.
	append(dst []byte, name, labels string) []byte
}

// find returns the metric of a name, which is made if there is none. One name must not have two
// types.
func find[M metric](s *Set, name string, make func() M) M {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found, ok := s.metrics[name]
	if !ok {
		found = make()
		s.metrics[name] = found
	}
	return found.(M)
}

// Counter returns the counter of a name.
func (s *Set) Counter(name string) *Counter {
	return find(s, name, func() *Counter { return new(Counter) })
}

// Read sets a number that somebody else keeps: a counter if its name ends with _total, else a
// gauge.
func (s *Set) Read(name string, value float64) {
	find(s, name, func() *reading {
		name, _, _ := strings.Cut(name, "{")
		return &reading{isTotal: strings.HasSuffix(name, "_total")}
	}).set(value)
}

// Histogram returns the histogram of a name. bounds are the upper bounds of its buckets, in
// ascending order and without infinity; those of the first call count.
func (s *Set) Histogram(name string, bounds []float64) *Histogram {
	return find(s, name, func() *Histogram {
		return &Histogram{bounds: bounds, buckets: make([]atomic.Uint64, len(bounds)+1)}
	})
}

// Write writes all metrics, sorted by their names, those of one name together.
func (s *Set) Write(w io.Writer) error {
	s.mutex.Lock()
	metrics := maps.Clone(s.metrics)
	s.mutex.Unlock()
	out := bufio.NewWriter(w)
	family := ""
	for _, full := range slices.SortedFunc(maps.Keys(metrics), byFamily) {
		name, labels, _ := strings.Cut(strings.TrimSuffix(full, "}"), "{")
		m := metrics[full]
		if name != family {
			family = name
			if text := s.help[name]; text != "" {
				fmt.Fprintf(out, "# HELP %s %s\n", name, escapeHelp.Replace(text))
			}
			fmt.Fprintf(out, "# TYPE %s %s\n", name, m.kind())
		}
		out.Write(m.append(out.AvailableBuffer(), name, labels))
	}
	return out.Flush()
}

// byFamily orders names so that those which differ in labels alone are together: a{...} comes
// before a_b, though { is greater than _.
func byFamily(a, b string) int {
	nameA, _, _ := strings.Cut(a, "{")
	nameB, _, _ := strings.Cut(b, "{")
	return cmp.Or(strings.Compare(nameA, nameB), strings.Compare(a, b))
}

var escapeHelp = strings.NewReplacer(`\`, `\\`, "\n", `\n`)

// appendLine appends the line of a value. labels may be empty.
func appendLine(dst []byte, name, labels string, value float64) []byte {
	dst = append(dst, name...)
	if labels != "" {
		dst = append(append(append(dst, '{'), labels...), '}')
	}
	return append(strconv.AppendFloat(append(dst, ' '), value, 'g', -1, 64), '\n')
}

// A Counter is a number that rises.
type Counter struct{ n atomic.Uint64 }

// Inc adds one.
func (c *Counter) Inc() { c.n.Add(1) }

func (c *Counter) kind() string { return "counter" }

func (c *Counter) append(dst []byte, name, labels string) []byte {
	return appendLine(dst, name, labels, float64(c.n.Load()))
}

// A reading is a number that somebody else keeps.
type reading struct {
	bits    atomic.Uint64 // of a float64
	isTotal bool
}

func (r *reading) set(value float64) { r.bits.Store(math.Float64bits(value)) }

func (r *reading) kind() string {
	if r.isTotal {
		return "counter"
	}
	return "gauge"
}

func (r *reading) append(dst []byte, name, labels string) []byte {
	return appendLine(dst, name, labels, math.Float64frombits(r.bits.Load()))
}

// A Histogram counts values by buckets.
type Histogram struct {
	bounds  []float64
	buckets []atomic.Uint64 // values above the bound before and not above this; the last has no bound
	sum     atomic.Uint64   // bits of a float64
}

// Observe counts a value. A NaN is not counted.
func (h *Histogram) Observe(value float64) {
	if math.IsNaN(value) {
		return
	}
	i, _ := slices.BinarySearch(h.bounds, value)
	h.buckets[i].Add(1)
	for {
		old := h.sum.Load()
		if h.sum.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)+value)) {
			return
		}
	}
}

func (h *Histogram) kind() string { return "histogram" }

// append writes cumulative buckets. The count is the last bucket's, so that both agree even if
// values come meanwhile.
func (h *Histogram) append(dst []byte, name, labels string) []byte {
	comma := ""
	if labels != "" {
		comma = ","
	}
	total := uint64(0)
	for i := range h.buckets {
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = strconv.FormatFloat(h.bounds[i], 'g', -1, 64)
		}
		total += h.buckets[i].Load()
		dst = appendLine(dst, name+"_bucket", labels+comma+`le="`+bound+`"`, float64(total))
	}
	dst = appendLine(dst, name+"_sum", labels, math.Float64frombits(h.sum.Load()))
	return appendLine(dst, name+"_count", labels, float64(total))
}

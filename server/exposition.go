package server

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// This file has metrics and writes them in Prometheus's text format, version 0.0.4, the
// only part of its client library that is needed here. The library makes tables at the
// start of a process, for Protocol Buffers too. It added 0.6 ms to the 3.6 ms of a
// command that lints a small file.

// exposition is the format's content type.
const exposition = "text/plain; version=0.0.4; charset=utf-8"

// A family has the metrics of one name, which differ in the values of their labels.
type family struct {
	name, help string
	labels     []string
	bounds     []float64 // of a histogram's buckets, in seconds; nil for a counter

	mu     sync.RWMutex
	series map[string]*series // by their labels as text
}

// A series is a counter, or a histogram.
type series struct {
	labels  string        // `route="GET /",status="200"`
	count   atomic.Uint64 // or a histogram's observations
	sum     atomic.Uint64 // sum of the observations, as the bits of a float64
	bounds  []float64
	buckets []atomic.Uint64 // observations between a bound and the one before
}

// with returns the series with the values of the labels.
func (f *family) with(values ...string) *series {
	var key []byte
	for i, value := range values {
		key = appendLabel(key, f.labels[i], value)
	}
	f.mu.RLock()
	s := f.series[string(key)]
	f.mu.RUnlock()
	if s != nil {
		return s
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if s = f.series[string(key)]; s == nil {
		s = &series{labels: string(key), bounds: f.bounds, buckets: make([]atomic.Uint64, len(f.bounds))}
		f.series[s.labels] = s
	}
	return s
}

// Inc increments the counter.
func (s *series) Inc() { s.count.Add(1) }

// Observe adds a value to a histogram.
func (s *series) Observe(value float64) {
	if n, _ := slices.BinarySearch(s.bounds, value); n < len(s.bounds) {
		s.buckets[n].Add(1)
	}
	for {
		before := s.sum.Load()
		if s.sum.CompareAndSwap(before, math.Float64bits(math.Float64frombits(before)+value)) {
			break
		}
	}
	s.count.Add(1)
}

// append appends the family's series in the order of their labels. It appends nothing
// if there are none.
func (f *family) append(dst []byte) []byte {
	f.mu.RLock()
	all := make([]*series, 0, len(f.series))
	for _, s := range f.series {
		all = append(all, s)
	}
	f.mu.RUnlock()
	if len(all) == 0 {
		return dst
	}
	slices.SortFunc(all, func(a, b *series) int { return strings.Compare(a.labels, b.labels) })
	if f.bounds == nil {
		dst = appendHead(dst, f.name, f.help, "counter")
		for _, s := range all {
			dst = appendValue(dst, f.name, s.labels, float64(s.count.Load()))
		}
		return dst
	}
	dst = appendHead(dst, f.name, f.help, "histogram")
	for _, s := range all {
		// The total is read first. Otherwise a concurrent observation could be in a
		// bucket and not in the total.
		count, below := s.count.Load(), uint64(0)
		sum := math.Float64frombits(s.sum.Load())
		for i, bound := range s.bounds {
			below = min(below+s.buckets[i].Load(), count)
			labels := appendLabel([]byte(s.labels), "le", strconv.FormatFloat(bound, 'g', -1, 64))
			dst = appendValue(dst, f.name+"_bucket", string(labels), float64(below))
		}
		dst = appendValue(dst, f.name+"_bucket", string(appendLabel([]byte(s.labels), "le", "+Inf")), float64(count))
		dst = appendValue(dst, f.name+"_sum", s.labels, sum)
		dst = appendValue(dst, f.name+"_count", s.labels, float64(count))
	}
	return dst
}

// appendHead appends the lines before the values of a name.
func appendHead(dst []byte, name, help, kind string) []byte {
	dst = append(append(dst, "# HELP "...), name...)
	dst = append(append(append(dst, ' '), help...), "\n# TYPE "...)
	dst = append(append(dst, name...), ' ')
	return append(append(dst, kind...), '\n')
}

func appendValue(dst []byte, name, labels string, value float64) []byte {
	dst = append(dst, name...)
	if labels != "" {
		dst = append(append(append(dst, '{'), labels...), '}')
	}
	dst = append(dst, ' ')
	return append(strconv.AppendFloat(dst, value, 'g', -1, 64), '\n')
}

// escapeLabel escapes the characters that end a label's value or its line.
var escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// appendLabel appends a label after others.
func appendLabel(dst []byte, name, value string) []byte {
	if len(dst) > 0 {
		dst = append(dst, ',')
	}
	dst = append(append(dst, name...), `="`...)
	return append(append(dst, escapeLabel.Replace(value)...), '"')
}

// appendNumber appends a family of one series without labels.
func appendNumber(dst []byte, n number) []byte {
	return appendValue(appendHead(dst, n.name, n.help, n.kind), n.name, "", n.value)
}

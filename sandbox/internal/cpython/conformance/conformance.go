// Package conformance is a command: it runs programs in the image; see conformance.py.
package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"codelinter/internal/util/cputime"
	"codelinter/sandbox"
)

type row struct {
	ID        string `json:"id"`
	Source    string `json:"source,omitempty"`
	End       string `json:"end"`
	Exception string `json:"exception"`
	Traceback string `json:"traceback"`
	Output    string `json:"output"`
	Used      int64  `json:"used"`
}

// Main is the command.
func Main() {
	log.SetFlags(0)
	budget := flag.Int64("budget", 3e7, "counts a program may use")
	repeat := flag.Int("repeat", 1, "run each program so often")
	flag.Parse()
	if err := run(flag.Arg(0), *budget, *repeat); err != nil {
		log.Fatal(err)
	}
}

// run runs the programs of a file, and prints their rows and times.
func run(name string, budget int64, repeat int) error {
	ctx := context.Background()
	pool, err := sandbox.New(ctx, sandbox.Options{InProcess: true, Workers: 1})
	if err != nil {
		return err
	}
	defer pool.Close()
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	rows := json.NewEncoder(out)
	var used []int64
	var times []time.Duration
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		var result sandbox.Result
		for range repeat {
			before, _ := cputime.Of(cputime.Self)
			if result, err = pool.Run(ctx, sandbox.Program{Source: r.Source, Budget: budget, Traceback: true}); err != nil {
				return err
			}
			after, _ := cputime.Of(cputime.Self)
			times = append(times, after-before)
		}
		r.Source = ""
		r.take(&result)
		used = append(used, r.Used)
		if err := rows.Encode(r); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(used) > 0 {
		report(used, times)
	}
	return out.Flush()
}

// take sets what a program's result says.
func (r *row) take(result *sandbox.Result) {
	end, exception := result.Ended()
	r.End = end.String()
	switch {
	case end == sandbox.Exited && exception.Code == 0:
		r.End = sandbox.Done.String()
	case end == sandbox.Exited:
		r.End = fmt.Sprint("exit ", exception.Code)
	case end == sandbox.Raised:
		r.Traceback = exception.Traceback
		lines := strings.Split(strings.TrimRight(r.Traceback, "\n"), "\n")
		r.Exception = lines[len(lines)-1]
	}
	r.Output = strings.ReplaceAll(strings.ToValidUTF8(string(result.Output), "\ufffd"), "\r\n", "\n")
	r.Used = result.Used
}

// report prints the quantiles of counts and of processor times.
func report(used []int64, times []time.Duration) {
	slices.Sort(used)
	slices.Sort(times)
	total := time.Duration(0)
	for _, t := range times {
		total += t
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Fprintf(os.Stderr, "%d programs; counts: p50 %d, p99 %d; ms cpu: mean %.2f, p50 %.2f, p99 %.2f\n", len(used), used[len(used)/2], used[len(used)*99/100],
		ms(total)/float64(len(times)), ms(times[len(times)/2]), ms(times[len(times)*99/100]))
}

// Command load measures codelinter serve, and says of each completion what it cost. It
// is for developers, who run it beside a server:
//
//	codelinter serve --cache-bytes 0 &
//	go run ./server/testdata/load -pid $! -batch 256 -verdict official
//
// The answers are those of the open set. With -verdict run, programs are sent to /run_code
// instead, each of which has to print what is its own; every minute a line says what the
// server has of memory and files. -echo ADDRESS is the floor: a server that reads bodies as
// long and answers as much, and does nothing.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codelinter/internal/eval/formats"
	"codelinter/internal/tasks/openset"
)

var (
	url     = flag.String("url", "http://127.0.0.1:8414", "ask the server at `URL`")
	socket  = flag.String("socket", "", "ask the server at the socket `PATH`")
	pid     = flag.Int("pid", 0, "measure the processor time and memory of process `N` and its children")
	batch   = flag.Int("batch", 1, "send `N` completions in a request")
	clients = flag.Int("c", 8, "send `N` requests at the same time")
	last    = flag.Duration("for", 10*time.Second, "do so for `TIME`")
	verdict = flag.String("verdict", "official", "ask for the verdict `NAME`")
	most    = flag.Int64("n", 0, "end after `N` requests, if that is sooner; 0: never")
	fresh   = flag.Bool("fresh", false, "open a connection for each request")
	echo    = flag.String("echo", "", "be the floor, at `ADDRESS`")
)

func main() {
	flag.Parse()
	if *echo != "" {
		log.Fatal(serveEcho(*echo))
	}
	bodies := requests()
	client := newClient()
	var (
		done, failed, completions atomic.Int64
		lock                      sync.Mutex
		times                     []time.Duration
		working                   sync.WaitGroup
		next                      atomic.Int64
	)
	used := processorTime(*pid)
	began := time.Now()
	if *verdict == runVerdict {
		minutes := time.NewTicker(time.Minute)
		defer minutes.Stop()
		go func() {
			for range minutes.C {
				log.Printf("%d requests, %d failed, %v", done.Load(), failed.Load(), holds(*pid))
			}
		}()
	}
	for range *clients {
		working.Go(func() {
			var mine []time.Duration
			for time.Since(began) < *last {
				i := next.Add(1)
				if *most > 0 && i > *most {
					break
				}
				body := bodies[int(i)%len(bodies)]
				start := time.Now()
				err := ask(client, body)
				if noServer(err) {
					log.Fatal(err) // else all that is measured is how fast it fails
				}
				mine = append(mine, time.Since(start))
				done.Add(1)
				completions.Add(int64(body.completions))
				if err != nil {
					if failed.Add(1) < 4 {
						log.Print(err)
					}
				}
			}
			lock.Lock()
			defer lock.Unlock()
			times = append(times, mine...)
		})
	}
	working.Wait()
	took := time.Since(began)
	used = processorTime(*pid) - used
	slices.Sort(times)
	at := func(share float64) string {
		return fmt.Sprintf("%.2f", times[min(int(share*float64(len(times))), len(times)-1)].Seconds()*1000)
	}
	fmt.Printf("batch %d, %d clients, fresh %v, socket %v, %s: %d requests, %d failed, %.0f requests/s, %.0f completions/s, "+
		"ms p50 %s p99 %s p99.9 %s max %s, cpu %.1f us a completion, %.0f us a request, %d MB\n",
		*batch, *clients, *fresh, *socket != "", *verdict, done.Load(), failed.Load(),
		float64(done.Load())/took.Seconds(), float64(completions.Load())/took.Seconds(),
		at(.5), at(.99), at(.999), at(1),
		used.Seconds()*1e6/float64(completions.Load()), used.Seconds()*1e6/float64(done.Load()), memory(*pid)>>20)
	if failed.Load() > 0 {
		os.Exit(1)
	}
}

// A request is a body, and what is asked in it.
type request struct {
	text        []byte
	completions int
	want        string // what a reply of /run_code has in it
}

// runVerdict asks for what programs print, and not for a verdict.
const runVerdict = "run"

// programs returns bodies of /run_code: short programs, of which one in eight fails and one
// in 64 makes no end, so that its child is replaced.
func programs() (list []request) {
	for i := range 1024 {
		code, want := fmt.Sprintf("import sys\nwords = sys.stdin.read().split()\nprint(sorted(words), sum(range(%d)))\n", i), fmt.Sprintf(`"stdout":"['a', 'b'] %d\n"`, i*(i-1)/2)
		switch {
		case i%64 == 1:
			code, want = "while True:\n    pass\n", `"status":"TimeLimitExceeded"`
		case i%8 == 0:
			code, want = fmt.Sprintf("raise SystemExit(%d)\n", i%256), fmt.Sprintf(`"return_code":%d,`, i%256)
		}
		text, err := json.Marshal(map[string]any{"code": code, "language": "python", "stdin": "b a", "run_timeout": 0.01})
		if err != nil {
			log.Fatal(err)
		}
		list = append(list, request{text: text, completions: 1, want: want})
	}
	return list
}

// requests returns bodies with the open set's answers.
func requests() (list []request) {
	if *verdict == runVerdict {
		return programs()
	}
	tasks, err := openset.Tasks()
	if err != nil {
		log.Fatal(err)
	}
	answers, err := openset.Answers()
	if err != nil {
		log.Fatal(err)
	}
	file, err := formats.Read("answers", answers, formats.JSONL, tasks)
	if err != nil {
		log.Fatal(err)
	}
	type item struct {
		TaskID      any      `json:"task_id"`
		Completions []string `json:"completions"`
	}
	var all []item
	for {
		row, err := file.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		samples, err := file.Parse(row)
		if err != nil {
			log.Fatal(err)
		}
		for _, output := range samples.Outputs {
			all = append(all, item{samples.ID, []string{output}})
		}
	}
	for from := 0; from < len(all) || len(list) == 0; from += *batch {
		body := map[string]any{"verdict": *verdict}
		if *batch == 1 {
			body["task_id"], body["completions"] = all[from].TaskID, all[from].Completions
		} else {
			items := make([]item, *batch)
			for i := range items {
				items[i] = all[(from+i)%len(all)]
			}
			body["items"] = items
		}
		text, err := json.Marshal(body)
		if err != nil {
			log.Fatal(err)
		}
		list = append(list, request{text: text, completions: *batch})
	}
	return list
}

func newClient() *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: *clients, DisableKeepAlives: *fresh, DisableCompression: true}
	if *socket != "" {
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", *socket)
		}
	}
	return &http.Client{Transport: transport, Timeout: 5 * time.Minute}
}

// ask sends a request, and requires a score for each completion.
func ask(client *http.Client, r request) error {
	path := "/v1/score"
	if r.want != "" {
		path = "/run_code"
	}
	response, err := client.Post(*url+path, "application/json", bytes.NewReader(r.text))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if r.want != "" {
		if response.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(r.want)) {
			return fmt.Errorf("status %d, %.300s, where %s is expected", response.StatusCode, body, r.want)
		}
		return nil
	}
	if n := bytes.Count(body, []byte(`"reward": `)); response.StatusCode != http.StatusOK || n != r.completions {
		return fmt.Errorf("status %d, %d scores for %d completions: %.200s", response.StatusCode, n, r.completions, body)
	}
	return nil
}

// noServer reports whether no connection could be made.
func noServer(err error) bool {
	var failed *net.OpError
	return errors.As(err, &failed) && failed.Op == "dial"
}

// serveEcho answers each body with as many scores as it has completions.
func serveEcho(address string) error {
	const score = `{"reward": 0.0, "official": false, "guarded": null, "proof": "", "reasons": ["official"], "findings": 2, "fixed": 1, ` +
		`"left": 1, "introduced": 0, "invalid": false, "empty": false, "noqa": false, "masked": false, "milliseconds": 0.041, "error": ""}, `
	return http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		n := bytes.Count(body, []byte(`"completions":`))
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, strings.Repeat(score, n))
	}))
}

// processorTime returns what a process and its children have used.
func processorTime(pid int) (total time.Duration) {
	eachProcess(pid, func(fields []string, _ string) {
		for _, field := range fields[11:13] { // utime and stime, in hundredths of a second
			ticks, _ := strconv.ParseInt(field, 10, 64)
			total += time.Duration(ticks) * 10 * time.Millisecond
		}
	})
	return total
}

// memory returns what they have at most, in bytes.
func memory(pid int) (total int64) {
	eachProcess(pid, func(_ []string, folder string) {
		status, _ := os.ReadFile(filepath.Join(folder, "status"))
		if _, rest, found := strings.Cut(string(status), "VmHWM:"); found {
			kilobytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			total += kilobytes << 10
		}
	})
	return total
}

// A held is what the server and its children have.
type held struct {
	server, children int64 // bytes, resident now
	files, processes int   // open files of the server
}

func (h held) String() string {
	return fmt.Sprintf("server %d MB, children %d MB, %d files, %d processes", h.server>>20, h.children>>20, h.files, h.processes)
}

func holds(pid int) (h held) {
	eachProcess(pid, func(fields []string, folder string) {
		pages, _ := strconv.ParseInt(fields[21], 10, 64)
		h.processes++
		if filepath.Base(folder) != strconv.Itoa(pid) {
			h.children += pages * int64(os.Getpagesize())
			return
		}
		h.server = pages * int64(os.Getpagesize())
		files, _ := os.ReadDir(filepath.Join(folder, "fd"))
		h.files = len(files)
	})
	return h
}

// eachProcess calls f with the fields of stat after the name, and the folder of /proc.
func eachProcess(pid int, f func(fields []string, folder string)) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		stat, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if filepath.Base(folder) == strconv.Itoa(pid) || fields[1] == strconv.Itoa(pid) {
			f(fields, folder)
		}
	}
}

// Command hostile sends codelinter serve what nobody should send, and says what memory the
// server took for it: more than --max-queue-bytes and 256 MB is an error, and so is a
// server that does not answer the next request. It is for developers, and for Linux:
//
//	go build -o /tmp/codelinter ./cmd/codelinter
//	go run ./server/testdata/hostile -binary /tmp/codelinter
//
// Each shape has a server of its own. The tests of httpserver and api hold the bounds
// that make up the sum, without measuring memory.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	binary = flag.String("binary", "codelinter", "start the server of `FILE`")
	only   = flag.String("run", "", "send the shapes alone whose names have `TEXT`")
	queue  = flag.Int64("max-queue-bytes", 256<<20, "start it with --max-queue-bytes `N`")
)

// slack is what a server may take beside --max-queue-bytes.
const slack = 256e6

// A shape is something hostile to send.
type shape struct {
	name string
	send func(s *server) (said string)
}

// post is a shape of so many requests at once with one body.
func post(name, path string, times int, body func() []byte, headers ...string) shape {
	return shape{name, func(s *server) string {
		text := body()
		replies := make([]string, times)
		var sending sync.WaitGroup
		for i := range times {
			sending.Go(func() { replies[i] = s.post(path, bytes.NewReader(text), headers...) })
		}
		sending.Wait()
		return summary(replies)
	}}
}

func repeated(before, part string, times int, after string) func() []byte {
	return func() []byte {
		text := strings.Repeat(part, times)
		if strings.HasSuffix(part, ",") {
			text = text[:len(text)-1]
		}
		return []byte(before + text + after)
	}
}

// numbered is repeated with a number in place of each #.
func numbered(before, part string, times int, after string) func() []byte {
	return func() []byte {
		text := []byte(before)
		for i := range times {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(text, strings.ReplaceAll(part, "#", strconv.Itoa(i))...)
		}
		return append(text, after...)
	}
}

func squeezed(body func() []byte) func() []byte {
	return func() []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(body())
		w.Close()
		return b.Bytes()
	}
}

var (
	semicolons = strings.Repeat("x;", 1<<19)
	long       = strings.Repeat("x", 60<<20)
)

const gzipped = "Content-Encoding"

var shapes = []shape{
	post("3 million empty completions", "/v1/score", 1, repeated(`{"completions":[`, `"",`, 3e6, `]}`)),
	post("10 million empty completions", "/v1/score", 1, repeated(`{"completions":[`, `"",`, 10e6, `]}`)),
	post("10 million empty completions, gzip", "/v1/score", 1, squeezed(repeated(`{"completions":[`, `"",`, 10e6, `]}`)), gzipped, "gzip"),
	post("the same from 64 clients", "/v1/score", 64, squeezed(repeated(`{"completions":[`, `"",`, 10e6, `]}`)), gzipped, "gzip"),
	post("20 million items that are numbers", "/v1/score", 1, repeated(`{"items":[`, `7,`, 20e6, `]}`)),
	post("20 million completions of null", "/v1/score", 1, repeated(`{"completions":[`, `null,`, 12e6, `]}`)),
	post("as many answers as allowed, 32 clients", "/v1/score", 32, repeated(`{"verdict":"official","completions":[`, `"",`, 1<<17, `]}`)),
	post("as many items with a fault as allowed, 32 clients", "/v1/score", 32, repeated(`{"items":[`, `7,`, 1<<17, `]}`)),
	post("100,000 items with a task each", "/v1/score", 4, numbered(`{"verdict":"official","items":[`, `{"completion":"x","task":{"program":"x=#"}}`, 1e5, `]}`)),
	post("3 million files", "/v1/lint", 1, numbered(`{"files":{`, `"#":""`, 3e6, `}}`)),
	post("names of 50 MB", "/v1/lint", 1, func() []byte { return []byte(`{"files":{"` + long + `":"x=1"}}`) }),
	post("2,000 files with 50,000 findings each", "/v1/lint", 1, numbered(`{"files":{`, `"#":"`+semicolons[:30000]+`"`, 2000, `}}`)),
	post("10 files with 50,000 findings each, 32 clients", "/v1/lint", 32, numbered(`{"files":{`, `"#":"`+semicolons[:30000]+`"`, 10, `}}`)),
	post("1.5 million findings", "/v1/lint", 1, func() []byte { return []byte(`{"code":"` + semicolons + `"}`) }),
	post("1.5 million findings, 32 clients", "/v1/lint", 32, func() []byte { return []byte(`{"code":"` + semicolons + `"}`) }),
	post("1.5 million findings in program and answer, 8 clients", "/v1/score", 8, func() []byte {
		return []byte(`{"task":{"program":"` + semicolons + `"},"completion":"` + semicolons + `"}`)
	}),
	post("60 million brackets", "/v1/score", 4, func() []byte { return []byte(`{"completions":` + strings.Repeat("[", 60<<20)) }),
	post("10,000 brackets, 5,000 times", "/v1/score", 4, repeated(`{"completions":[`, strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+",", 5000, `]}`)),
	post("options of 40 MB", "/v1/lint", 4, repeated(`{"code":"","options":{"ignore":[`, `"E",`, 10e6, `]}}`)),
	post("a task with 15 million tests", "/v1/score", 4, repeated(`{"completion":"x","task":{"program":"x=1","tests":[`, `"",`, 15e6, `]}}`)),
	post("a task with 1 million tests", "/v1/score", 16, repeated(`{"completion":"x","task":{"program":"x=1","tests":[`, `"",`, 1e6, `]}}`)),
	post("5 million keys", "/v1/score", 4, numbered(`{`, `"#":0`, 5e6, `}`)),
	post("an id of 60 MB", "/v1/score", 4, func() []byte { return []byte(`{"completion":"x","id":"` + long + `"}`) }),
	post("a task's id of 50 MB, 100,000 answers", "/v1/score", 4, repeated(`{"task_id":"`+long[:50<<20]+`","completions":[`, `"",`, 1e5, `]}`)),
	post("completions of 60 MB, 16 clients", "/v1/score", 16, func() []byte { return []byte(`{"completion":"` + long + `"}`) }),
	post("a body of 60 MB of blanks, 16 clients", "/v1/score", 16, func() []byte { return bytes.Repeat([]byte(" "), 60<<20) }),
	post("OpenRLHF: 5 million queries", "/openrlhf", 4, func() []byte {
		list := "[" + strings.Repeat(`"",`, 5e6-1) + `""]`
		return []byte(`{"query":` + list + `,"prompts":` + list + `,"labels":` + list + `}`)
	}),
	post("OpenRLHF: a prompt of 30 MB", "/openrlhf", 4, func() []byte {
		return []byte(`{"query":["` + long[:30<<20] + `"],"prompts":["y` + long[:30<<20] + `"],"labels":["7"]}`)
	}),
	post("slime: a label of 60 MB", "/slime", 4, func() []byte { return []byte(`{"response":"x","label":"{` + long + `"}`) }),
	post("a gzip bomb of 4 GB", "/v1/score", 16, func() []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		zeros := make([]byte, 1<<20)
		for range 4096 {
			w.Write(zeros)
		}
		w.Close()
		return b.Bytes()
	}, gzipped, "gzip"),
	post("a million empty gzips", "/v1/score", 16, func() []byte { return bytes.Repeat(squeezed(func() []byte { return nil })(), 1e6) }, gzipped, "gzip"),
	post("other encodings", "/v1/score", 16, func() []byte { return []byte(long) }, gzipped, "zstd"),
	{"chunks without end, 16 clients", func(s *server) string {
		replies := make([]string, 16)
		var sending sync.WaitGroup
		for i := range replies {
			sending.Go(func() { replies[i] = s.post("/v1/score", endless{}) })
		}
		sending.Wait()
		return summary(replies)
	}},
	{"4,000 bodies of 256 kB that stop", func(s *server) string {
		return s.connect(4000, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n"+long[:256<<10])
	}},
	{"4,000 gzip bodies that stop", func(s *server) string {
		return s.connect(4000, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 60000000\r\n\r\n"+
			string(squeezed(func() []byte { return []byte(long[:1<<20]) })()[:500]))
	}},
	{"6,000 connections", func(s *server) string { return s.connect(6000, "") }},
	{"4,500 connections with 15 kB of headers that stop", func(s *server) string {
		headers := "POST /v1/score HTTP/1.1\r\nHost: localhost\r\n"
		for i := 0; len(headers) < 15<<10; i++ {
			headers += strconv.FormatInt(int64(i), 36) + ":\r\n"
		}
		return s.connect(4500, headers)
	}},
	{"4,000 requests with 15 kB of headers, and bodies that stop", func(s *server) string {
		headers := "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
		for i := 0; len(headers) < 15<<10; i++ {
			headers += strconv.FormatInt(int64(i), 36) + ":\r\n"
		}
		return s.connect(4000, headers+"\r\n{")
	}},
	{"2,000 clients that ask for much and do not read", func(s *server) string {
		body := repeated(`{"verdict":"official","completions":[`, `"",`, 20000, `]}`)()
		return s.connect(2000, fmt.Sprintf("POST /v1/score HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	}},
	{"4,000 clients that ask for metrics and do not read", func(s *server) string {
		return s.connect(4000, strings.Repeat("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 300))
	}},
}

// An endless reader has no end within the bounds of any server.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A server is a process, and where it listens.
type server struct {
	process *exec.Cmd
	address string
}

func start() *server {
	s := &server{process: exec.Command(*binary, "serve", "--listen", "127.0.0.1:0", "--max-queue-bytes", strconv.FormatInt(*queue, 10))}
	stderr, err := s.process.StderrPipe()
	if err == nil {
		err = s.process.Start()
	}
	if err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, rest, found := strings.Cut(lines.Text(), "address=http://"); found {
			s.address, _, _ = strings.Cut(rest, "/")
		}
		if strings.Contains(lines.Text(), "msg=ready") {
			go io.Copy(io.Discard, stderr)
			return s
		}
	}
	log.Fatalf("%s does not serve", *binary)
	return nil
}

// post sends a body, and returns the status.
func (s *server) post(path string, body io.Reader, headers ...string) string {
	request, err := http.NewRequest("POST", "http://"+s.address+path, body)
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 10 * time.Minute}
	response, err := client.Do(request)
	if err != nil {
		return "no reply"
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return strconv.Itoa(response.StatusCode)
}

// ask sends a body, and returns the status and the reply; 0 is no reply.
func (s *server) ask(path string, body []byte) (status int, reply string) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 3 * time.Minute}
	response, err := client.Post("http://"+s.address+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err.Error()
	}
	return response.StatusCode, string(text)
}

// connect opens connections, sends a text on each, and holds them for some seconds.
func (s *server) connect(times int, text string) string {
	conns := make(chan net.Conn, times)
	var opening sync.WaitGroup
	for part := range 50 {
		opening.Go(func() {
			for i := part; i < times; i += 50 {
				conn, err := net.Dial("tcp", s.address)
				if err != nil {
					continue
				}
				conns <- conn
				conn.SetWriteDeadline(time.Now().Add(2 * time.Second))
				io.WriteString(conn, text)
			}
		})
	}
	opening.Wait()
	close(conns)
	time.Sleep(3 * time.Second)
	for conn := range conns {
		conn.Close()
	}
	return fmt.Sprintf("%d connections", times)
}

// alive reports whether the server answers.
func (s *server) alive() bool {
	for range 300 { // connections may have to end first
		response, err := http.Post("http://"+s.address+"/slime", "application/json", strings.NewReader(`{"response": "x = 1\n", "label": {"program": "x=1\n"}}`))
		if err == nil {
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if string(body) == "1.0" {
				return true
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}

// memory returns a number of the process's status, in bytes.
func (s *server) memory(name string) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	_, rest, found := strings.Cut(string(status), name+":")
	if !found {
		return -1
	}
	kilobytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return kilobytes << 10
}

func main() {
	flag.Parse()
	failed := false
	fmt.Printf("| %-60s | %-28s | peak, MB | 5 s later | seconds | others: right, busy |\n|---|---|---|---|---|---|\n", "shape", "said")
	for _, shape := range slices.Concat(shapes, programs) {
		if !strings.Contains(shape.name, *only) {
			continue
		}
		s := start()
		began, done := time.Now(), make(chan struct{})
		canary := s.begin(done)
		said := shape.send(s)
		took := time.Since(began)
		close(done)
		others := <-canary
		alive := s.alive()
		time.Sleep(5 * time.Second)
		peak, later := s.memory("VmHWM"), s.memory("VmRSS")
		s.process.Process.Kill()
		s.process.Wait()
		note := ""
		if !alive {
			note, failed = " **does not answer**", true
		}
		if peak > *queue+slack {
			note, failed = note+" **too much**", true
		}
		if others.wrong > 0 {
			note, failed = note+" **another client: "+others.first+"**", true
		}
		fmt.Printf("| %-60s | %-28s | %d%s | %d | %.1f | %d, %d |\n", shape.name, said, peak/1e6, note, later/1e6, took.Seconds(), others.right, others.busy)
	}
	if failed {
		os.Exit(1)
	}
}

// summary counts equal replies.
func summary(replies []string) string {
	counts := map[string]int{}
	var order []string
	for _, reply := range replies {
		if counts[reply] == 0 {
			order = append(order, reply)
		}
		counts[reply]++
	}
	parts := make([]string, len(order))
	for i, reply := range order {
		parts[i] = fmt.Sprintf("%s (%d)", reply, counts[reply])
	}
	return strings.Join(parts, ", ")
}

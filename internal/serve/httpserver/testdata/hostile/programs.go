package main

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"
	"sync"
	"time"
)

// The shapes of this file make the server reply with much, or judge much: programs whose
// output, files, errors and values are as large as they can be.

// run is a shape of so many requests at once to run one program. more are other fields of the
// request.
func run(name string, times int, code string, more map[string]any, headers ...string) shape {
	return post(name, "/run_code", times, func() []byte {
		request := map[string]any{"language": "python", "code": code}
		for field, value := range more {
			request[field] = value
		}
		return marshal(request)
	}, headers...)
}

// judge is a shape of so many requests at once to judge a program as the answer to itself, which
// the tree of neither decides.
func judge(name string, times int, program, answer string) shape {
	number := 0
	return shape{name, func(s *server) string {
		replies := make([]string, times)
		var sending sync.WaitGroup
		for i := range times {
			number++
			// The program differs each time: a task's calls are chosen and run once.
			body := marshal(map[string]any{
				"task":        map[string]any{"program": fmt.Sprintf("%s\n\nunique=%d\n", program, number)},
				"completions": []string{fmt.Sprintf("%s\n\nunique = %d\n", answer, number)},
			})
			sending.Go(func() {
				var reply struct {
					Scores []struct {
						Guarded, Error string
						Reasons        []string
					}
				}
				status, text := s.ask("/v1/score", body)
				if json.Unmarshal([]byte(text), &reply) != nil || len(reply.Scores) != 1 {
					replies[i] = fmt.Sprintf("%d %.50s", status, text)
					return
				}
				score := reply.Scores[0]
				replies[i] = fmt.Sprintf("%d %s%s %.50s", status, score.Guarded, score.Reasons, score.Error)
			})
		}
		sending.Wait()
		return summary(replies)
	}}
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	return text
}

// spellings returns so many names of one file.
func spellings(times int) []string {
	names := make([]string, times)
	for i := range names {
		names[i] = strings.Repeat("./", i) + "a"
	}
	return names
}

func fetch(names ...string) map[string]any { return map[string]any{"fetch_files": names} }

// names returns so many names.
func names(times int, format string) []string {
	list := make([]string, times)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return list
}

const (
	file20  = "open('a','wb').write(bytes(20*10**6))"
	file60  = "open('a','wb').write(bytes(60*10**6))"
	doubles = "def double(x):\n    return "
)

var programs = []shape{
	// Files.
	run("40 spellings of a file of 20 MB", 1, file20, fetch(spellings(40)...)),
	run("200 spellings of a file of 20 MB", 1, file20, fetch(spellings(200)...)),
	run("200 spellings of a file of 20 MB, 8 clients", 8, file20, fetch(spellings(200)...)),
	run("20,000 spellings of a file of 20 MB", 4, file20, fetch(names(20000, "b%d/../a")...)),
	run("a file of 60 MB, 4 clients", 4, file60, fetch("a")),
	run("a file of 60 MB, 4 clients, gzip", 4, file60, fetch("a"), "Accept-Encoding", "gzip"),
	run("a file of 60 MB, 32 clients", 32, file60, fetch("a")),
	run("a file of 60 MB that nobody asks for, 8 clients", 8, file60, nil),
	run("a file of 60 MiB by truncate, 8 clients", 8, "open('a','wb').truncate(60<<20)", fetch("a")),
	run("10,000 files of 6 kB, 8 clients", 8, "for i in range(10000): open(str(i),'wb').write(bytes(6000))", fetch(names(10000, "%d")...)),
	run("15,000 files with names of 200 characters in 15 folders, 8 clients", 8,
		"import os\nd='/'.join(['d'*200]*15)\nos.makedirs(d)\nos.chdir(d)\nfor i in range(15000): open(str(i)+'n'*200,'w')", fetch("x")),
	run("a file of 45 MB there and back, 4 clients", 4, "", map[string]any{"files": map[string][]byte{"a": make([]byte, 45<<20)}, "fetch_files": []string{"a", "./a"}}),
	run("20,000 files given, 8 clients", 8, "", map[string]any{"files": many(20000), "fetch_files": names(20000, "%d")}),
	post("5 million files given", "/run_code", 4, numbered(`{"code":"","language":"python","files":{`, `"#":""`, 5e6, `}}`)),
	post("20 million names of files asked for", "/run_code", 4, repeated(`{"code":"","language":"python","fetch_files":[`, `"",`, 20e6, `]}`)),
	post("a name of 60 MB asked for", "/run_code", 4, func() []byte { return []byte(`{"code":"","language":"python","fetch_files":["` + long + `"]}`) }),

	// Output.
	run("a gigabyte of output, 16 clients", 16, "for _ in range(1000): print('x'*10**6)", nil),
	run("4 MB of NUL on both streams, 32 clients", 32, "import sys\nfor f in sys.stdout, sys.stderr: f.write('\\0'*(4<<20))", nil),
	run("4 MB of bytes that are no text on both streams, 32 clients", 32, "import sys\nfor f in sys.stdout, sys.stderr: f.buffer.write(b'\\xffa'*(2<<20))", nil),
	run("4 MB of quotes on both streams, 32 clients, gzip", 32, "import sys\nfor f in sys.stdout, sys.stderr: f.write('\"'*(4<<20))", nil, "Accept-Encoding", "gzip"),
	run("an exception with a message of 60 MB, 8 clients", 8, "raise Exception('x'*60000000)", nil),
	run("an exception with notes of 60 MB, 8 clients", 8, "e=Exception()\nfor _ in range(60): e.add_note('\\0'*10**6)\nraise e", nil),
	run("an exit with a message of 60 MB, 8 clients", 8, "import sys\nsys.exit('x'*60000000)", nil),
	run("a group of 100,000 exceptions, 8 clients", 8, "raise ExceptionGroup('x', [ValueError('y'*500) for _ in range(100000)])", nil),
	run("a traceback through a line of 12 MB, 8 clients", 8, "def f(n): return "+strings.Repeat("1+", 6000000)+"1/n\nf(0)", nil),
	run("a syntax error in a line of 15 MB, 8 clients", 8, strings.Repeat("x ", 7500000), nil),
	run("a program of 16 MB, 16 clients", 16, strings.Repeat("#", 16<<20), nil),
	run("a program of 45 MB, 16 clients", 16, strings.Repeat("#", 45<<20), nil),
	run("an input of 55 MB, 16 clients", 16, "print(len(input()))", map[string]any{"stdin": strings.Repeat("x", 55<<20)}),
	run("64 programs that take 2 GB", 64, "x=bytearray(2000<<20)\nprint(len(x))", map[string]any{"memory_limit_MB": 2048}),

	// Values, of which the judge compares every byte.
	judge("values of 8 MB", 4, doubles+"'x'*8000000\n", doubles+"'x' * (4000000 + 4000000)\n"),
	judge("values of 8 MB from many functions", 2, functions("'x'*8000000"), functions("'x' * (4000000 + 4000000)")),
	judge("lists of 190,000 numbers", 4, functions("list(range(190000))"), functions("[i for i in range(190000)]")),
	judge("lists in lists", 4, functions("[[[]]]*60000"), functions("[[[]] for _ in range(60000)]")),
	judge("numbers of 4 million digits", 4, functions("1<<20000000"), functions("2 ** 20000000")),
	judge("a repr of 60 MB", 4, "class A:\n    def __repr__(self):\n        return 'x'*60000000\n\n\ndef f(x):\n    return [A(), repr(A())]\n",
		"class A:\n    def __repr__(self):\n        return 'x' * 60000000\n\n\ndef f(x):\n    a = A()\n    return [a, repr(a)]\n"),
	judge("exceptions with messages of 8 MB", 4, functions("1/0 if x is None else exec('raise ValueError(\"x\"*8000000)')"), functions("exec('raise ValueError(\"x\" * 8000000)') if x is not None else 1 / 0")),
	judge("a megabyte printed in each call", 4, functions("print('x'*1000000)"), functions("print('x' * 500000 + 'x' * 500000)")),
	judge("variables of 8 MB after the calls", 4, "a=[]\n\n\ndef f(x):\n    a.append('x'*1000000)\n", "a = []\n\n\ndef f(x):\n    a.extend(['x' * 1000000])\n"),
	judge("a thousand functions", 4, many1000("x+%d"), many1000("%d + x")),
	judge("literals of 500 kB", 8, functions("'"+strings.Repeat("x", 500000)+"'"), functions("'"+strings.Repeat("x", 250000)+"' '"+strings.Repeat("x", 250000)+"'")),

	// Findings, details and errors.
	post("details of 1 MB with 300,000 findings, 32 clients", "/v1/score", 32, func() []byte {
		return marshal(map[string]any{"details": true, "verdict": "official", "task": map[string]any{"program": "x=1"}, "completion": semicolons[:1<<20]})
	}),
	post("an undefined name of 500 kB, found twice, 32 clients", "/v1/lint", 32, func() []byte {
		return marshal(map[string]any{"code": long[:500000] + "\n" + long[:500000] + "\n"})
	}),
	post("messages of 10 kB from 100 names, 32 clients", "/v1/lint", 32, func() []byte {
		return marshal(map[string]any{"code": strings.Repeat(long[:10000]+"\n", 100)})
	}),
	post("100,000 files with long names and errors", "/v1/lint", 4, func() []byte {
		files := map[string]string{}
		for i := range 10000 {
			files[fmt.Sprint(i)+long[:4000]] = "("
		}
		return marshal(map[string]any{"files": files})
	}),
	post("a key of 60 MB", "/v1/score", 4, func() []byte { return []byte(`{"` + long + `":1}`) }),
	post("a verdict of 60 MB", "/v1/score", 4, func() []byte { return []byte(`{"completion":"x","verdict":"` + long + `"}`) }),
	post("an option of 60 kB, 100,000 items", "/v1/score", 4, numbered(`{"verdict":"official","items":[`, `{"completion":"x","task":{"program":"x","options":{"`+long[:400]+`#":1}}}`, 1e5, `]}`)),
	post("OpenRLHF: 100,000 queries without their prompts", "/openrlhf", 4, func() []byte {
		part := func(text string) []string {
			return strings.Split(strings.Repeat(text+"\n", 100000)[:100000*(len(text)+1)-1], "\n")
		}
		return marshal(map[string]any{"query": part(long[:200]), "prompts": part("y" + long[:200]), "labels": part("7")})
	}),
	{"clients that ask for files of 60 MB and do not read, 16 clients", func(s *server) string {
		body := marshal(map[string]any{"language": "python", "code": file60, "fetch_files": []string{"a"}})
		return s.connect(16, fmt.Sprintf("POST /run_code HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	}},
}

// functions returns a program of ten functions that return a value.
func functions(value string) string {
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "def f%d(x):\n    return %s\n\n\n", i, value)
	}
	return strings.TrimSpace(text.String()) + "\n"
}

// many1000 returns a program of a thousand functions.
func many1000(value string) string {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "def f%d(x):\n    return "+value+"\n\n\n", i, i)
	}
	return strings.TrimSpace(text.String()) + "\n"
}

// many returns so many files of 2 kB.
func many(times int) map[string][]byte {
	files := map[string][]byte{}
	for i := range times {
		files[fmt.Sprint(i)] = make([]byte, 2000)
	}
	return files
}

// others is a client that has the server score and run small programs while others send what is
// hostile.
type others struct {
	right, busy, wrong int
	first              string // the first wrong reply
}

// begin starts a client. It ends when done is closed, and sends what it found.
func (s *server) begin(done <-chan struct{}) <-chan others {
	result := make(chan others, 1)
	go func() {
		var o others
		defer func() { result <- o }()
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			case <-time.After(300 * time.Millisecond):
			}
			o.ask(s, i)
		}
	}()
	return result
}

func (o *others) ask(s *server, i int) {
	path, body, want := "/run_code", marshal(map[string]any{"language": "python", "code": fmt.Sprintf("print(6*7+%d)", i)}), fmt.Sprintf(`"stdout":"%d\n"`, 42+i)
	if i%2 == 0 {
		path, want = "/slime", "1.0"
		body = marshal(map[string]any{"response": fmt.Sprintf("x = %d\n", i), "label": map[string]any{"program": fmt.Sprintf("import os\nx=%d\n", i)}})
	}
	status, reply := s.ask(path, body)
	switch {
	case status == 200 && strings.Contains(strings.ReplaceAll(reply, `": "`, `":"`), strings.ReplaceAll(want, "\n", `\n`)):
		o.right++
	case status == 503 || status == 504:
		o.busy++
	default:
		if o.wrong++; o.first == "" {
			o.first = fmt.Sprintf("%s: %d %.200s", path, status, reply)
		}
	}
}

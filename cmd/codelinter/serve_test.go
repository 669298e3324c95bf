//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// serving starts a server, and returns its address and what it says from then on.
func serving(t *testing.T, args ...string) (command *exec.Cmd, url string, said *bufio.Scanner) {
	t.Helper()
	command, _ = codelinter(t, t.TempDir(), "", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	command.Stdout, command.Stderr = nil, nil
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Kill(); command.Wait() })
	said = bufio.NewScanner(stderr)
	for said.Scan() {
		if _, rest, found := strings.Cut(said.Text(), "msg=listening address="); found {
			url, _, _ = strings.Cut(rest, "/ ")
			return command, url, said
		}
	}
	t.Fatal("it does not listen")
	return nil, "", nil
}

var (
	asks         = regexp.MustCompile(`^\$ curl -s http://127\.0\.0\.1:8414(/\S+)(?: -d '(.*)')?$`)
	took         = regexp.MustCompile(`"milliseconds": [0-9.]+`)
	namedOptions = regexp.MustCompile("--[a-z][a-z-]+")
)

// What docs/serving.md says that is asked is answered as it says, and the options that it
// names are there.
func TestServingPage(t *testing.T) {
	command, url, said := serving(t)
	text, err := os.ReadFile("../../docs/serving.md")
	if err != nil {
		t.Fatal(err)
	}
	for said.Scan() && !strings.Contains(said.Text(), "msg=ready") {
	}
	asked := 0
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		request := asks.FindStringSubmatch(line)
		if request == nil {
			if strings.HasPrefix(line, "$ curl") {
				t.Errorf("not understood: %s", line)
			}
			continue
		}
		asked++
		method := http.MethodGet
		if request[2] != "" {
			method = http.MethodPost
		}
		asking, err := http.NewRequest(method, url+request[1], strings.NewReader(request[2]))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(asking)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		got := took.ReplaceAllString(strings.TrimSuffix(string(body), "\n"), "")
		if want := took.ReplaceAllString(lines[i+1], ""); got != want {
			t.Errorf("%s\n%s\nwant\n%s", line, got, want)
		}
	}
	if asked < 6 {
		t.Errorf("%d requests", asked)
	}
	flags := newServeCommand().Flags()
	for i, line := range lines {
		if strings.HasPrefix(line, "| `--") {
			for _, option := range namedOptions.FindAllString(line, -1) {
				if flags.Lookup(option[2:]) == nil {
					t.Errorf("line %d: there is no %s", i+1, option)
				}
			}
		}
	}
	stops(t, command)
}

// stops requires that SIGTERM ends a server with 0.
func stops(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("SIGTERM: %v", err)
	}
}

func TestServePortTaken(t *testing.T) {
	first, url, _ := serving(t, "--verdict", "official")
	second, stderr := codelinter(t, t.TempDir(), "", "serve", "--listen", strings.TrimPrefix(url, "http://"))
	second.Run()
	if code := second.ProcessState.ExitCode(); code != exitMisuse || !strings.Contains(stderr.String(), "address already in use") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	stops(t, first)
}

// A log that cannot be written stops nothing.
func TestServeFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	socket := t.TempDir() + "/s"
	command, _ := codelinter(t, t.TempDir(), "", "serve", "--listen", "unix:"+socket, "--verdict", "official", "--log-level", "debug")
	command.Stdout, command.Stderr = nil, full
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Kill() })
	client := socketClient(socket)
	until(t, func() bool {
		response, err := client.Get("http://judge/healthz")
		if err == nil {
			response.Body.Close()
		}
		return err == nil
	})
	for range 50 {
		response, err := client.Post("http://judge/slime", "application/json", strings.NewReader(`{"response": "x = 1\n", "label": {"program": "x=1\n"}}`))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if string(body) != "1.0" {
			t.Fatalf("%s", body)
		}
	}
	until(t, func() bool { // the log is written beside the answers
		response, err := client.Get("http://judge/metrics")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		lost := 0
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			fmt.Sscanf(lines.Text(), "codelinter_log_lines_dropped_total %d", &lost)
		}
		return lost >= 50
	})
	client.CloseIdleConnections()
	stops(t, command)
}

func socketClient(path string) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
}

package gpython

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/go-python/gpython/py"

	"codelinter/sandbox/internal/job"
)

// request is that of a call of nothing but an expression.
func request(expr string) []byte {
	b := append([]byte{100, 0}, byte(2*len(expr)))
	return append(append(b, expr...), 0, 0)
}

// run runs source and one expression, and gives the reply to that, or why
// there is none.
func run(source, expr string) string {
	r := New(100).Run(&job.Job{Source: []byte(source), Calls: [][]byte{request(expr)}})
	if len(r.Calls) == 0 || r.Calls[0].Stop != job.Replied {
		return "unknown: " + r.Reason
	}
	return fmt.Sprintf("%q", r.Calls[0].Reply[1:])
}

func TestEncoding(t *testing.T) {
	for expr, want := range map[string]string{
		"None":            `"N\x00"`,
		"...":             `".\x00"`,
		"True, False":     `"(\x02TF\x00"`,
		"0":               `"i\x00\x00"`,
		"127":             `"i\x01\x7f\x00"`,
		"128":             `"i\x02\x80\x00\x00"`,
		"-128":            `"i\x01\x80\x00"`,
		"-129":            `"i\x02\x7f\xff\x00"`,
		"2 ** 64":         `"i\t\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00"`,
		"1.5":             `"f\x00\x00\x00\x00\x00\x00\xf8?\x00"`,
		"'aé'":            `"s\x03aé\x00"`,
		"b'a'":            `"b\x01a\x00"`,
		"[[]] * 2":        `"[\x02[\x00r\x01\x00"`,
		"range(1, 3)":     `"Ri\x01\x01i\x01\x03i\x01\x01\x00"`,
		"{'a': 1}":        `"d\x01s\x01ai\x01\x01\x00"`,
		"{3, 1, 2}":       `"{\x03i\x01\x01i\x01\x02i\x01\x03\x00"`,
		"{'b', 'a'}":      `"{\x02s\x01as\x01b\x00"`,
		"{}":              `"d\x00\x00"`,
		"shared":          `"[\x02[\x00r\x01\x00"`,
		"cycle":           `"[\x01r\x00\x00"`,
		"{'a': 1, 'b':2}": "unknown",
		"{1, 1.0}":        "unknown",
		"{1, 'a'}":        "unknown",
		"'\\ud800'":       "unknown",
		"iter([])":        "unknown",
		"A()":             "unknown",
		"A":               "unknown",
		"len":             "unknown",
		"lambda: 0":       "unknown",
		"1 / 0":           "unknown",
		"deep":            "unknown",
		"[0] * 300000":    "unknown",
	} {
		got := run("class A: pass\nx = []\nshared = [x, x]\ncycle = []\ncycle.append(cycle)\ndeep = []\nfor i in range(2000): deep = [deep]\n", expr)
		if got != want && (want != "unknown" || !strings.HasPrefix(got, "unknown: gpython: ")) {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}

// Integers are encoded as encoding them by their definition gives.
func TestIntegers(t *testing.T) {
	for shift := range uint(70) {
		for _, delta := range []int64{-1, 0, 1} {
			for _, sign := range []int64{-1, 1} {
				n := new(big.Int).Lsh(big.NewInt(sign), shift)
				n.Add(n, big.NewInt(delta))
				var e encoder
				e.node((*py.BigInt)(n), 0)
				size, w := binary.Uvarint(e.reply[1:])
				b := e.reply[1+w:]
				if uint64(len(b)) != size {
					t.Fatalf("%v: %d bytes, said to be %d", n, len(b), size)
				}
				got := new(big.Int)
				for i, c := range b {
					got.Add(got, new(big.Int).Lsh(big.NewInt(int64(c)), uint(8*i)))
				}
				if len(b) > 0 && b[len(b)-1] >= 0x80 {
					got.Sub(got, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
				}
				if got.Cmp(n) != 0 {
					t.Errorf("%v is encoded as %v", n, got)
				}
				if l := len(b); l > 1 && (b[l-1] == 0 && b[l-2] < 0x80 || b[l-1] == 0xff && b[l-2] >= 0x80) {
					t.Errorf("%v is encoded in %d bytes: %x", n, l, b)
				}
			}
		}
	}
}

// What reaches for the host, or for what would be trusted wrongly, is unknown.
func TestOutOfReach(t *testing.T) {
	for _, source := range []string{
		"import os", "import os.path", "from os import system", "import glob", "import tempfile", "import marshal", "import time",
		"import subprocess", "import socket", "import posix", "import array", "import binascii", "import importlib",
		"import sys\nsys.exit(0)", "import sys\nsys.modules", "import sys\nsys.path", "import sys\nsys._getframe", "exit()", "quit()",
		"open('/etc/passwd')", "input()", "compile('1', '', 'single')", "__import__('os')", "exec('import os')", "eval('open')",
		"import builtins\nbuiltins.open", "__builtins__.open", "import hostfile", "import sub.module", "from . import a",
		"type(print.__self__)", "raise SystemExit", "assert False", "f'{1}'", "x: int = 1", "while True print",
		"# coding: latin-1\nx = 1", "#!x\n# -*- coding: utf-8 -*-", "\ufeffx = 1", "x = '\xff'", "\x00", "def f(): yield\nnext(f()).x",
	} {
		if got := run(source, "1"); !strings.HasPrefix(got, "unknown: gpython: ") {
			t.Errorf("%q: %s", source, got)
		}
	}
}

func TestCallsAndOutput(t *testing.T) {
	binding := append([]byte{100}, "\x1eprint('é' * 9)\x10f(x) + y\x02\x01x\x02a\x01y\x02b\x01\x01x"...) // é has two bytes
	j := &job.Job{
		Source: []byte("import math, string\ndef f(x):\n    x.append(math.floor(2.5))\n    return len(x)\na = [0]\nb = 40\nprint(1, 'a', sep='-')\n"),
		Calls:  [][]byte{binding, request("x"), request("1")},
	}
	runner := New(12)
	r := runner.Run(j)
	if r.Exec.Stop != job.Replied || r.Exec.Output != [2]int{0, 4} || string(r.Output) != "1-a\néééé" || !r.Truncated || r.Used != 0 {
		t.Errorf("%+v", r)
	}
	// x is bound for the expression of its call alone, and nothing runs after.
	if len(r.Calls) != 2 || string(r.Calls[0].Reply) != "\x00i\x01*\x00[\x02i\x00i\x01\x02\x00" || r.Calls[0].Output != [2]int{4, 12} || r.Calls[1].Stop != job.Unknown || r.Finish.Stop != job.NotRun {
		t.Errorf("%+v, %q", r, r.Reason)
	}
	if r := runner.Run(j); r.Failure != ErrUsed.Error() {
		t.Errorf("a second program: %+v", r)
	}
	if r := New(1).Run(&job.Job{Coverage: true}); r.Exec.Stop != job.Unknown || r.Reason == "" {
		t.Errorf("with coverage: %+v", r)
	}
}

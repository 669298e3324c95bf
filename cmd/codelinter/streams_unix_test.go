//go:build linux

package main

import (
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A pipe is opened once more and polled; what was given stays as it is. All else is returned.
func TestPolled(t *testing.T) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	reads, writes := os.NewFile(uintptr(ends[0]), "reads"), os.NewFile(uintptr(ends[1]), "writes")
	defer reads.Close()
	if same := polled(writes); same != io.Reader(writes) {
		t.Errorf("the end to write is opened again: its reader would wait for itself")
	}
	regular, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer regular.Close()
	if same := polled(regular); same != io.Reader(regular) {
		t.Errorf("a regular file is opened again")
	}

	pipe, is := polled(reads).(*os.File)
	if !is || pipe == reads {
		t.Fatal("a pipe is not opened again")
	}
	defer pipe.Close()
	if err := pipe.SetReadDeadline(time.Time{}); err != nil {
		t.Errorf("the pipe is not polled: %v", err)
	}
	if flags, err := unix.FcntlInt(uintptr(ends[0]), unix.F_GETFL, 0); err != nil || flags&unix.O_NONBLOCK != 0 {
		t.Errorf("the pipe that was given has the flags %#x, %v", flags, err)
	}
	read := make(chan string)
	go func() {
		text, err := io.ReadAll(pipe)
		read <- string(text) + "|" + func() string {
			if err != nil {
				return err.Error()
			}
			return "end"
		}()
	}()
	writes.WriteString("a line\n")
	writes.WriteString("and the rest")
	writes.Close()
	if got, want := <-read, "a line\nand the rest|end"; got != want {
		t.Errorf("read %q, want %q", got, want)
	}
}

package results

import (
	"bytes"
	"os"
	"testing"
)

// TestPage requires that the page is what the figures make it.
func TestPage(t *testing.T) {
	figures, err := read("../../../" + figuresFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{pageFile: page(figures), chartFile: chart(figures.Speed)} {
		got, err := os.ReadFile("../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what %s says: go run ./internal/tools/results", name, figuresFile)
		}
	}
	if len(figures.Parity) == 0 || len(figures.Speed) == 0 || len(figures.Board) == 0 || len(figures.Judge) == 0 {
		t.Errorf("%s: expected figures for each table", figuresFile)
	}
	for _, p := range figures.Parity {
		if p.Differ > 0 || p.Lines == 0 {
			t.Errorf("flake8 %s on %s %s: %d differences in %d lines", p.Flake8, p.Python, p.Options, p.Differ, p.Lines)
		}
	}
}

func TestThousands(t *testing.T) {
	if got := thousands(1234567) + " " + thousands(999) + " " + thousands(1000); got != "1,234,567 999 1,000" {
		t.Error(got)
	}
}

package flake8

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"codelinter/rule"
)

var templates = flag.String("templates", "../testdata/flake8-cli/templates.jsonl", "what testdata/flake8-cli/record-templates recorded")

// What CPython's % operator makes of templates.
func TestTemplates(t *testing.T) {
	file, err := os.Open(*templates)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	rendered := 0
	for scanner.Scan() {
		var c struct {
			Template, Code, Text, Path string
			Row, Col                   int32
			Color                      bool
			Out, Error                 string
		}
		if err := json.Unmarshal(scanner.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		finding := rule.Finding{Row: c.Row, Column: c.Col, Code: rule.E501}.With(rule.Values{A: 86, B: 79})
		if c.Code == "E902" {
			finding = rule.Finding{Row: c.Row, Column: c.Col, Code: rule.E902}.With(rule.Values{Text: c.Text})
		}
		if finding.Message() != c.Text {
			t.Fatalf("%s: our message is %q", scanner.Text(), finding.Message())
		}
		out, err := newTemplate(c.Template, c.Color).appendFinding(nil, &lintedFile{Name: c.Path, Findings: []rule.Finding{finding}}, 0)
		switch {
		case c.Error != "" && (err == nil || !strings.HasPrefix(err.Error(), "--format: "+c.Error)):
			t.Errorf("%s: got %q, %v", scanner.Text(), out, err)
		case c.Error == "" && (err != nil || string(out) != c.Out):
			t.Errorf("%s: got %q, %v", scanner.Text(), out, err)
		}
		if c.Error == "" {
			rendered++
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	if rendered < 100 {
		t.Errorf("only %d templates are right", rendered)
	}
}

// Python would fill a width or precision with gigabytes; we say that there is no
// room.
func TestTemplateBound(t *testing.T) {
	file := &lintedFile{Name: "spam.py", Findings: []rule.Finding{rule.Finding{Row: 1, Column: 80, Code: rule.E501}.With(rule.Values{A: 86, B: 79})}}
	for template, want := range map[string]string{
		"%(row)2147483648d":                     "MemoryError",
		"%(row)9223372036854775807s":            "MemoryError",
		"%(row).2000000000f":                    "MemoryError",
		"%(row).2000000000x":                    "MemoryError",
		"%(row).2147483646d":                    "OverflowError: precision too large",
		strings.Repeat("%(code)9999999s", 1000): "MemoryError",
	} {
		_, err := newTemplate(template, false).appendFinding(nil, file, 0)
		if err == nil || strings.TrimPrefix(err.Error(), "--format: ") != want {
			t.Errorf("%.40s: %v, want %s", template, err, want)
		}
	}
	out, err := newTemplate("%(row)1000000d", false).appendFinding(nil, file, 0)
	if err != nil || len(out) != 1_000_001 {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}

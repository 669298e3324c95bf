package flake8_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"codelinter/flake8"
)

// A program that does what flake8 does with its arguments.
func ExampleMain() {
	code := flake8.Main(context.Background(), flake8.Command{
		Name: "flake8", Args: []string{"--isolated", "--select=F", "-"},
		Stdin: strings.NewReader("import os\n"), Stdout: os.Stdout, Stderr: os.Stderr,
	})
	fmt.Println(code == flake8.ExitFound)
	// Output:
	// stdin:1:1: F401 'os' imported but unused
	// true
}

// What flake8 finds in a text that is not saved yet.
func ExampleLintText() {
	findings, err := flake8.LintText([]string{"--isolated", "--max-line-length=20"}, "spam.py", []byte("parrot = 'dead' + 'bereft'\n"))
	if err != nil {
		log.Fatal(err)
	}
	for _, finding := range findings {
		fmt.Printf("%d:%d: %s %s\n", finding.Row, finding.Column, finding.Code, finding.Message())
	}
	// Output: 1:21: E501 line too long (26 > 20 characters)
}

// The files that a command line names, and the options for each.
func ExampleNewPlan() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	for name, text := range map[string]string{"spam.py": "import os\n", "eggs.py": "x = 1 \n", "notes.txt": "x=1"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	plan, code := flake8.NewPlan(context.Background(), flake8.Command{
		Name: "flake8", Args: []string{"--isolated", "--max-line-length=100", folder},
		Stdin: strings.NewReader(""), Stdout: os.Stdout, Stderr: os.Stderr,
	})
	if plan == nil {
		log.Fatal(code)
	}
	for _, file := range plan.Files {
		text, err := plan.Read(&file)
		fmt.Printf("%s %q %d %v\n", filepath.Base(file.Name), text, file.Options.MaxLineLength, err)
	}
	// Output:
	// eggs.py "x = 1 \n" 100 <nil>
	// spam.py "import os\n" 100 <nil>
}

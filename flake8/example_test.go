package flake8_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"codelinter/flake8"
	"codelinter/lint"
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

// The same from values in place of a command line: a folder, and a format.
func ExampleRun() {
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
	result, err := flake8.Run(context.Background(), flake8.Options{
		Lint:       lint.DefaultOptions(),
		Paths:      []string{folder},
		Format:     flake8.NewTemplate("%(row)d %(code)s", false),
		Statistics: true,
	}, nil, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Found, "findings in", result.Files, "files; the first code is", result.Statistics[0].Code)
	// Output:
	// 1 W291
	// 1 F401
	// 2 findings in 2 files; the first code is F401
}

func ExampleParseList() {
	fmt.Printf("%q\n", flake8.ParseList("E501, W6,,\n F"))
	// Output: ["E501" "W6" "F"]
}

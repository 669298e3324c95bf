package rows_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
)

func Example() {
	lines := rows.NewLines("tasks.jsonl", strings.NewReader("{\"id\": 7}\n\n{\"id\": null}\n"))
	for {
		row, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fields, err := row.Find("id")
		if err != nil {
			log.Fatal(err)
		}
		var id task.ID
		err = row.ID("id", fields["id"], &id)
		fmt.Println(id, err)
	}
	// Output:
	// 7 <nil>
	// "" tasks.jsonl:3: id: expected an integer or a text, found null
}

func ExampleNewList() {
	list := rows.NewList("log.json", strings.NewReader(`{"status": "done", "samples": [{"id": 1}, {"id": 2}]}`), "samples")
	for row, err := list.Next(); err == nil; row, err = list.Next() {
		fmt.Println(row.Unit(), row.Place(), string(row.Text))
	}
	// Output:
	// row 1 {"id": 1}
	// row 2 {"id": 2}
}

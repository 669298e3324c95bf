package sandbox_test

import (
	"context"
	"fmt"
	"log"

	"codelinter/sandbox"
)

// Calls of a program, and one that does not end: it is stopped at the same count on
// every machine.
func Example() {
	pool, err := sandbox.New(context.Background(), sandbox.Options{InProcess: true})
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	result, err := pool.Run(context.Background(), sandbox.Program{
		Source: "def double(x):\n    return 2 * x\n",
		Calls:  []sandbox.Call{{Expr: "double([1, 2])"}, {Expr: "double(None)"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.End, result.Calls[0].Value)
	fmt.Println(result.Calls[1].End, result.Calls[1].Exception.Type)

	result, err = pool.Run(context.Background(), sandbox.Program{Source: "while True:\n    pass\n", Budget: 100_000})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.End, result.Used)
	// Output:
	// done [1, 2, 1, 2]
	// raised TypeError
	// budget 100000
}

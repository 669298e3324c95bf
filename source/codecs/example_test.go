package codecs_test

import (
	"fmt"

	"codelinter/source/codecs"
)

func ExampleLookup() {
	codec, ok := codecs.Lookup("Shift-JIS")
	fmt.Println(ok)
	text, ok := codec.Decode(nil, []byte("\x82\xa0"), codecs.Whole)
	fmt.Println(string(text), ok)
	// Output:
	// true
	// あ true
}

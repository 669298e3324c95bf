package codecs_test

import (
	"fmt"

	"codelinter/internal/python/characters"
	"codelinter/source/internal/codecs"
)

func ExampleLookup() {
	codec, ok := codecs.Lookup("Shift-JIS", characters.Latest)
	fmt.Println(ok)
	text, ok := codec.Decode(nil, []byte("\x82\xa0"), codecs.Whole)
	fmt.Println(string(text), ok)
	// Output:
	// true
	// あ true
}

package pytext_test

import (
	"fmt"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
)

func Example() {
	fmt.Println(string(pytext.AppendRepr(nil, "it's", characters.Latest)))
	number, ok := pytext.AppendInt(nil, "٣_0", characters.Latest)
	fmt.Println(string(number), ok)
	fmt.Println(pytext.ParseLiteral(`rb'\d'`).Body)
	fmt.Println(pytext.NormalName("ﬁne"))
	// Output:
	// "it's"
	// 30 true
	// \d
	// fine
}

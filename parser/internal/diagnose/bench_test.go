package diagnose

import (
	"strings"
	"testing"

	"codelinter/source"
)

// snippet is a program of the usual size for a model's answer, up to where a
// benchmark breaks it.
const snippet = `def find_pairs(numbers, target):
    seen = set()
    pairs = []
    for number in numbers:
        rest = target - number
        if rest in seen and (rest, number) not in pairs:
            pairs.append((rest, number))
        seen.add(number)
    return sorted(pairs)


print(find_pairs([1, 5, 7, -1, 5], 6))
`

func benchmark(b *testing.B, text string) {
	var file source.File
	if err := file.Load([]byte(text)); err != nil {
		b.Fatal(err)
	}
	var d Diagnoser
	if d.Diagnose(&file, 0) == nil {
		b.Fatal("text is valid")
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		d.Diagnose(&file, 0)
	}
}

func BenchmarkDiagnose(b *testing.B) {
	long := strings.Repeat(snippet, 1000)
	b.Run("snippet", func(b *testing.B) { benchmark(b, snippet+"x = = 1\n") })
	b.Run("print", func(b *testing.B) { benchmark(b, snippet+"print 'x'\n") })
	b.Run("first-line", func(b *testing.B) { benchmark(b, "x = = 1\n"+snippet) })
	b.Run("unclosed", func(b *testing.B) { benchmark(b, snippet+"x = (1,\n"+snippet) })
	b.Run("quote", func(b *testing.B) { benchmark(b, snippet+"x = 'a\n") })
	b.Run("long", func(b *testing.B) { benchmark(b, long+"x = = 1\n") })
	b.Run("one-statement", func(b *testing.B) {
		benchmark(b, "x = ["+strings.Repeat("f(a, b=c + 1),\n", 20000)+"a b]\n")
	})
	b.Run("operators", func(b *testing.B) { benchmark(b, "x = "+strings.Repeat("a + ", 100000)+"= 1\n") })
	b.Run("nested", func(b *testing.B) { benchmark(b, strings.Repeat("(", 150)+"x y"+strings.Repeat(")", 150)) })
	b.Run("blocks", func(b *testing.B) {
		var text strings.Builder
		for i := range 90 {
			text.WriteString(strings.Repeat(" ", i) + "try:\n")
		}
		benchmark(b, text.String()+strings.Repeat(" ", 90)+"x y\n")
	})
}

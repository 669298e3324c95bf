package pyflakes

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"codelinter/source"
)

// Texts have one number in a file if they are equal, whatever files came before, how
// many names there are, and how much of them their words are.
func TestIntern(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "\x00", "a\x00", "é", "print", "__all__", "BaseExceptionGroup", "__builtins__"}
	for range 3000 { // of few letters, so that many differ in their lengths or middles alone
		letters := []byte(strings.Repeat("a", random.IntN(20)+1))
		for range random.IntN(3) {
			letters[random.IntN(len(letters))] = "b\x00"[random.IntN(2)]
		}
		texts = append(texts, string(letters))
	}
	for i := range 3000 {
		texts = append(texts, fmt.Sprint("name", i), fmt.Sprint("a_name_longer_than_its_words_", i, "_of_eight"))
	}
	var n names
	for file := range 50 {
		var builtins []string
		if file%10 > 5 {
			builtins = texts[10 : 10*(file%10)]
		}
		version := [...]source.Version{source.Python310, source.Python314}[file/5%2]
		n.reset(version, builtins)
		isBuiltin := map[string]bool{"print": true, "BaseExceptionGroup": version == source.Python314, "__builtins__": true}
		for _, text := range builtins {
			isBuiltin[text] = true
		}
		ids, known := map[string]nameID{}, map[nameID]string{}
		for range 1 << (file % 13) {
			text := texts[random.IntN(len(texts))]
			if random.IntN(4) == 0 {
				text = texts[random.IntN(8)]
			}
			id := n.intern(text)
			if was, is := ids[text]; is && was != id {
				t.Fatalf("file %d: %q is %d and was %d", file, text, id, was)
			}
			if was, is := known[id]; is && was != text {
				t.Fatalf("file %d: %d is %q and was %q", file, id, text, was)
			}
			info := &n.list[id]
			if info.text != text || info.builtin != isBuiltin[text] {
				t.Fatalf("file %d: %q is %+v", file, text, *info)
			}
			if _, is := ids[text]; !is && (info.inner || info.module != none || info.user != none) {
				t.Fatalf("file %d: %q is new, but %+v", file, text, *info)
			}
			ids[text], known[id] = id, text
			info.inner, info.module, info.user = true, 1, 1 // as a file does
		}
	}
}

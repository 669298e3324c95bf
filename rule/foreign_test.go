package rule

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func mustName(t *testing.T, text string) Code {
	t.Helper()
	code, ok := Named(text)
	if !ok {
		t.Fatalf("%q has no code", text)
	}
	return code
}

// A code of a plugin can be used wherever one of the catalogue can.
func TestNamed(t *testing.T) {
	if got := mustName(t, "E501"); got != E501 || got.IsForeign() {
		t.Errorf("E501 is %d", got)
	}
	var named sync.WaitGroup
	codes := make([]Code, 8)
	for i := range codes {
		named.Go(func() { codes[i], _ = Named("B006") })
	}
	named.Wait()
	b := mustName(t, "B006")
	if !slices.Equal(codes, slices.Repeat([]Code{b}, len(codes))) || b.String() != "B006" || !b.IsForeign() {
		t.Errorf("B006 is %v", codes)
	}
	if r := b.Rule(); r.Code != "B006" || r.Tool != Plugin || r.Tool.String() != "plugin" || r.Name != "" {
		t.Errorf("its rule is %+v", r)
	}
	var set Set
	set.Add(b)
	if set.Has(b) || set != (Set{}) {
		t.Error("it is in a set")
	}
	for _, text := range []string{"", strings.Repeat("B", maxForeignName+1)} {
		if code, ok := Named(text); ok {
			t.Errorf("%q is %v", text, code)
		}
	}
	if got := Code(1<<16 - 1).String(); got != "?" {
		t.Errorf("a number without a code: %q", got)
	}
}

// Codes are bounded, and those that are there stay.
func TestManyNamed(t *testing.T) {
	b := mustName(t, "B006")
	defer func(codes map[string]Code, names []string) { foreign.codes, foreign.names = codes, names }(foreign.codes, foreign.names)
	foreign.codes, foreign.names = map[string]Code{"B006": b}, slices.Repeat([]string{"B006"}, maxForeign-1)
	if _, ok := Named("Z1"); !ok {
		t.Error("the last one has no room")
	}
	if code, ok := Named("Z2"); ok {
		t.Errorf("one too many is %v", code)
	}
	if code, ok := Named("B006"); !ok || code != b {
		t.Error("an old one is gone")
	}
}

// Codes of plugins follow the others, by their text, whichever was met first.
func TestTable(t *testing.T) {
	z, a := mustName(t, "Z100"), mustName(t, "A100")
	var table Table[int]
	*table.At(z), *table.At(a), *table.At(E501) = 3, 2, 1
	var got []string
	for code, n := range table.All() {
		if *n > 0 {
			got = append(got, fmt.Sprint(code, *n))
		}
	}
	if want := []string{"E501 1", "A100 2", "Z100 3"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for range table.All() {
		break
	}
	for code := range table.Foreign() {
		if code != a {
			t.Errorf("the first is %v", code)
		}
		break
	}
	table.ForgetForeign()
	if table.Of(z) != 0 || table.Of(E501) != 1 || table.Of(mustName(t, "Q1")) != 0 {
		t.Error("not only the codes of plugins are forgotten")
	}
}

// What a plugin finds is written as the plugin says it, under whatever code.
func TestForeignFinding(t *testing.T) {
	for code, want := range map[string]string{
		"B006": `{"code":"B006","row":3,"column":4,"start":0,"end":0,"message":"a {text} \"b\""}`,
		"E501": `{"code":"E501","row":3,"column":4,"start":0,"end":0,"message":"a {text} \"b\""}`,
		`X"1`:  `{"code":"X\"1","row":3,"column":4,"start":0,"end":0,"message":"a {text} \"b\""}`,
	} {
		f := NewForeign(3, 4, mustName(t, code), `a {text} "b"`)
		clone := f.Clone()
		if got := string(clone.AppendJSON(nil)); got != want || !clone.IsForeign() {
			t.Errorf("%s, want %s", got, want)
		}
		if bare := f.Bare(); bare.Message() != "" || bare.Code != f.Code {
			t.Errorf("bare: %s %q", bare.Code, bare.Message())
		}
	}
}

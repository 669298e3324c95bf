package rule

import (
	"slices"
	"testing"
)

func TestSet(t *testing.T) {
	var set Set
	want := []Code{}
	for code := Code(0); int(code) < Count; code += 7 {
		set.Add(code)
		want = append(want, code)
	}
	set.Add(Code(Count - 1))
	want = append(want, Code(Count-1))
	got := slices.Collect(set.All())
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for code := range Code(Count) {
		if set.Has(code) != slices.Contains(want, code) {
			t.Errorf("Has(%v) is %v", code, set.Has(code))
		}
	}
	var other Set
	other.Add(1)
	if union := slices.Collect(new(set.Union(&other)).All()); !slices.Equal(union, slices.Insert(slices.Clone(want), 1, 1)) {
		t.Errorf("with 1 %v", union)
	}
	for code := range set.All() { // which may be left
		if code > 0 {
			break
		}
	}
	if (&Set{}).Any(want...) || !set.Any(1, 7) {
		t.Error("Any is wrong")
	}
}

package mccabe_test

import (
	"testing"

	"codelinter/checks/mccabe"
	"codelinter/parser"
	"codelinter/source"
)

// FuzzCheck requires of any module that a Checker that has seen others says what a
// new one says, and that each higher maximum leaves the findings above it.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{
		"def f(x):\n    if x:\n        return 1\n    elif x: pass\n    for y in x:\n        def g(): pass\n",
		"if x: pass\nelif y: pass\nelif z: pass\n",
		"class A:\n    def f(): pass\nclass A:\n    def f():\n        if x: pass\n    class A: pass\n",
		"class A:\n    class B:\n        async def f(self):\n            try: x\n            except A: pass\n            except B: pass\n            else: y\n    def f(): pass\n",
		"if x:\n    def f(): pass\nwhile y: pass\nelse: z\nwith a: \n    def é(): match x:\n",
	} {
		f.Add(text)
	}
	var reused mccabe.Checker
	f.Fuzz(func(t *testing.T, text string) {
		var file source.File
		if err := file.Load([]byte(text)); err != nil {
			t.Skip()
		}
		module, err := parser.Parse(&file, parser.Options{})
		if err != nil {
			t.Skip()
		}
		var fresh mccabe.Checker
		want := fresh.Check(&file, module, 0, complexityOnly(), nil)
		got := reused.Check(&file, module, 0, complexityOnly(), nil)
		if len(got) != len(want) {
			t.Fatalf("%d findings, from a new Checker %d", len(got), len(want))
		}
		most := 0
		for i := range got {
			if got[i].Row != want[i].Row || got[i].Start != want[i].Start || got[i].Values().B != want[i].Values().B || got[i].Message() != want[i].Message() {
				t.Errorf("%+v, from a new Checker %+v", got[i], want[i])
			}
			if got[i].Values().B < 1 {
				t.Errorf("a complexity of %d", got[i].Values().B)
			}
			most = max(most, int(got[i].Values().B))
		}
		for maximum := 1; maximum <= most; maximum++ {
			want := 0
			for i := range got {
				if int(got[i].Values().B) > maximum {
					want++
				}
			}
			if above := reused.Check(&file, module, maximum, complexityOnly(), nil); len(above) != want {
				t.Errorf("%d findings above %d, want %d", len(above), maximum, want)
			}
		}
	})
}

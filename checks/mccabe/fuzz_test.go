package mccabe_test

import (
	"testing"

	"codelinter/checks/mccabe"
	"codelinter/parser"
	"codelinter/rule"
	"codelinter/source"
)

// FuzzCheck requires of any module that a Checker that has seen others says what a
// new one says, and that a higher maximum leaves the findings above it.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{
		"def f(x):\n    if x:\n        return 1\n    elif x: pass\n    for y in x:\n        def g(): pass\n",
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
		module, ok := parser.Parse(&file, parser.Options{})
		if !ok {
			t.Skip()
		}
		var fresh mccabe.Checker
		want := fresh.Check(&file, module, 0, complexityOnly(), nil)
		got := reused.Check(&file, module, 0, complexityOnly(), nil)
		if len(got) != len(want) {
			t.Fatalf("%d findings, from a new Checker %d", len(got), len(want))
		}
		var higher []rule.Finding
		for i := range got {
			if got[i].Row != want[i].Row || got[i].Start != want[i].Start || got[i].B != want[i].B || got[i].Message() != want[i].Message() {
				t.Errorf("%+v, from a new Checker %+v", got[i], want[i])
			}
			if got[i].B < 1 {
				t.Errorf("a complexity of %d", got[i].B)
			}
			if got[i].B > 2 {
				higher = append(higher, got[i])
			}
		}
		if above := reused.Check(&file, module, 2, complexityOnly(), nil); len(above) != len(higher) {
			t.Errorf("%d findings above 2, want %d", len(above), len(higher))
		}
	})
}

package parser

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSlab takes as many values as files of all sizes do: until the next reset each
// stays what it was made.
func TestSlab(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var s slab[int]
	for _, size := range []int{0, 1, slabPage + 1, slabPage, 3000, 5, slabPage * 9000, 40, 70_000, 0, 1} {
		for range 3 {
			s.reset()
			n := size + random.IntN(5)
			values := make([]*int, n)
			for i := range values {
				values[i] = s.put(i)
			}
			for i, value := range values {
				if *value != i {
					t.Fatalf("value %d of %d became %d", i, n, *value)
				}
			}
		}
	}
}

// TestList makes slices within slices, of which some are dropped as a refusal drops
// them, and looks at all of them before the next reset.
func TestList(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var l list[int]
	for range keptItems + 1 {
		l.push(0)
	}
	l.take(0) // the first slice of all is one too large to be kept
	var made, want [][]int
	var build func(depth, size int)
	next := 0
	build = func(depth, size int) {
		mark := l.mark()
		var items []int
		for range random.IntN(size + 1) {
			if depth > 0 && random.IntN(8) == 0 {
				build(depth-1, min(size/2, 9))
			}
			next++
			l.push(next)
			items = append(items, next)
		}
		made, want = append(made, l.take(mark)), append(want, items)
		next++
		made, want = append(made, l.one(next)), append(want, []int{next})
	}
	for _, size := range []int{0, 3, 12, 70, 2 * keptItems, 20, 1000, 1} {
		for range 5 {
			l.reset()
			for _, page := range l.pages {
				if len(page) > keptItems {
					t.Errorf("a page of %d items is kept", len(page))
				}
			}
			if len(l.pages) > keptPages || cap(l.stack) > keptItems {
				t.Errorf("%d pages and a stack of %d are kept", len(l.pages), cap(l.stack))
			}
			made, want = nil, nil
			build(min(size, 3), size)
			if l.mark() != 0 {
				t.Fatalf("%d items are left", l.mark())
			}
			for i := range want {
				if !slices.Equal(made[i], want[i]) || len(made[i]) != cap(made[i]) {
					t.Fatalf("slice %d of size %d: %d items, want %d", i, size, len(made[i]), len(want[i]))
				}
			}
			for range size {
				l.push(0)
			}
			l.drop()
		}
	}
}

// TestReset requires that a reset takes back the slices of each list, by a text that has slices of
// all types.
func TestReset(t *testing.T) {
	var p Parser
	if _, ok := p.ParseText("import a\ntry: pass\nexcept a: global b\nwith a: f(b=1 < [c for d in e], d='\\n')\ndef g[T](h):\n  match h:\n    case [i]: pass\n", Options{}); !ok {
		t.Fatal("refused")
	}
	for _, want := range []bool{true, false} {
		nodes := reflect.ValueOf(p.nodes)
		lists := 0
		for i := range nodes.NumField() {
			field := nodes.Field(i)
			if field.Kind() != reflect.Struct || !field.FieldByName("stack").IsValid() {
				continue
			}
			lists++
			if uses := field.FieldByName("used").Int() > 0; uses != want {
				t.Errorf("list %s: used %v, want %v", nodes.Type().Field(i).Name, uses, want)
			}
		}
		if lists == 0 {
			t.Error("there are no lists")
		}
		p.Reset()
	}
}

// TestKeptNodes requires that the nodes of long texts are kept no longer than to the next
// reset, and those of others are.
func TestKeptNodes(t *testing.T) {
	var p Parser
	for _, test := range []struct {
		repeat, texts int
		keeps         bool
	}{{1, 1, true}, {keptText / 2, 1, true}, {keptText/2 + 1, 1, false}, {keptText / 4, 2, true}, {keptText/4 + 1, 2, false}} {
		p.Reset()
		for range test.texts {
			if _, ok := p.ParseFragment(strings.Repeat("a\n", test.repeat), Options{}); !ok {
				t.Fatal("refused")
			}
		}
		p.Reset()
		if keeps := len(p.nodes.name.pages) > 0; keeps != test.keeps {
			t.Errorf("after %d texts of %d lines, nodes are kept: %v", test.texts, test.repeat, keeps)
		}
	}
}

// TestStacks requires that no parse leaves items on a stack, wherever it is refused:
// at each token of a program that has statements of all kinds.
func TestStacks(t *testing.T) {
	words := strings.SplitAfter("@ a ( b )\nclass C ( a , b = c ) :\n  def f ( self , a = 1 , * b ) :\n    with a as b , c :\n      try :\n        x [ 1 : 2 , y ] = "+
		"{ a : b }\n      except A :\n        if a < b < c : a ; b\n        elif a :\n          global a , b\n      else :\n        match a :\n          case A ( b , c = d ) | "+
		"[ e ] if f : import a , b\n    for a , b in [ c for d in e if f ] :\n      lambda a , b = c : f' { a } '\n    while a and b or c : del a , b\n", " ")
	var p Parser
	refused := 0
	for i := range words {
		for _, with := range []string{"", "= ", "( ", ") ", "x ", ": ", ", ", "\n "} {
			text := strings.Join(words[:i], "") + with + strings.Join(words[i+1:], "")
			if _, ok := p.ParseText(text, Options{}); !ok {
				refused++
			}
			left := p.stmts.mark() + p.exprs.mark() + p.patterns.mark() + p.typeParams.mark() + p.comprehensions.mark() + p.handlers.mark() +
				p.args.mark() + p.keywords.mark() + p.aliases.mark() + p.withItems.mark() + p.cases.mark() + p.operators.mark() + p.strings.mark()
			if left > 0 {
				t.Fatalf("%q leaves %d items", text, left)
			}
		}
	}
	if _, ok := p.ParseText(strings.Join(words, ""), Options{}); !ok || refused < 5*len(words) {
		t.Errorf("accepted: %v, %d of %d refused", ok, refused, 8*len(words))
	}
}

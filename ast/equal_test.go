package ast_test

import (
	"strings"
	"testing"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
)

// Lines of one program each. Many differ from another in a single field.
const programs = `x = 1
x = 0x1
x = 1_0
x = 10
x = 10.0
x = 1e1
x = 10j
x = 1e400
x = 9e999
x = "10"
x = u"10"
x = b"10"
x = "1" "0"
x = None
x = ...
x = True
x = False
x: int
x: int = 1
(x): int = 1
x = y = 1
x += 1
x -= 1
x, y = 1, 2
x, *y = 1, 2
[x, y] = 1, 2
del x
del x, y
return_ = lambda: 0
return_ = lambda a: 0
return_ = lambda a=1: 0
return_ = lambda *, a=1: 0
return_ = lambda *, a: 0
return_ = lambda *a: 0
return_ = lambda **a: 0
return_ = lambda a, /: 0
import a
import a as b
import a, b
import a.b
from a import b
from a import b as c
from . import b
from .. import b
from .a import b
from a import *
if a: b
if a: b; c
if a: b^else: c
if a: b; c^else: d
if a: b^else: c; d
while a: b
while a: b^else: c
for a in b: c
for a in b: c^else: d
async def f(): pass
def f(): pass
def f() -> int: pass
def f(a: int): pass
def f[T](): pass
def f[T: int](): pass
def f[T = int](): pass
def f[*T](): pass
def f[**T](): pass
@d^def f(): pass
@d^@e^def f(): pass
async def f():^ async for a in b: c
async def f():^ for a in b: c
async def f():^ [a async for a in b]
async def f():^ [a for a in b]
async def f():^ async with a: b
async def f():^ with a: b
async def f():^ await a
with a, b: c
with a as b: c
with (a, b): c
class A: pass
class A(B): pass
class A(B, C): pass
class A(b=C): pass
class A(**C): pass
try: a^except: b
try: a^except B: b
try: a^except B as b: b
try: a^except* B: b
try: a^finally: b
try: a^except B: b^else: c
try: a^except B: b^finally: c
try: a^except B: b^except C: c
raise
raise a
raise a from b
assert a
assert a, b
global a
global a, b
type A = int
type A[T] = int
match a:^ case b: c
match a:^ case b if d: c
match a:^ case _: c
match a:^ case 1: c
match a:^ case None: c
match a:^ case True: c
match a:^ case [b]: c
match a:^ case [b, *_]: c
match a:^ case [b, *d]: c
match a:^ case {"b": d}: c
match a:^ case {"b": d, **e}: c
match a:^ case B(d): c
match a:^ case B(d=e): c
match a:^ case b | 1: c
match a:^ case 1 as b: c
a.b
a.c
a[b]
a[b:]
a[:b]
a[b:c]
a[::b]
a[b, c]
a[b:c, d]
a(b)
a(*b)
a(b, c)
a(b=c)
a(**c)
a and b
a or b
a and b and c
a and (b and c)
a + b
a - b
a @ b
-a
+a
~a
not a
a < b
a <= b
a < b < c
a is b
a is not b
a in b
a not in b
a if b else c
c if b else a
{a: b}
{**b}
{a: b, **b}
{a, b}
{*a}
(a, b)
[a, b]
[a for b in c]
{a for b in c}
(a for b in c)
{a: d for b in c}
[a for b in c if d]
[a for b in c if d if e]
[a for b in c for d in e]
(a := b)
f"{a}"
f"{a!r}"
f"{a!s}"
f"{a:b}"
f"{a:{b}}"
f"{a=}"
f"a{b}"
t"{a}"
t"{a!r}"
def f():^ yield
def f():^ yield a
def f():^ yield from a
def f():^ return
def f():^ return a
def f():^ nonlocal a
pass
break
continue`

// Trees are equal if, and only if, ast.dump prints the same for both.
func TestEqual(t *testing.T) {
	var modules []*ast.Module
	var dumps []string
	kinds := map[ast.Kind]bool{}
	lines := strings.Split(programs, "\n")
	for _, line := range lines {
		var file source.File
		if err := file.Load([]byte(strings.ReplaceAll(line, "^", "\n") + "\n")); err != nil {
			t.Fatal(err)
		}
		module, _ := parser.Parse(&file, parser.Options{}) // an error such as 'break' outside loop leaves the tree
		if module == nil {
			t.Fatalf("%q does not parse", line)
		}
		modules, dumps = append(modules, module), append(dumps, ast.Dump(module, nil, source.Newest))
		ast.Inspect(module, func(n ast.Node) bool { kinds[n.Kind()] = true; return true })
	}
	same := 0
	for i, a := range modules {
		for j, b := range modules {
			got, want := ast.Equal(a, b), dumps[i] == dumps[j]
			if got != want {
				t.Errorf("%q and %q: equal is %t, and that of their dumps %t", lines[i], lines[j], got, want)
			}
			if want && i != j {
				same++
			}
		}
	}
	if same < 6 { // such as 1_0 and 10
		t.Errorf("only %d pairs of lines are equal", same)
	}
	for k := ast.KindInvalid + 1; k <= ast.KindMatchCase; k++ {
		if !kinds[k] {
			t.Errorf("no line has a %s", k)
		}
	}
}

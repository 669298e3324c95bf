package synth

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/fix"
	"codelinter/internal/util/lazy"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// This file has the faults of imports and names.

// unusedImports are imports that people leave behind: those that F401 reports most in published
// packages, by frequency.
var unusedImports = [...]struct{ statement, name string }{
	{"import os", "os"}, {"import sys", "sys"}, {"import re", "re"}, {"import json", "json"}, {"import time", "time"},
	{"import logging", "logging"}, {"import math", "math"}, {"import random", "random"}, {"import datetime", "datetime"},
	{"import itertools", "itertools"}, {"import collections", "collections"}, {"import functools", "functools"},
	{"import copy", "copy"}, {"import string", "string"},
	{"from typing import Any", "Any"}, {"from typing import List", "List"}, {"from typing import Optional", "Optional"},
	{"from typing import Dict, Optional", "Dict"}, {"from collections import defaultdict", "defaultdict"},
	{"from collections import Counter", "Counter"}, {"from datetime import datetime", "datetime"}, {"from functools import reduce", "reduce"},
	{"from itertools import chain", "chain"}, {"from pathlib import Path", "Path"}, {"import os.path", "os"},
}

// neighbours are names that people often import together from a module.
var neighbours = lazy.Value[map[string][]string]{Make: func() map[string][]string {
	return map[string][]string{
		"typing":      {"Any", "Callable", "Dict", "Iterable", "List", "Optional", "Sequence", "Tuple", "Union"},
		"collections": {"Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"},
		"itertools":   {"chain", "combinations", "groupby", "islice", "product"},
		"functools":   {"lru_cache", "partial", "reduce", "wraps"},
		"datetime":    {"date", "datetime", "timedelta", "timezone"},
		"os.path":     {"basename", "dirname", "exists", "join"},
		"math":        {"ceil", "floor", "pi", "sqrt"},
	}
}}

// imports finds the faults of imports at the top of the module.
func (f *finder) imports() {
	body := f.module.Body
	at := int32(0) // where another import may be inserted
	i := 0
	if len(body) > 0 && ast.IsText(body[0]) {
		i = 1
	}
	var last ast.Stmt
	for ; i < len(body) && isImport(body[i]); i++ {
		b := body[i].Bounds()
		if !f.endsRow(b.End) {
			break
		}
		at = b.End + 1
		if last != nil {
			f.joinImports(last, body[i])
		}
		last = body[i]
	}
	for _, unused := range unusedImports {
		if f.names[unused.name] {
			continue
		}
		switch {
		case last != nil:
			f.add(rule.F401, insert(at, unused.statement+"\n"))
		case len(body) > 0 && f.Row(body[0].Bounds().Start) == 1 && !ast.IsText(body[0]):
			between := "\n"
			if f.isDefinition(f.firstOf[1]) {
				between = "\n\n"
			}
			f.add(rule.F401, insert(0, unused.statement+"\n"+between))
		}
	}
	if last == nil {
		return
	}
	for j := range i {
		f.importFaults(body[j], at)
	}
	f.lateImport(body, i)
}

func isImport(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.Import, *ast.ImportFrom:
		return true
	}
	return false
}

// importFaults finds the faults of one import. at is the end of the imports.
func (f *finder) importFaults(s ast.Stmt, at int32) {
	switch s := s.(type) {
	case *ast.Import:
		if len(s.Names) == 1 && !strings.Contains(s.Names[0].Name, ".") {
			f.add(rule.F811, insert(at, f.part(s)+"\n"))
		}
	case *ast.ImportFrom:
		if s.Level > 0 || s.Module == "__future__" || s.Names[0].Name == "*" {
			return
		}
		f.add(rule.F811, insert(at, f.part(s)+"\n"))
		if f.Row(s.Start) != f.Row(s.End-1) || f.Text[s.End-1] == ')' {
			return
		}
		for _, name := range neighbours.Get()[s.Module] {
			if !f.names[name] {
				f.add(rule.F401, insert(s.End, ", "+name))
			}
		}
	}
}

// joinImports finds two imports that may become one statement.
func (f *finder) joinImports(a, b ast.Stmt) {
	x, is := a.(*ast.Import)
	y, also := b.(*ast.Import)
	if is && also && f.Row(x.End)+1 == f.Row(y.Start) && !x.IsLazy && !y.IsLazy {
		f.add(rule.E401, replace(x.End, y.Names[0].Start, ", "))
	}
}

// lateImport finds imports that may move below the statement after them.
func (f *finder) lateImport(body []ast.Stmt, end int) {
	if end == 0 || end == len(body) {
		return
	}
	b := body[end-1].Bounds()
	if from, is := body[end-1].(*ast.ImportFrom); is && from.Module == "__future__" {
		return
	}
	assign, is := body[end].(*ast.Assign)
	if !is || mayRun(assign.Value) || !f.endsRow(assign.End) || f.Row(b.Start) != f.Row(b.End-1) || f.Text[f.LineStart(f.Row(b.Start)):b.Start] != "" {
		return
	}
	statement := f.part(body[end-1]) + "\n"
	f.add(rule.E402, remove(b.Start, b.End+1), insert(assign.End+1, statement))
	f.add(rule.E402, remove(b.Start, b.End+1), insert(assign.End+1, "\n"+statement))
}

// mayRun reports whether an expression has a call, which may need the imports.
func mayRun(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Call, *ast.Await, *ast.Subscript, *ast.BinOp:
			found = true
		}
		return !found
	})
	return found
}

// function finds the faults of names in the statements of one function.
func (f *finder) function(body []ast.Stmt) {
	for _, looks := range [...]string{"locals", "vars", "eval", "exec", "dir"} {
		if f.names[looks] {
			return
		}
	}
	f.ambiguous(body)
	f.unusedVariables(body)
}

// ambiguous finds loop variables that may be renamed to l. Only the for binds such a variable,
// and no inner function uses it.
func (f *finder) ambiguous(body []ast.Stmt) {
	if f.names["l"] {
		return
	}
	uses, order := f.uses(body)
	for _, name := range order {
		u := uses[name]
		if u.loops != 1 || u.others > 0 || len(u.at) > 8 {
			continue
		}
		var edits []fix.Edit
		for _, at := range u.at {
			edits = append(edits, replace(at.Start, at.End, "l"))
		}
		f.add(rule.E741, edits...)
	}
}

// A use counts the places of a name in a function.
type use struct {
	at            []ast.Range
	loops, others int // bound by a for; bound otherwise, or in an inner function
}

// uses returns the uses of the names in a function's statements, and the names in their order.
func (f *finder) uses(body []ast.Stmt) (uses map[string]*use, order []string) {
	uses = map[string]*use{}
	note := func(n *ast.Name) *use {
		u := uses[n.ID]
		if u == nil {
			u = &use{}
			uses[n.ID] = u
			order = append(order, n.ID)
		}
		u.at = append(u.at, n.Range)
		return u
	}
	targets := map[*ast.Name]bool{}
	for _, s := range body {
		f.walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.For:
				if name, is := n.Target.(*ast.Name); is {
					targets[name] = true
				}
			case *ast.Comprehension:
				if name, is := n.Target.(*ast.Name); is {
					targets[name] = true
				}
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.Lambda, *ast.Global, *ast.Nonlocal, *ast.JoinedStr, *ast.TemplateStr:
				if _, is := n.(*ast.JoinedStr); !is {
					ast.Inspect(n, func(inner ast.Node) bool {
						if name, is := inner.(*ast.Name); is {
							note(name).others++
						}
						return true
					})
					return false
				}
			case *ast.Name:
				u := note(n)
				if n.Ctx != ast.Load {
					if targets[n] {
						u.loops++
					} else {
						u.others++
					}
				}
			}
			return true
		})
	}
	return uses, order
}

// unusedVariables finds calls whose result may be bound to an unused name, and handlers that may
// get one.
func (f *finder) unusedVariables(body []ast.Stmt) {
	for _, s := range body {
		f.walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.Lambda:
				return false
			case *ast.ExceptHandler:
				if n.Type != nil && n.Name == "" {
					for _, name := range [...]string{"e", "exc", "err", "ex"} {
						if !f.names[name] {
							end := f.tokenAt(n.Type.Bounds().End)
							for end < len(f.tokens) && f.tokens[end].Kind != tokenizer.COLON {
								end++
							}
							if _, tuple := n.Type.(*ast.Tuple); !tuple || f.Text[n.Type.Bounds().Start] == '(' {
								f.add(rule.F841, insert(f.tokens[end].Start, " as "+name))
							}
							break
						}
					}
				}
			case *ast.ExprStmt:
				call, is := n.Value.(*ast.Call)
				if !is {
					break
				}
				if name := f.resultName(call); name != "" {
					f.add(rule.F841, insert(n.Start, name+" = "))
				}
			}
			return true
		})
	}
}

// resultName returns a new name for the result of a call, such as user for get_user(), or "".
func (f *finder) resultName(call *ast.Call) string {
	called := ast.CalledName(call)
	if called == "print" || called == "append" {
		return ""
	}
	candidates := []string{"result", "ret", "res", "rv", "value"}
	for _, prefix := range [...]string{"get_", "make_", "create_", "build_", "load_", "read_", "find_"} {
		if rest, had := strings.CutPrefix(called, prefix); had && rest != "" {
			candidates = slices.Insert(candidates, 0, rest)
		}
	}
	for _, name := range candidates {
		if !f.names[name] && tokenizer.LookupKeyword(name) == tokenizer.NotKeyword && name != "l" && !strings.HasPrefix(name, "_") && (name[0] < '0' || name[0] > '9') {
			return name
		}
	}
	return ""
}

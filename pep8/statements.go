package pep8

import (
	"codelinter/internal/python/characters"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// colonStatements reports E701, E704 and E731, for colons outside of brackets
// with code after them.
//
//	if x: y = 1        def f(): pass        f = lambda: 0
func (c *Checker) colonStatements() {
	depth := 0
	lambda := -1 // the first one
	for k, i := range c.significantTokens() {
		t := &c.tokens[i]
		depth += t.Kind.Nesting()
		switch {
		case t.Keyword == tokenizer.Lambda:
			if lambda < 0 {
				lambda = k
			}
		case c.traits&brokenName != 0 && lambda < 0 && t.Kind == tokenizer.NAME && hasLambda(t.Text(c.text), c.unicode()):
			lambda = 0
		case t.Kind == tokenizer.COLON && depth == 0 && k+1 < len(c.significantTokens()):
			if lambda >= 0 {
				// name = lambda
				if lambda == 2 && c.head.Kind == tokenizer.NAME && c.significantToken(1).Kind == tokenizer.EQUAL {
					c.atLine(rule.Finding{Code: rule.E731})
				}
				return
			}
			switch {
			case c.beginsFunction():
				c.atLine(rule.Finding{Code: rule.E704})
			case c.beginsCompound():
				c.atToken(rule.E701, t)
			}
		}
	}
}

// hasLambda reports whether one of a name's words is lambda.
func hasLambda(name string, u characters.Unicode) bool {
	for at := 0; at < len(name); {
		var start int
		start, at = nextWord(name, at, u)
		if name[start:at] == "lambda" {
			return true
		}
	}
	return false
}

// beginsCompound reports whether the logical line begins like a statement with a
// block. match and case are not among those.
func (c *Checker) beginsCompound() bool {
	keyword := c.leadingKeyword()
	if keyword == tokenizer.Async && len(c.significantTokens()) > 1 {
		switch c.significantToken(1).Keyword {
		case tokenizer.Def, tokenizer.For, tokenizer.With:
			return true
		}
		return false
	}
	switch keyword {
	case tokenizer.Def, tokenizer.For, tokenizer.If, tokenizer.Elif, tokenizer.Else, tokenizer.Try,
		tokenizer.Except, tokenizer.Finally, tokenizer.With, tokenizer.Class, tokenizer.While:
		return true
	}
	return false
}

// semicolons reports E702 and E703.
//
//	x = 1; y = 2;
func (c *Checker) semicolons() {
	for k, i := range c.significantTokens() {
		t := &c.tokens[i]
		if t.Kind != tokenizer.SEMI {
			continue
		}
		if k+1 < len(c.significantTokens()) {
			c.atToken(rule.E702, t)
		} else {
			c.atToken(rule.E703, t)
		}
	}
}

// bareExcept reports E722.
//
//	except:
func (c *Checker) bareExcept() {
	if len(c.significantTokens()) > 1 && c.head.Keyword == tokenizer.Except && c.significantToken(1).Kind == tokenizer.COLON {
		c.atFirst(rule.Finding{Code: rule.E722})
	}
}

// namedParameterEquals reports E251 and E252.
//
//	f(x = 1)        def f(x: int=1): pass
//
// In a definition, the = after an annotation needs blanks, and so does the = of a type parameter's
// default.
func (c *Checker) namedParameterEquals() {
	function := c.beginsFunction()
	stack := c.brackets[:0]
	annotated := false
	var prev *tokenizer.Token
	noBlank, blank := false, false // what the = before asks for
	for i := range c.tokens {
		t := &c.tokens[i]
		if t.Kind == tokenizer.NL {
			continue
		}
		if noBlank || blank {
			adjacent := prev.End == t.Start
			if noBlank && !adjacent {
				c.afterToken(rule.E251, prev, t.Start)
			}
			if blank && adjacent {
				c.afterToken(rule.E252, prev, prev.End)
			}
			noBlank, blank = false, false
		}
		if t.Kind.IsOp() {
			switch {
			case t.Kind == tokenizer.LPAR || t.Kind == tokenizer.LSQB:
				stack = append(stack, c.text[t.Start])
			case (t.Kind == tokenizer.RPAR || t.Kind == tokenizer.RSQB) && len(stack) > 0:
				stack = stack[:len(stack)-1]
			case t.Kind == tokenizer.COLON && function && len(stack) == 1 && stack[0] == '(':
				annotated = true
			case t.Kind == tokenizer.COMMA && len(stack) == 1:
				annotated = false
			case t.Kind == tokenizer.EQUAL && len(stack) > 0:
				adjacent := prev != nil && prev.End == t.Start
				if len(stack) == 1 && (stack[0] == '[' && c.isGeneric() || annotated && stack[0] == '(') {
					blank = true
					if adjacent {
						c.afterToken(rule.E252, prev, prev.End)
					}
				} else {
					noBlank = true
					if !adjacent {
						c.afterToken(rule.E251, prev, t.Start)
					}
				}
			}
			if len(stack) == 0 {
				annotated = false
			}
		}
		prev = t
	}
	c.brackets = stack[:0]
}

// isGeneric reports whether the line begins a definition with type parameters.
//
//	def f[T = int](): pass        class A[T = int]: pass        type X[T = int] = T
func (c *Checker) isGeneric() bool {
	k := 0
	switch c.head.Keyword {
	case tokenizer.Def, tokenizer.Class, tokenizer.Type:
		k = 1
	case tokenizer.Async:
		if len(c.significantTokens()) > 1 && c.significantToken(1).Keyword == tokenizer.Def {
			k = 2
		}
	}
	if k == 0 || len(c.significantTokens()) <= k+1 {
		return false
	}
	name := c.significantToken(k)
	return c.gapBefore(k) != "" && name.Kind == tokenizer.NAME &&
		(name.Flags&tokenizer.NonASCII == 0 || wordEnd(name.Text(c.text), 0, c.unicode()) == int(name.End-name.Start)) &&
		c.gapBefore(k+1) == "" && c.significantToken(k+1).Kind == tokenizer.LSQB
}

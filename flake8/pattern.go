package flake8

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A pattern is a file name pattern of Python's fnmatch: * and ? match any
// characters, slashes too, [abc], [a-z] and [!abc] one of a class; nothing
// quotes them.
type pattern struct {
	text string
	// tail reports whether a * was in front of text, and nothing else in it is wild.
	tail bool
}

// patterns match a name if one of them does. Every file of a walk is compared with
// flake8's ten default exclusions. Nine of these are plain names, and a name's first
// byte usually rules them out.
type patterns struct {
	plain  []string  // without wildcards
	begins [4]uint64 // the set of the first bytes of plain
	wild   []pattern
	// wholePath reports whether one of them may match a path and not its last name, or the
	// name and not the path.
	wholePath bool
}

func compile(texts []string) (p patterns) {
	for _, text := range texts {
		text = normCase(text)
		const wild = "*?["
		switch rest, tail := strings.CutPrefix(text, "*"); {
		case !strings.ContainsAny(text, wild):
			p.plain = append(p.plain, text)
			if text != "" {
				p.begins[text[0]>>6] |= 1 << (text[0] & 63)
			}
			p.wholePath = p.wholePath || hasSeparator(text)
		case tail && !strings.ContainsAny(rest, wild):
			p.wild = append(p.wild, pattern{text: rest, tail: true})
			p.wholePath = p.wholePath || hasSeparator(text)
		default:
			p.wild = append(p.wild, pattern{text: text})
			p.wholePath = true
		}
	}
	return p
}

func (p *patterns) any() bool { return len(p.plain)+len(p.wild) > 0 }

func (p *patterns) match(name string) bool {
	name = normCase(name)
	if name == "" || p.begins[name[0]>>6]>>(name[0]&63)&1 != 0 {
		if slices.Contains(p.plain, name) {
			return true
		}
	}
	for i := range p.wild {
		if p.wild[i].match(name) {
			return true
		}
	}
	return false
}

func (p *pattern) match(name string) bool {
	if p.tail {
		return strings.HasSuffix(name, p.text)
	}
	return matchWild(p.text, name)
}

// matchWild matches all of name. After a * it tries the rest of the pattern at
// each place; a later * makes all earlier ones settled, so that the time is at
// most the product of the lengths.
func matchWild(pattern, name string) bool {
	retryPattern, retryName := "", ""
	canRetry := false
	for name != "" || pattern != "" {
		if strings.HasPrefix(pattern, "*") {
			pattern = strings.TrimLeft(pattern, "*")
			retryPattern, retryName, canRetry = pattern, name, true
			continue
		}
		if rest, size, ok := matchOne(pattern, name); ok {
			pattern, name = rest, name[size:]
			continue
		}
		if !canRetry || retryName == "" {
			return false
		}
		_, size := utf8.DecodeRuneInString(retryName)
		retryName = retryName[size:]
		pattern, name = retryPattern, retryName
	}
	return true
}

// matchOne matches the first character of name with the first part of pattern,
// which is not a *. It returns the pattern after that part and the size of
// the character.
func matchOne(pattern, name string) (rest string, size int, ok bool) {
	if pattern == "" || name == "" {
		return "", 0, false
	}
	r, size := utf8.DecodeRuneInString(name)
	switch pattern[0] {
	case '?':
		return pattern[1:], size, true
	case '[':
		if class, rest, found := cutClass(pattern); found {
			return rest, size, matchClass(class, r)
		}
	}
	if size == 1 && r == utf8.RuneError { // not UTF-8: compare the byte
		return pattern[1:], 1, pattern[0] == name[0]
	}
	rest, ok = strings.CutPrefix(pattern, name[:size])
	return rest, size, ok
}

// cutClass cuts "[class]" from the front of pattern. A ] in the first place of
// the class is one of its members. Without a closing ] the [ is a plain
// character.
func cutClass(pattern string) (class, rest string, found bool) {
	first := 1
	if strings.HasPrefix(pattern[first:], "!") {
		first++
	}
	if strings.HasPrefix(pattern[first:], "]") {
		first++
	}
	end := strings.IndexByte(pattern[first:], ']')
	if end < 0 {
		return "", "", false
	}
	end += first
	return pattern[1:end], pattern[end+1:], true
}

// matchClass reports whether r is in class: characters and ranges, negated by a !
// in front.
func matchClass(class string, r rune) bool {
	members, negated := strings.CutPrefix(class, "!")
	found := false
	for members != "" {
		low, size := utf8.DecodeRuneInString(members)
		members = members[size:]
		high := low
		if len(members) > 1 && members[0] == '-' {
			high, size = utf8.DecodeRuneInString(members[1:])
			members = members[1+size:]
		}
		found = found || low <= r && r <= high
	}
	return found != negated
}

package lint

// LargeFrom sets from which length a text is large, and how many findings are very many, until
// restore is called.
func LargeFrom(length, findings int) (restore func()) {
	l, n := largeText, veryMany
	largeText, veryMany = length, findings
	return func() { largeText, veryMany = l, n }
}

// Package playground tests the page that build makes: an editor that lints Python
// as one types, with package lint compiled to WebAssembly in it.
package playground

// Package fix mends what the linter finds in a program, by edits that are proven to keep its
// meaning.
package fix

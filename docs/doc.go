// Package docs tests the pages that people read: their links lead somewhere.
package docs

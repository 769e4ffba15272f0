// Package source finds out about the source of a function from its files: which of them has
// its handler.
package source

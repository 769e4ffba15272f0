// Package lazyregexp has regular expressions that are compiled when they are first used: the program has
// many, and a command needs few.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns what compiles a regular expression, once.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

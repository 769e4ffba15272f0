//go:build unix

package command

import "os"

// obeysSequences reports whether a terminal obeys sequences: all do.
func obeysSequences(*os.File) bool { return true }

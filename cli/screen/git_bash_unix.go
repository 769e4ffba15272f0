//go:build unix

package screen

// isGitBash is false: it is of Windows.
func isGitBash(any) bool { return false }

//go:build !linux && !darwin && !freebsd

package frame

// canSuspend is false: it cannot be told whether a shell would take the terminal.
func canSuspend() bool { return false }

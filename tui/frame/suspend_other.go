//go:build !linux && !darwin && !freebsd

package frame

// canSuspend is false: here it is unknown whether a shell would take the terminal.
func canSuspend() bool { return false }

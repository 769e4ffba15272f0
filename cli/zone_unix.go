//go:build !windows

package cli

// useZone does nothing: Go reads the variable TZ.
func useZone() {}

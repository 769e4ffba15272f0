//go:build !linux

package function

func (l *launcher) canProtect() bool { return false }

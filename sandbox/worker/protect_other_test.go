//go:build !linux

package worker

func (l *launcher) canProtect() bool { return false }

package worker

// canProtect reports whether folders can be read-only for workers.
func (l *launcher) canProtect() bool {
	g, err := l.begin()
	return err == nil && g != nil && g.CanProtect()
}

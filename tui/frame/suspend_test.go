package frame

import "testing"

// A program that stops without a shell with job control would never be continued.
func TestThePaletteSaysThatThereIsNoShell(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 120, 40)
	s.press("ctrl+p s u s p e n d")
	s.shows("fg comes back")
	s.press("enter")
	s.shows("not available: no shell with job control started gatewright")
}

// ctrl+z is undo on pages that have it.
func TestCtrlZDoesNotSuspendTheProgram(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 120, 40)
	s.press("ctrl+z")
	s.hides("no shell")
	s.shows("/items/0")
}

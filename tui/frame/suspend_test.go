package frame

import "testing"

// Without a shell that could go on with it nothing may stop: nobody would wake it.
func TestThePaletteSaysWhereThereIsNoShell(t *testing.T) {
	s := start(t, "dark", 120, 40)
	s.press("ctrl+p s u s p e n d")
	s.shows("fg comes back")
	s.press("enter")
	s.shows("not available: no shell started this")
}

// ctrl+z is no longer the shell's: it takes back what a page did, where it can.
func TestCtrlZDoesNotStopTheProgram(t *testing.T) {
	s := start(t, "dark", 120, 40)
	s.press("ctrl+z")
	s.hides("no shell")
	s.shows("/items/0")
}

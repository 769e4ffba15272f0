package frame

import "testing"

// Without a shell that could go on with it nothing may stop: nobody would wake it.
func TestTheKeyOfTheShellSaysWhereThereIsNone(t *testing.T) {
	s := start(t, "dark", 120, 40)
	s.press("ctrl+z")
	s.shows("not available: no shell started this")
	s.press("?")
	s.shows("fg comes back")
}

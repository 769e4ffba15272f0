package frame

import "testing"

func TestANoteOrAWarningIsAddedToAnErrorThatNobodyAnsweredYet(t *testing.T) {
	t.Parallel()
	m := &Model{}
	m.say(Error, "nothing was undone")
	m.say(Warn, "guests may now read")
	m.say(Warn, "guests may now read")
	if got := m.status.line(); got != "error: nothing was undone; guests may now read" {
		t.Errorf("it is %q", got)
	}
	m.status.clear()
	m.say(Info, "read")
	if got := m.status.line(); got != "note: read" {
		t.Errorf("after a key it is %q", got)
	}
}

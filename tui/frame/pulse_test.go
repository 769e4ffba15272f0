package frame

import (
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestAPollWaitsForABeat(t *testing.T) {
	t.Parallel()
	do := func(*Model, owner) tea.Cmd { return nil }
	pulse := NewPulse()
	// What follows from a beat takes a moment: polls go on without another.
	pulse.after(0, time.Now(), 0, do)()
	pulse.after(0, time.Time{}, 0, do)()
	(*Pulse)(nil).after(0, time.Now().Add(time.Hour), 0, do)()

	var beaten atomic.Bool
	early := make(chan bool)
	go func() {
		pulse.after(0, time.Now().Add(time.Hour), 0, do)()
		early <- !beaten.Load()
	}()
	time.Sleep(20 * time.Millisecond)
	beaten.Store(true)
	Beat()().(frameMsg)(&Model{context: &Context{Pulse: pulse}}, nil)
	if <-early {
		t.Error("it polls without a beat")
	}
	// What is seen may depend on the clock.
	pulse.after(0, time.Now().Add(time.Hour), time.Millisecond, do)()
}

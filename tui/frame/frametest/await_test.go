package frametest

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame/waiting"
)

func TestACommandThatWaitsIsNotAwaited(t *testing.T) {
	t.Parallel()
	never := make(chan int)
	for name, cmd := range map[string]tea.Cmd{
		"for a time": func() tea.Msg { waiting.Begins(waiting.Time); return <-never },
		"for news that do not come": func() tea.Msg {
			waiting.Begins(waiting.News)
			waiting.Begins(waiting.News)
			return <-never
		},
	} {
		if msg, ended := Await(cmd); ended {
			t.Errorf("a command that waits %s has the message %v", name, msg)
		}
	}
}

func TestATimeThatHasPassedIsNotAwaitedEither(t *testing.T) {
	t.Parallel()
	for range 200 {
		if msg, ended := Await(func() tea.Msg { waiting.Begins(waiting.Time); return "late" }); ended {
			t.Fatalf("it has the message %v", msg)
		}
	}
}

func TestACommandHasItsMessage(t *testing.T) {
	t.Parallel()
	come := make(chan int, 1)
	if msg, ended := Await(func() tea.Msg { return "at once" }); msg != "at once" || !ended {
		t.Errorf("it is %v, %v", msg, ended)
	}
	msg, ended := Await(func() tea.Msg {
		waiting.Begins(waiting.News)
		come <- 7
		return <-come
	})
	if msg != 7 || !ended {
		t.Errorf("after news it is %v, %v", msg, ended)
	}
}

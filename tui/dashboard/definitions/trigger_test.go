package definitions_test

import (
	"testing"

	"gatewright/cli/clitest"
	"gatewright/tui/app/apptest"
	"gatewright/tui/route"
)

func TestATriggerOfTheUserPoolIsChosenAndRemoved(t *testing.T) {
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop", "--app-id", "app1")
	s.Run(0, "add", "function", "check", "--template", "plain")
	before := s.Copy()
	term := apptest.Open(t, s.Dir, "none", 120, 40, route.Dashboard{}).Tab("Definitions")
	term.Keys("/", "preSignUp", "enter").Shows("trigger preSignUp", "refuse the user, or confirm one at once")
	term.Keys("e").Shows("Function at preSignUp", "not set", "check").Keys("down", "enter").Shows("set trigger preSignUp", "function check")
	before.Run(0, "update", "auth", "--trigger", "preSignUp=check")
	if got, want := apptest.Definition(t, s.Dir), apptest.Definition(t, before.Dir); got != want {
		t.Errorf("the keys write\n%s\nthe command\n%s", got, want)
	}
	term.Keys("d").Shows("removed trigger preSignUp").Keys("u").Shows("undid: ")
	if got, want := apptest.Definition(t, s.Dir), apptest.Definition(t, before.Dir); got != want {
		t.Errorf("undo leaves\n%s\nof\n%s", got, want)
	}
}

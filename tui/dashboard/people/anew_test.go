package people_test

import (
	"slices"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/flow/request/requesttest"
	"gatewright/sandbox"
	"gatewright/tui/app/apptest"
)

// TestAUserWhoWasMadeAnewIsAnotherUser has rows and undos of a user who was removed meanwhile.
func TestAUserWhoWasMadeAnewIsAnotherUser(t *testing.T) {
	s := shop(t)
	s.Run(0, "user", "add", "emma")
	term := opened(t, s).At("emma")
	anew := func() {
		s.Run(0, "user", "remove", "emma", "--confirm", "emma")
		s.Run(0, "user", "add", "emma", "--group", "Editors")
	}
	anew()
	term.Keys("d", "emma", "enter").Shows("error: the user was changed meanwhile")
	if _, there := users(t, s)["emma"]; !there {
		t.Fatal("another emma is removed")
	}
	term.Keys("ctrl+r", "space").Shows("disabled emma; u undoes it")
	anew()
	s.Run(0, "user", "disable", "emma")
	term.Keys("u").Shows("nothing was undone: the user was changed meanwhile")
	if users(t, s)["emma"].Enabled {
		t.Error("another emma is enabled")
	}
	term.Keys("ctrl+r", "space").Shows("enabled emma; u undoes it")
	s.Run(0, "user", "disable", "emma")
	term.Keys("u").Shows("nothing was undone: the user was changed meanwhile").Keys("esc")
	term.Keys("ctrl+r", "e", "enter", "enter").Shows("the groups of emma stay as they are")
}

// TestASignUpIsConfirmedAndAPasswordCanBeTemporary looks at what the command says of them.
func TestASignUpIsConfirmedAndAPasswordCanBeTemporary(t *testing.T) {
	s := shop(t)
	deploytest.Serve(t, s.Dir)
	held, b := requesttest.OpenUsers(t, s.Dir), apptest.Project(t, s.Dir).Backend
	of, err := outputs.PoolOf(b, b.Environment("dev"))
	apptest.Must(t, err)
	apptest.Must(t, sandbox.Ask(t.Context(), held, "SignUp", map[string]any{"ClientId": of.ClientID, "Username": "zoe", "Password": "Correct-horse-7"}, nil))
	apptest.Must(t, held.Close())
	term := opened(t, s).At("zoe")
	term.Shows("not confirmed", "signed up and has not typed the code yet").Keys("c").Shows("not available: the user cannot sign in: not confirmed")
	term.Keys("e", "reset").Shows("only a confirmed user has a password to reset").Keys("esc")
	term.Keys("e", "confirm", "enter").Shows("confirmed zoe")
	if got := users(t, s)["zoe"].Status; got != "CONFIRMED" {
		t.Errorf("the status is %s", got)
	}
	term.Keys("e", "confirm").Shows("nothing to confirm").Keys("esc")
	term.Keys("e", "set", "enter", "Correct-horse-8", "tab", "Correct-horse-8", "tab", "right", "enter").Shows("zoe has a new password", "must choose another password")
	if got := users(t, s)["zoe"].Status; got != "FORCE_CHANGE_PASSWORD" {
		t.Errorf("the status is %s", got)
	}
	// From the row of a group, the form has that group; what is refused can be mended.
	term.Keys("esc")
	term.At("editors").Keys("a", "bob", "tab", "tab", "tab").Shows("Editors")
	term.Keys("ctrl+s").Shows("The password of bob", "Copy and close").Keys("tab", "enter").Shows("the password of bob was sent to the clipboard").Hides("shown only now")
	if got := users(t, s)["bob"]; !slices.Equal(got.Groups, []string{"Editors"}) || got.Status != "CONFIRMED" {
		t.Errorf("bob is %+v", got)
	}
}

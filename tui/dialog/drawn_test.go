package dialog_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/keys"
)

// found is a palette of an action, one that is not possible, and things of one name.
func found() dialog.Dialog {
	things := []dialog.Thing{{Kind: "path", Name: "/books", About: "of the API shop", To: 1}, {Kind: "path", Name: "/books", About: "of the API admin", To: 2}}
	return dialog.Palette("What?", []keys.Binding{
		bound("a", "add path", "add a path to this API", "", "apis"), bound("x", "remove", "remove this path", "the project does not have it", "apis"),
	}, things, gives(func(thing dialog.Thing) tea.Msg { return thing.To }))
}

func TestAPaletteGoesToTheThingThatWasFound(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]any{"down down enter": 1, "down down down enter": 2, "a d m i n enter": 2, "b o o k s enter": 1, "down enter": nil, "esc": nothing{}} {
		if got := answer(found(), strings.Fields(keys)...); got != want {
			t.Errorf("%s goes to %v, want %v", keys, got, want)
		}
	}
}

// TestEachDialogIsDrawnWhole compares boxes as wide and as high as a window allows.
func TestEachDialogIsDrawnWhole(t *testing.T) {
	t.Parallel()
	refuse := func(string) error { return errors.New("a name has no space, nor has it a tab or any other blank") }
	many := []dialog.Button{{Label: "Save draft"}, {Label: "Send"}, {Label: "Stay", Cancel: true}}
	words := []dialog.Word{{Text: "items", To: "delete the table"}, {Text: "prod", To: "push"}}
	for name, of := range map[string]struct {
		dialog dialog.Dialog
		keys   string
		w, h   int
		want   string
	}{
		"buttons": {dialog.Confirm("Unsaved", "What now?", many...), "right", 26, 12, `╭ Unsaved ───────────╮
│ What now?          │
│                    │
│ [ Save draft ]     │
│ [›Send‹]  [ Stay ] │
╰────────────────────╯`},
		"scrolled": {dialog.Confirm("Long", strings.Repeat("many words ", 20), many...), "", 30, 9, `╭ Long ──────────────────────╮
│ many words many words many │
│ words many words many      │
│ words many words many      │
│ 1 to 3 of 10 lines         │
│                            │
│ [›Save draft‹]  [ Send ]   │
│ [ Stay ]                   │
╰────────────────────────────╯`},
		"short": {dialog.Agree("Push", "one\ntwo", "Push", "", nil), "", 40, 12, `╭ Push ────────────────╮
│ one                  │
│ two                  │
│                      │
│ [›Cancel‹]  [ Push ] │
╰──────────────────────╯`},
		"long": {dialog.Agree("Push", lines(9), "Push", "", nil), "down down", 24, 8, `╭ Push ────────────────╮
│ line 3               │
│ line 4               │
│ line 5               │
│ 3 to 5 of 9 lines    │
│                      │
│ [›Cancel‹]  [ Push ] │
╰──────────────────────╯`},
		"words": {dialog.AgreeWords("Push", []prose.Line{{Text: "one"}}, "Push", words, nil, nil), "x enter", 40, 12, `╭ Push ────────────────────────────────╮
│ one                                  │
│                                      │
│ Type items to delete the table (1 of │
│ 2):                                  │
│ › x                                  │
│ the name is not the same: type it as │
│ shown, or press esc to cancel        │
╰──────────────────────────────────────╯`},
		"second word": {dialog.AgreeWords("Push", []prose.Line{{Text: "one"}}, "Push", words, nil, nil), "i t e m s enter p", 60, 12, `╭ Push ────────────────────────────────────────────────────╮
│ one                                                      │
│                                                          │
│ Type prod to push (2 of 2):                              │
│ › p                                                      │
╰──────────────────────────────────────────────────────────╯`},
		"question": {dialog.Ask("Sign in", "The code of emma", "six digits", refuse, nil, nil), "1 enter", 30, 12, `╭ Sign in ───────────────────╮
│ The code of emma           │
│                            │
│ › 1                        │
│                            │
│ error: a name has no       │
│ space, nor has it a tab or │
│ any other blank            │
╰────────────────────────────╯`},
		"hidden": {dialog.AskHidden("Sign in", "The password", "not shown", nil, nil), "a b", 30, 12, `╭ Sign in ───────────────────╮
│ The password               │
│                            │
│ › **                       │
╰────────────────────────────╯`},
		"options": {dialog.Choose("Function", items(), "b", nil), "", 40, 12, `╭ Function ────────────────────────────╮
│ / type to filter              3 of 3 │
│   items  nodejs                      │
│ ▌ books  not available: it is being… │
│   users  nodejs                      │
│ not available: it is being written   │
│                                      │
╰──────────────────────────────────────╯`},
		"filtered": {dialog.Choose("Function", items(), "", nil), "u s e", 40, 12, `╭ Function ────────────────────────────╮
│ / use                         1 of 3 │
│ ▌ users  nodejs                      │
│                                      │
│                                      │
│                                      │
│                                      │
╰──────────────────────────────────────╯`},
		"several": {dialog.Several("Functions", items(), []string{"u"}, func([]string) error { return errors.New("not these") }, nil), "space enter", 40, 12, `╭ Functions ───────────────────────────╮
│ / type to filter              3 of 3 │
│ ▌ [x] items  nodejs                  │
│   [ ] books  not available: it is b… │
│   [x] users  nodejs                  │
│ error: not these                     │
│                                      │
╰──────────────────────────────────────╯`},
		"form": {kinds(func([]string) (int, error) { return 2, errors.New("no such variable") }), "", 60, 20, `╭ Kinds ───────────────────────────────────────────────────╮
│   name       books                                       │
│ › groups     ‹ [ ] Admins ›  Editors                     │
│   variables  A=1                                         │
│   runtime    nodejs                                      │
│   template   express                                     │
│   password                                               │
│                                                          │
│ space marks Admins, Editors, Readers                     │
│                                                          │
╰──────────────────────────────────────────────────────────╯`},
		"refused form": {kinds(func([]string) (int, error) { return 2, errors.New("no such variable") }), "tab tab tab tab enter", 60, 20, `╭ Kinds ───────────────────────────────────────────────────╮
│   name       books                                       │
│   groups     Editors                                     │
│ › variables  1; one on each line                         │
│       A=1                                                │
│                                                          │
│   error: no such variable                                │
│   runtime    nodejs                                      │
│   template   express                                     │
│   password                                               │
│                                                          │
│ ctrl+n takes B=2, C=3                                    │
│                                                          │
╰──────────────────────────────────────────────────────────╯`},
		"small form": {kinds(nil), "tab tab tab", 34, 8, `╭ Kinds ─────────────────────────╮
│   runtime    nodejs            │
│ › template   ‹ express ›       │
│   password                     │
│                                │
│ one of express, plain          │
│                                │
╰────────────────────────────────╯`},
		"text": {dialog.Edit(dialog.Editing{Title: "Body", Text: "one\ntwo", Line: 2, Check: func(string) (int, error) { return 2, errors.New("it has no end") }}), "", 40, 14, `╭ Body ────────────────────────────────╮
│   one                                │
│ ! two                                │
│                                      │
│                                      │
│                                      │
│                                      │
│                                      │
│                                      │
│ not yet: it has no end               │
│                                      │
╰──────────────────────────────────────╯`},
		"changed text": {dialog.Edit(dialog.Editing{Title: "Body", Text: "one\ntwo"}), "x esc", 60, 14, `╭ Body ────────────────────────────────────────────────────╮
│   xone                                                   │
│   two                                                    │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│                                                          │
│ your changes would be lost: esc again discards them, any │
│ other key keeps them                                     │
╰──────────────────────────────────────────────────────────╯`},
		"palette": {found(), "", 70, 10, `╭ What? ─────────────────────────────────────────────────────────────╮
│ / type to filter                                            4 of 4 │
│ ▌ a  apis  add path  add a path to this API                        │
│   x  apis  (remove)  remove this path                              │
│      path  /books    of the API shop                               │
│      path  /books    of the API admin                              │
│ add a path to this API                                             │
│                                                                    │
╰────────────────────────────────────────────────────────────────────╯`},
		"not possible": {found(), "down", 70, 9, `╭ What? ─────────────────────────────────────────────────────────────╮
│ / type to filter                                            4 of 4 │
│   a  apis  add path  add a path to this API                        │
│ ▌ x  apis  (remove)  remove this path                              │
│      path  /books    of the API shop                               │
│      path  /books    of the API admin                              │
│ not available: the project does not have it                        │
│                                                                    │
╰────────────────────────────────────────────────────────────────────╯`},
		"a thing": {found(), "down down down", 70, 9, `╭ What? ─────────────────────────────────────────────────────────────╮
│ / type to filter                                            4 of 4 │
│   a  apis  add path  add a path to this API                        │
│   x  apis  (remove)  remove this path                              │
│      path  /books    of the API shop                               │
│ ▌    path  /books    of the API admin                              │
│ path /books  of the API admin                                      │
│                                                                    │
╰────────────────────────────────────────────────────────────────────╯`},
		"nothing found": {found(), "z z z", 70, 9, `╭ What? ─────────────────────────────────────────────────────────────╮
│ / zzz                                                       0 of 4 │
│   nothing matches: backspace edits the filter                      │
│                                                                    │
│                                                                    │
│                                                                    │
│                                                                    │
│                                                                    │
╰────────────────────────────────────────────────────────────────────╯`},
		"keys": {dialog.Help([]keys.Binding{bound("a", "add", "add a path", "", "one"), bound("x", "drop", "drop it", "nothing is there", "two"), bound("b", "back", "go back", "", "one")}), "down down", 70, 12, `╭ Keys ──────────────────────────────────────────────────────────────╮
│ / type to filter                                            3 of 3 │
│   a    one  add a path                                             │
│   b    one  go back                                                │
│ ▌ (x)  two  drop it (not now: nothing is there)                    │
│ drop it (not now: nothing is there)                                │
│                                                                    │
╰────────────────────────────────────────────────────────────────────╯`},
	} {
		if of.keys != "" {
			plainView(of.dialog, of.w, of.h)
			answer(of.dialog, strings.Fields(of.keys)...)
		}
		var rows []string
		for line := range strings.Lines(plainView(of.dialog, of.w, of.h)) {
			rows = append(rows, strings.TrimRight(line, " \n"))
		}
		got := strings.Join(rows, "\n")
		if difference := cmp.Diff(of.want, got); difference != "" {
			t.Errorf("the dialog %s differs (-want +got):\n%s", name, difference)
		}
	}
}

// TestAPaletteKeepsItsSizeInAWindow has the height that depends on the window alone.
func TestAPaletteKeepsItsSizeInAWindow(t *testing.T) {
	t.Parallel()
	var actions []keys.Binding
	for range 100 {
		actions = append(actions, bound("a", "act", "do it", "", "g"))
	}
	for window, want := range map[int]int{5: 5, 20: 20, 24: 24, 30: 24, 36: 24, 45: 30, 90: 60} {
		d := dialog.Palette("?", actions, nil, nil)
		for _, keys := range []string{"", "a", "z"} {
			answer(d, strings.Fields(keys)...)
			if _, h := measured(plainView(d, 100, window)); h != want {
				t.Errorf("in %d rows, with %q typed, it has %d, want %d", window, keys, h, want)
			}
		}
	}
}

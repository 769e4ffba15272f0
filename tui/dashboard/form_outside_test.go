package dashboard

import (
	"encoding/json"
	"fmt"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board/boardtest"
)

// outsideForm is a form that is open while somebody else changes its thing.
type outsideForm struct {
	tab, at string
	// keys open the form and type one line. outside changes another line, and each time to
	// something else; then the form shows that.
	keys    []string
	outside func(b *model.Backend, time int) error
	shows   func(time int) []string
	// then are the keys that write it, or agree to; wrote tells whether both changes are there.
	then  []string
	wrote func(b *model.Backend) bool
}

func outsideForms() map[string]outsideForm {
	guests := boardtest.Grant(access.Guest, "", access.Read)
	return map[string]outsideForm{
		"a function": {
			tab: "functions", at: "f", keys: []string{"e", "tab", "tab", "9"},
			outside: func(b *model.Backend, time int) error {
				f := *b.Function("f")
				f.Memory = 300 + time
				return edit.UpdateFunction(b, &f)
			},
			shows: func(time int) []string { return []string{"› timeout    9", fmt.Sprint("memory     ", 300+time)} },
			then:  []string{"ctrl+s", "tab", "enter"},
			wrote: func(b *model.Backend) bool { return b.Function("f").Timeout == 9 && b.Function("f").Memory == 302 },
		},
		"a new function": {
			tab: "functions", at: "f", keys: []string{"a", "n", "e", "w", "tab", "tab", "c", "tab"},
			outside: func(b *model.Backend, time int) error {
				return edit.AddTable(b, &model.Table{Name: fmt.Sprint("later", time), PartitionKey: model.Key{Name: "id", Type: model.StringKey}})
			},
			shows: func(time int) []string { return []string{"name", "new", "template", "crud", fmt.Sprint("later", time)} },
			then:  []string{"ctrl+n", "ctrl+s", "tab", "enter"},
			wrote: func(b *model.Backend) bool { return b.Function("new").Table != "" && b.Table("later2") != nil },
		},
		"a table": {
			tab: "tables", at: "items", keys: []string{"e", "byA:a:string"},
			outside: func(b *model.Backend, time int) error {
				table := *b.Table("items")
				table.Triggers = []model.StreamTrigger{{Function: "f", BatchSize: 10 + time}}
				return edit.UpdateTable(b, &table)
			},
			shows: func(time int) []string { return []string{"byA:a:string", fmt.Sprint("f:batch=", 10+time)} },
			then:  []string{"ctrl+s", "tab", "enter"},
			wrote: func(b *model.Backend) bool {
				return len(b.Table("items").Indexes) == 1 && b.Table("items").Triggers[0].BatchSize == 12
			},
		},
		"an environment": {
			tab: "environments", at: "", keys: []string{"a", "n", "e", "w"},
			outside: func(b *model.Backend, time int) error {
				return edit.AddEnvironment(b, &model.Environment{Name: fmt.Sprint("later", time), Provider: model.Local})
			},
			shows: func(int) []string { return []string{"› name      new", "copy of"} },
			then:  []string{"up", "left", "ctrl+s"},
			wrote: func(b *model.Backend) bool { return b.Environment("new") != nil && b.Environment("later2") != nil },
		},
		"an object of a definition": {
			tab: "definitions", at: "password_policy", keys: []string{"e", "ctrl+u", "3", "1"},
			outside: func(b *model.Backend, time int) error {
				auth, policy, yes := *b.Auth, *b.Auth.PasswordPolicy, time == 2
				policy.RequireNumbers, auth.PasswordPolicy = &yes, &policy
				return edit.SetAuth(b, &auth)
			},
			shows: func(time int) []string {
				return []string{"31", "require_numbers    " + []string{"no", "yes"}[time-1]}
			},
			then: []string{"ctrl+s"},
			wrote: func(b *model.Backend) bool {
				return *b.Auth.PasswordPolicy.MinLength == 31 && *b.Auth.PasswordPolicy.RequireNumbers
			},
		},
		"a choice of a definition": {
			tab: "definitions", at: "mfa_configuration", keys: []string{"e"},
			outside: func(b *model.Backend, time int) error {
				auth := *b.Auth
				auth.MFAConfiguration = []string{"NONE", "OPTIONAL"}[time-1]
				return edit.SetAuth(b, &auth)
			},
			shows: func(time int) []string {
				return []string{[]string{"NONE      current", "OPTIONAL  current"}[time-1]}
			},
			then:  []string{"esc"},
			wrote: func(b *model.Backend) bool { return b.Auth.MFAConfiguration == "OPTIONAL" },
		},
		"a trigger": {
			tab: "definitions", at: "preSignUp", keys: []string{"e", "down"},
			outside: func(b *model.Backend, time int) error {
				f := *b.Function("f")
				f.Name = fmt.Sprint("later", time)
				return edit.AddFunction(b, &f)
			},
			shows: func(time int) []string { return []string{"▌ f ", fmt.Sprint("later", time)} },
			then:  []string{"enter"},
			wrote: func(b *model.Backend) bool { return b.TriggerAt(model.PreSignUp) == "f" },
		},
		"a list of a function": {
			tab: "functions", at: "f", keys: []string{"e", "down", "down", "down", "down", "down", "MINE=1"},
			outside: func(b *model.Backend, time int) error {
				f := *b.Function("f")
				f.Environment = append(f.Environment[:len(f.Environment):len(f.Environment)], model.Variable{Name: fmt.Sprint("LATER", time), Value: "x"})
				return edit.UpdateFunction(b, &f)
			},
			shows: func(int) []string { return []string{"MINE=1"} },
			then:  []string{"ctrl+s", "tab", "enter"},
			wrote: func(b *model.Backend) bool { return len(b.Function("f").Environment) == 3 },
		},
		"a list of a definition": {
			tab: "definitions", at: "mfa_methods", keys: []string{"e", "space"},
			outside: func(b *model.Backend, time int) error {
				auth := *b.Auth
				auth.MFAMethods = [][]string{nil, {"TOTP"}}[time-1]
				return edit.SetAuth(b, &auth)
			},
			shows: func(int) []string { return []string{"[x] SMS"} },
			then:  []string{"enter"},
			wrote: func(b *model.Backend) bool { return len(b.Auth.MFAMethods) == 2 },
		},
		"media types": {
			tab: "apis", at: "shop", keys: []string{"e"},
			outside: func(b *model.Backend, time int) error {
				return edit.SetBinaryMediaTypes(b, "shop", []string{fmt.Sprint("image/x", time)})
			},
			shows: func(time int) []string { return []string{fmt.Sprint("image/x", time)} },
			then:  []string{"end", "enter", "a", "/", "b", "ctrl+s", "tab", "enter"},
			wrote: func(b *model.Backend) bool { return len(b.API("shop").BinaryMediaTypes) == 2 },
		},
		"an output": {
			tab: "outputs", at: "", keys: []string{"e", "enter"},
			outside: func(b *model.Backend, time int) error {
				return edit.UpdateOutput(b, "custom", model.Outputs{"custom": map[string]any{"a": json.Number(fmt.Sprint(70 + time))}})
			},
			shows: func(time int) []string { return []string{fmt.Sprintf(`"a": %d`, 70+time), "Output custom"} },
			then:  []string{"esc"},
			wrote: func(b *model.Backend) bool { return b.Output("custom") != nil },
		},
		"the access of a path": {
			tab: "access", at: "/books ", keys: []string{"e", "right", "right", "space"},
			outside: func(b *model.Backend, time int) error {
				if err := edit.AddGroup(b, fmt.Sprint("Later", time)); err != nil || time == 1 {
					return err
				}
				return edit.UpdatePath(b, "shop", "/books", boardtest.Path("/books", access.Protected, guests,
					boardtest.Grant(access.Authenticated, "", access.Read, access.Create), boardtest.Grant(access.Group, "Admins", access.Delete)))
			},
			shows: func(time int) []string {
				return [][]string{
					{"▌ signed-in users          C       R     ▲[U]", "Later1           3"},
					{"▌ signed-in users          C       R     ▲[U]", "Later2           4", "Admins           1       ·       ·       ·       D"},
				}[time-1]
			},
			then: []string{"ctrl+s", "tab", "enter"},
			wrote: func(b *model.Backend) bool {
				a := b.API("shop").Path("/books").Access
				admins, _ := a.Grant(access.Principal{Kind: access.Group, Group: "Admins"})
				users, _ := a.Grant(access.Principal{})
				return admins.Has(access.Delete) && users.Has(access.Update) && users.Has(access.Create)
			},
		},
	}
}

func TestAnOpenFormShowsTheFilesOfNowInLinesThatNobodyTouched(t *testing.T) {
	t.Parallel()
	for name, of := range outsideForms() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := boardtest.Full(t)
			must(t, edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
			must(t, edit.AddNamedOutput(b, "custom", model.Outputs{"custom": map[string]any{"a": json.Number("1")}}))
			dir := folderOf(t, b)
			w := writable(t, dir, 140, 50).to(of.tab)
			if of.at != "" {
				w.at(of.at)
			}
			w.press(of.keys...)
			for time := 1; time <= 2; time++ {
				deploytest.Change(t, dir, func(b *model.Backend) error { return of.outside(b, time) })
				w.tell(w.page.board.Read)
				w.Shows(of.shows(time)...)
			}
			w.press(of.then...)
			if !of.wrote(backendOf(t, dir)) {
				t.Errorf("not written, or not with what changed outside:\n%s", w.Screen())
			}
		})
	}
}

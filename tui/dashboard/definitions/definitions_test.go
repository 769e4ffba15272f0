package definitions

import (
	"slices"
	"strings"
	"testing"

	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/definition"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/keys"
)

// rowOf is the row of a field of a section, or of a group.
func rowOf(t testing.TB, s *board.Snapshot, id string) *row {
	t.Helper()
	rows, problem := rowsOf(s)
	i := slices.IndexFunc(rows, func(r *row) bool { return r.id == id })
	if i < 0 || problem != "" {
		t.Fatalf("there is no row %s; %s", id, problem)
	}
	return rows[i]
}

func TestEveryFieldHasItsValueAndItsSource(t *testing.T) {
	t.Parallel()
	b := boardtest.Full(t)
	for _, of := range []struct{ env, row, value, from string }{
		{"dev", "auth user_pool_id", "eu-west-1_x", "last push"},
		{"dev", "auth username_attributes", "email", "definition"},
		{"dev", "auth password_policy.min_length", "12", "definition"},
		{"dev", "auth password_policy.require_symbols", "false", "default"},
		{"dev", "auth unauthenticated_identities_enabled", "true", "default"},
		{"dev", "auth oauth.domain", "-", "not set"},
		{"dev", "data url", "https://data.example.com", "definition"},
		{"dev", "data api_key", model.APIKeyPlaceholder, "default"},
		{"prod", "data url", "https://prod.example.com", "environment prod"},
		{"prod", "auth user_pool_id", "-", "not set"},
	} {
		s := boardtest.Snapshot(b, of.env)
		if of.env == "dev" {
			s.Env.Record = &project.Record{Outputs: model.Outputs{"auth": map[string]any{"user_pool_id": "eu-west-1_x"}}}
		}
		if r := rowOf(t, s, of.row); r.value != of.value || r.from != of.from {
			t.Errorf("in %s, %s is %q of %q, want %q of %q", of.env, of.row, r.value, r.from, of.value, of.from)
		}
	}
}

func TestEveryFieldIsShownAndExplained(t *testing.T) {
	t.Parallel()
	s := boardtest.Snapshot(boardtest.Library(t, "Admins", "Editors"), "dev")
	for _, kind := range definition.Kinds {
		fields := definition.Fields(kind)
		if len(fields) < 2 {
			t.Fatalf("%s has %d fields", kind, len(fields))
		}
		for _, f := range fields {
			rowOf(t, s, string(kind)+" "+f.String())
			if definition.Meaning(kind, f) == "" {
				t.Errorf("%s.%s is not explained", kind, f)
			}
		}
	}
}

func TestAnInvalidValueIsRefusedInItsLine(t *testing.T) {
	t.Parallel()
	b := boardtest.Full(t)
	for _, of := range []struct {
		row    string
		values []string
		at     int
		want   string
	}{
		{"auth password_policy.min_length", []string{"5"}, 0, "6 to 99"},
		{"auth password_policy.min_length", []string{"many"}, 0, "give a whole number from 6 to 99"},
		{"auth oauth", []string{"PROVIDER_A", "d", "x", "https://a", "", "code"}, 4, "is incomplete"},
		{"auth oauth.domain", []string{"PROVIDER_A", "d", "x", "https://a,https://a", "https://b", "code"}, 3, "repeats"},
		{"auth username_attributes", []string{"shoe_size"}, 0, "use one of email"},
		{"data api_key", []string{"da2-secret"}, 0, "keep the key out"},
	} {
		r := rowOf(t, boardtest.Snapshot(b, "dev"), of.row)
		c := change{kind: r.kind, fields: []definition.Field{r.of.Field}}
		if r.of.Place[0] == "oauth" {
			c.fields = leavesOf("oauth")
		}
		at, err := c.try(b, of.values)
		if err == nil || !strings.Contains(err.Error(), of.want) || at != of.at {
			t.Errorf("%s of %q is refused at %d with %v, want %q at %d", of.row, of.values, at, err, of.want, of.at)
		}
	}
}

// leavesOf are the fields of an object of the user pool.
func leavesOf(object string) []definition.Field {
	var all []definition.Field
	for _, f := range definition.Fields(model.KindAuth) {
		if f.Leaf() && f.Place[0] == object {
			all = append(all, f)
		}
	}
	return all
}

func TestAFieldThatIsSetAndRemovedIsAsBefore(t *testing.T) {
	t.Parallel()
	was := boardtest.Full(t)
	for _, of := range []struct{ row, value, shown string }{
		{"auth unauthenticated_identities_enabled", "no", "false"},
		{"auth mfa_configuration", "OPTIONAL", "OPTIONAL"},
		{"auth mfa_methods", "TOTP", "TOTP"},
		{"auth user_pool_id", "eu-west-1_y", "eu-west-1_y"},
	} {
		before := rowOf(t, boardtest.Snapshot(was, "dev"), of.row)
		c := change{kind: before.kind, fields: []definition.Field{before.of.Field}}
		b := was
		for _, step := range []struct{ value, shown, from string }{{of.value, of.shown, byDefinition}, {"", before.value, before.from}} {
			set, _, err := c.set([]string{step.value})
			if err != nil {
				t.Fatal(err)
			}
			if b, err = b.Edit(set.make); err != nil {
				t.Fatal(err)
			}
			if r := rowOf(t, boardtest.Snapshot(b, "dev"), of.row); r.value != step.shown || r.from != step.from {
				t.Errorf("%s set to %q is %q of %q, want %q of %q", of.row, step.value, r.value, r.from, step.shown, step.from)
			}
		}
	}
}

func TestAReadOnlyDashboardChangesNoDefinition(t *testing.T) {
	t.Parallel()
	tab := New(board.New("", nil, ""))
	tab.board.Snap = boardtest.Snapshot(boardtest.Full(t), "prod")
	tab.Read(&board.Reading{Snapshot: tab.board.Snap})()
	harmless := append(keys.Open.Keys(), keys.Copy.Keys()...)
	for range tab.List.Rows() {
		for _, b := range tab.Bindings() {
			if b.Disabled == "" && !slices.Contains(harmless, b.Keys()[0]) {
				t.Errorf("%s is offered", b.Label())
			}
		}
		tab.List.Move(1)
	}
}

func TestEachKeyOfADefinitionSaysWhyItDoesNothing(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		row, want string
		state     func(tab *Tab, s *board.Snapshot)
	}{
		{"auth", `enter show all*
e edit: put the cursor on a field or a trigger
d,delete remove: put the cursor on a field, a group or a trigger
O override: put the cursor on a field of data or storage
a add group*
K,shift+up move up: put the cursor on a group
J,shift+down move down: put the cursor on a group
ctrl+e file*
y,alt+y copy`, nil},
		{"auth password_policy.min_length", `enter edit
e edit*
d,delete remove*
O override: an environment overrides only data and storage
a add group*
K,shift+up move up: put the cursor on a group
J,shift+down move down: put the cursor on a group
ctrl+e file*
y,alt+y copy`, nil},
		{"auth oauth.domain", `enter edit
e edit*
d,delete remove: it is not set
O override: an environment overrides only data and storage
a add group*
K,shift+up move up: put the cursor on a group
J,shift+down move down: put the cursor on a group
ctrl+e file*
y,alt+y copy`, nil},
		{"data url", `enter edit
e edit*
d,delete remove*
O override*
a add group*
K,shift+up move up: put the cursor on a group
J,shift+down move down: put the cursor on a group
ctrl+e file*
y,alt+y copy`, nil},
		{"data model_introspection", `enter edit: this object is set from a file: gatewright update data --model-introspection FILE
e edit: this object is set from a file: gatewright update data --model-introspection FILE
d,delete remove: it is not set
O override: this object is set from a file: gatewright update data --env ENV --model-introspection FILE
a add group*
K,shift+up move up: put the cursor on a group
J,shift+down move down: put the cursor on a group
ctrl+e file*
y,alt+y copy`, nil},
		{"auth group Admins", `enter show all*
e edit: put the cursor on a field or a trigger
d,delete remove*
O override: put the cursor on a field of data or storage
a add group*
K,shift+up move up: it is at the end already
J,shift+down move down*
ctrl+e file*
y,alt+y copy`, nil},
		{"auth group Editors", `enter show all*
e edit: put the cursor on a field or a trigger
d,delete remove*
O override: put the cursor on a field of data or storage
a add group*
K,shift+up move up*
J,shift+down move down: it is at the end already
ctrl+e file*
y,alt+y copy`, nil},
		{"storage bucket_name", `enter edit
e edit*
d,delete remove: it is not set
O override*
a add group*
K,shift+up move up: put the cursor on a group
J,shift+down move down: put the cursor on a group
ctrl+e file: the file does not exist yet: set a field
y,alt+y copy`, nil},
		{"data url", `enter edit
e edit*
d,delete remove*
O override: the project has no environment; add one with: gatewright add env NAME
a add group*
K,shift+up move up: put the cursor on a group
J,shift+down move down: put the cursor on a group
ctrl+e file*
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Env = nil }},
		{"auth group Editors", `enter show all*
e edit: the Amplify CLI manages it: run amplify update auth
d,delete remove: the Amplify CLI manages it: run amplify update auth
O override: the Amplify CLI manages it: run amplify update auth
a add group: the Amplify CLI manages it: run amplify update auth
K,shift+up move up: the Amplify CLI manages it: run amplify update auth
J,shift+down move down: the Amplify CLI manages it: run amplify update auth
ctrl+e file*
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Layout = project.Amplify }},
		{"data url", `enter show all*
e edit: this dashboard is read-only: run gatewright instead
d,delete remove: this dashboard is read-only: run gatewright instead
O override: this dashboard is read-only: run gatewright instead
a add group: this dashboard is read-only: run gatewright instead
K,shift+up move up: this dashboard is read-only: run gatewright instead
J,shift+down move down: this dashboard is read-only: run gatewright instead
ctrl+e file: this dashboard is read-only: run gatewright instead
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) { tab.board.Session = nil }},
		{"", `a add group*`, func(tab *Tab, _ *board.Snapshot) { tab.List.SetRows(nil) }},
	} {
		tab := New(board.New("", &session.Session{Editor: "vi"}, ""))
		s := boardtest.Snapshot(boardtest.Full(t), "prod")
		tab.board.Snap, s.Layout = s, project.Native
		tab.Read(&board.Reading{Snapshot: s})()
		if of.row != "" && !tab.List.Show(of.row) {
			t.Errorf("there is no row %s", of.row)
		}
		if of.state != nil {
			of.state(tab, s)
		}
		if got := boardtest.Keys(tab.Bindings()); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", of.row, got, of.want)
		}
	}
}

package dashboard

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/definition"
	"gatewright/tui/dialog"
)

// libraryWith is the library with a data API that prod says otherwise about, pushed
// to dev.
func libraryWith(t testing.TB) *model.Backend {
	t.Helper()
	b := library(t, "Admins", "Editors")
	must(t, b.SetData(&model.Data{URL: "https://data.example.com", DefaultAuthorizationType: "API_KEY", AuthorizationTypes: []string{"API_KEY"}}))
	prod := *b.Environment("prod")
	prod.Data = &model.Data{URL: "https://prod.example.com"}
	must(t, b.UpdateEnvironment(&prod))
	length := 12
	must(t, b.SetAuth(&model.Auth{PasswordPolicy: &model.PasswordPolicy{MinLength: &length}, UsernameAttributes: []string{"email"}}))
	return b
}

// theRow is the row of a field of a section, or of a group.
func theRow(t testing.TB, d *definitionsTab, name string) int {
	t.Helper()
	i := slices.IndexFunc(d.list, func(e entry) bool { return e.id == name })
	if i < 0 {
		t.Fatalf("there is no row %s", name)
	}
	return i
}

func definitionsIn(t testing.TB, p *Page) *definitionsTab {
	t.Helper()
	toTabOf(t, p, "definitions")
	return p.tabs[p.at].(*definitionsTab)
}

func TestEveryFieldHasItsValueAndItsSource(t *testing.T) {
	dir := folderOf(t, libraryWith(t))
	current, err := project.Open(dir)
	must(t, err)
	must(t, current.Deploy(project.Record{Environment: "dev", Stack: "s", Provider: model.Local, Outputs: model.Outputs{"auth": map[string]any{"user_pool_id": "eu-west-1_x"}}}))
	must(t, current.Close())
	p := opened(t, dir, 120, 40)
	for _, of := range []struct{ env, row, value, from string }{
		{"dev", "auth user_pool_id", "eu-west-1_x", "last push"},
		{"dev", "auth username_attributes", "email", "definition"},
		{"dev", "auth password_policy.min_length", "12", "definition"},
		{"dev", "auth password_policy.require_symbols", "false", "default"},
		{"dev", "auth unauthenticated_identities_enabled", "true", "default"},
		{"dev", "auth oauth.domain", "-", "not said"},
		{"dev", "data url", "https://data.example.com", "definition"},
		{"dev", "data api_key", model.APIKeyPlaceholder, "default"},
		{"prod", "data url", "https://prod.example.com", "environment prod"},
		{"prod", "auth user_pool_id", "-", "not said"},
	} {
		if p.wanted() != of.env {
			answered(t, p, p.switchTo(of.env))
		}
		d := definitionsIn(t, p)
		if r := d.rows[theRow(t, d, of.row)]; r.value != of.value || r.from != of.from {
			t.Errorf("in %s, %s is %q of %q, want %q of %q", of.env, of.row, r.value, r.from, of.value, of.from)
		}
	}
}

func TestEveryFieldOfTheSpecificationIsThereAndIsExplained(t *testing.T) {
	d := definitionsIn(t, opened(t, folderOf(t, library(t, "Admins", "Editors")), 80, 24))
	for _, kind := range definition.Kinds {
		fields := definition.Fields(kind)
		if len(fields) < 2 {
			t.Fatalf("%s has %d fields", kind, len(fields))
		}
		for _, f := range fields {
			theRow(t, d, string(kind)+" "+f.String())
			if definition.Meaning(kind, f) == "" {
				t.Errorf("%s.%s is not explained", kind, f)
			}
		}
	}
}

// set gives a field what a dialog would, and follows what comes of it.
func set(t testing.TB, p *Page, row, env string, action dialog.Action) {
	t.Helper()
	d := definitionsIn(t, p)
	if cmd := d.edit(d.rows[theRow(t, d, row)], env); cmd == nil {
		t.Fatalf("%s opens nothing", row)
	}
	follow(t, p, p.Update(dialog.Result{ID: editDialog, Action: action}))
}

func TestAFieldIsSetByTypeAndTakenBack(t *testing.T) {
	dir := folderOf(t, libraryWith(t))
	p := writable(t, dir, 80, 24)
	file := filepath.Join(dir, "backend", "auth.json")
	was := get(t, file)
	for _, of := range []struct {
		row    string
		action dialog.Action
		want   string
	}{
		{"auth unauthenticated_identities_enabled", dialog.Picked("no"), `"unauthenticated_identities_enabled": false`},
		{"auth mfa_configuration", dialog.Picked("OPTIONAL"), `"mfa_configuration": "OPTIONAL"`},
		{"auth mfa_methods", dialog.Chosen{"TOTP"}, `"TOTP"`},
		{"auth password_policy.min_length", dialog.Filled{"20"}, `"min_length": 20`},
		{"auth oauth", dialog.Filled{"PROVIDER_A", "sign.example.com", "openid, email", "https://a.example.com", "https://b.example.com", "code"}, `"sign.example.com"`},
		{"auth oauth.domain", dialog.Filled{"other.example.com"}, `"other.example.com"`},
	} {
		set(t, p, of.row, "", of.action)
		if text := get(t, file); !strings.Contains(text, of.want) {
			t.Fatalf("%s wrote\n%s\nwithout %s", of.row, text, of.want)
		}
	}
	for range 6 {
		follow(t, p, p.undo())
	}
	if text := get(t, file); text != was {
		t.Errorf("taken back the file is\n%s\nand was\n%s", text, was)
	}
}

func TestWhatAFieldDoesNotTakeIsRefusedInItsPlace(t *testing.T) {
	p := opened(t, folderOf(t, libraryWith(t)), 80, 24)
	d := definitionsIn(t, p)
	for _, of := range []struct {
		row    string
		values []string
		at     int
		want   string
	}{
		{"auth password_policy.min_length", []string{"5"}, 0, "6 to 99"},
		{"auth password_policy.min_length", []string{"many"}, 0, "give a whole number from 6 to 99"},
		{"auth oauth", []string{"PROVIDER_A", "d", "x", "https://a", "", "code"}, 4, "lacks a part"},
		{"auth oauth.domain", []string{"PROVIDER_A", "d", "x", "https://a,https://a", "https://b", "code"}, 3, "repeats"},
		{"auth username_attributes", []string{"shoe_size"}, 0, "use one of email"},
		{"data api_key", []string{"da2-secret"}, 0, "keep the key out"},
	} {
		_ = d.edit(d.rows[theRow(t, d, of.row)], "")
		at, err := d.try(d.pending, of.values)
		if err == nil || !strings.Contains(err.Error(), of.want) || at != of.at {
			t.Errorf("%s of %q is refused at %d with %v, want %q at %d", of.row, of.values, at, err, of.want, of.at)
		}
	}
}

func TestAGuardedEnvironmentSaysOtherwiseOnlyOnceItsNameWasTyped(t *testing.T) {
	dir := folderOf(t, libraryWith(t))
	p := writable(t, dir, 80, 24)
	answered(t, p, p.switchTo("prod"))
	file := filepath.Join(dir, "backend", "environments", "prod.json")
	was := get(t, file)
	set(t, p, "data url", "prod", dialog.Filled{"https://new.example.com"})
	if get(t, file) != was {
		t.Fatal("the file is written before the name was typed")
	}
	follow(t, p, p.Update(dialog.Result{ID: guardDialog, Action: dialog.Agreed{}}))
	if text := get(t, file); !strings.Contains(text, "https://new.example.com") {
		t.Errorf("the file is\n%s", text)
	}
	if data := get(t, filepath.Join(dir, "backend", "data.json")); !strings.Contains(data, "https://data.example.com") {
		t.Errorf("the definition is\n%s", data)
	}
	// Taken away, the definition's own value counts again.
	d := definitionsIn(t, p)
	_ = d.takeAway(d.rows[theRow(t, d, "data url")])
	follow(t, p, p.Update(dialog.Result{ID: guardDialog, Action: dialog.Agreed{}}))
	if r := definitionsIn(t, p).rows[theRow(t, d, "data url")]; r.from != "definition" {
		t.Errorf("taken away it comes from %q", r.from)
	}
}

func TestGroupsAreAddedMovedAndRemoved(t *testing.T) {
	dir := folderOf(t, libraryWith(t))
	p := writable(t, dir, 80, 24)
	d := definitionsIn(t, p)
	groups := func() string { return strings.Join(definitionsIn(t, p).groups(), " ") }
	follow(t, p, p.Update(dialog.Result{ID: groupDialog, Action: dialog.Entered("Readers")}))
	if groups() != "Admins Editors Readers" {
		t.Fatalf("added, the groups are %s", groups())
	}
	p.list().toRow(theRow(t, d, "auth group Readers"))
	follow(t, p, press(p, "K"))
	follow(t, p, press(p, "K"))
	if groups() != "Readers Admins Editors" {
		t.Fatalf("moved twice, the groups are %s", groups())
	}
	follow(t, p, press(p, "J"))
	if groups() != "Admins Readers Editors" {
		t.Fatalf("moved back, the groups are %s: the cursor follows its group", groups())
	}
	p.list().toRow(theRow(t, d, "auth group Editors"))
	follow(t, p, press(p, "x"))
	yes(t, p)
	if groups() != "Admins Readers" {
		t.Errorf("removed, the groups are %s", groups())
	}
	if text := get(t, apiFile(dir)); strings.Contains(text, "Editors") {
		t.Errorf("the entry of the group stays in\n%s", text)
	}
}

func TestTheTabsChangeNothingWhereThePageOnlyReads(t *testing.T) {
	p := opened(t, folderOf(t, libraryWith(t)), 80, 24)
	for _, name := range []string{"access", "environments", "definitions"} {
		toTabOf(t, p, name)
		looks := []string{"Q", "<", ">"}
		for i := range p.tabs[p.at].entries() {
			for _, a := range p.tabs[p.at].(acting).actions(i) {
				if a.binding.Disabled == "" && !slices.Contains(looks, a.binding.Keys[0]) {
					t.Errorf("%s offers %s", name, a.binding.Label)
				}
			}
		}
	}
}

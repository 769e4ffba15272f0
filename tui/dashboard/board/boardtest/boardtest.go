// Package boardtest makes small backends for the tests of tabs.
package boardtest

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/keys"
)

// Library is a backend with groups, the environments dev and prod (guarded), and a path for
// each mode of access.
func Library(t testing.TB, groups ...string) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	must(t, edit.SetProject(b, model.Project{
		Name: "library", ApplicationID: "app1", Region: "eu-west-1",
		Dialect: model.Neutral,
	}))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.Local, Branch: "main", Guarded: true}))
	must(t, edit.AddFunction(b, &model.Function{
		Name: "f", Runtime: model.NodeJS, Template: model.Plain,
		Handler: "index.handler",
	}))
	for _, group := range groups {
		must(t, edit.AddGroup(b, group))
	}
	must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{
		{Name: "/news", Function: "f", Access: access.Access{Setting: access.Open}},
		Path("/books", access.Protected, Grant(access.Guest, "", access.Read),
			Grant(access.Authenticated, "", access.Read, access.Create)),
		Path("/books/{isbn}", access.Private, Grant(access.Authenticated, "", access.Read),
			Grant(access.Group, "Editors", access.Read, access.Update), Grant(access.Group, "Admins", access.Delete)),
	}}))
	return b
}

// Full is the library with a data API that prod overrides, and settings of the user pool.
func Full(t testing.TB) *model.Backend {
	t.Helper()
	b := Library(t, "Admins", "Editors")
	must(t, edit.SetData(b, &model.Data{
		URL: "https://data.example.com", DefaultAuthorizationType: "API_KEY",
		AuthorizationTypes: []string{"API_KEY"},
	}))
	prod := *b.Environment("prod")
	prod.Data = &model.Data{URL: "https://prod.example.com"}
	must(t, edit.UpdateEnvironment(b, &prod))
	length := 12
	must(t, edit.SetAuth(b, &model.Auth{
		PasswordPolicy:     &model.PasswordPolicy{MinLength: &length},
		UsernameAttributes: []string{"email"},
	}))
	return b
}

// Path is a path that is not open to everybody.
func Path(name string, setting access.Setting, grants ...access.Grant) *access.Path {
	return &access.Path{Name: name, Function: "f", Access: access.Access{Setting: setting, Grants: grants}}
}

// Grant says what a principal may do.
func Grant(kind access.PrincipalKind, group string, actions ...access.Action) access.Grant {
	return access.Grant{To: access.Principal{Kind: kind, Group: group}, Actions: access.ActionSet(actions...)}
}

// Snapshot is the snapshot of a backend for one of its environments.
func Snapshot(b *model.Backend, env string) *board.Snapshot {
	s := &board.Snapshot{Backend: b, Layout: project.Native}
	for _, e := range b.Environments {
		s.Environments = append(s.Environments, board.Environment{Environment: e})
	}
	for i := range s.Environments {
		if s.Environments[i].Name == env {
			s.Env = &s.Environments[i]
		}
	}
	return s
}

// Keys lists bindings in a line each: the keys, the label, with a * if the footer shows it, and why
// it does nothing now.
func Keys(all []keys.Binding) string {
	var lines []string
	for _, b := range all {
		line := strings.TrimSpace(strings.Join(b.Keys(), ",") + " " + b.Label())
		if b.InFooter() {
			line += "*"
		}
		if b.Disabled != "" {
			line += ": " + b.Disabled
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package project_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/validate"
)

func TestValidateReportsTheRulesOfTheAmplifyCLI(t *testing.T) {
	t.Parallel()
	text := `{"version": 1, "paths": {
		"/n_x": {"lambdaFunction": "items", "permissions": {"setting": "open"}},
		"/n/{a_b}": {"lambdaFunction": "items", "permissions": {"setting": "open"}},
		"/book/{isbn}": {"lambdaFunction": "items", "permissions": {"setting": "open"}},
		"/book": {"lambdaFunction": "items", "permissions": {"setting": "open"}}}}`
	fsys := disk.Memory()
	copyIn(t, fsys, "../testdata/amplify")
	put(t, fsys, "amplify/backend/api/my-api/cli-inputs.json", text)
	got := lines(validate.Project(load(t, fsys, project.Amplify)))
	for _, want := range []string{
		"warning: amplify/backend/api/my-api/cli-inputs.json:1:1: has a label that the Amplify CLI does not accept; use only",
		"my-api/cli-inputs.json:2:3: /n_x is a path that the Amplify CLI does not accept",
		"my-api/cli-inputs.json:3:3: /n/{a_b} is a path that the Amplify CLI does not accept",
		"my-api/cli-inputs.json:4:3: /book/{isbn} cannot be deployed next to /book by the Amplify CLI",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not reported:\n%s", want, got)
		}
	}
	if strings.Contains(got, "AdminQueries/") || strings.Contains(got, "5:3: /book cannot") {
		t.Errorf("too much is reported:\n%s", got)
	}
	other := disk.Memory()
	if got := lines(validate.Project(native(t, other, served(t, "items"), map[string]string{"my-api": text}))); strings.Contains(got, "Amplify") {
		t.Errorf("in a native project:\n%s", got)
	}
}

func TestPlanNotesWhatTheAmplifyCLIRefusesInANewAPI(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/backend-config.json", `{"function": {"items": {"service": "Lambda"}}}`)
	add := func(label, name string) []string {
		return edited(t, load(t, fsys, project.Amplify), func(b *model.Backend) error {
			return edit.AddAPI(b, &access.API{Label: label, Paths: []*access.Path{{Name: name, Function: "items", Access: access.Access{Setting: access.Open}}}})
		}).Notes
	}
	if notes := add("adminqueries", "/n_x"); len(notes) != 2 || !strings.Contains(notes[0], "reserves") || !strings.Contains(notes[1], "path /n_x of the API adminqueries: is a path that") {
		t.Errorf("notes are %q", notes)
	}
	if notes := add("shop", "/n"); notes != nil {
		t.Errorf("notes are %q", notes)
	}
	notes := edited(t, load(t, fsys, project.Amplify), func(b *model.Backend) error {
		return edit.AddPath(b, "adminqueries", &access.Path{Name: "/m", Function: "items", Access: access.Access{Setting: access.Open}})
	}).Notes
	if slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, "Amplify CLI") }) {
		t.Errorf("an old problem is reported again: %q", notes)
	}
}

func TestARegisteredAPIWithoutAFolderIsNoted(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/backend-config.json", `{"api": {
		"gone": {"service": "API Gateway"},
		"Shop": {"service": "API Gateway"},
		"bare": {"service": "API Gateway"},
		"graph": {"service": "AppSync"}}}`)
	put(t, fsys, "amplify/backend/api/shop/cli-inputs.json", `{"version": 1, "paths": {}}`)
	put(t, fsys, "amplify/backend/api/bare/parameters.json", `{}`)
	put(t, fsys, "amplify/backend/api/graph/parameters.json", `{}`)
	want := `note: amplify/backend/backend-config.json:2:3: registers an API that has no folder (at /api/gone)
note: amplify/backend/backend-config.json:3:3: registers an API whose folder has another spelling: shop (at /api/Shop)
note: amplify/backend/backend-config.json:4:3: registers an API whose definition is missing or unreadable (at /api/bare)
`
	if got := lines(load(t, fsys, project.Amplify).Problems); got != want {
		t.Errorf("problems are\n%s", got)
	}
}

func TestAnAPIThatCannotBeRegisteredIsNoted(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/function/items/src/index.js", "")
	notes := edited(t, load(t, fsys, project.Amplify), func(b *model.Backend) error {
		return edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{{Name: "/n", Function: "items", Access: access.Access{Setting: access.Open}}}})
	}).Notes
	if want := "amplify/backend/backend-config.json does not exist, so the API shop is neither registered nor deployed"; !slices.Equal(notes, []string{want}) {
		t.Errorf("notes are %q", notes)
	}
}

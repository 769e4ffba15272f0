package flow_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/deploytest"
	"gatewright/flow"
	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// opened is a session of a backend that is written to a folder.
func opened(t *testing.T, b *model.Backend) *session.Session {
	t.Helper()
	dir, state := t.TempDir(), t.TempDir()
	deploytest.Write(t, dir, b)
	s, err := session.Open(dir, func(name string) string {
		return map[string]string{"GATEWRIGHT_STATE": state, "VISUAL": " ed ", "EDITOR": "no"}[name]
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	return s
}

func TestTheNextStepsCallThePathAsTheFirstWhoMay(t *testing.T) {
	t.Parallel()
	group := func(name string) access.Principal { return access.Principal{Kind: access.Group, Group: name} }
	users, guests := access.Principal{}, access.Principal{Kind: access.Guest}
	none := access.Access{Setting: access.Private}
	for want, rules := range map[string]access.Access{
		"call GET /new/1: calls it in another terminal":                            {Setting: access.Open},
		"call GET /new/1 --as authenticated: calls it as a signed-in user":         (access.Access{Setting: access.Protected}).With(users, access.EveryAction).With(guests, access.ActionSet(access.Create, access.Delete)),
		"call PUT /new/1 --as group:Editors: calls it as a member of Editors":      none.With(users, access.ActionSet(access.Update)).With(group("Editors"), access.ActionSet(access.Update, access.Delete)),
		"call DELETE /new/1 --as authenticated: calls it as a signed-in user":      none.With(users, access.ActionSet(access.Delete)),
		"call GET /new/1 --as group:Admins: calls it as a member of Admins":        none.With(group("Editors"), access.EveryAction).With(group("Admins"), access.ActionSet(access.Read)),
		"call GET /new/1 --as group:Editors: calls it as a member of Editors":      none.With(users, access.ActionSet(access.Read)).With(group("Editors"), access.EveryAction),
		"call POST /new/1 --as authenticated: calls it as a signed-in user":        none.With(users, access.ActionSet(access.Create, access.Update)),
		"call PUT /new/1 --as group:Admins: calls it as a member of Admins":        none.With(group("Admins"), access.ActionSet(access.Update)),
		"call DELETE /new/1 --as group:Admins: calls it as a member of Admins":     none.With(group("Admins"), access.ActionSet(access.Delete)),
		"call GET /new/1 --as group:Admins: calls it as a member of Admins, twice": none.With(group("Admins"), access.EveryAction).With(group("Editors"), access.EveryAction),
	} {
		b := shop(t)
		must(t, edit.AddPath(b, "shop", &access.Path{Name: "/new/{id}", Function: "items", Access: rules}))
		s := opened(t, b)
		f := flow.New(shop(t), flow.Task{API: "shop"}, "")
		answer(t, f, "path.path=/new/{id}")
		var lines []string
		steps, call := s.NextSteps(f)
		for _, step := range steps {
			lines = append(lines, step.Command+": "+step.About)
		}
		want, _, _ = strings.Cut(want, ", twice")
		sent := strings.TrimSuffix(call.Request()+" --as "+call.As, " --as ")
		if !strings.HasPrefix(want, "call "+sent+": ") || call.API != "shop" || call.Environment != "dev" {
			t.Errorf("%s: the first request is %+v", want, call)
		}
		if difference := cmp.Diff([]string{"gatewright sandbox: runs the project on this machine", "gatewright " + want, "gatewright: opens the dashboard"}, lines); difference != "" {
			t.Errorf("the steps differ (-want +got):\n%s", difference)
		}
	}
}

func TestADraftIsOfItsProjectAndSaysWhenAndWhetherThatChanged(t *testing.T) {
	t.Parallel()
	s := opened(t, shop(t))
	if s.EditorName() != "ed" || s.NewName() != "" || s.NoEditor() != "" || s.Root() != s.Project.Root {
		t.Errorf("the session is %+v", s)
	}
	if saved, err := s.SavedDraft(s.Project); saved != nil || err != nil {
		t.Errorf("without a draft: %v %v", saved, err)
	}
	f := flow.New(s.Project.Backend, flow.Task{}, "")
	answer(t, f, "api.label=more", "path.path=/a")
	must(t, s.Drafts.Save(session.Draft(s.Project, f)))
	saved, err := s.SavedDraft(s.Project)
	must(t, err)
	if difference := cmp.Diff(f.Answers(), saved.Answers); difference != "" || saved.Changed || saved.Task != f.Task || time.Since(saved.Saved) > time.Hour {
		t.Errorf("the draft is %+v\n%s", saved, difference)
	}
	if text := saved.String(); !strings.HasPrefix(text, "of ") || !strings.HasSuffix(text, ", API more") {
		t.Errorf("it is called %q", text)
	}
	other := opened(t, &model.Backend{Project: model.Project{Name: "other", ApplicationID: "b", Dialect: model.Neutral}})
	if saved, err = s.SavedDraft(other.Project); err != nil || !saved.Changed || !strings.HasSuffix(saved.String(), "API more; the project has changed since") {
		t.Errorf("of a project that changed: %v %v", saved, err)
	}
	if saved, err = s.SavedDraft(nil); err != nil || saved.Changed {
		t.Errorf("of no project: %v %v", saved, err)
	}
	older := draft.Draft{Answers: f.Answers(), Task: flow.Task{API: "shop"}, Saved: saved.Saved}
	if text := (&session.SavedDraft{Draft: older}).String(); strings.Contains(text, "API") {
		t.Errorf("a draft about a path is called %q", text)
	}
}

func TestARemovalSaysAllThatGoesWithIt(t *testing.T) {
	t.Parallel()
	base := func() *model.Backend {
		b := shop(t)
		must(t, edit.AddFunction(b, &model.Function{
			Name: "crud", Runtime: model.NodeJS, Template: model.CRUD, Table: "items", Handler: "index.handler", Access: []model.ResourceAccess{{Resource: "table/items", Actions: access.EveryAction}},
		}))
		must(t, edit.AddAPI(b, &access.API{Label: "only", Paths: []*access.Path{{Name: "/only", Function: "crud", Access: access.Access{Setting: access.Open}}}}))
		must(t, edit.UpdateEnvironment(b, &model.Environment{
			Name: "prod", Provider: model.Local, APIs: []string{"shop", "only"}, Variables: []model.FunctionVariables{{Function: "crud", Values: []model.Variable{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}}},
		}))
		return b
	}
	for _, test := range []struct {
		of   model.Ref
		want string
	}{
		{model.Ref{Kind: model.KindTable, Name: "items"}, `function crud loses its access to table/items

update backend/function/crud/function.json
delete backend/table/items/table.json`},
		{model.Ref{Kind: model.KindFunction, Name: "crud"}, `API only is removed too: it has no other path
environment prod loses API only, its variables A, B for function crud

delete backend/api/only/cli-inputs.json
update backend/environments/prod.json
delete backend/function/crud/function.json
delete backend/function/crud/src/event.json
delete backend/function/crud/src/http.js
delete backend/function/crud/src/index.js
delete backend/function/crud/src/json.js
delete backend/function/crud/src/key.js
delete backend/function/crud/src/package.json
delete backend/function/crud/src/path.js
delete backend/function/crud/src/schema.js
delete backend/function/crud/src/table.js`},
		{model.Ref{Kind: model.KindGroup, Name: "Admins"}, `path /items of the API shop loses its entry for group Admins and keeps guests: read; signed-in users: create, read
Its members will have the same access as other signed-in users.

update backend/api/shop/cli-inputs.json
update backend/auth.json`},
		{model.Ref{Kind: model.KindAPI, Name: "shop"}, `environment prod loses API shop
The function items stays, but will serve no path.

delete backend/api/shop/cli-inputs.json
update backend/environments/prod.json
update backend/function/items/src/app.js`},
		{model.Ref{Kind: model.KindPath, API: "only", Name: "/only"}, `It is the only path of its API, so the API is removed too.
environment prod loses API only

delete backend/api/only/cli-inputs.json
update backend/environments/prod.json
update backend/function/crud/src/event.json
update backend/function/crud/src/path.js`},
		{model.Ref{Kind: model.KindPath, API: "shop", Name: "/news"}, `update backend/api/shop/cli-inputs.json
update backend/function/items/src/app.js`},
	} {
		s := opened(t, base())
		plan, warning, err := session.PlanRemoval(s.Project, test.of)
		must(t, err)
		if difference := cmp.Diff(test.want, session.Explain(plan, warning)); difference != "" {
			t.Errorf("the removal of %v (-want +got):\n%s", test.of, difference)
		}
	}
	guarded := base()
	prod := *guarded.Environment("prod")
	prod.Guarded = true
	must(t, edit.UpdateEnvironment(guarded, &prod))
	_, _, err := session.PlanRemoval(opened(t, guarded).Project, model.Ref{Kind: model.KindFunction, Name: "crud"})
	if err == nil || err.Error() != "function crud: removing it changes environment prod, which is guarded; run: gatewright remove function crud --cascade --confirm prod" {
		t.Errorf("the removal from a guarded environment: %v", err)
	}
}

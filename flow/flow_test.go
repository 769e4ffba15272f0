package flow_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/flow"
	"gatewright/model"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// shop returns a project with one API of two paths, two groups and two environments.
func shop(t testing.TB) *model.Backend {
	t.Helper()
	b := &model.Backend{Project: model.Project{Name: "shop", ApplicationID: "a", Dialect: model.Neutral}, Groups: []string{"Admins", "Editors"}}
	must(t, b.AddTable(&model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	must(t, b.AddFunction(&model.Function{Name: "items", Runtime: model.NodeJS, Template: model.Express}))
	for _, name := range []string{"dev", "prod"} {
		must(t, b.AddEnvironment(&model.Environment{Name: name, Provider: model.Local}))
	}
	access := model.Access{Setting: model.Protected}.
		With(model.Principal{}, model.ActionSet(model.Create, model.Read)).
		With(model.Principal{Kind: model.Guest}, model.ActionSet(model.Read)).
		With(model.Principal{Kind: model.Group, Group: "Admins"}, model.EveryAction)
	must(t, b.AddAPI(&model.API{Label: "shop", Paths: []*model.Path{
		{Name: "/items", Function: "items", Access: access}, {Name: "/news", Function: "items", Access: model.Access{Setting: model.Open}},
	}}))
	return b
}

// answer stores answers in order, each written as kind.field=value, with | between the
// elements of a list.
func answer(t testing.TB, f *flow.Flow, answers ...string) {
	t.Helper()
	for _, text := range answers {
		name, value, _ := strings.Cut(text, "=")
		kind, field, _ := strings.Cut(name, ".")
		at := find(t, f, kind)
		question := f.Ask(at)
		asked, ok := question.Field(field)
		if !ok {
			t.Fatalf("step %v has no field %q", at, field)
		}
		if asked.Kind == flow.Several {
			var chosen []string
			if value != "" {
				chosen = strings.Split(value, "|")
			}
			f.Set(at, field, "", chosen)
		} else {
			f.Set(at, field, value, nil)
		}
	}
}

// find returns the last step of a kind; "kind/of" names the principal of the step too.
func find(t testing.TB, f *flow.Flow, kind string) flow.ID {
	t.Helper()
	kind, of, _ := strings.Cut(kind, "/")
	ids := f.Steps()
	for _, id := range slices.Backward(ids) {
		if string(id.Kind) == kind && (of == "" || strings.HasSuffix(f.Name(id), " of "+of)) {
			return id
		}
	}
	t.Fatalf("step %s is not among the steps %v", kind, ids)
	return flow.ID{}
}

func names(f *flow.Flow) string {
	var words []string
	for _, id := range f.Steps() {
		words = append(words, f.Name(id))
	}
	return strings.Join(words, ", ")
}

func TestANewProjectIsAskedForOnce(t *testing.T) {
	f := flow.New(&model.Backend{}, flow.Task{}, "my-api")
	if got := names(f); got != "service, project, label, path, handler source, new function, restrict, who, actions of signed-in users, another path, review" {
		t.Errorf("the steps are %s", got)
	}
	answer(t, f, "project.name=bookshop", "label.label=shop", "path.path=/book/{isbn}", "function.name=books", "actions/signed-in users.actions=read|create")
	if at, err := f.FirstOpen(); err != nil {
		t.Fatalf("step %v is open: %v", at, err)
	}
	b, err := f.Backend()
	must(t, err)
	api := b.API("shop")
	if api == nil || len(api.Paths) != 1 || api.Paths[0].Function != "books" || api.Paths[0].Access.Setting != model.Private {
		t.Fatalf("the API is %+v", api)
	}
	if b.Auth == nil || b.Auth.GuestsEnabled() || b.Environment("dev") == nil || b.Project.Name != "bookshop" {
		t.Errorf("the pool is %+v, the project %+v", b.Auth, b.Project)
	}
	if errs := b.Check(); slices.ContainsFunc(errs, func(p *model.Problem) bool { return p.Level == model.Error }) {
		t.Errorf("problems: %v", errs)
	}
}

func TestTheSampleAnswersEveryQuestion(t *testing.T) {
	f := flow.New(&model.Backend{}, flow.Task{}, "my-api")
	f.Restore(flow.Sample())
	b, err := f.Backend()
	must(t, err)
	open := 0
	for _, p := range b.Check() {
		if p.Rule != model.RuleOpen || p.Of.Name != "/health" {
			t.Errorf("the sample has a problem: %v", p)
		}
		open++
	}
	if open != 1 {
		t.Errorf("the open health check has %d warnings", open)
	}
}

func TestAnswersToEveryQuestionMakeTheBackend(t *testing.T) {
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "label.label=more", "path.path=/a", "function.name=fa", "function.template=crud", "table.name=+", "table.new=things", "table.sort=at", "table.sortKey=number",
		"function.advanced=yes", "advanced.timeout=30", "advanced.environment=A=1, B=x=y", "advanced.secrets=KEY", "advanced.access=table/items:read|table/items:update", "advanced.schedule=rate(5 minutes)",
		"who.who=all", "groups.groups=Admins", "groups.new=Buyers", "actions/signed-in users.actions=read", "actions/guests.actions=read", "actions/members of Admins.actions=delete", "actions/members of Buyers.actions=create",
		"another.another=yes", "path.path=/a/{id}", "source.source=existing", "existing.existing=fa", "restrict.restrict=no", "another.another=no",
		"environments.environments=prod", "environments.new=qa")
	if at, err := f.FirstOpen(); err != nil {
		t.Fatalf("step %v is open: %v", at, err)
	}
	b, err := f.Backend()
	must(t, err)
	fn := b.Function("fa")
	got := fmt.Sprintf("%v %v %v %v %v %v %v", fn.Table, fn.Timeout, fn.Environment, fn.Secrets, fn.Access, fn.Schedule, b.Groups)
	if got != "things 30 [{A 1} {B x=y}] [KEY] [{table/things create, read, update, delete} {table/items read, update}] rate(5 minutes) [Admins Editors Buyers]" {
		t.Errorf("the function is %s", got)
	}
	if table := b.Table("things"); table.SortKey != (model.Key{Name: "at", Type: model.NumberKey}) {
		t.Errorf("the table is %+v", table)
	}
	if b.Environment("dev").Has("more") || !b.Environment("dev").Has("shop") || !b.Environment("prod").Has("more") || !b.Environment("qa").Has("more") {
		t.Error("the wrong environments have the API")
	}
	if p := b.API("more").Paths[1]; p.Function != "fa" || p.Access.Setting != model.Open {
		t.Errorf("the second path is %+v", p)
	}
}

func TestTheAnswersOfAChangedPathStartAsThePathIs(t *testing.T) {
	base := shop(t)
	f := flow.New(base, flow.Task{API: "shop", Path: "/items"}, "")
	if got := names(f); got != "path, handler source, function, restrict, who, groups, actions of signed-in users, actions of guests, actions of members of Admins, review" {
		t.Errorf("the steps are %s", got)
	}
	b, err := f.Backend()
	must(t, err)
	if got, want := fmt.Sprint(*b.API("shop").Path("/items")), fmt.Sprint(*base.API("shop").Path("/items")); got != want {
		t.Errorf("without an answer the path is %s, was %s", got, want)
	}
	answer(t, f, "path.path=/things", "actions/guests.actions=read|create")
	b, err = f.Backend()
	must(t, err)
	if p := b.API("shop").Paths[0]; p.Name != "/things" || !p.Access.Allowed(model.Principal{Kind: model.Guest}).Has(model.Create) {
		t.Errorf("the path is %+v", p)
	}
}

func TestTheErrorOfAWrongAnswerSaysWhatToDo(t *testing.T) {
	for wrong, want := range map[string]string{
		"label.label=SHOP":                     "label: SHOP differs from shop only in case; choose another name, or update the existing one",
		"label.label=my shop":                  `label: "my shop" is not a name for an API; use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first`,
		"path.path=items":                      "path: items does not start with /; write /items",
		"function.name=items":                  "function: items exists already; choose another name, or update the existing one",
		"who.who=":                             "who: is not chosen yet; choose one",
		"groups.groups=":                       "groups: no group is chosen; choose at least one, or name a new one",
		"environments.new=prod":                "environment: prod exists already; choose another name, or update the existing one",
		"actions/signed-in users.actions=":     "actions: no action is chosen; choose at least one",
		"groups.new=two words":                 `group: "two words" is not a name for a group; use 1 to 64 of A-Z a-z 0-9 _ + = , . @ -`,
		"advanced.memory=lots":                 "memory: lots is not a whole number above zero; give such a number, or leave it empty",
		"advanced.environment=A":               "environment variables: A has no =; write NAME=value",
		"advanced.timeout=901":                 "function fa: the timeout is 901 seconds; use 1 to 900 seconds",
		"table.name=":                          "table: is not chosen yet; choose one",
		"service.service=GraphQL":              "service: is not chosen yet; choose one",
		"advanced.schedule=always":             "function fa: the schedule always is wrong: it is neither a rate nor a cron expression; write rate(5 minutes) or cron(0 12 * * ? *)",
		"advanced.schedule=cron(61 * * * ? *)": `function fa: the schedule "cron(61 * * * ? *)" is wrong: the minute 61 is not from 0 to 59; write a number from 0 to 59, a list, a range, * or */2`,
	} {
		f := flow.New(shop(t), flow.Task{}, "")
		answer(t, f, "label.label=more", "path.path=/a", "function.name=fa", "function.template=crud", "table.name=items", "function.advanced=yes", "who.who=both", "groups.groups=Admins", "actions/signed-in users.actions=read")
		answer(t, f, wrong)
		kind, _, _ := strings.Cut(wrong, ".")
		err := f.Check(find(t, f, kind))
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", wrong, err, want)
		}
	}
}

func TestAnswersOfSkippedStepsAreKept(t *testing.T) {
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a", "who.who=both", "groups.groups=Editors", "actions/members of Editors.actions=update", "restrict.restrict=no")
	if strings.Contains(names(f), "groups") {
		t.Fatalf("an open path is asked for groups: %s", names(f))
	}
	answer(t, f, "restrict.restrict=yes")
	if q := f.Ask(find(t, f, "actions/members of Editors")); !slices.Equal(q.Fields[0].Chosen, []string{"update"}) {
		t.Errorf("the actions are %v", q.Fields[0].Chosen)
	}
}

// TestRandomAnswersCanBeUndone gives random answers, and checks what must always hold.
func TestRandomAnswersCanBeUndone(t *testing.T) {
	base := shop(t)
	rapid.Check(t, func(t *rapid.T) {
		task := rapid.SampledFrom([]flow.Task{{}, {API: "shop"}, {API: "shop", Path: "/items"}}).Draw(t, "task")
		f := flow.New(base, task, "")
		states := []string{state(t, f)}
		for range rapid.IntRange(1, 30).Draw(t, "answers") {
			at := rapid.SampledFrom(f.Steps()).Draw(t, "step")
			question := f.Ask(at)
			if len(question.Fields) == 0 {
				continue
			}
			field := rapid.SampledFrom(question.Fields).Draw(t, "field")
			value, chosen := drawAnswer(t, field)
			f.Set(at, field.Key, value, chosen)
			states = append(states, state(t, f))
			if again, ok := f.Ask(at).Field(field.Key); ok && field.Kind != flow.Several && again.Value != value {
				t.Fatalf("%v %s: answered %q, asked again it is %q", at, field.Key, value, again.Value)
			}
			before, after := f.Around(at)
			if steps := f.Steps(); before == (flow.ID{}) && steps[0] != at || after == (flow.ID{}) && steps[len(steps)-1] != at {
				t.Fatalf("%v has no neighbours in %v", at, steps)
			}
			if b, err := f.Backend(); err == nil {
				for _, p := range b.Check() {
					if p.Level == model.Error {
						t.Fatalf("the answers are accepted and make an error: %v", p)
					}
				}
				if _, problem := f.FirstOpen(); problem != nil {
					t.Fatalf("the answers make a backend, and a step refuses them: %v", problem)
				}
			}
		}
		for _, want := range slices.Backward(states) {
			if got := state(t, f); got != want {
				t.Fatalf("undo gives\n%s\nwant\n%s", got, want)
			}
			f.Undo()
		}
		for f.Redo() {
		}
		if got := state(t, f); got != states[len(states)-1] {
			t.Fatalf("redo gives\n%s\nwant\n%s", got, states[len(states)-1])
		}
	})
}

func drawAnswer(t *rapid.T, field flow.Field) (value string, chosen []string) {
	var keys []string
	for _, o := range field.Options {
		if o.Disabled == "" {
			keys = append(keys, o.Key)
		}
	}
	if field.Kind == flow.Text || len(keys) == 0 {
		return rapid.SampledFrom([]string{"", "a", "shop", "/a", "/items", "/a/{x}", "/a/{y}", "dev", "30", "id"}).Draw(t, "text"), []string{}
	}
	if field.Kind == flow.Choice {
		return rapid.SampledFrom(keys).Draw(t, "choice"), nil
	}
	for _, key := range keys {
		if rapid.Bool().Draw(t, key) {
			chosen = append(chosen, key)
		}
	}
	return "", chosen
}

// state returns all answers as a draft saves them.
func state(t *rapid.T, f *flow.Flow) string {
	text, err := json.Marshal(f.Answers())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

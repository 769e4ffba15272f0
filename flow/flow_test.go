package flow_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/flow"
	"gatewright/flow/matrix"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/model/edit"
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
	must(t, edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	must(t, edit.AddFunction(b, &model.Function{Name: "items", Runtime: model.NodeJS, Template: model.Express}))
	for _, name := range []string{"dev", "prod"} {
		must(t, edit.AddEnvironment(b, &model.Environment{Name: name, Provider: model.Local}))
	}
	rules := access.Access{Setting: access.Protected}.
		With(access.Principal{}, access.ActionSet(access.Create, access.Read)).
		With(access.Principal{Kind: access.Guest}, access.ActionSet(access.Read)).
		With(access.Principal{Kind: access.Group, Group: "Admins"}, access.EveryAction)
	must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{
		{Name: "/items", Function: "items", Access: rules}, {Name: "/news", Function: "items", Access: access.Access{Setting: access.Open}},
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
		if kind == "access" {
			f.SetMatrix(at.Path, edited(t, f.Matrix(at.Path), field, value))
			continue
		}
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

// edited returns a matrix with one change: its mode, new groups, or the actions of a caller.
func edited(t testing.TB, m matrix.Matrix, what, value string) matrix.Matrix {
	t.Helper()
	who := access.Principal{Kind: access.Group, Group: what}
	switch what {
	case "mode":
		return m.WithMode(access.Setting(value))
	case "groups":
		m, _, err := m.AddGroups(value)
		must(t, err)
		return m
	case "users":
		who = access.Principal{}
	case "guests":
		who = access.Principal{Kind: access.Guest}
	}
	var set access.Actions
	for word := range strings.SplitSeq(value, "|") {
		if action, ok := access.ParseAction(word); ok {
			set |= access.ActionSet(action)
		}
	}
	m, err := m.Set(who, set)
	must(t, err)
	return m
}

// find returns the last step of a kind.
func find(t testing.TB, f *flow.Flow, kind string) flow.ID {
	t.Helper()
	ids := f.Steps()
	for _, id := range slices.Backward(ids) {
		if string(id.Kind) == kind {
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
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "my-api")
	if got := names(f); got != "project, API, path, function, access, another path, environments, review" {
		t.Errorf("the steps are %s", got)
	}
	answer(t, f, "project.name=bookshop", "api.label=shop", "path.path=/book/{isbn}", "function.name=books", "access.users=read|create")
	if at, err := f.FirstOpen(); err != nil {
		t.Fatalf("step %v is open: %v", at, err)
	}
	b, err := f.Backend()
	must(t, err)
	api := b.API("shop")
	if api == nil || len(api.Paths) != 1 || api.Paths[0].Function != "books" || api.Paths[0].Access.String() != "signed-in users: create, read" {
		t.Fatalf("the API is %+v", api)
	}
	if b.Auth == nil || b.Auth.GuestsEnabled() || b.Environment("dev") == nil || b.Project.Name != "bookshop" {
		t.Errorf("the pool is %+v, the project %+v", b.Auth, b.Project)
	}
	if errs := check.Backend(b); slices.ContainsFunc(errs, func(p *model.Problem) bool { return p.Level == model.Error }) {
		t.Errorf("problems: %v", errs)
	}
}

func TestThePathIsAllThatHasToBeAnswered(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	answer(t, f, "path.path=/items")
	b, err := f.Backend()
	must(t, err)
	path := b.API("shop").Path("/items")
	if path.Function != "items" || path.Access.String() != "signed-in users: read" || b.Project.Name != "shop" || b.Function("items").Template != model.Plain {
		t.Errorf("the path is %+v", path)
	}
}

func TestAnExampleOfAPathIsNotItsAnswer(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	path := f.Ask(flow.ID{Kind: "path"}).Fields[0]
	if path.Shown() != "empty" || path.Proposal() != "such as /items or /book/{isbn}" {
		t.Errorf("the empty path is shown as %q, with %q in its field", path.Shown(), path.Proposal())
	}
}

func TestProposalsAreValid(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	answer(t, f, "path.path=/books", "function.template=crud", "another.another=yes", "path.path=/books/{isbn}", "function.template=crud", "another.another=yes",
		"path.path=/books/{isbn}/x", "another.another=yes", "path.path=/Books-Isbn", "another.another=yes", "path.path=/x/{y}/books", "function.template=crud")
	b, err := f.Backend()
	must(t, err)
	if got := fmt.Sprint(b.Names(model.KindFunction), b.Names(model.KindTable)); got != "[Books-Isbn-2 books books-isbn x x-y-books] [books books-isbn x-y-books]" {
		t.Errorf("the functions and tables are %s", got)
	}
	if f := flow.New(b, flow.Task{}, ""); f.Label() != "api" {
		t.Errorf("the second API is called %s", f.Label())
	}
}

func TestTheSampleAnswersEveryQuestion(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "my-api")
	f.Restore(flow.Sample())
	b, err := f.Backend()
	must(t, err)
	open := 0
	for _, p := range check.Backend(b) {
		if p.Rule != access.RuleOpen || p.Of.Name != "/health" {
			t.Errorf("the sample has a problem: %v", p)
		}
		open++
	}
	if open != 1 {
		t.Errorf("the open health check has %d warnings", open)
	}
}

func TestAnswersToEveryQuestionMakeTheBackend(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "api.label=more", "path.path=/a", "function.name=fa", "function.template=crud", "table.name=+", "table.new=things", "table.sort=at", "table.sortKey=number",
		"function.advanced=yes", "advanced.timeout=30", "advanced.environment=A=1, B=x=y", "advanced.secrets=KEY", "advanced.access=table/items:read|table/items:update", "advanced.schedule=rate(5 minutes)",
		"access.groups=Buyers, Testers", "access.guests=read", "access.Admins=delete", "access.Buyers=create",
		"another.another=yes", "path.path=/a/{id}", "function.source=existing", "function.existing=fa", "access.mode=open", "another.another=no",
		"environments.environments=prod", "environments.new=qa, test")
	if at, err := f.FirstOpen(); err != nil {
		t.Fatalf("step %v is open: %v", at, err)
	}
	b, err := f.Backend()
	must(t, err)
	fn := b.Function("fa")
	got := fmt.Sprintf("%v %v %v %v %v %v %v", fn.Table, fn.Timeout, fn.Environment, fn.Secrets, fn.Access, fn.Schedule, b.Groups)
	if got != "things 30 [{A 1} {B x=y}] [KEY] [{table/things create, read, update, delete} {table/items read, update}] rate(5 minutes) [Admins Editors Buyers Testers]" {
		t.Errorf("the function is %s", got)
	}
	if table := b.Table("things"); table.PartitionKey != (model.Key{Name: "id", Type: model.StringKey}) || table.SortKey != (model.Key{Name: "at", Type: model.NumberKey}) {
		t.Errorf("the table is %+v", table)
	}
	if b.Environment("dev").Has("more") || !b.Environment("dev").Has("shop") || !b.Environment("prod").Has("more") || !b.Environment("qa").Has("more") || !b.Environment("test").Has("more") {
		t.Error("the wrong environments have the API")
	}
	if p := b.API("more").Path("/a"); p.Access.String() != "guests: read; signed-in users: read; members of Admins: delete; members of Buyers: create" {
		t.Errorf("the access is %s", p.Access)
	}
	if p := b.API("more").Paths[1]; p.Function != "fa" || p.Access.Setting != access.Open || len(p.Access.Grants) > 0 {
		t.Errorf("the second path is %+v", p)
	}
}

func TestTheAnswersOfAChangedPathStartAsThePathIs(t *testing.T) {
	t.Parallel()
	base := shop(t)
	f := flow.New(base, flow.Task{API: "shop", Path: "/items"}, "")
	if got := names(f); got != "path, function, access, review" {
		t.Errorf("the steps are %s", got)
	}
	b, err := f.Backend()
	must(t, err)
	if got, want := fmt.Sprint(*b.API("shop").Path("/items")), fmt.Sprint(*base.API("shop").Path("/items")); got != want {
		t.Errorf("without an answer the path is %s, was %s", got, want)
	}
	answer(t, f, "path.path=/things", "access.guests=read|create")
	b, err = f.Backend()
	must(t, err)
	if p := b.API("shop").Paths[0]; p.Name != "/things" || !p.Access.Allowed(access.Principal{Kind: access.Guest}, access.Terms{}).Has(access.Create) {
		t.Errorf("the path is %+v", p)
	}
}

func TestTheErrorOfAWrongAnswerSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"api.label=SHOP":                       "label: SHOP differs from shop only in case; choose another name, or update the existing one",
		"api.label=my shop":                    `label: "my shop" is not a name for an API; use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first`,
		"path.path=items":                      "path: items does not start with /; write /items",
		"function.name=items":                  "function: items exists already; choose another name, or update the existing one",
		"function.deployed=a b":                `function name: "a b" is not a function name; use 1 to 64`,
		"environments.new=prod":                "environment: prod exists already; choose another name, or update the existing one",
		"environments.new=qa, qa":              "environment: qa exists already; choose another name, or update the existing one",
		"access.users=":                        "access: nobody may do anything; grant somebody an action, or open the path",
		"access.Admins=":                       "access: members of Admins have an entry without an action; grant an action, or remove the entry",
		"advanced.memory=lots":                 "memory: lots is not a whole number above zero; give such a number, or leave it empty",
		"advanced.environment=A":               "environment variables: A has no =; write NAME=value",
		"advanced.timeout=901":                 "the timeout is 901 seconds; use 1 to 900 seconds",
		"table.name=":                          "table: is not chosen yet; choose one",
		"table.sort=id":                        "the sort key is the partition key",
		"api.service=GraphQL":                  "service: is not chosen yet; choose one",
		"advanced.schedule=always":             "the schedule always is wrong: it is neither a rate nor a cron expression; write rate(5 minutes) or cron(0 12 * * ? *)",
		"advanced.schedule=cron(61 * * * ? *)": `the schedule "cron(61 * * * ? *)" is wrong: the minute 61 is not from 0 to 59; write a number from 0 to 59, a list, a range, * or */2`,
	} {
		f := flow.New(shop(t), flow.Task{}, "")
		answer(t, f, "api.label=more", "path.path=/a", "function.name=fa", "function.template=crud", "function.advanced=yes")
		answer(t, f, wrong)
		kind, _, _ := strings.Cut(wrong, ".")
		err := f.Check(find(t, f, kind))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", wrong, err, want)
		}
	}
}

func TestAllFaultyFieldsOfAStepAreNamed(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	answer(t, f, "project.name=my shop", "project.region=eu west/../1", "path.path=/a", "function.name=two words", "function.deployed=three words here",
		"function.template=crud", "table.new=x", "table.partition=id", "table.sort=id", "function.advanced=yes", "advanced.timeout=0", "advanced.memory=1", "advanced.secrets=a b")
	var got []string
	for _, at := range f.Steps() {
		for _, fault := range f.Faults(at) {
			if _, ok := f.Ask(at).Field(fault.Field); ok {
				got = append(got, string(at.Kind)+"."+fault.Field)
			}
		}
	}
	if want := "project.name project.region function.name function.deployed table.new table.sort advanced.timeout advanced.memory advanced.secrets"; strings.Join(got, " ") != want {
		t.Errorf("the faults are %v\nwant %s", got, want)
	}
}

func TestEntriesThatAModeMakesUselessAreKept(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a", "access.Editors=update", "access.guests=create", "access.mode=open")
	if rules := f.Matrix(0).Access; rules.Allowed(access.Principal{Kind: access.Guest}, access.Terms{}) != access.EveryAction {
		t.Errorf("the path is not open: %v", rules)
	}
	b, err := f.Backend()
	must(t, err)
	if p := b.API(f.Label()).Path("/a"); len(p.Access.Grants) > 0 {
		t.Errorf("an open path is written with grants: %v", p.Access)
	}
	answer(t, f, "access.mode=protected")
	if got := f.Matrix(0).Access.String(); got != "guests: create; signed-in users: read; members of Editors: update" {
		t.Errorf("the access is %s", got)
	}
}

func TestAGroupMadeOnAPathIsThereOnAll(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	answer(t, f, "path.path=/a", "access.groups=Admins, Editors", "access.Admins=read|create", "another.another=yes", "path.path=/b", "access.groups=Buyers", "access.Editors=delete")
	for i := range 2 {
		if got := f.Matrix(i).Groups; !slices.Equal(got, []string{"Admins", "Editors", "Buyers"}) {
			t.Errorf("path %d has the groups %v", i, got)
		}
	}
	m, err := f.Matrix(0).Move("Buyers", -1)
	must(t, err)
	f.SetMatrix(0, m)
	m, err = f.Matrix(0).WithoutGroup("Editors")
	must(t, err)
	f.SetMatrix(0, m)
	b, err := f.Backend()
	must(t, err)
	if !slices.Equal(b.Groups, []string{"Admins", "Buyers"}) || len(b.API("shop").Path("/b").Access.Groups()) > 0 {
		t.Errorf("the groups are %v, /b has %v", b.Groups, b.API("shop").Path("/b").Access)
	}
	if done, _ := f.Undo(); done.Text != "members of Editors may read under /b" && done.Text == "" {
		t.Errorf("undone: %+v", done)
	}
	if b, err = f.Backend(); err != nil || !slices.Equal(b.Groups, []string{"Admins", "Buyers", "Editors"}) || !slices.Equal(b.API("shop").Path("/b").Access.Groups(), []string{"Editors"}) {
		t.Errorf("after undo: %v %v", b.Groups, err)
	}
}

func TestUndoAndRedoSayWhatTheyDid(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	for _, test := range []struct{ answer, field, want string }{
		{"path.path=/a", "path", "path /a"},
		{"function.template=crud", "template", "template CRUD on a table"},
		{"access.guests=read", "access", "guests may read under /a"},
		{"access.users=", "access", "signed-in users may no longer read under /a"},
		{"access.Admins=create|read|update|delete", "access", "members of Admins may do everything under /a"},
		{"access.mode=open", "access", "everybody may do everything under /a"},
		{"access.groups=Buyers,Testers", "access", "the groups Buyers, Testers added"},
		{"another.another=yes", "another", "another path Yes, one more"},
	} {
		answer(t, f, test.answer)
		kind, _, _ := strings.Cut(test.answer, ".")
		want := flow.Done{At: find(t, f, kind), Field: test.field, Text: test.want}
		if kind == "another" {
			want.At.Path = 0
		}
		if done, ok := f.Undo(); !ok || done != want {
			t.Errorf("undo of %s says %+v, want %+v", test.answer, done, want)
		}
		if done, ok := f.Redo(); !ok || done != want {
			t.Errorf("redo of %s says %+v, want %+v", test.answer, done, want)
		}
	}
}

func TestADraftGoesOnAtTheFirstQuestionNeverAnswered(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a")
	if at := f.Unanswered(); at.Kind != "api" {
		t.Errorf("the first question is %v", at)
	}
	f.Pass(find(t, f, "api"))
	f.Pass(find(t, f, "path"))
	again := flow.New(shop(t), flow.Task{}, "")
	again.Restore(f.Answers())
	if at := again.Unanswered(); at.Kind != "function" {
		t.Errorf("the next question is %v", at)
	}
	for _, at := range again.Steps() {
		again.Pass(at)
	}
	if at := again.Unanswered(); at.Kind != flow.Review {
		t.Errorf("after all questions comes %v", at)
	}
}

// TestRandomAnswersCanBeUndone gives random answers, and checks what must always hold.
func TestRandomAnswersCanBeUndone(t *testing.T) {
	t.Parallel()
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
			if field.Kind == flow.Access {
				f.SetMatrix(at.Path, drawMatrix(t, f.Matrix(at.Path)))
				states = append(states, state(t, f))
				continue
			}
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
				for _, p := range check.Backend(b) {
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
		for ok := true; ok; {
			_, ok = f.Redo()
		}
		if got := state(t, f); got != states[len(states)-1] {
			t.Fatalf("redo gives\n%s\nwant\n%s", got, states[len(states)-1])
		}
	})
}

// drawMatrix makes one random edit of a matrix.
func drawMatrix(t *rapid.T, m matrix.Matrix) matrix.Matrix {
	row := rapid.SampledFrom(m.Rows()).Draw(t, "row")
	edited := m
	switch rapid.IntRange(0, 6).Draw(t, "edit") {
	case 0:
		edited = m.NextMode(rapid.SampledFrom([]int{-1, 1}).Draw(t, "mode"))
	case 1:
		edited, _, _ = m.AddGroups(rapid.SampledFrom([]string{"Buyers", "Buyers, Testers", "two words here", "Admins", "\x00"}).Draw(t, "groups"))
	case 2:
		edited, _ = m.Move(row.Who.Group, rapid.SampledFrom([]int{-1, 1}).Draw(t, "by"))
	case 3:
		edited, _ = m.WithoutGroup(row.Who.Group)
	case 4:
		edited, _ = m.ToggleRow(row.Who)
	default:
		edited, _ = m.Toggle(row.Who, rapid.SampledFrom(access.AllActions).Draw(t, "action"))
	}
	return edited
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

package prove_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/policy"
	"gatewright/render/policy/policytest"
	"gatewright/render/template"
)

// rendered is a backend's template, read back.
type rendered struct {
	backend *model.Backend
	env     *model.Environment
	root    *cfn.Template
	open    prove.Open
}

func render(t *testing.T, b *model.Backend) rendered {
	t.Helper()
	env := &model.Environment{Name: "dev"}
	made, err := template.Render(b, env, template.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rendered{b, env, parse(t, made.Root.JSON()), nested(t, made)}
}

func parse(t testing.TB, text []byte) *cfn.Template {
	t.Helper()
	parsed, err := cfn.Parse("template", text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func nested(t *testing.T, made *template.Template) prove.Open {
	return func(url, _, _ string) (*cfn.Template, error) {
		for _, n := range made.Nested {
			if path.Base(url) == path.Base(n.Key) {
				return parse(t, n.Node.JSON()), nil
			}
		}
		return nil, fmt.Errorf("no template %s", url)
	}
}

// policies are those that the renderer makes.
func (r rendered) policies(api string, who access.Principal) (allow, deny []string) {
	made := policy.Of(r.backend.API(api), r.backend.RoleOrder(), r.backend.Terms())
	for _, role := range made.Roles {
		if role.Who == who {
			return role.Allow, role.Deny
		}
	}
	return nil, nil
}

func (r rendered) compare(t *testing.T) *prove.Report {
	t.Helper()
	d, err := prove.Read(r.root, nil, r.open)
	if err != nil {
		t.Fatal(err)
	}
	return prove.Compare(d, r.backend, prove.Options{Policies: r.policies})
}

func entry(who access.PrincipalKind, group string, actions access.Actions) access.Grant {
	return access.Grant{To: access.Principal{Kind: who, Group: group}, Actions: actions}
}

// library is a backend with every kind of access.
func library() *model.Backend {
	all, read := access.EveryAction, access.Actions(access.Read)
	path := func(name string, setting access.Setting, grants ...access.Grant) *access.Path {
		return &access.Path{Name: name, Function: "books", Access: access.Access{Setting: setting, Grants: grants}}
	}
	return &model.Backend{
		Functions: []*model.Function{{Name: "books", Runtime: model.NodeJS, Handler: "index.handler"}},
		Groups:    []string{"Admins", "Readers"},
		APIs: []*access.API{{Label: "library", Paths: []*access.Path{
			path("/books", access.Protected, entry(access.Guest, "", read), entry(access.Authenticated, "", all), entry(access.Group, "Readers", read)),
			path("/books/{isbn}/notes", access.Private, entry(access.Authenticated, "", all), entry(access.Group, "Readers", 0)),
			path("/admin", access.Private, entry(access.Group, "Admins", all)),
			path("/news", access.Open),
		}}},
	}
}

func TestOurOwnTemplatesEqualTheProject(t *testing.T) {
	t.Parallel()
	report := render(t, library()).compare(t)
	if !report.Equal() || report.Decisions < 100 {
		t.Errorf("%d decisions, differences %v, undecided %v", report.Decisions, report.Differences, report.Undecided)
	}
	t.Log(report.Decisions, report.Notices, report.Refused)
}

func TestAnEnvironmentWithoutRolesIsCompared(t *testing.T) {
	t.Parallel()
	b := library()
	b.Groups, b.APIs[0].Paths = nil, b.APIs[0].Paths[3:]
	if report := render(t, b).compare(t); !report.Equal() || report.Decisions == 0 {
		t.Errorf("%d decisions, differences %v, undecided %v", report.Decisions, report.Differences, report.Undecided)
	}
}

func TestRandomTemplatesOfOursEqualTheProject(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	refused := 0
	for range 25 {
		b := randomBackend(random)
		report := render(t, b).compare(t)
		if !report.Equal() {
			t.Fatalf("%s\ndifferences %v, undecided %v", describe(b), report.Differences, report.Undecided)
		}
		refused += len(report.Refused)
	}
	if refused == 0 {
		t.Error("nothing was refused: the paths do not cross enough to test that")
	}
}

func randomBackend(random *rand.Rand) *model.Backend {
	groups := []string{"Admins"}
	return &model.Backend{
		Functions: []*model.Function{{Name: policytest.Function, Runtime: model.NodeJS, Handler: "index.handler"}},
		Groups:    groups, APIs: []*access.API{policytest.API(random, groups)},
	}
}

func describe(b *model.Backend) string {
	var text strings.Builder
	for _, p := range b.APIs[0].Paths {
		fmt.Fprintln(&text, p.Name, p.Access)
	}
	return text.String()
}

// TestRolesOfFunctionsAreCompared holds the template of a project against the project, and against others in
// which the functions may do more, less, or what nobody knows.
func TestRolesOfFunctionsAreCompared(t *testing.T) {
	t.Parallel()
	id := model.Key{Name: "id", Type: model.StringKey}
	b := library()
	b.Environments = []*model.Environment{{Name: "dev"}}
	b.Tables = []*model.Table{{Name: "orders", PartitionKey: id}, {Name: "books", PartitionKey: id}}
	b.Functions = append(b.Functions, &model.Function{Name: "mail", Runtime: model.NodeJS, Handler: "index.handler"})
	read := access.ActionSet(access.Read)
	b.Functions[0].Access = []model.ResourceAccess{
		{Resource: "table/orders", Actions: access.EveryAction},
		{Resource: "function/mail", Actions: read},
		{Resource: "pool", Actions: access.ActionSet(access.Update)},
		{Resource: "secret/pw", Actions: read},
		{Resource: "parameter/shop/${ENV}/key", Actions: read},
	}
	b.Functions[0].Policies = []model.Statement{
		{Effect: model.Deny, Action: model.Patterns{"dynamodb:Scan"}, Resource: model.Patterns{"${table/orders}"}},
		{Effect: model.Allow, Action: model.Patterns{"dynamodb:Query"}, Resource: model.Patterns{"arn:aws:dynamodb:*:*:table/boo*-${ENV}"}},
	}
	made := render(t, b)
	for _, row := range []struct {
		change func(f *model.Function)
		want   string
	}{
		{func(*model.Function) {}, ""},
		{func(f *model.Function) { f.Access = f.Access[1:] }, "its role may do dynamodb:PutItem, dynamodb:BatchWriteItem"},
		{func(f *model.Function) { f.Policies = f.Policies[:1] }, "its role may do dynamodb:Query on the table books, which the project does not let it"},
		{func(f *model.Function) { f.Policies = f.Policies[1:] }, "its role may not do dynamodb:Scan on the table orders, which the project lets it"},
		{func(f *model.Function) { f.Access = slices.Delete(slices.Clone(f.Access), 1, 2) }, "its role may do lambda:InvokeFunction on the function mail, which"},
		{func(f *model.Function) { f.Access = slices.Delete(slices.Clone(f.Access), 2, 3) }, "on the user pool, which the project does not let it"},
		{func(f *model.Function) { f.Access[3].Resource = "secret/other" }, "its role may not do secretsmanager:GetSecretValue, secretsmanager:DescribeSecret on the secret other, which the project lets it"},
		{func(f *model.Function) { f.Policies[1].Condition = "{}" }, "whether its role may do dynamodb:Query on the table books is not known"},
	} {
		other, f := *b, *b.Functions[0]
		f.Access, f.Policies = slices.Clone(f.Access), slices.Clone(f.Policies)
		row.change(&f)
		other.Functions = []*model.Function{&f, b.Functions[1]}
		with := made
		with.backend = &other
		report := with.compare(t)
		text := fmt.Sprint(report.Doors)
		if report.Equal() != (row.want == "") || !strings.Contains(text, row.want) {
			t.Errorf("want %q, got %s, undecided %v", row.want, text, report.Undecided)
		}
	}
}

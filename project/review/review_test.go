package review_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/read"
	"gatewright/project/review"
)

// state makes a state of a project from its files, by their names below the folder of the
// definitions.
func state(t *testing.T, layout project.Layout, files map[string]string) review.State {
	t.Helper()
	fsys := disk.Memory()
	for name, text := range files {
		at := path.Join(layout.String(), name)
		if err := fsys.MkdirAll(path.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := afero.WriteFile(fsys, at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Load(fsys, layout)
	if err != nil {
		t.Fatal(err)
	}
	return review.StateOf("state", p)
}

// with returns files with some in place of others; "" is none.
func with(files map[string]string, changes ...string) map[string]string {
	next := make(map[string]string)
	for name, text := range files {
		next[name] = text
	}
	for i := 0; i < len(changes); i += 2 {
		next[changes[i]] = changes[i+1]
		if changes[i+1] == "" {
			delete(next, changes[i])
		}
	}
	return next
}

func of(t *testing.T, base, head review.State, environment string) *review.Review {
	t.Helper()
	r, err := review.Compare(base, head, environment)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const shopFile = "api/shop/cli-inputs.json"

// shop is a project with an API whose path /books signed-in users may read.
var shop = map[string]string{
	"project.json": `{"version": 1, "name": "shop"}`,
	"auth.json": `{
  "version": 1, "groups": ["Admins", "Editors"],
  "unauthenticated_identities_enabled": false
}`,
	shopFile: `{
  "version": 1,
  "paths": {
    "/books": {
      "lambdaFunction": "books",
      "permissions": {
        "setting": "protected",
        "auth": ["read"],
        "guest": ["read"],
        "groups": {
          "Editors": ["read"]
        }
      }
    }
  }
}`,
	"function/books/function.json":  `{"version": 1, "runtime": "nodejs", "environment": {"KIND": "one", "PLAIN": "same"}}`,
	"function/books/src/index.js":   "one",
	"environments/dev.json":         `{"version": 1, "provider": "local", "apis": []}`,
	"function/books/src/package.js": "same",
}

// places are the differences with their places.
func places(r *review.Review) []string {
	var all []string
	for _, a := range r.Access {
		found := read.Problem{File: a.Place.File, Line: a.Place.Line, Column: a.Place.Column}
		text := a.Sentence() + " at " + strings.TrimPrefix(found.Place(), "backend/")
		if a.Place.Before {
			text += " before"
		}
		all = append(all, text)
	}
	return all
}

func TestEachDifferenceHasThePlaceThatDoesIt(t *testing.T) {
	t.Parallel()
	api := func(old, new string) []string {
		return []string{shopFile, strings.Replace(shop[shopFile], old, new, 1)}
	}
	for name, tt := range map[string]struct {
		changes []string
		want    []string
	}{
		"an entry":       {api(`"auth": ["read"]`, `"auth": ["read", "delete"]`), []string{"signed-in users may now delete under /books at api/shop/cli-inputs.json:8:9"}},
		"a group":        {api(`"Editors": ["read"]`, `"Editors": ["read", "create"]`), []string{"members of Editors may now create under /books at api/shop/cli-inputs.json:11:11"}},
		"the mode":       {api(`"protected"`, `"open"`), []string{"everybody may now do everything under /books at api/shop/cli-inputs.json:7:9"}},
		"a path":         {api(`"/books": {`, `"/new": {"lambdaFunction": "books", "permissions": {"setting": "open"}}, "/books": {`), []string{"everybody may now do everything under /new at api/shop/cli-inputs.json:4:5"}},
		"guests":         {[]string{"auth.json", strings.Replace(shop["auth.json"], "false", "true", 1)}, []string{"guests may now read under /books at auth.json:3:3"}},
		"a path gone":    {api(`"/books"`, `"/magazines"`), []string{"signed-in users may now read under /magazines at api/shop/cli-inputs.json:4:5", "members of Editors may now read under /magazines at api/shop/cli-inputs.json:4:5", "signed-in users may no longer read under /books at api/shop/cli-inputs.json:4:5 before", "members of Editors may no longer read under /books at api/shop/cli-inputs.json:4:5 before"}},
		"an API gone":    {[]string{shopFile, ""}, []string{"signed-in users may no longer read under /books at api/shop/cli-inputs.json:1:1 before", "members of Editors may no longer read under /books at api/shop/cli-inputs.json:1:1 before"}},
		"nothing at all": {nil, nil},
	} {
		r := of(t, state(t, project.Native, shop), state(t, project.Native, with(shop, tt.changes...)), "")
		if diff := cmp.Diff(tt.want, places(r)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWhatAPathAboveLetsInHasThePlaceOfThatPath(t *testing.T) {
	t.Parallel()
	at := func(above string) review.State {
		return state(t, project.Amplify, map[string]string{
			"backend-config.json": `{"api": {"shop": {"service": "API Gateway"}}}`,
			shopFile: `{"version": 1, "paths": {
"/a": {"lambdaFunction": "f", "permissions": {
` + above + `}},
"/a/b": {"lambdaFunction": "f", "permissions": {"setting": "protected", "auth": ["read"]}}}}`,
		})
	}
	was, now := at(`"setting": "private", "auth": ["read"]`), at(`"setting": "protected", "auth": ["read"], "guest": ["create"]`)
	for _, r := range []*review.Review{of(t, was, now, ""), of(t, now, was, "")} {
		if len(r.Access) != 2 {
			t.Errorf("%q", places(r))
		}
		for _, a := range r.Access {
			if !strings.HasSuffix(a.Place.File, shopFile) || a.Place.Line > 3 {
				t.Errorf("%s: %+v", a, a.Place)
			}
		}
	}
}

func TestTheOrderOfGroupsHasItsPlace(t *testing.T) {
	t.Parallel()
	was := with(shop, "auth.json", `{"version": 1, "groups": ["Admins", "Editors"]}`, shopFile, strings.Replace(shop[shopFile], `"Editors": ["read"]`, `"Editors": ["create"]`, 1))
	now := with(was, "auth.json", "{\"version\": 1,\n \"groups\": [\"Editors\", \"Admins\"]}")
	r := of(t, state(t, project.Native, was), state(t, project.Native, now), "")
	want := []string{"members of both Editors and Admins may now create under /books at auth.json:2:2", "members of both Editors and Admins may no longer read under /books at auth.json:2:2"}
	if diff := cmp.Diff(want, places(r)); diff != "" {
		t.Error(diff)
	}
	if command := r.Access[0].Command(); command != "gatewright can group:Editors,Admins POST /books --api shop" {
		t.Errorf("the command is %s", command)
	}
}

func TestWhatDiffersBesideAccessIsListedWithoutValues(t *testing.T) {
	t.Parallel()
	head := with(shop,
		"function/books/function.json", `{"version": 1, "runtime": "nodejs", "environment": {"KIND": "another text", "PLAIN": "same"}}`,
		"function/books/src/index.js", "two",
		"function/books/src/more.js", "new",
		"table/items/table.json", `{"version": 1, "partitionKey": {"name": "id", "type": "string"}}`,
	)
	r := of(t, state(t, project.Native, shop), state(t, project.Native, head), "")
	if r.Widened() || len(r.Resources) != 2 {
		t.Fatalf("widened %v, resources %+v", r.Widened(), r.Resources)
	}
	books := r.Resources[0]
	if !slices.Equal(books.Reasons, []string{"variable KIND changed its value"}) {
		t.Errorf("the reasons are %q", books.Reasons)
	}
	sources := []review.File{{Path: "backend/function/books/src/index.js", Change: "update"}, {Path: "backend/function/books/src/more.js", Change: "create"}}
	if diff := cmp.Diff(sources, books.Sources); diff != "" {
		t.Error(diff)
	}
	if r.Resources[1].Of.String() != "table items" || r.Resources[1].Operation != diff.ToCreate {
		t.Errorf("the table is %+v", r.Resources[1])
	}
	files := []review.File{
		{Path: "backend/function/books/function.json", Change: "update"}, sources[0], sources[1], {Path: "backend/table/items/table.json", Change: "create"},
	}
	if diff := cmp.Diff(files, r.Files); diff != "" {
		t.Error(diff)
	}
}

func openings(r *review.Review) []string {
	var all []string
	for _, o := range r.Opened {
		found := read.Problem{File: o.Place.File, Line: o.Place.Line, Column: o.Place.Column}
		all = append(all, o.Kind+": "+o.Text+" at "+found.Place())
	}
	return all
}

func TestWhatOpensBesideRequestsIsWidened(t *testing.T) {
	t.Parallel()
	was := with(shop,
		"auth.json", "{\"version\": 1,\n\"mfa_configuration\": \"REQUIRED\",\n\"triggers\": {\"preSignUp\": \"books\"}}",
		"table/items/table.json", `{"version": 1, "partitionKey": {"name": "id", "type": "string"}}`,
		"function/books/function.json", `{"version": 1, "runtime": "nodejs", "access": [{"resource": "table/items", "actions": ["read"]}]}`,
	)
	now := with(was,
		"auth.json", "{\"version\": 1,\n\"mfa_configuration\": \"OPTIONAL\"}",
		"function/books/function.json", "{\"version\": 1, \"runtime\": \"nodejs\",\n\"access\": [{\"resource\": \"table/items\", \"actions\": [\"read\", \"delete\"]}]}",
		"environments/dev.json", "{\"version\": 1, \"provider\": \"local\",\n \"apis\": [\"shop\"]}",
	)
	r := of(t, state(t, project.Native, was), state(t, project.Native, now), "")
	want := []string{
		"users: the user pool no longer asks a function before somebody signs up: the trigger preSignUp was books at backend/auth.json:1:1",
		"users: the second factor at sign-in is now optional, and was required at backend/auth.json:2:1",
		"function: function books may now delete table items at backend/function/books/function.json:2:1",
		"environment: environment dev now includes API shop at backend/environments/dev.json:2:2",
	}
	if diff := cmp.Diff(want, openings(r)); diff != "" {
		t.Error(diff)
	}
	if !r.Widened() {
		t.Error("nothing is widened")
	}
	if back := of(t, state(t, project.Native, now), state(t, project.Native, was), ""); back.Widened() {
		t.Errorf("the way back opens %q", openings(back))
	}
}

func TestAnEnvironmentIsComparedAsItIsDeployed(t *testing.T) {
	t.Parallel()
	was := state(t, project.Native, shop)
	now := state(t, project.Native, with(shop, "environments/dev.json", `{"version": 1, "provider": "local", "apis": ["shop"], "variables": {"books": {"KIND": "x"}}}`))
	r := of(t, was, now, "dev")
	if len(r.Access) == 0 || !r.Access[0].Gained || r.Access[0].API != "shop" {
		t.Errorf("an API that the environment serves now: %q", places(r))
	}
	whole := of(t, was, now, "")
	if len(whole.Access) > 0 {
		t.Errorf("the definition is the same, and the review says %q", places(whole))
	}
}

func TestWithoutAProjectOnOneSideAllIsNewOrGone(t *testing.T) {
	t.Parallel()
	none, all := review.State{Name: "nothing"}, state(t, project.Native, shop)
	made := of(t, none, all, "")
	if !made.Widened() || made.Resources[0].Operation != diff.ToCreate || len(made.Files) < 4 || made.Files[0].Change != "create" {
		t.Errorf("a new project: %+v", made)
	}
	gone := of(t, all, none, "")
	if gone.Widened() || gone.Resources[0].Operation != diff.ToDelete || gone.Files[0].Change != "delete" {
		t.Errorf("a project that is gone: %+v", gone)
	}
	for _, a := range gone.Access {
		if !a.Place.Before {
			t.Errorf("%s is at %+v", a, a.Place)
		}
	}
}

func TestAnErrorInTheBaseIsSaidAndCountsAsOpened(t *testing.T) {
	t.Parallel()
	broken := state(t, project.Native, with(shop, shopFile, "{\"version\": 1,\n  \"paths\": 1\n}"))
	r := of(t, broken, state(t, project.Native, shop), "")
	if r.Complete || !r.Widened() || len(r.Why) != 1 || !strings.Contains(r.Why[0], "backend/api/shop/cli-inputs.json:2:3") {
		t.Errorf("complete %v, why %q", r.Complete, r.Why)
	}
}

func TestPoliciesOfAnAmplifyProjectAreCompared(t *testing.T) {
	t.Parallel()
	template := func(actions string) string {
		return `{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {}},
			"Policy": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": [{"Effect": "Allow", "Action": ` + actions + `, "Resource": "arn:aws:s3:::books"}]}}}}}`
	}
	was := map[string]string{
		"backend-config.json":                               `{"function": {"books": {"service": "Lambda"}}, "auth": {"pool": {"service": "Cognito"}}}`,
		"function/books/books-cloudformation-template.json": template(`["s3:GetObject"]`),
		"function/books/src/index.js":                       "one",
		"auth/pool/cli-inputs.json":                         `{"cognitoConfig": {"allowUnauthenticatedIdentities": false}}`,
		"auth/pool/pool-cloudformation-template.json":       `{"Resources": {"UserPool": {"Type": "AWS::Cognito::UserPool", "Properties": {"AdminCreateUserConfig": {"AllowAdminCreateUserOnly": true}}}}}`,
		shopFile: shop[shopFile],
	}
	now := with(was,
		"function/books/books-cloudformation-template.json", template(`["s3:GetObject", "s3:DeleteObject"]`),
		"function/books/custom-policies.json", `[{"Action": ["ses:SendEmail"], "Resource": ["*"]}]`,
		"auth/pool/cli-inputs.json", `{"cognitoConfig": {"allowUnauthenticatedIdentities": true}}`,
		"auth/pool/pool-cloudformation-template.json", `{"Resources": {"UserPool": {"Type": "AWS::Cognito::UserPool", "Properties": {}}}}`,
	)
	r := of(t, state(t, project.Amplify, was), state(t, project.Amplify, now), "")
	want := []string{
		"users: guests now get an identity, and had none before at amplify/backend/auth/pool/cli-inputs.json",
		"function: function books may now use s3:DeleteObject on books at amplify/backend/function/books",
		"function: function books may now use ses:SendEmail on * at amplify/backend/function/books",
		"users: anyone may now sign up to the user pool; before, only administrators could create users at amplify/backend/auth/pool/pool-cloudformation-template.json",
	}
	if diff := cmp.Diff(want, openings(r)); diff != "" {
		t.Error(diff)
	}
	if got := places(r); !slices.Equal(got, []string{"guests may now read under /books at amplify/backend/auth/pool/cli-inputs.json"}) {
		t.Errorf("the places are %q", got)
	}
}

package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow"
	"gatewright/flow/preview"
	"gatewright/model"
	"gatewright/model/access"
)

func TestEachStepShowsTheLinesThatItsAnswersMake(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	answer(t, f, "path.path=/a", "function.template=crud", "function.advanced=yes", "advanced.timeout=30", "access.guests=read", "environments.new=qa")
	shown := func(kind string) string {
		made := preview.Of(f, find(t, f, kind))
		return fmt.Sprintf("%s %v: %s", made.Of, made.Fault, strings.Join(strings.Fields(strings.Join(made.Lines, "")), " "))
	}
	var all []string
	for _, kind := range []string{"project", "api", "path", "function", "table", "advanced", "access", "environments", "review"} {
		all = append(all, shown(kind))
	}
	answer(t, f, "path.path=")
	all = append(all, shown("path"))
	const want = `project <nil>: { "version": 1, "name": "shop", "dialect": "neutral"}
API shop <nil>: "/a": { "name": "/a", "lambdaFunction": "a", "permissions": { "setting": "protected", "auth": [ "read" ], "guest": [ "read" ] }}
API shop <nil>: "/a": { "name": "/a", "lambdaFunction": "a", "permissions": { "setting": "protected", "auth": [ "read" ], "guest": [ "read" ] }}
function a <nil>: { "version": 1, "runtime": "nodejs24.x", "template": "crud", "table": "a-table", "handler": "index.handler", "timeout": 30, "access": [ { "resource": "table/a-table", "actions": [ "create", "read", "update", "delete" ] } ]}
table a-table <nil>: { "version": 1, "partitionKey": { "name": "id", "type": "string" }}
function a <nil>: { "version": 1, "runtime": "nodejs24.x", "template": "crud", "table": "a-table", "handler": "index.handler", "timeout": 30, "access": [ { "resource": "table/a-table", "actions": [ "create", "read", "update", "delete" ] } ]}
API shop <nil>: "/a": { "name": "/a", "lambdaFunction": "a", "permissions": { "setting": "protected", "auth": [ "read" ], "guest": [ "read" ] }}
environment qa <nil>: { "version": 1, "provider": "local"}
API shop <nil>: "/a": { "name": "/a", "lambdaFunction": "a", "permissions": { "setting": "protected", "auth": [ "read" ], "guest": [ "read" ] }}
API shop <nil>:`
	if difference := cmp.Diff(want, strings.TrimSpace(strings.Join(all, "\n"))); difference != "" {
		t.Errorf("the lines differ (-want +got):\n%s", difference)
	}
}

func TestAnAnswerToARequestSaysWhoAndWhat(t *testing.T) {
	t.Parallel()
	api := &access.API{Label: "shop", Paths: []*access.Path{{
		Name: "/book/{isbn}", Function: "books", Access: access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read)).With(member("Admins"), access.ActionSet(access.Delete)),
	}, {Name: "/open", Access: access.Access{Setting: access.Open}}}}
	for _, test := range []struct {
		who    access.Principal
		action access.Action
		path   string
		want   string
	}{
		{guests, access.Read, "/book/{isbn}", "GET /book/1 by guests: refused"},
		{users, access.Read, "/book/{isbn}", "GET /book/1 by signed-in users: yes, function books"},
		{users, access.Create, "/book/{isbn}", "POST /book/1 by signed-in users: refused"},
		{member("Admins"), access.Delete, "/book/{isbn}", "DELETE /book/1 by members of Admins: yes, function books"},
		{member("Admins"), access.Read, "/book/{isbn}", "GET /book/1 by members of Admins: refused"},
		{guests, access.Update, "/open", "PUT /open by guests: yes"},
	} {
		if got, decided := preview.Answer(api, access.Gate{Groups: []string{"Admins"}}, test.who, test.action, test.path); got != test.want || decided.Allowed == strings.HasSuffix(got, "refused") {
			t.Errorf("it says %s, want %s", got, test.want)
		}
	}
}

func TestTheOverviewOfARunNamesAllThatComesIntoBeing(t *testing.T) {
	t.Parallel()
	over := func(base *model.Backend, task flow.Task, project string, answers ...string) string {
		t.Helper()
		f := flow.New(base, task, project)
		answer(t, f, answers...)
		b, err := f.Backend()
		must(t, err)
		o := preview.OverviewOf(base, b, task.Path)
		var tests []string
		for _, test := range o.AccessTests(b) {
			tests = append(tests, "test: "+test)
		}
		return plain(o.Lines()) + strings.Join(append(o.Warnings, tests...), "\n")
	}
	for _, test := range []struct{ name, got, want string }{
		{"a new project", over(&model.Backend{}, flow.Task{}, "shop", "project.region=eu-west-1", "api.binaryMediaTypes=image/png", "path.path=/a", "function.template=crud", "table.sort=at", "access.groups=Admins,Editors", "access.guests=read", "environments.new=qa"), `/a: new function a, CRUD function for DynamoDB-style key-value table, on the table a-table
  guests may read
  signed-in users may read
  members of Admins may read, as signed-in users
  members of Editors may read, as signed-in users
project shop, region eu-west-1
API shop has the binary media type image/png
table a-table: partition key id (string), sort key at (string)
user pool: people sign in with their email address; guests get an identity
groups Admins, Editors
environments dev, qa
test: nobody may create, update and delete under /a
test: everybody may read under /a`},
		{"a path that is renamed and opened", over(shop(t), flow.Task{API: "shop", Path: "/items"}, "", "path.path=/things", "access.mode=open"), `/items becomes /things: function items, which exists
  guests may do everything
  signed-in users may do everything
  members of Admins may do everything
  members of Editors may do everything
  ▲ /things is open to everybody in the world
▼ guests may no longer read under /items (GET /items)
▼ signed-in users may no longer create and read under /items (POST /items)
▼ members of Admins may no longer create, read, update and delete under /items (POST /items)
path /things of the API shop: is open to everybody in the world; restrict the path, or leave it if that is meant
test: everybody may do anything under /things`},
		{"less access and another order", func() string {
			base := shop(t)
			no := false
			base.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &no}
			f := flow.New(base, flow.Task{API: "shop", Path: "/items"}, "")
			answer(t, f, "access.guests=read|create", "access.users=read", "access.groups=Buyers")
			m, err := f.Matrix(0).Move("Editors", -1)
			must(t, err)
			f.SetMatrix(0, m)
			b, err := f.Backend()
			must(t, err)
			return strings.TrimSpace(plain(preview.OverviewOf(base, b, "").Lines()))
		}(), `/items: function items, which exists
  guests may create and read
  signed-in users may read
  members of Editors may read, as signed-in users
  members of Admins may do everything
  members of Buyers may read, as signed-in users
  ▲ /items lets guests create, and not signed-in users
  ! members of both Editors and Admins act as Editors and lose create, update, delete
user pool: guests now get an identity
group Buyers
order of the groups: Editors, Admins, Buyers
▲ guests may now create and read under /items (POST /items)
▼ signed-in users may no longer create under /items (POST /items)
▼ members of both Editors and Admins may no longer update and delete under /items (PUT /items)`},
	} {
		if difference := cmp.Diff(test.want, test.got); difference != "" {
			t.Errorf("%s: %s", test.name, test.got)
		}
	}
}

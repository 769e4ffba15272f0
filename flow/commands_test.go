package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project/amplify"
)

func TestTheCommandsSayAllThatTheAnswersMake(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		task    flow.Task
		answers []string
		edit    func(f *flow.Flow)
		want    string
	}{
		"a new API": {
			answers: []string{
				"api.label=more", "api.binaryMediaTypes=image/png", "path.path=/a/{id}", "function.name=fa", "function.template=crud", "function.deployed=live-a",
				"table.name=+", "table.new=things", "table.partition=customer", "table.partitionKey=number", "table.sort=at", "table.sortKey=binary",
				"function.advanced=yes", "advanced.timeout=30", "advanced.memory=512", "advanced.schedule=rate(5 minutes)", "advanced.layers=layers/a, layers/b",
				"advanced.environment=A=1 2, B=x=y", "advanced.secrets=KEY, OTHER", "advanced.access=table/items:read|table/items:update",
				"access.groups=Buyers, Testers", "access.guests=read", "access.Admins=delete", "access.Buyers=create|read|update|delete",
				"another.another=yes", "path.path=/b", "function.source=existing", "function.existing=items", "access.mode=open",
				"environments.new=qa, test",
			},
			want: `gatewright add group Buyers
gatewright add group Testers
gatewright add table things --partition-key customer:number --sort-key at:binary
gatewright add function fa --runtime nodejs24.x --template crud --table things --function-name live-a --timeout 30 --memory 512 --schedule 'rate(5 minutes)' --layer layers/a --layer layers/b --env 'A=1 2' --env B=x=y --secret KEY --secret OTHER --access table/things=all --access table/items=read,update
gatewright add api more --path '/a/{id}' --function fa --auth read --guest read --group Admins=delete --group Buyers=all --binary-media-types image/png
gatewright add path more /b --function items --open
gatewright add env qa
gatewright add env test`,
		},
		"a path of an API": {
			task: flow.Task{API: "shop"}, answers: []string{"path.path=/a", "function.runtime=python", "function.template=plain", "access.guests=read", "access.mode=private", "another.another=yes", "path.path=/b"},
			want: `gatewright add function a --runtime python3.14 --template plain
gatewright add function b --runtime nodejs24.x --template plain
gatewright add path shop /a --function a --auth read
gatewright add path shop /b --function b --auth read`,
		},
		"a path as it is": {
			task: flow.Task{API: "shop", Path: "/items"},
			want: `gatewright update path shop /items --function items --auth create,read --guest read --group Admins=all`,
		},
		"a path with another name and no entry for its group and signed-in users": {
			task: flow.Task{API: "shop", Path: "/items"}, answers: []string{"path.path=/things", "access.users=", "access.Editors=update"},
			edit: func(f *flow.Flow) { f.SetMatrix(0, f.Matrix(0).WithoutEntry("Admins")) },
			want: `gatewright rename path shop /items /things
gatewright update path shop /things --function items --guest read --group Editors=update --no-auth --no-group Admins`,
		},
		"a path for signed-in users alone": {
			task: flow.Task{API: "shop", Path: "/items"}, answers: []string{"access.mode=private"},
			want: `gatewright update path shop /items --function items --auth create,read --group Admins=all --no-guest`,
		},
		"a path that was open": {
			task: flow.Task{API: "shop", Path: "/news"}, answers: []string{"access.mode=private", "access.users=read"},
			want: `gatewright update path shop /news --function items --auth read`,
		},
		"a path that is opened": {
			task: flow.Task{API: "shop", Path: "/items"}, answers: []string{"access.mode=open"},
			want: `gatewright update path shop /items --function items --open`,
		},
		"groups in another order": {
			task: flow.Task{API: "shop", Path: "/items"},
			edit: func(f *flow.Flow) {
				m, _ := f.Matrix(0).Move("Editors", -1)
				f.SetMatrix(0, m)
			},
			want: `gatewright update group --order Editors,Admins
gatewright update path shop /items --function items --auth create,read --guest read --group Admins=all`,
		},
		"answers that are not valid": {answers: []string{"path.path=a"}},
	} {
		f := flow.New(shop(t), test.task, "")
		answer(t, f, test.answers...)
		if test.edit != nil {
			test.edit(f)
		}
		if difference := cmp.Diff(test.want, strings.Join(f.Commands(), "\n")); difference != "" {
			t.Errorf("%s (-want +got):\n%s", name, difference)
		}
	}
}

func TestTheCommandsDefineThePoolAsTheAnswersDo(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	answer(t, f, "path.path=/a", "access.guests=read", "access.mode=private")
	const pool = "gatewright update auth --username-attributes email --user-verification-types email --mfa-configuration NONE --unauthenticated-identities-enabled=%v " +
		"--password-policy-min-length 8 --password-policy-require-numbers --password-policy-require-lowercase --password-policy-require-uppercase --password-policy-require-symbols"
	if got := f.Commands()[0]; got != fmt.Sprintf(pool, false) {
		t.Errorf("without guests: %s", got)
	}
	answer(t, f, "access.mode=protected")
	if got := f.Commands()[0]; got != fmt.Sprintf(pool, true) {
		t.Errorf("with guests: %s", got)
	}
	b, err := f.Backend()
	must(t, err)
	b.Auth.UnauthenticatedIdentitiesEnabled = new(bool)
	for mode, want := range map[string]string{"private": "gatewright add function b", "protected": "gatewright update auth --unauthenticated-identities-enabled"} {
		f = flow.New(b, flow.Task{API: "shop"}, "")
		answer(t, f, "path.path=/b", "access.mode="+mode)
		if got := f.Commands()[0]; !strings.HasPrefix(got, want) {
			t.Errorf("a pool without guests, a path that is %s: %s", mode, got)
		}
		next, err := f.Backend()
		must(t, err)
		if next.Auth.GuestsEnabled() != (mode == "protected") || b.Auth.GuestsEnabled() || !slices.Equal(next.Auth.UsernameAttributes, []string{"email"}) {
			t.Errorf("a path that is %s makes the pool %+v of %+v", mode, next.Auth, b.Auth)
		}
	}
}

func TestAPoolIsDefinedOnlyIfItIsNeededAndNoneIsUsed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		base    func(b *model.Backend)
		answers []string
		defined bool
	}{
		"an open path alone":                  {nil, []string{"access.mode=open"}, false},
		"an open path after a restricted one": {nil, []string{"another.another=yes", "path.path=/b", "access.mode=open"}, true},
		"an open path with a group":           {nil, []string{"access.groups=Admins", "access.mode=open"}, true},
		"a pool that is used without its file": {func(b *model.Backend) {
			must(t, edit.AddAPI(b, &access.API{Label: "old", Paths: []*access.Path{{Name: "/x", Function: "f", Access: access.Access{Setting: access.Private}}}}))
		}, nil, false},
		"a project of the Amplify CLI":          {func(b *model.Backend) { b.Layout = amplify.Layout }, []string{"function.existing=f"}, false},
		"a restricted path that is not reached": {nil, []string{"access.mode=open", "another.another=yes", "path.path=/b", "another.another=yes", "path.path=/c"}, false},
	} {
		base := &model.Backend{}
		must(t, edit.AddFunction(base, &model.Function{Name: "f", Runtime: model.NodeJS}))
		if test.base != nil {
			test.base(base)
		}
		f := flow.New(base, flow.Task{}, "")
		answer(t, f, append([]string{"api.label=new", "path.path=/a"}, test.answers...)...)
		if name == "a restricted path that is not reached" {
			f.Set(flow.ID{Kind: "another"}, "another", flow.No, nil)
		}
		b, err := f.Backend()
		if err != nil || (b.Auth != nil) != test.defined {
			t.Errorf("%s: the pool is %+v, %v", name, b.Auth, err)
		}
	}
}

func TestANewAPIIsInTheChosenEnvironmentsAlone(t *testing.T) {
	t.Parallel()
	with := func(answers ...string) string {
		base := shop(t)
		must(t, edit.UpdateEnvironment(base, &model.Environment{Name: "prod", Provider: model.AWS, APIs: []string{"shop"}}))
		f := flow.New(base, flow.Task{}, "")
		answer(t, f, append([]string{"api.label=more", "path.path=/a"}, answers...)...)
		b, err := f.Backend()
		must(t, err)
		var lines []string
		for _, e := range b.Environments {
			lines = append(lines, fmt.Sprintf("%s %s %v %v", e.Name, e.Provider, e.APIs, e.Has("more")))
		}
		var made []string
		for _, e := range f.NewEnvironments() {
			made = append(made, e.Name+" "+string(e.Provider))
		}
		return strings.Join(lines, "; ") + " new " + strings.Join(made, ", ") + " short " + f.Summary(find(t, f, "environments"))
	}
	for _, test := range []struct {
		answers []string
		want    string
	}{
		{nil, "dev local [] true; prod aws [shop more] true new  short dev, prod"},
		{[]string{"environments.environments="}, "dev local [shop] false; prod aws [shop] false new  short "},
		{[]string{"environments.environments=dev"}, "dev local [] true; prod aws [shop] false new  short dev"},
		{[]string{"environments.environments=prod", "environments.new=qa, test"}, "dev local [shop] false; prod aws [shop more] true; qa local [] true; test local [] true new qa local, test local short prod, qa, test"},
		{[]string{"environments.new=qa"}, "dev local [] true; prod aws [shop more] true; qa local [] true new qa local short dev, prod, qa"},
	} {
		if got := with(test.answers...); got != test.want {
			t.Errorf("%v makes\n%s\nwant\n%s", test.answers, got, test.want)
		}
	}
}

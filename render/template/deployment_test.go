package template_test

import (
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/template"
)

// deploymentID returns the logical id of the only deployment.
func deploymentID(t *testing.T, b *model.Backend, options template.Options) string {
	t.Helper()
	made, err := template.Render(b, b.Environment("dev"), options)
	if err != nil {
		t.Fatal(err)
	}
	all := ofType(made.Root, "AWS::ApiGateway::Deployment")
	if len(all) != 1 {
		t.Fatalf("%d deployments", len(all))
	}
	return all[0].id
}

func TestThereIsANewDeploymentOnlyWhenTheMethodsChange(t *testing.T) {
	t.Parallel()
	before := deploymentID(t, shop(), template.Options{})
	for name, change := range map[string]struct {
		edit func(b *model.Backend)
		same bool
	}{
		"a path is added":              {edit: func(b *model.Backend) { b.APIs[0].Paths = append(b.APIs[0].Paths, accesstest.Open("/new", "items")) }},
		"a path is removed":            {edit: func(b *model.Backend) { b.APIs[0].Paths = b.APIs[0].Paths[:2] }},
		"a variable is renamed":        {edit: func(b *model.Backend) { b.APIs[0].Paths[1].Name = "/orders/{order}" }},
		"a path is opened":             {edit: func(b *model.Backend) { b.APIs[0].Paths[0].Access = access.Access{Setting: access.Open} }},
		"a path is restricted":         {edit: func(b *model.Backend) { b.APIs[0].Paths[2].Access.Setting = access.Private }},
		"a path gets another function": {edit: func(b *model.Backend) { b.APIs[0].Paths[2].Function = "items" }},
		"a function is renamed":        {edit: func(b *model.Backend) { b.Functions[0].FunctionName = "things" }},
		"a media type becomes binary":  {edit: func(b *model.Backend) { b.APIs[0].BinaryMediaTypes = []string{"image/png"} }},
		"another group is allowed": {same: true, edit: func(b *model.Backend) {
			b.APIs[0].Paths[1].Access = b.APIs[0].Paths[1].Access.With(access.Principal{Kind: access.Group, Group: "Editors"}, access.ActionSet(access.Read))
		}},
		"a function gets more memory": {same: true, edit: func(b *model.Backend) { b.Functions[0].Memory = 1024 }},
		"the paths change places":     {same: true, edit: func(b *model.Backend) { slices.Reverse(b.APIs[0].Paths) }},
		"a table is removed":          {same: true, edit: func(b *model.Backend) { b.Tables = b.Tables[:1] }},
	} {
		t.Run(name, func(t *testing.T) {
			b := shop()
			change.edit(b)
			if after := deploymentID(t, b, template.Options{}); (after == before) != change.same {
				t.Errorf("the deployment was %s and is %s", before, after)
			}
		})
	}
	if after := deploymentID(t, shop(), template.Options{Archives: map[string]string{"items": "functions/other.zip"}}); after != before {
		t.Errorf("with other code the deployment was %s and is %s", before, after)
	}
}

func TestADeploymentWaitsForAllMethodsAndErrorAnswers(t *testing.T) {
	t.Parallel()
	made := rendered(t, shop(), "dev")
	var want []string
	for _, kind := range []string{"AWS::ApiGateway::Method", "AWS::ApiGateway::GatewayResponse"} {
		for _, e := range ofType(made.Root, kind) {
			want = append(want, e.id)
		}
	}
	slices.Sort(want)
	deployment := ofType(made.Root, "AWS::ApiGateway::Deployment")[0].node
	var waits []string
	for _, item := range deployment.Get("DependsOn").Items {
		waits = append(waits, item.Text)
	}
	if !slices.Equal(waits, want) || len(want) < 10 {
		t.Errorf("it waits for %v, want %v", waits, want)
	}
	if deployment.Get("Properties", "StageName") != nil {
		t.Error("the deployment makes a stage, which would be replaced with it")
	}
}

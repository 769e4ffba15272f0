package outputs

import (
	"testing"

	"gatewright/project/layout"
	"gatewright/render/openapi"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
)

func TestWhereAnAPIIsFollowsItsEnvironments(t *testing.T) {
	t.Parallel()
	api := &access.API{Label: "shop"}
	local := &model.Environment{Name: "dev", Provider: model.Local}
	b := &model.Backend{
		Project: model.Project{ApplicationID: "app1", Region: "eu-west-1"}, APIs: []*access.API{api, {Label: "other"}},
		Environments: []*model.Environment{local, {Name: "prod", Provider: model.AWS}, {Name: "cn", Provider: model.AWS, Region: "cn-north-1"}, {Name: "less", Provider: model.AWS, APIs: []string{"other"}}},
	}
	id := []openapi.Variable{{Name: "api", Default: "api-id"}}
	here, _ := localEndpoint(b, api, local)
	want := []openapi.Server{
		{URL: here, Description: "Environment dev, on the machine of its developer"},
		{URL: "https://{api}.execute-api.eu-west-1.amazonaws.com/prod", Description: "Environment prod; api is the id that the API has there", Variables: id},
		{URL: "https://{api}.execute-api.cn-north-1.amazonaws.com.cn/cn", Description: "Environment cn; api is the id that the API has there", Variables: id},
	}
	p := &project.Project{Root: t.TempDir(), Loaded: layout.Loaded{Layout: project.Native, Backend: b}}
	got, err := ServersOf(p, api, nil)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("of all environments (-want +got), %v:\n%s", err, diff)
	}
	got, err = ServersOf(p, api, b.Environments[1])
	if diff := cmp.Diff(want[1:2], got); err != nil || diff != "" {
		t.Errorf("of one that was never pushed (-want +got), %v:\n%s", err, diff)
	}
	b.Environments = nil
	got, err = ServersOf(p, api, nil)
	want = []openapi.Server{{
		URL: "https://{api}.execute-api.{region}.amazonaws.com/{environment}", Description: "An environment in AWS; api is the id that the API has there",
		Variables: append(id, openapi.Variable{Name: "region", Default: "eu-west-1"}, openapi.Variable{Name: "environment", Default: model.FirstEnvironment}),
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("without environments (-want +got), %v:\n%s", err, diff)
	}
}

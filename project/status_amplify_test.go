package project_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/status"
)

func TestAnAPIThatIsNotRegisteredIsDeployedByNoPush(t *testing.T) {
	t.Parallel()
	api := func(setting string) string {
		return `{"version": 1, "paths": {"/x": {"name": "/x", "lambdaFunction": "f", "permissions": {"setting": "` + setting + `"}}}}`
	}
	const registered, pushed = `{"api": {"items": {"service": "API Gateway"}}}`, "amplify/#current-cloud-backend/"
	for name, tt := range map[string]struct {
		config, pushedConfig string
		before               string
		says                 string
		access               int
	}{
		"never registered":          {registered, registered, "", "no push deploys it: ", 0},
		"in both folders":           {registered, registered, api("private"), "no push deploys it: ", 0},
		"registered":                {`{"api": {"items": {}, "ghost": {}}}`, registered, "", "", 1},
		"registered no longer":      {registered, `{"api": {"items": {}, "ghost": {}}}`, api("open"), "", 2},
		"without the configuration": {"", "", "", "", 1},
	} {
		fsys := disk.Memory()
		for file, text := range map[string]string{
			"amplify/team-provider-info.json": `{"dev": {}}`, "amplify/backend/backend-config.json": tt.config,
			"amplify/backend/api/items/cli-inputs.json": api("private"), "amplify/backend/api/ghost/cli-inputs.json": api("open"),
			pushed + "backend-config.json": tt.pushedConfig, pushed + "api/items/cli-inputs.json": api("private"), pushed + "api/ghost/cli-inputs.json": tt.before,
		} {
			if text != "" {
				put(t, fsys, file, text)
			}
		}
		p, err := project.Load(fsys, project.Amplify)
		if err != nil {
			t.Fatal(err)
		}
		s, err := status.Of(p, "dev")
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Access) != tt.access {
			t.Errorf("%s: the differences in access are %v", name, s.Access)
		}
		i := slices.IndexFunc(s.Resources, func(r status.Resource) bool { return r.Of == model.Ref{Kind: model.KindAPI, Name: "ghost"} })
		if i < 0 {
			t.Fatalf("%s: the resources are %v", name, s.Resources)
		}
		ghost := s.Resources[i]
		if says := strings.Join(ghost.Reasons, "\n"); !strings.HasPrefix(says, tt.says) || (tt.says != "") != (ghost.Operation == diff.NoChange) {
			t.Errorf("%s: %v %q", name, ghost.Operation, says)
		}
	}
}

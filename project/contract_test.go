package project_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/validate"
)

// withContract adds the API "spec" with a contract to a project.
func withContract(t *testing.T, p *project.Project, text string) {
	t.Helper()
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		return edit.AddAPI(b, &access.API{Label: "spec", Paths: []*access.Path{{Name: "/x", Function: "items", Access: access.Access{Setting: access.Open}}}})
	})
	must(t, err)
	plan, err := plan.Of(p, next)
	must(t, err)
	must(t, plan.SetContract("spec", []byte(text)))
	must(t, plan.Commit())
}

func TestAContractGoesWithItsAPI(t *testing.T) {
	t.Parallel()
	for _, layout := range []project.Layout{project.Native, project.Amplify} {
		fsys := disk.Memory()
		if layout == project.Amplify {
			copyIn(t, fsys, "../testdata/amplify")
		} else {
			native(t, fsys, &model.Backend{Functions: []*model.Function{{Name: "items", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}}}, nil)
		}
		withContract(t, load(t, fsys, layout), "{}\n")
		p := load(t, fsys, layout)
		if text, err := p.Contract("spec"); err != nil || string(text) != "{}\n" {
			t.Fatalf("%s: the contract is %q, %v", layout, text, err)
		}
		if text, err := p.Contract("none"); text != nil || err != nil {
			t.Errorf("%s: an API without a contract has %q, %v", layout, text, err)
		}
		next, err := p.Backend.Edit(func(b *model.Backend) error { return edit.Rename(b, ref(model.KindAPI, "spec"), "other") })
		must(t, err)
		plan, err := plan.Of(p, next, plan.Renamed{From: ref(model.KindAPI, "spec"), To: "other"})
		must(t, err)
		must(t, plan.Commit())
		if exists, _ := afero.Exists(fsys, layout.ContractFile("spec")); exists || get(t, fsys, layout.ContractFile("other")) != "{}\n" {
			t.Errorf("%s: the contract did not move with its API", layout)
		}
		edited(t, load(t, fsys, layout), func(b *model.Backend) error { return edit.Remove(b, ref(model.KindAPI, "other"), false) })
		if exists, _ := afero.Exists(fsys, layout.ContractFile("other")); exists {
			t.Errorf("%s: the contract outlives its API", layout)
		}
	}
}

func TestTheSameContractChangesNothing(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, &model.Backend{Functions: []*model.Function{{Name: "items", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}}}, nil)
	withContract(t, load(t, fsys, project.Native), "{}\n")
	p := load(t, fsys, project.Native)
	planned, err := plan.Of(p, p.Backend)
	must(t, err)
	must(t, planned.SetContract("spec", []byte("{}\n")))
	if !planned.Empty() {
		t.Errorf("it changes\n%s", planned.Diff())
	}
	must(t, planned.SetContract("spec", []byte("{\"openapi\": \"3.0.0\"}\n")))
	if len(planned.Changes) != 1 || plan.Kind(planned.Changes[0]) != "update" {
		t.Errorf("it changes\n%s", planned.Diff())
	}
}

func TestOfManyOperationsThatNoPathServesTheFirstAreReported(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]int{19: 19, 20: 20, 21: 20} {
		fsys := disk.Memory()
		native(t, fsys, &model.Backend{Functions: []*model.Function{{Name: "items", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}}}, nil)
		var paths []string
		for i := range count {
			paths = append(paths, fmt.Sprintf(`"/y%d": {"get": {}}`, i))
		}
		withContract(t, load(t, fsys, project.Native), `{"openapi": "3.0.0", "paths": {`+strings.Join(paths, ", ")+"}}")
		got := 0
		for _, problem := range validate.Project(load(t, fsys, project.Native)) {
			if strings.Contains(problem.Text, fmt.Sprintf("has the operation GET /y%d, which no path of the API spec serves", got)) {
				got++
			}
		}
		if got != want {
			t.Errorf("of %d operations %d are reported", count, got)
		}
	}
}

func TestContractsAreValidated(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"openapi": "3.0.0", "info": {"title": "x"}, "paths": {"/x/{id}": {"get": {}}, "/x": {"trace": {}}}}`: "",
		`{"openapi": "3.0.0", "paths": {`: "backend/api/spec/openapi.json:1:",
		`{}`:                              "backend/api/spec/openapi.json:1:1: has no key openapi or swagger",
		`{"openapi": "3.0.0", "paths": {"/y": {"get": {}}}}`: "backend/api/spec/openapi.json:1:39: has the operation GET /y, which no path of the API spec serves (at /paths/~1y/get); add the path",
	} {
		fsys := disk.Memory()
		native(t, fsys, &model.Backend{Functions: []*model.Function{{Name: "items", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}}}, nil)
		withContract(t, load(t, fsys, project.Native), text)
		got := ""
		for _, problem := range validate.Project(load(t, fsys, project.Native)) {
			if strings.HasSuffix(problem.File, "openapi.json") {
				got += problem.Error()
			}
		}
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

package refuse

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/archive"
	"gatewright/deploy/contract"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/layout"
)

func TestEachFunctionAndLayerIsUploadedOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	b := &model.Backend{Functions: []*model.Function{
		{Name: "b", Runtime: "python3.12", Architecture: model.ARM, Handler: "x.y", Layers: []string{"layers/two", "arn:aws:lambda:x", "layers/one"}}, {Name: "a", Layers: []string{"layers/one"}},
	}}
	env := &model.Environment{Name: "dev"}
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	want := []archive.Source{
		{Name: "b", Folder: at("backend/function/b/src"), Project: root, Runtime: model.Python, RuntimeName: "python3.12", Architecture: model.ARM, Handler: "x.y"},
		{Name: "a", Folder: at("backend/function/a/src"), Project: root, Runtime: model.NodeJS, RuntimeName: "nodejs22.x"},
		{Name: "layers/one", Folder: at("layers/one"), Project: root, Layer: true, Runtime: model.Python, RuntimeName: "python3.12", Architecture: model.ARM},
		{Name: "layers/two", Folder: at("layers/two"), Project: root, Layer: true, Runtime: model.Python, RuntimeName: "python3.12", Architecture: model.ARM},
	}
	if diff := cmp.Diff(want, Sources(contract.Target{Project: &project.Project{Root: root, Loaded: layout.Loaded{Layout: project.Native, Backend: b}}, Environment: env})); diff != "" {
		t.Errorf("other things are uploaded (-want +got):\n%s", diff)
	}
}

func TestARefusalHasItsFirstReasonAndCountsTheRest(t *testing.T) {
	t.Parallel()
	reasons := []error{errors.New("one"), errors.New("two"), errors.New("three")}
	target := contract.Target{Environment: &model.Environment{Name: "my dev"}}
	for n, want := range map[int]string{
		1: "nothing is deployed: one", 2: "nothing is deployed: one (and 1 more; see them with: gatewright status --env 'my dev')",
		3: "nothing is deployed: one (and 2 more; see them with: gatewright status --env 'my dev')",
	} {
		r := Because(reasons[:n], target)
		if r.Error() != want || !errors.Is(r, reasons[n-1]) {
			t.Errorf("%d reasons are %q, want %q", n, r, want)
		}
	}
}

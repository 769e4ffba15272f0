package project_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/validate"
)

const (
	neutralFile = "client_config.json"
	amplifyFile = "amplify_outputs.json"
	pushed      = `"API": {"shop": {"endpoint": "https://a.example/dev", "region": "r"}}`
)

func stored(bucket string) *model.Storage {
	return &model.Storage{Region: "eu-west-1", BucketName: bucket}
}

func TestTheClientFileKeepsWhatAPushWroteIntoIt(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	was := `{"version": "1", "custom": {` + pushed + `}}`
	put(t, fsys, neutralFile, was)
	edited(t, p, func(b *model.Backend) error {
		return edit.AddOutput(b, model.Outputs{"custom": map[string]any{"answer": 42, "deep": map[string]any{"x": 1}}})
	})
	if got := get(t, fsys, neutralFile); got != `{"version": "1", "custom": {`+pushed+`, "answer": 42, "deep": {"x": 1}}}` {
		t.Errorf("the file is %s", got)
	}
	edited(t, load(t, fsys, project.Native), func(b *model.Backend) error { return edit.Remove(b, ref(model.KindOutput, "custom"), false) })
	if got := get(t, fsys, neutralFile); got != was {
		t.Errorf("after the only output is gone the file is %s", got)
	}
}

func TestAnEmptyObjectIsRemovedFromTheClientFile(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"deep": map[string]any{"x": 1}}}))
	p := native(t, fsys, b, nil)
	edited(t, p, func(b *model.Backend) error { return edit.Remove(b, ref(model.KindOutput, "custom"), false) })
	if got := get(t, fsys, neutralFile); strings.Contains(got, "custom") {
		t.Errorf("the file is %s", got)
	}
}

func TestTheClientFileFollowsDefinitionsThatOthersChanged(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		storage string
		want    string
		warning string
	}{
		"changed": {`{"version": 1, "cloud_region": "eu-west-1", "bucket_name": "pulled"}`, `"bucket_name": "pulled"`, "/storage/bucket_name"},
		"removed": {"", "", ""},
	} {
		t.Run(what, func(t *testing.T) {
			fsys := disk.Memory()
			b := &model.Backend{}
			must(t, edit.SetStorage(b, stored("old")))
			native(t, fsys, b, nil)
			if tt.storage == "" {
				must(t, fsys.Remove("backend/storage.json"))
			} else {
				put(t, fsys, "backend/storage.json", tt.storage)
			}
			p := load(t, fsys, project.Native)
			said := lines(validate.Project(p))
			if tt.warning != "" && (!strings.Contains(said, "warning: "+neutralFile+":") || !strings.Contains(said, tt.warning)) {
				t.Errorf("validate says\n%s", said)
			}
			edited(t, p, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") })
			got := get(t, fsys, neutralFile)
			if !strings.Contains(got, tt.want) || strings.Contains(got, "old") {
				t.Errorf("the file is %s", got)
			}
			if said := lines(validate.Project(load(t, fsys, project.Native))); said != "" {
				t.Errorf("afterwards validate says\n%s", said)
			}
		})
	}
}

func TestValidateWarnsOfAClientFileThatLacksWhatIsDefined(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.SetStorage(b, stored("files")))
	must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"list": []any{"a", "b"}}}))
	p := native(t, fsys, b, nil)
	put(t, fsys, neutralFile, `{"version": "1", "custom": {"list": ["b", "c", "a"], "x": 1}}`)
	if got, want := lines(validate.Project(p)), "warning: client_config.json:1:1: is missing, and follows from the definitions (at /storage); the next edit of the project updates it\n"; got != want {
		t.Errorf("validate says %s", got)
	}
}

func TestANewDialectTranslatesTheClientFile(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		b := &model.Backend{}
		must(t, edit.SetStorage(b, stored("files")))
		p := native(t, fsys, b, nil)
		put(t, fsys, neutralFile, `{"version": "1", "storage": {"cloud_region": "eu-west-1", "bucket_name": "files"}, "custom": {`+pushed+`}}`)
		to := func(dialect model.Dialect) func(*model.Backend) error {
			return func(b *model.Backend) error {
				project := b.Project
				project.Dialect = dialect
				return edit.SetProject(b, project)
			}
		}
		plan := edited(t, p, to(model.Amplify))
		files := tree(t, fsys)
		if _, there := files[neutralFile]; there {
			t.Error("the old file is still there")
		}
		for _, part := range []string{`"endpoint": "https://a.example/dev"`, `"aws_region": "eu-west-1"`, "https://amplify.aws/2024-02/outputs-schema.json"} {
			if !strings.Contains(files[amplifyFile], part) {
				t.Errorf("the new file lacks %s: %s", part, files[amplifyFile])
			}
		}
		if !slices.Contains(plan.Notes, "client_config.json becomes amplify_outputs.json: its content is translated into the dialect amplify") {
			t.Errorf("notes are %q", plan.Notes)
		}
		p = load(t, fsys, project.Native)
		if got := lines(validate.Project(p)); got != "" {
			t.Errorf("problems are\n%s", got)
		}
		edited(t, p, to(model.Neutral))
		if got := get(t, fsys, neutralFile); !strings.Contains(got, "https://a.example/dev") || strings.Contains(got, "aws") {
			t.Errorf("back again the file is %s", got)
		}
	})
}

func TestAnOverrideOfAnEnvironmentIsInTheClientFile(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.SetStorage(b, stored("files")))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	p := native(t, fsys, b, nil)
	edited(t, p, func(b *model.Backend) error {
		return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Storage: &model.Storage{BucketName: "dev-files"}})
	})
	if got := get(t, fsys, neutralFile); !strings.Contains(got, `"bucket_name": "dev-files"`) {
		t.Errorf("the file is %s", got)
	}
	p = load(t, fsys, project.Native)
	if plan, err := plan.Of(p, p.Backend); err != nil || !plan.Empty() {
		t.Errorf("afterwards nothing is to be done, but: %v %s", err, plan.Diff())
	}
	must(t, fsys.Remove(neutralFile))
	edited(t, p, func(b *model.Backend) error { return edit.Remove(b, ref(model.KindEnvironment, "dev"), false) })
	if got := get(t, fsys, neutralFile); !strings.Contains(got, `"bucket_name": "files"`) {
		t.Errorf("without the environment the file is %s", got)
	}
}

func TestALaterVersionOfTheClientFileIsLeftAlone(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	put(t, fsys, neutralFile, `{"version": "1.4"}`)
	edited(t, p, func(b *model.Backend) error { return edit.SetStorage(b, stored("files")) })
	if got := get(t, fsys, neutralFile); !strings.Contains(got, `"version": "1.4"`) || !strings.Contains(got, `"bucket_name": "files"`) {
		t.Errorf("the file is %s", got)
	}
}

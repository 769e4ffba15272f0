package project_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

func TestReverseBringsEveryByteBackAndDeletesNewFiles(t *testing.T) {
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		b := &model.Backend{}
		must(t, b.AddFunction(&model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain}))
		must(t, b.AddFunction(&model.Function{Name: "g", Runtime: model.NodeJS, Template: model.Plain}))
		must(t, b.AddAPI(&model.API{Label: "shop", Paths: []*model.Path{openPath("/a"), openPath("/b")}}))
		p := native(t, fsys, b, nil)
		put(t, fsys, "backend/function/g/src/mine.js", "by hand\n")
		was := tree(t, fsys)
		plan := edited(t, p, func(b *model.Backend) error {
			if err := b.Remove(model.Ref{Kind: model.KindFunction, Name: "g"}, false); err != nil {
				return err
			}
			if err := b.AddFunction(&model.Function{Name: "h", Runtime: model.Python, Template: model.Plain}); err != nil {
				return err
			}
			return b.RemovePath("shop", "/b")
		})
		if maps.Equal(tree(t, fsys), was) {
			t.Fatal("the edit changed nothing")
		}
		must(t, plan.Reverse().Commit())
		if got := tree(t, fsys); !maps.Equal(got, was) {
			t.Errorf("there is\n%v\nand was\n%v", got, was)
		}
		must(t, plan.Reverse().Reverse().Commit())
		if _, err := fsys.Stat("backend/function/h/function.json"); err != nil {
			t.Errorf("the edit was not made again: %v", err)
		}
	})
}

func TestReverseRefusesAFileThatChangedSince(t *testing.T) {
	fsys := afero.NewMemMapFs()
	b := &model.Backend{}
	must(t, b.AddFunction(&model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain}))
	must(t, b.AddAPI(&model.API{Label: "shop", Paths: []*model.Path{openPath("/a"), openPath("/b")}}))
	p := native(t, fsys, b, nil)
	plan := edited(t, p, func(b *model.Backend) error { return b.RemovePath("shop", "/b") })
	const file = "backend/api/shop/cli-inputs.json"
	put(t, fsys, file, get(t, fsys, file)+"\n")
	now := tree(t, fsys)
	err := plan.Reverse().Commit()
	var stale *journal.StaleError
	if !errors.As(err, &stale) || !strings.Contains(err.Error(), file) {
		t.Errorf("the error is %v", err)
	}
	if !maps.Equal(tree(t, fsys), now) {
		t.Error("something was written")
	}
}

// withOutput is a plan that adds an output, and with it a value of the client configuration
// file, and the tree before it.
func withOutput(t *testing.T, fsys afero.Fs) (*project.Plan, map[string]string) {
	t.Helper()
	b := &model.Backend{Environments: []*model.Environment{{Name: "dev", Provider: model.Local}}}
	p := native(t, fsys, b, nil)
	was := tree(t, fsys)
	plan := edited(t, p, func(b *model.Backend) error { return b.AddOutput(model.Outputs{"custom": map[string]any{"x": true}}) })
	if !strings.Contains(get(t, fsys, "client_config.json"), `"x"`) {
		t.Fatal("the client configuration file has no x")
	}
	return plan, was
}

func TestTakeBackLeavesAClientFileThatTheSandboxWroteSince(t *testing.T) {
	fsys := afero.NewMemMapFs()
	plan, was := withOutput(t, fsys)
	const file = "client_config.json"
	put(t, fsys, file, `{"custom": {"x": true, "API": {}}}`)
	theirs := get(t, fsys, file)
	left, err := plan.TakeBack()
	must(t, err)
	now := tree(t, fsys)
	if left != file || now[file] != theirs {
		t.Errorf("left is %q, and the file is %s", left, now[file])
	}
	for path, text := range now {
		if path != file && !strings.HasPrefix(path, ".gatewright/") && was[path] != text {
			t.Errorf("%s is\n%s\nand was\n%s", path, text, was[path])
		}
	}
}

func TestTakeBackIsAllOrNothingIfADefinitionChangedSince(t *testing.T) {
	fsys := afero.NewMemMapFs()
	plan, _ := withOutput(t, fsys)
	put(t, fsys, "client_config.json", `{}`)
	for _, c := range plan.Changes {
		if c.Path != "client_config.json" {
			put(t, fsys, c.Path, get(t, fsys, c.Path)+"\n")
		}
	}
	now := tree(t, fsys)
	if _, err := plan.TakeBack(); !errors.As(err, new(*journal.StaleError)) {
		t.Errorf("the error is %v", err)
	}
	if !maps.Equal(tree(t, fsys), now) {
		t.Error("something was written")
	}
}

func TestTakeBackBringsEveryByteBackIfNothingChangedSince(t *testing.T) {
	fsys := afero.NewMemMapFs()
	plan, was := withOutput(t, fsys)
	left, err := plan.TakeBack()
	must(t, err)
	if got := tree(t, fsys); left != "" || !maps.Equal(got, was) {
		t.Errorf("left is %q, and there is\n%v\nand was\n%v", left, got, was)
	}
}

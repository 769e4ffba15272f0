package project_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/plan"
)

func TestReverseBringsEveryByteBackAndDeletesNewFiles(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		b := &model.Backend{}
		must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain}))
		must(t, edit.AddFunction(b, &model.Function{Name: "g", Runtime: model.NodeJS, Template: model.Plain}))
		must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{openPath("/a"), openPath("/b")}}))
		p := native(t, fsys, b, nil)
		put(t, fsys, "backend/function/g/src/mine.js", "by hand\n")
		was := tree(t, fsys)
		plan := edited(t, p, func(b *model.Backend) error {
			if err := edit.Remove(b, model.Ref{Kind: model.KindFunction, Name: "g"}, false); err != nil {
				return err
			}
			if err := edit.AddFunction(b, &model.Function{Name: "h", Runtime: model.Python, Template: model.Plain}); err != nil {
				return err
			}
			return edit.RemovePath(b, "shop", "/b")
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
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain}))
	must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{openPath("/a"), openPath("/b")}}))
	p := native(t, fsys, b, nil)
	plan := edited(t, p, func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/b") })
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

func TestReverseGoesBackThoughTheClientConfigurationFileWasWrittenSince(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain}))
	must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{openPath("/a")}}))
	native(t, fsys, b, nil)
	// A sandbox writes the client configuration file whenever the definitions change.
	serve := func(api string) {
		values := model.Outputs{"version": "1", "custom": map[string]any{"served": api}}
		plan, err := plan.ClientFile(load(t, fsys, project.Native), "", values)
		must(t, err)
		must(t, plan.Commit())
	}
	serve("shop")
	was := tree(t, fsys)
	plan := edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
		return edit.Remove(b, model.Ref{Kind: model.KindFunction, Name: "f"}, true)
	})
	serve("none")
	// A person adds to it.
	const file = "client_config.json"
	put(t, fsys, file, strings.Replace(get(t, fsys, file), `"served"`, `"mine": "kept", "served"`, 1))
	must(t, plan.Reverse().Commit())

	got := tree(t, fsys)
	if text := get(t, fsys, file); !strings.Contains(text, `"mine"`) || strings.Contains(text, `"served"`) {
		t.Errorf("the client configuration file is\n%s", text)
	}
	for _, name := range []string{file, ".gatewright/client.json"} {
		delete(got, name)
		delete(was, name)
	}
	if !maps.Equal(got, was) {
		t.Errorf("there is\n%v\nand was\n%v", got, was)
	}

	// So does the profile of an environment that was removed.
	edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
		return errors.Join(
			edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}),
			edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.AWS, Region: "eu-west-1"}),
		)
	})
	put(t, fsys, profilesFile, `{"prod":"work"}`)
	plan = edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
		return edit.Remove(b, model.Ref{Kind: model.KindEnvironment, Name: "prod"}, true)
	})
	if text := get(t, fsys, profilesFile); strings.Contains(text, "prod") {
		t.Errorf("without prod the profiles are %s", text)
	}
	serve("shop")
	must(t, plan.Reverse().Commit())
	if text := get(t, fsys, profilesFile); text != `{"prod":"work"}` {
		t.Errorf("with prod again the profiles are %s", text)
	}

	// A definition that somebody changed is still not written over.
	const definition = "backend/function/f/function.json"
	plan = edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
		f := *b.Function("f")
		f.Timeout = 60
		return edit.UpdateFunction(b, &f)
	})
	mine := get(t, fsys, definition) + "\n"
	put(t, fsys, definition, mine)
	serve("none")
	if err := plan.Reverse().Commit(); err == nil || !strings.Contains(err.Error(), definition) || get(t, fsys, definition) != mine {
		t.Errorf("the error is %v", err)
	}
}

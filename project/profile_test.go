package project_test

import (
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

const profilesFile = ".gatewright/profiles.json"

func TestAProfileIsKeptForItsUserAlone(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		p := shop(t, fsys)
		if got := p.Profile("dev"); got != "" {
			t.Errorf("before: %q", got)
		}
		must(t, p.SetProfile("dev", "ann"))
		must(t, p.SetProfile("prod", "ops"))
		p = load(t, fsys, project.Native)
		if p.Profile("dev") != "ann" || p.Profile("prod") != "ops" {
			t.Errorf("kept: %s", get(t, fsys, profilesFile))
		}
		info, err := fsys.Stat(profilesFile)
		must(t, err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("the mode is %s", info.Mode())
		}
		must(t, p.SetProfile("dev", ""))
		if p.Profile("dev") != "" || p.Profile("prod") != "ops" {
			t.Errorf("removed: %s", get(t, fsys, profilesFile))
		}
		if err := p.SetProfile("pord", "x"); err == nil || !strings.Contains(err.Error(), "did you mean prod?") {
			t.Errorf("an unknown environment: %v", err)
		}
	})
}

func TestAProfileFollowsItsEnvironment(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := shop(t, fsys)
	must(t, p.SetProfile("dev", "ann"))
	must(t, p.SetProfile("prod", "ops"))
	planned := renamed(t, load(t, fsys, project.Native), plan.Renamed{From: ref(model.KindEnvironment, "prod"), To: "live"})
	must(t, planned.Commit())
	p = load(t, fsys, project.Native)
	if p.Profile("live") != "ops" || p.Profile("prod") != "" || p.Profile("dev") != "ann" {
		t.Errorf("renamed: %s", get(t, fsys, profilesFile))
	}
	must(t, planned.Reverse().Commit())
	p = load(t, fsys, project.Native)
	if p.Profile("prod") != "ops" || p.Profile("live") != "" {
		t.Errorf("taken back: %s", get(t, fsys, profilesFile))
	}
	// A new environment that has the name which another one had is not that one.
	next := mustEdit(t, p.Backend, func(b *model.Backend) error {
		must(t, edit.Rename(b, ref(model.KindEnvironment, "prod"), "live"))
		return edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.AWS})
	})
	planned, err := plan.Of(p, next, plan.Renamed{From: ref(model.KindEnvironment, "prod"), To: "live"})
	must(t, err)
	must(t, planned.Commit())
	p = load(t, fsys, project.Native)
	if p.Profile("live") != "ops" || p.Profile("prod") != "" {
		t.Errorf("renamed, and another one added: %s", get(t, fsys, profilesFile))
	}
	must(t, planned.Reverse().Commit())
	p = load(t, fsys, project.Native)
	edited(t, p, func(b *model.Backend) error { return edit.Remove(b, ref(model.KindEnvironment, "prod"), false) })
	if got := get(t, fsys, profilesFile); strings.Contains(got, "ops") || !strings.Contains(got, "ann") {
		t.Errorf("removed: %s", got)
	}
}

func TestProfilesThatCannotBeReadAreNotOverwritten(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := shop(t, fsys)
	put(t, fsys, profilesFile, "[]")
	if p.Profile("dev") != "" {
		t.Error("a profile is read")
	}
	if err := p.SetProfile("dev", "ann"); err == nil || !strings.Contains(err.Error(), "is not a JSON object of strings; remove it") {
		t.Errorf("got %v", err)
	}
	if get(t, fsys, profilesFile) != "[]" {
		t.Error("the file is overwritten")
	}
	edited(t, p, func(b *model.Backend) error { return edit.Remove(b, ref(model.KindEnvironment, "prod"), false) })
}

func TestAProjectThatIsOnlyReadKeepsNoProfile(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	shop(t, fsys)
	p := load(t, afero.NewReadOnlyFs(fsys), project.Native)
	if err := p.SetProfile("dev", "ann"); err == nil {
		t.Error("a profile is written")
	}
	if _, err := fsys.Stat(profilesFile); err == nil || !strings.Contains(err.Error(), fs.ErrNotExist.Error()) {
		t.Errorf("the file: %v", err)
	}
}

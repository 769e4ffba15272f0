package dashboard

import (
	"path/filepath"
	"strings"
	"testing"

	"gatewright/tui/dialog"
)

func environmentsIn(t testing.TB, p *Page) *environmentsTab {
	t.Helper()
	toTabOf(t, p, "environments")
	return p.tabs[p.at].(*environmentsTab)
}

func TestAnEnvironmentIsChosenOnThisMachine(t *testing.T) {
	dir := folderOf(t, library(t, "Admins", "Editors"))
	p := writable(t, dir, 80, 24)
	answered(t, p, p.switchTo("prod"))
	environmentsIn(t, p)
	follow(t, p, press(p, "U"))
	if text := get(t, filepath.Join(dir, ".gatewright", "environment")); strings.TrimSpace(text) != "prod" {
		t.Errorf("chosen is %q", text)
	}
	if line := lineWith(t, p, "chosen on this machine"); !strings.HasSuffix(line, "no yes") {
		t.Errorf("the row is %q", line)
	}
	for _, b := range p.Keys() {
		if b.Has("U") && !strings.Contains(b.Disabled, "already") {
			t.Errorf("chosen, use says %q", b.Disabled)
		}
	}
}

func TestANewEnvironmentIsMadeOfAForm(t *testing.T) {
	dir := folderOf(t, libraryWith(t))
	p := writable(t, dir, 80, 24)
	environmentsIn(t, p)
	if frames := follow(t, p, press(p, "n")); len(frames) != 1 {
		t.Fatalf("n opens %v", frames)
	}
	follow(t, p, p.Update(dialog.Result{ID: newEnvironmentDialog, Action: dialog.Filled{"qa", "local", "eu-north-1", "release", "no", "prod"}}))
	env := environmentsIn(t, p).backend.Environment("qa")
	if env == nil {
		t.Fatalf("there is no environment in\n%s", shown(p))
	}
	if env.Region != "eu-north-1" || env.Branch != "release" || env.Guarded || env.Data == nil || env.Data.URL != "https://prod.example.com" {
		t.Errorf("the environment is %+v", env)
	}
	for _, of := range []struct {
		values []string
		at     int
		want   string
	}{
		{[]string{"qa", "local", "", "", "no", "none"}, envName, "exists already"},
		{[]string{"a b", "local", "", "", "no", "none"}, envName, "a b"},
		{[]string{"new", "local", "", "release", "no", "none"}, envBranch, "release"},
	} {
		b := p.snap.backend
		next := *b
		err := addEnvironment(&next, of.values)
		if err == nil || !strings.Contains(err.Error(), of.want) || environmentLine(err) != of.at {
			t.Errorf("%q is refused with %v at line %d, want %q at %d", of.values, err, environmentLine(err), of.want, of.at)
		}
	}
}

func TestAGuardIsPutOnAtOnceAndOffByTheNameOnly(t *testing.T) {
	dir := folderOf(t, library(t, "Admins", "Editors"))
	p := writable(t, dir, 80, 24)
	guarded := func(name string) bool { return environmentsIn(t, p).backend.Environment(name).Guarded }
	environmentsIn(t, p)
	follow(t, p, press(p, "t"))
	if !guarded("dev") {
		t.Fatal("dev is not guarded")
	}
	answered(t, p, p.switchTo("prod"))
	follow(t, p, press(p, "t"))
	if !guarded("prod") {
		t.Fatal("the guard of prod is off before its name was typed")
	}
	follow(t, p, p.Update(dialog.Result{ID: unguardDialog, Action: dialog.Agreed{}}))
	if guarded("prod") || !guarded("dev") {
		t.Errorf("prod is guarded: %v, dev: %v", guarded("prod"), guarded("dev"))
	}
}

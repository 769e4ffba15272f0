package dashboard

import (
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/dashboard/board/boardtest"
)

// environmentIn is an environment as the files have it; nil for none.
func environmentIn(t *testing.T, dir, name string) *model.Environment {
	t.Helper()
	p, err := project.Open(dir)
	must(t, err)
	defer func() { must(t, p.Close()) }()
	return p.Backend.Environment(name)
}

func TestAnEnvironmentIsChosenOnThisMachine(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Library(t, "Admins", "Editors"))
	w := writable(t, dir, 80, 24).press("]").to("environments").press("space")
	if text := get(t, filepath.Join(dir, ".gatewright", "environment")); strings.TrimSpace(text) != "prod" {
		t.Errorf("chosen is %q", text)
	}
	if line := w.line("chosen on this machine"); !strings.HasSuffix(line, "no yes") {
		t.Errorf("the row is %q", line)
	}
	w.press("space").Shows("not available: prod is chosen on this machine already")
}

func TestANewEnvironmentIsAddedWithAForm(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Full(t))
	w := writable(t, dir, 80, 24).to("environments")
	w.press("a").Shows("Add an environment")
	// Options are taken by their first letter.
	w.press("qa", "tab", "l", "tab", "tab", "eu-north-1", "tab", "release", "tab", "n", "tab", "p", "enter")
	env := environmentIn(t, dir, "qa")
	if env == nil {
		t.Fatalf("there is no environment in\n%s", w.Screen())
	}
	if env.Provider != model.Local || env.Region != "eu-north-1" || env.Branch != "release" || env.Guarded || env.Data == nil || env.Data.URL != "https://prod.example.com" {
		t.Errorf("the environment is %+v", env)
	}
}

func TestAGuardIsRemovedOnlyByTypingTheName(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Library(t, "Admins", "Editors"))
	w := writable(t, dir, 80, 24).to("environments")
	guarded := func(name string) bool { return environmentIn(t, dir, name).Guarded }
	w.press("!")
	if !guarded("dev") {
		t.Fatal("dev is not guarded")
	}
	w.press("]", "!").Shows("Environment prod is guarded")
	if !guarded("prod") {
		t.Fatal("the guard of prod is off before its name was typed")
	}
	w.press("prod", "enter")
	if guarded("prod") || !guarded("dev") {
		t.Errorf("prod is guarded: %v, dev: %v", guarded("prod"), guarded("dev"))
	}
}

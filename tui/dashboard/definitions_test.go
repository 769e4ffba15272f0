package dashboard

import (
	"path/filepath"
	"strings"
	"testing"

	"gatewright/project"
	"gatewright/tui/dashboard/board/boardtest"
)

func TestAFieldIsSetByTypeAndUndone(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Full(t))
	w := writable(t, dir, 80, 24).to("definitions")
	file := filepath.Join(dir, "backend", "auth.json")
	was := get(t, file)
	for _, of := range []struct {
		row  string
		keys []string
		want string
	}{
		{"unauthenticated_identities_enabled", []string{"no", "enter"}, `"unauthenticated_identities_enabled": false`},
		{"mfa_configuration", []string{"OPTIONAL", "enter"}, `"mfa_configuration": "OPTIONAL"`},
		{"mfa_methods", []string{"TOTP", "space", "enter"}, `"TOTP"`},
		{"min_length", []string{"ctrl+u", "20", "enter"}, `"min_length": 20`},
		{"oauth", []string{
			"PROVIDER_A", "tab", "sign.example.com", "tab", "openid, email", "tab", "https://a.example.com", "tab", "https://b.example.com", "tab", "c", "enter",
		}, `"sign.example.com"`},
		{"domain", []string{"ctrl+u", "other.example.com", "enter"}, `"other.example.com"`},
	} {
		w.press("/", of.row, "enter", "e").press(of.keys...)
		if text := get(t, file); !strings.Contains(text, of.want) {
			t.Fatalf("%s wrote\n%s\nwithout %s; the window shows\n%s", of.row, text, of.want, w.Screen())
		}
		w.press("esc")
	}
	for range 6 {
		w.press("u").Shows("undid: ")
	}
	if text := get(t, file); text != was {
		t.Errorf("after undo the file is\n%s\nand was\n%s", text, was)
	}
}

func TestAnOverrideOfAGuardedEnvironmentNeedsItsName(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Full(t))
	w := writable(t, dir, 80, 24).press("]").to("definitions")
	file := filepath.Join(dir, "backend", "environments", "prod.json")
	was := get(t, file)
	w.press("/", "data url", "enter", "O").Shows("https://prod.example.com")
	w.press("ctrl+u", "https://new.example.com", "enter").Shows("Environment prod is guarded")
	if get(t, file) != was {
		t.Fatal("the file is written before the name was typed")
	}
	w.press("prod", "enter")
	if text := get(t, file); !strings.Contains(text, "https://new.example.com") {
		t.Errorf("the file is\n%s", text)
	}
	if data := get(t, filepath.Join(dir, "backend", "data.json")); !strings.Contains(data, "https://data.example.com") {
		t.Errorf("the definition is\n%s", data)
	}
	// Without the override the value of the definition counts again.
	w.press("d").Shows("Environment prod is guarded")
	w.press("prod", "enter").Shows("https://data.example.com")
	if row := w.cursor(); !strings.HasSuffix(row, "definition") {
		t.Errorf("taken away it comes from %q", row)
	}
}

func TestGroupsAreAddedMovedAndRemoved(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Full(t))
	w := writable(t, dir, 80, 24).to("definitions")
	groups := func() string {
		p, err := project.Open(dir)
		must(t, err)
		defer func() { must(t, p.Close()) }()
		return strings.Join(p.Backend.Groups, " ")
	}
	w.press("a", "Readers", "enter")
	if groups() != "Admins Editors Readers" {
		t.Fatalf("added, the groups are %s", groups())
	}
	w.at("Readers").press("K", "K")
	if groups() != "Readers Admins Editors" {
		t.Fatalf("moved twice, the groups are %s", groups())
	}
	w.press("J")
	if groups() != "Admins Readers Editors" {
		t.Fatalf("moved back, the groups are %s: the cursor follows its group", groups())
	}
	w.at("Editors").press("d").Shows("Remove group Editors?", "loses its entry for")
	w.yes()
	if groups() != "Admins Readers" {
		t.Errorf("removed, the groups are %s", groups())
	}
	if text := get(t, apiFile(dir)); strings.Contains(text, "Editors") {
		t.Errorf("the entry of the group stays in\n%s", text)
	}
}

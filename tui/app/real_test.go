package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChangingOnePathOfARealAPIShowsThatPathAndNothingElse opens an API of 27
// paths and three groups that a public project committed; it lies beside the
// checkout and not in it.
func TestChangingOnePathOfARealAPIShowsThatPathAndNothingElse(t *testing.T) {
	data, err := os.ReadFile("../../../shared/real/cli-inputs/Vibe-House-LLC__memeSRC__publicapi.json")
	if err != nil {
		t.Skip("the folder of real files is not here: ../shared/real")
	}
	dir := folder(t)
	for name, text := range map[string]string{
		"amplify/backend/api/publicapi/cli-inputs.json":                       string(data),
		"amplify/backend/auth/userPoolGroups/user-pool-group-precedence.json": `[{"groupName":"admins","precedence":1},{"groupName":"mods","precedence":2},{"groupName":"contributors","precedence":3}]`,
		"amplify/backend/function/memesrcUserFunction/src/index.js":           "",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	term := open(t, dir, "none", 120, 40, nil)
	term.shows("publicapi", "/user/get")
	for !strings.Contains(term.screen(), ">   /user/get ") {
		term.keys("j")
	}
	term.keys("E")
	term.shows("Which path?", "/user/get", "members of admins")
	term.keys("enter", "enter", "enter", "enter", "enter", "enter")
	term.shows("What may signed-in users do?", "[x] read")
	term.keys("space", "down", "space", "ctrl+r", "pgdown", "G")
	screen := term.screen()
	var changed []string
	for line := range strings.Lines(screen) {
		if line = strings.TrimSpace(line); len(line) > 1 && (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---") {
			changed = append(changed, line)
		}
	}
	if got := strings.Join(changed, "|"); got != `-          "read"|+          "create"` {
		t.Errorf("the review changes %q:\n%s", got, screen)
	}
}

package app_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"gatewright/tui/app/apptest"
)

// TestChangingOnePathOfARealAPIShowsThatPathAndNothingElse opens an API of 27
// paths and three groups that a public project committed; it lies beside the
// checkout and not in it.
func TestChangingOnePathOfARealAPIShowsThatPathAndNothingElse(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../shared/real/cli-inputs/Vibe-House-LLC__memeSRC__publicapi.json")
	if err != nil {
		t.Skip("the folder of real files is not here: ../shared/real")
	}
	dir := apptest.Folder(t)
	apptest.Put(t, dir, "amplify/backend/api/publicapi/cli-inputs.json", string(data))
	apptest.Put(t, dir, "amplify/backend/auth/userPoolGroups/user-pool-group-precedence.json", `[{"groupName":"admins","precedence":1},{"groupName":"mods","precedence":2},{"groupName":"contributors","precedence":3}]`)
	apptest.Put(t, dir, "amplify/backend/function/memesrcUserFunction/src/index.js", "")
	term := apptest.Open(t, dir, "none", 120, 40, nil)
	term.Shows("path of publicapi", "/user/get").Keys("2")
	for !strings.Contains(term.Screen(), "▌   /user/get ") {
		term.Keys("j")
	}
	term.Keys("e").Shows("Which path of the API publicapi?", "/user/get").Keys("enter", "enter").Shows("Who may do what under /user/get?", "admins", "[·]")
	term.Keys("space", "right", "space", "ctrl+s", "n", "tab", "G")
	screen := term.Screen()
	var changed []string
	for line := range strings.Lines(screen) {
		_, detail, _ := strings.Cut(line, "╮┏━")
		if found := regexp.MustCompile(`┃ *[0-9]+ *([-+] .*[^ ]) *┃`).FindStringSubmatch(line); found != nil && detail == "" {
			changed = append(changed, found[1])
		}
	}
	if got := strings.Join(changed, "|"); got != `-           "read"|+           "create"` {
		t.Errorf("the review changes %q:\n%s", got, screen)
	}
}

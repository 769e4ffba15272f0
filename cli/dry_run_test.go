package cli_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli/clitest"
)

// everything returns the names, modes and contents of all in some folders, .gatewright included.
func everything(t *testing.T, folders ...string) string {
	t.Helper()
	var b strings.Builder
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			var text []byte
			if d.Type().IsRegular() {
				text, err = os.ReadFile(name)
			}
			fmt.Fprintf(&b, "%s %v %s\n", name, info.Mode(), text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestADryRunLeavesNothingBehind tries every command with --dry-run: the project with its folder
// .gatewright, and the user's state folder, are the same before and after. The same command
// without --dry-run then changes something, so that the dry run was not one of nothing.
func TestADryRunLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"add group Readers",
		"add function more --template plain",
		"add table orders --partition-key id:string",
		"add api other --path /x --function books --open",
		"add path shop /magazines --function books --auth read",
		"add env qa",
		"add output contact --set custom.mail=help@example.com",
		"update path shop /books --guest read",
		"update function books --timeout 9",
		"update group Editors --first",
		"update project --name other",
		"update env dev --variable books.LEVEL=debug",
		"update auth --mfa-methods SMS",
		"rename function books titles",
		"rename env dev main",
		"rename api shop store",
		"rename group Editors Writers",
		"remove path shop /books/{isbn}",
		"remove group Editors",
		"remove env spare",
		"remove table loans",
		"push",
		"push --env spare",
		"pipeline-deploy --branch spare",
		"pipeline-deploy --branch spare --out-dir web",
		"generate outputs --env dev --out-dir web",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			s := clitest.New(t)
			for _, made := range []string{
				"init --name shop --app-id app1", "add group Admins", "add group Editors", "add table loans --partition-key id:string", "add env spare --branch spare",
				"add api shop --path /books --function books --new-function plain --auth read --group Admins=all", "add path shop /books/{isbn} --function books --auth read",
				"env use dev", "push --env dev", "update path shop /books --auth read,create",
			} {
				s.Run(0, strings.Fields(made)...)
			}
			before := everything(t, s.Dir, s.State)
			for _, more := range [][]string{{"--dry-run"}, {"--dry-run", "--json"}} {
				args := append(strings.Fields(line), more...)
				if out, code := s.Output(args...); code != 0 || out == "" {
					t.Fatalf("%q exits %d: %s", args, code, out)
				}
				if after := everything(t, s.Dir, s.State); after != before {
					t.Fatalf("%q leaves\n%s\nof\n%s", args, after, before)
				}
			}
			s.Run(0, strings.Fields(line)...)
			if everything(t, s.Dir, s.State) == before {
				t.Errorf("%s changes nothing", line)
			}
		})
	}
}

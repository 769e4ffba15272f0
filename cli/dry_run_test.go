package cli_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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

// copyAll copies a folder with the modes of what is in it.
func copyAll(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(to+strings.TrimPrefix(name, from), info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestADryRunLeavesNothingBehind tries every command with --dry-run: the project with its folder
// .gatewright, and the user's state folder, are the same before and after. The same command
// without --dry-run then changes something, so that the dry run was not one of nothing.
func TestADryRunLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	for _, made := range []string{
		"init --name shop --app-id app1", "add group Admins", "add group Editors", "add table loans --partition-key id:string", "add env spare --branch spare",
		"add api shop --path /books --function books --new-function plain --auth read --group Admins=all", "add path shop /books/{isbn} --function books --auth read",
		"add output limits --set custom.pages=3", "add env cloud --provider aws --region eu-west-1", "env use dev", "push --env dev", "update path shop /books --auth read,create",
	} {
		s.Run(0, strings.Fields(made)...)
	}
	s.Put("pets.json", `{"openapi": "3.0.3", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": {"get": {"responses": {"200": {"description": "all"}}}}}}`)
	kept := map[string]string{s.Dir: filepath.Join(t.TempDir(), "dir"), s.State: filepath.Join(t.TempDir(), "state")}
	for folder, to := range kept {
		copyAll(t, folder, to)
	}
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
		"generate openapi shop",
		"generate openapi shop --for gateway --out api.yaml",
		"generate client shop --out client.ts",
		"apply -f pets.json --name pets --create-functions plain",
		"update api shop --from pets.json --create-functions plain",
		"update path shop /books --function fresh --new-function express",
		"add output --set custom.mail=help@example.com",
		"update output limits --set custom.pages=4",
		"update storage --bucket-name uploads",
		"update data --url https://data.example.com",
		"update table loans --index byDay:day:number",
		"schema --write",
		"env use spare",
		"env use cloud --profile deployer",
	} {
		t.Run(line, func(t *testing.T) {
			for folder, from := range kept {
				if err := os.RemoveAll(folder); err != nil {
					t.Fatal(err)
				}
				copyAll(t, from, folder)
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

// TestADryRunOfAnImportLeavesNothingBehind imports a project of the Amplify CLI into a folder that
// is not there, and into one that is. The import itself then takes along what is not among the
// files of a project: the values of secrets, and which environment is chosen.
func TestADryRunOfAnImportLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	for _, into := range []string{"made/new", "there"} {
		t.Run(into, func(t *testing.T) {
			t.Parallel()
			s := clitest.New(t)
			if err := os.CopyFS(filepath.Join(s.Dir, "old"), os.DirFS("../testdata/amplify")); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(s.Dir, "there"), 0o700); err != nil {
				t.Fatal(err)
			}
			const secrets = `{"functions":{"books":{"API_TOKEN":"t"}}}`
			s.Put("old/.gatewright/secrets/prod.json", secrets)
			old := &clitest.Session{T: t, Dir: filepath.Join(s.Dir, "old"), State: s.State}
			old.Run(0, "env", "use", "prod")
			before := everything(t, s.Dir, s.State)
			for _, more := range [][]string{{"--dry-run"}, {"--dry-run", "--json"}, {"--dry-run", "--diff"}} {
				s.Run(0, append(strings.Fields("import amplify old --into "+into), more...)...)
				if after := everything(t, s.Dir, s.State); after != before {
					t.Fatalf("%v leaves\n%s\nof\n%s", more, after, before)
				}
			}
			s.Run(0, "import", "amplify", "old", "--into", into)
			if got := s.Read(into + "/.gatewright/secrets/prod.json"); got != secrets {
				t.Errorf("the secrets became %q", got)
			}
			info, err := os.Stat(filepath.Join(s.Dir, into, ".gatewright/secrets/prod.json"))
			if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("the file of the secrets is %v, %v", info, err)
			}
			made := &clitest.Session{T: t, Dir: filepath.Join(s.Dir, into), State: s.State}
			if shown := made.Run(0, "env", "show"); !strings.HasPrefix(shown, "environment prod (chosen)\n") {
				t.Errorf("the environment that is chosen in the new project is not prod: %s", shown)
			}
		})
	}
}

// TestADryRunOfAMigrationAndOfAFirstCommandLeaveNothingBehind is for the commands that need
// another project than the others, or none.
func TestADryRunOfAMigrationAndOfAFirstCommandLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"migrate", "env use prod", "init --name fresh"} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			s := clitest.New(t)
			if line != "init --name fresh" {
				if err := os.CopyFS(s.Dir, os.DirFS("../testdata/amplify")); err != nil {
					t.Fatal(err)
				}
			}
			before := everything(t, s.Dir, s.State)
			for _, more := range []string{"--dry-run", "--json"} {
				args := append(strings.Fields(line), "--dry-run", more)
				if s.Run(0, args...) == "" || everything(t, s.Dir, s.State) != before {
					t.Fatalf("%q leaves\n%s\nof\n%s", args, everything(t, s.Dir, s.State), before)
				}
			}
			s.Run(0, strings.Fields(line)...)
			if everything(t, s.Dir, s.State) == before {
				t.Errorf("%s changes nothing", line)
			}
		})
	}
}

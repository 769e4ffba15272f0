package prepare

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/file"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

// inWorkspace has a function below the root of a workspace.
func inWorkspace(t *testing.T, r *preparetest.Registry, dependencies string, files map[string]string) *preparing {
	t.Helper()
	p := newPreparing(t, model.NodeJS, nil)
	p.spec.Project = p.spec.Folder
	p.spec.Folder = filepath.Join(p.spec.Project, "backend", "function", "items")
	p.write(t, map[string]string{"package.json": `{"name":"items","dependencies":` + dependencies + `}`})
	preparetest.WriteFiles(t, p.spec.Project, map[string]string{
		"package.json": `{"workspaces":["packages/*","backend/function/*/src"]}`, ".npmrc": r.Npmrc(),
	})
	preparetest.WriteFiles(t, p.spec.Project, files)
	return p
}

// TestANameInAWorkspaceIsTheWorkspaces has a registry with packages of the same names.
func TestANameInAWorkspaceIsTheWorkspaces(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"is-odd": {"3.0.1"}, "@s/base": {"3.0.1"}, "left": {"1.0.0", "1.2.0"}, "right": {"1.0.0"}})
	files := map[string]string{
		"packages/odd/package.json":  `{"name":"is-odd","version":"9.9.9","dependencies":{"@s/base":"workspace:^","left":"^1.0.0"},"devDependencies":{"gone":"*"}}`,
		"packages/odd/index.js":      "odd",
		"packages/base/package.json": `{"name":"@s/base","version":"1.0.0","peerDependencies":{"is-odd":"*"}}`, // a cycle
		"packages/base/run.sh":       "", "packages/odd/node_modules/left/package.json": `{"version":"0.0.1"}`,
		"node_modules/left/package.json": `{"version":"0.0.2"}`,
	}
	for _, wanted := range []string{"*", "^9", "9.9.9", "latest", "workspace:*", "workspace:^", "workspace:~", "file:../../../../packages/odd", "link:../../../../packages/odd", "portal:../../../../packages/odd", "workspace:../../../../packages/odd"} {
		p := inWorkspace(t, r, `{"is-odd":"`+wanted+`","right":"*"}`, files)
		if err := os.Chmod(filepath.Join(p.spec.Project, "packages", "base", "run.sh"), 0o755); err != nil {
			t.Fatal(err)
		}
		ready := p.ready(t)
		if got := ready.packages(t, "is-odd", "@s/base", "left", "right"); got != "9.9.9 1.0.0 1.2.0 1.0.0" {
			t.Errorf("%s: they are %s", wanted, got)
		}
		modules := ready.Lookup.Modules
		if info, err := os.Stat(filepath.Join(modules, "@s", "base", "run.sh")); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("%s: a program of a package is none: %v", wanted, err)
		}
		if _, err := os.Stat(filepath.Join(modules, "is-odd", "node_modules")); err == nil {
			t.Errorf("%s: the packages beside the member's files are reached", wanted)
		}
		// An edit needs no installation.
		p.eventTexts(function.EventInstall)
		preparetest.WriteFiles(t, p.spec.Project, map[string]string{"packages/odd/index.js": "edited"})
		again := p.ready(t)
		text, err := os.ReadFile(filepath.Join(again.Lookup.Modules, "is-odd", "index.js"))
		if err != nil || string(text) != "edited" || len(p.eventTexts(function.EventInstall)) > 0 {
			t.Errorf("%s: after an edit it is %q, %v", wanted, text, err)
		}
		if found := SharedFiles(&p.spec); !slices.Contains(found, filepath.Join(file.RealPath(p.spec.Project), "packages", "base")) {
			t.Errorf("%s: watched are %q", wanted, found)
		}
	}
}

func TestPackagesInFoldersNeedNoNpmUnlessTheyAskARegistry(t *testing.T) {
	preparetest.Without(t)
	p := inWorkspace(t, &preparetest.Registry{Server: &httptest.Server{}}, `{"own":"file:own"}`, nil)
	p.write(t, map[string]string{"own/package.json": `{"version":"2.0.0"}`})
	ready, err := p.node(t.Context(), &p.spec, filepath.Join(p.spec.Folder, "src"))
	if err != nil || ready.folder != "" || !ready.has("own") {
		t.Errorf("it has %+v, %v", ready, err)
	}
}

func TestTheLockOfAWorkspacesRootSaysTheVersions(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0", "1.2.0"}, "right": {"1.0.0", "1.1.0"}})
	lock := `{"lockfileVersion":3,"packages":{"":{"workspaces":["packages/*"]},
		"node_modules/odd":{"resolved":"packages/odd","link":true},"packages/odd":{"version":"1.0.0","dependencies":{"left":"*"}},
		"node_modules/left":{"version":"1.0.0","resolved":"` + r.URL + `/left/1.0.0.tgz","dev":true},"packages/other/node_modules/left":{"version":"1.2.0"}}}`
	p := inWorkspace(t, r, `{"odd":"*","right":"*"}`, map[string]string{
		"packages/odd/package.json": `{"name":"odd","version":"1.0.0","dependencies":{"left":"*"}}`, "package-lock.json": lock,
	})
	if got := p.ready(t).packages(t, "odd", "left", "right"); got != "1.0.0 1.0.0 1.1.0" {
		t.Errorf("they are %s", got)
	}
}

// TestOnlyWhatIsListedIsThere has a node_modules as npm install leaves it: with what is for development, and with
// another version than a push would install.
func TestOnlyWhatIsListedIsThere(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0", "1.2.0"}, "lint": {"1.0.0"}})
	p := newPreparing(t, model.NodeJS, nil)
	p.write(t, map[string]string{
		"package.json": `{"dependencies":{"left":"^1.0.0"},"devDependencies":{"lint":"*"}}`, ".npmrc": r.Npmrc(),
		"node_modules/left/package.json": `{"version":"1.0.0"}`, "node_modules/lint/package.json": `{"version":"1.0.0"}`,
	})
	ready := p.ready(t)
	if got := ready.packages(t, "left"); got != "1.2.0" {
		t.Errorf("it is %s", got)
	}
	if isThere(filepath.Join(ready.Lookup.Modules, "lint")) {
		t.Error("a package for development is found")
	}
}

// TestTheTokenOfARegistryIsNotKept has one in the settings of a workspace's root.
func TestTheTokenOfARegistryIsNotKept(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}})
	p := inWorkspace(t, r, `{"left":"*"}`, map[string]string{".npmrc": r.Npmrc() + "//npm.example.com/:_authToken=kept-secret\n"})
	p.ready(t)
	for _, folder := range []string{p.cache, p.state} {
		err := filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(name)
			if strings.Contains(string(text), "kept-secret") {
				t.Errorf("it is in %s", name)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestWhatIsWrongInAWorkspaceIsToldOnceAndWhatToDo(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, nil)
	const odd = "packages/odd/package.json"
	for _, test := range []struct {
		name, dependencies string
		files              map[string]string
		words              string
	}{
		{"no root", `{"is-odd":"workspace:*"}`, map[string]string{"package.json": `{}`}, "no folder above is the root of a workspace; list its folder in workspaces"},
		{"no member", `{"is-odd":"workspace:*"}`, nil, "no member of the workspace has that name; "},
		{"not built", `{"is-odd":"*"}`, map[string]string{odd: `{"name":"is-odd","main":"dist/index.js","scripts":{"build":"tsc"}}`}, "packages/odd/dist/index.js, which its package.json names, does not exist; run npm run build in "},
		{"conditions", `{"is-odd":"*"}`, map[string]string{odd: `{"name":"is-odd","exports":{".":{"types":"./a.ts","import":"./dist/a.mjs"}}}`, "packages/odd/a.ts": ""}, "is-odd is not built: "},
		{"in TypeScript", `{"is-odd":"*"}`, map[string]string{odd: `{"name":"is-odd","main":"src/index.ts"}`, "packages/odd/src/index.ts": ""}, "is-odd is not built: "},
		{"outside", `{"is-odd":"file:../../../../../odd"}`, nil, "lies outside of the project; move it into the project"},
		{"missing", `{"is-odd":"file:../../../../gone"}`, nil, "is missing: "},
		{"not JSON", `{"is-odd":"*"}`, map[string]string{odd: `{`}, "packages/odd/package.json is not valid: "},
		{"two", `{"is-odd":"*"}`, map[string]string{odd: `{"name":"is-odd"}`, "packages/other/package.json": `{"name":"is-odd"}`}, "two folders of the workspace have the package is-odd: "},
		{"catalog", `{"is-odd":"catalog:"}`, map[string]string{"pnpm-workspace.yaml": "packages: [packages/*]\ncatalog: {left: 1.0.0}\n"}, "has its version from a catalog (catalog:), and no pnpm-workspace.yaml above has it"},
	} {
		p := inWorkspace(t, r, test.dependencies, test.files)
		_, err := p.Prepare(t.Context(), p.spec, nil)
		if err == nil || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestCatalogsAndGlobsOfPnpmAreRead(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0", "1.2.0"}, "right": {"1.0.0", "2.0.0"}})
	p := inWorkspace(t, r, `{"deep":"workspace:*","left":"catalog:","right":"catalog:old"}`, map[string]string{
		"package.json":            `{}`,
		"pnpm-workspace.yaml":     "packages: ['libs/**', '!libs/**/test']\ncatalog: {left: 1.0.0}\ncatalogs: {old: {right: ^1.0.0}}\n",
		"libs/a/b/c/package.json": `{"name":"deep","version":"4.0.0"}`, "libs/a/test/package.json": `{"name":"deep","version":"5.0.0"}`,
	})
	if got := p.ready(t).packages(t, "deep", "left", "right"); got != "4.0.0 1.0.0 1.0.0" {
		t.Errorf("they are %s", got)
	}
}

// TestALockOfPnpmInstallsNothingOfOtherFolders has a name that a registry has, too.
func TestALockOfPnpmInstallsNothingOfOtherFolders(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, nil)
	p := inWorkspace(t, r, `{"deep":"workspace:*"}`, map[string]string{
		"package.json": `{}`, "pnpm-workspace.yaml": "packages: ['libs/*']\n", "libs/deep/package.json": `{"name":"deep","version":"4.0.0"}`,
		"pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n\n  libs/other:\n    dependencies:\n      deep:\n        specifier: '*'\n        version: 0.2.0\n\npackages:\n\n  left@1.0.0: {}\n",
	})
	wanted, err := readPackages(filepath.Join(p.spec.Folder, "src"), p.spec.Project, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(wanted.files[pnpmLock]); got != "lockfileVersion: '9.0'\n\npackages:\n\n  left@1.0.0: {}\n" {
		t.Errorf("pnpm reads %q", got)
	}
}

// TestAFailedInstallationIsTriedAgainWhenSomethingChanged has two functions with the same packages.
func TestAFailedInstallationIsTriedAgainWhenSomethingChanged(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}})
	p := inWorkspace(t, r, `{"left":"^7.0.0"}`, map[string]string{"backend/function/other/src/package.json": `{"name":"other","dependencies":{"left":"^7.0.0"}}`})
	tries := func(want int, of function.Spec) {
		t.Helper()
		_, err := p.Prepare(t.Context(), of, nil)
		e, ok := err.(*function.Error)
		if !ok || !e.Kept || e.Function != of.Name || !strings.Contains(e.Text, "ETARGET") {
			t.Errorf("the error is %v", err)
		}
		// Its progress is told too, where it takes a while.
		begun := slices.DeleteFunc(p.eventTexts(function.EventInstall), func(text string) bool { return strings.Contains(text, " download") })
		if len(begun) != want {
			t.Errorf("the installations are %q", begun)
		}
	}
	other := p.spec
	other.Name, other.Folder = "other", filepath.Join(filepath.Dir(p.spec.Folder), "other")
	tries(1, p.spec)
	tries(0, p.spec)
	tries(0, other)
	p.write(t, map[string]string{"index.js": "edited"})
	tries(1, p.spec)
	tries(0, p.spec)
	// A registry that was not reachable is asked again after some time.
	for _, f := range p.failed {
		f.why.passing = true
		f.when = f.when.Add(-untilReached)
	}
	tries(1, p.spec)
}

func TestAPackageForProductionAndDevelopmentIsInstalled(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"aws-sdk": {"2.1.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"aws-sdk":"^2.0.0"},"devDependencies":{"aws-sdk":"^2.0.0"}}`})
	wanted, err := readPackages(filepath.Join(p.spec.Folder, "src"), "", false)
	if err != nil || !wanted.isChanged() {
		t.Fatalf("a lock counts for it: %v", err)
	}
	if files, err := wanted.manifests(); err != nil || strings.Contains(string(files["package.json"]), "devDependencies") {
		t.Errorf("npm, which leaves out what is for development, reads %s, %v", files["package.json"], err)
	}
	if got := p.ready(t).packages(t, "aws-sdk"); got != "2.1.0" {
		t.Errorf("it is %q", got)
	}
}

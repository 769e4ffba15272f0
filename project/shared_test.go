package project_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"gatewright/project"
)

// TestADeploymentHasThePackagesOfFoldersToo has a member of a workspace, and one that it needs.
func TestADeploymentHasThePackagesOfFoldersToo(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		shop(t, fsys)
		for name, text := range map[string]string{
			"package.json":      `{"workspaces":["packages/*"]}`,
			"package-lock.json": `{}`,
			".npmrc":            "registry=https://npm.example.com\n//npm.example.com/:_authToken=secret\n//npm.example.org/:_authToken=${TOKEN}\n",
			"backend/function/items/src/package.json": `{"dependencies":{"odd":"*"}}`,
			"backend/function/items/src/.npmrc":       "_auth=secret\na=b\n",
			"packages/odd/package.json":               `{"name":"odd","dependencies":{"base":"file:../base"}}`,
			"packages/odd/node_modules/x/a.js":        "x",
			"packages/base/package.json":              `{"name":"base"}`,
			"backend/function/items/function.json":    `{"version":1,"runtime":"nodejs","layers":["layer/l","arn:aws:lambda:eu-west-1:123456789012:layer:x:1"]}`,
			"backend/layer/l/nodejs/package.json":     `{"dependencies":{"own":"file:../../../../packages/own"}}`,
			"packages/own/package.json":               `{"name":"own"}`,
			"packages/other/package.json":             `{"name":"other"}`,
		} {
			put(t, fsys, name, text)
		}
		p := load(t, fsys, project.Native)
		deploy(t, p, "dev", "http://127.0.0.1:4280/a1/dev")
		d, err := load(t, fsys, project.Native).Deployed("dev")
		must(t, err)
		for name, want := range map[string]string{
			"package.json": `{"workspaces":["packages/*"]}`, "package-lock.json": "{}",
			".npmrc":                            "registry=https://npm.example.com\n//npm.example.org/:_authToken=${TOKEN}\n",
			"backend/function/items/src/.npmrc": "a=b\n", "packages/base/package.json": `{"name":"base"}`, "packages/own/package.json": `{"name":"own"}`, "packages/odd/node_modules/x/a.js": "", "packages/other/package.json": "",
		} {
			if got, err := afero.ReadFile(d.Project.FS, name); string(got) != want || (err == nil) != (want != "") {
				t.Errorf("%s is %q, %v", name, got, err)
			}
		}
		changed := func(then *project.Deployment) (names []string) {
			t.Helper()
			changes, err := load(t, fsys, project.Native).ChangedSources(then, "items", "backend/function/items", "backend/function/items/function.json")
			must(t, err)
			for _, c := range changes {
				names = append(names, c.Path)
			}
			slices.Sort(names)
			return names
		}
		elsewhere := *d
		elsewhere.Sources, err = p.Sources()
		must(t, err)
		if names := changed(d); names != nil {
			t.Errorf("after a push %q differ", names)
		}
		edited := []string{"backend/layer/l/a.txt", "packages/base/index.js", "packages/own/index.js"}
		for _, name := range edited {
			put(t, fsys, name, "edited")
		}
		for _, then := range []*project.Deployment{d, &elsewhere} {
			if diff := cmp.Diff(edited, changed(then)); diff != "" {
				t.Error(diff)
			}
		}
	})
}

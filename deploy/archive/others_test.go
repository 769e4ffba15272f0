package archive

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/registry"
)

func TestOtherPackageManagersFollowTheirLocks(t *testing.T) {
	registry.Public(t)
	depth.WithoutRace(t)
	depth.Needs(t, "node", "npm")
	const list = `{"dependencies":{"is-odd":"3.0.1"}}`
	for name, command := range map[string][]string{
		"yarn.lock":      {"npm", "exec", "--yes", "--package=yarn@1.22.22", "--", "yarn", "install", "--non-interactive"},
		"pnpm-lock.yaml": {"npm", "exec", "--yes", "--package=pnpm@10", "--", "pnpm", "install", "--ignore-workspace"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := write(t, map[string]string{"index.js": "", "package.json": list})
			if out, err := run(t, folder, command[0], command[1:]...); err != nil {
				t.Fatalf("it makes no lock: %v %s", err, out)
			}
			text, err := os.ReadFile(filepath.Join(folder, name))
			must(t, err)
			texts := map[string]string{"index.js": "", "package.json": list, name: string(text)}
			first, second := pack(t, builder(t), nodeSource(write(t, texts))), pack(t, builder(t), nodeSource(write(t, texts)))
			found := files(t, first)
			for _, file := range []string{"node_modules/is-odd/index.js", "node_modules/is-number/index.js"} {
				if _, ok := found[file]; !ok {
					t.Errorf("%s is missing in %q", file, namesOf(found))
				}
			}
			if first.SHA256 != second.SHA256 {
				t.Error("two installations differ")
			}
		})
	}
}

// TestTheManagerOfALockInstalls has one that stands for pnpm, and says how it was called.
func TestTheManagerOfALockInstalls(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	depth.Needs(t, "node", "npm")
	made := pack(t, builder(t), nodeSource(write(t, map[string]string{
		"index.js": "", "package.json": `{"dependencies":{"right":"3.0.0"}}`, "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
	})))
	const want = `module.exports = ["install","--production","--no-frozen-lockfile","--ignore-workspace","--reporter=append-only","--config.node-linker=hoisted"]`
	if got := files(t, made)["node_modules/told/index.js"]; got != want {
		t.Errorf("it was called so: %s", got)
	}
}

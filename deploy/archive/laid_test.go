package archive

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
	"gatewright/test/depth"
	"gatewright/test/symlink"
)

// TestTheSandboxRunsWhatTheArchiveHas compares names, bytes and modes, and again after edits.
func TestTheSandboxRunsWhatTheArchiveHas(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	depth.Needs(t, "node", "npm", "python3")
	rules := "*.log\n!kept.log\n/data/**/raw\nnotes/\n"
	for name, row := range map[string]struct {
		runtime model.Runtime
		files   map[string]string
	}{
		"own packages": {model.NodeJS, map[string]string{"index.js": "1", "node_modules/left/index.js": "l", "node_modules/.bin/left": "x", "lib/node_modules/right/a.js": ""}},
		"installed packages": {model.NodeJS, map[string]string{
			"index.js": "1", "package.json": `{"dependencies":{"right":"3.0.0"}}`, ".npmrc": "", "node_modules/stale/index.js": "",
		}},
		"TypeScript": {model.NodeJS, map[string]string{"index.ts": "import {a} from './lib/a'\nexport const handler = async () => a\n", "lib/a.ts": "export const a = 1", "a.txt": "1"}},
		"rules": {model.NodeJS, map[string]string{
			".gatewrightignore": rules, "index.js": "", "a.log": "", "kept.log": "", "lib/b.log": "", "data/x/raw": "", "data/raw/x": "", "notes/a.md": "",
			"lib/notes": "a file", ".git/config": "", "venv/pyvenv.cfg": "", "venv/lib/a.py": "", "coverage/lcov.info": "", "coverage2/a": "", ".nyc_output/a": "",
			"with space/ünï.js": "", "deep/coverage/index.js": "kept", ".DS_Store": "", "secret.key": "",
		}},
		"Python": {model.Python, map[string]string{"index.py": "def handler(e, c): pass", "__pycache__/a.pyc": "", "lib/x.py": "", ".pytest_cache/a": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "installed packages" {
				depth.Gate(t)
			}
			t.Parallel()
			folder := write(t, row.files)
			project := filepath.Dir(filepath.Dir(folder))
			must(t, os.WriteFile(filepath.Join(project, ".gatewrightignore"), []byte("*.key\n"), 0o600))
			must(t, os.Mkdir(filepath.Join(project, "shared"), 0o700))
			must(t, os.WriteFile(filepath.Join(project, "shared", "s.txt"), []byte("shared"), 0o600))
			symlink.Make(t, filepath.Join(project, "shared"), filepath.Join(folder, "linked"))
			symlink.Make(t, "nobody@host.1:2", filepath.Join(folder, ".#index.js"))
			must(t, os.WriteFile(filepath.Join(folder, "run.sh"), []byte("#!/bin/sh"), 0o755))
			p := prepare.NewPreparer(t.TempDir(), "", nil, nil)
			s := nodeSource(folder)
			s.Runtime, s.Project = row.runtime, project
			b := builder(t)
			equal := func() {
				t.Helper()
				ready, err := p.Prepare(t.Context(), function.Spec{Environment: "dev", Name: "items", Runtime: row.runtime, Folder: filepath.Dir(folder), Project: project}, nil)
				must(t, err)
				made := pack(t, b, s)
				want, got := files(t, made), laid(t, ready.Dir)
				if !maps.Equal(want, got) {
					t.Errorf("the archive has %q,\nthe sandbox %q", namesOf(want), namesOf(got))
				}
				if info, err := os.Stat(filepath.Join(ready.Dir, "run.sh")); err != nil || info.Mode() != modeOf(t, made, "run.sh") {
					t.Errorf("run.sh: %v %v", info, err)
				}
				for _, name := range []string{"secret.key", "venv/lib/a.py", "coverage/lcov.info", "a.log", "data/x/raw", "notes/a.md"} {
					if _, has := got[name]; has {
						t.Errorf("%s is not left out", name)
					}
				}
			}
			equal()
			must(t, os.WriteFile(filepath.Join(folder, "more.txt"), []byte("more"), 0o600))
			must(t, os.RemoveAll(filepath.Join(folder, "lib")))
			must(t, os.WriteFile(filepath.Join(folder, "lib"), []byte("a file now"), 0o600))
			must(t, os.Chmod(filepath.Join(folder, "run.sh"), 0o644))
			if name == "TypeScript" {
				must(t, os.WriteFile(filepath.Join(folder, "index.ts"), []byte("export const handler = async () => 2\n"), 0o600))
			}
			equal()
			must(t, os.Remove(filepath.Join(folder, "lib")))
			must(t, os.MkdirAll(filepath.Join(folder, "lib", "deep"), 0o700))
			must(t, os.WriteFile(filepath.Join(folder, "lib", "deep", "a.txt"), []byte("a"), 0o600))
			must(t, os.Rename(filepath.Join(folder, "more.txt"), filepath.Join(folder, "More.txt")))
			equal()
		})
	}
}

// laid reads a laid out folder.
func laid(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	read := func(root, prefix string) {
		must(t, filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
			inside, _ := filepath.Rel(root, at)
			name := prefix + filepath.ToSlash(inside)
			own := strings.TrimPrefix(name, "node_modules/")
			if err == nil && entry.Type().IsRegular() && !strings.HasPrefix(own, ".bin/") && own != ".package-lock.json" {
				text, err := os.ReadFile(at)
				found[name] = string(text)
				return err
			}
			return err
		}))
	}
	read(folder, "")
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err == nil {
		read(filepath.Join(folder, "node_modules")+string(filepath.Separator), "node_modules/")
	}
	if slices.Contains(namesOf(found), "node_modules/.") {
		t.Error("node_modules is a file")
	}
	return found
}

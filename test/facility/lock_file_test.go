package facility

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/test/registry"
)

// msIntegrity is the checksum of the package ms 2.1.2, which is not the newest.
const msIntegrity = "sha512-sGkPx+VjMtmA6MX27oA4FBFELFCZZ4S4XqeGOXCv68tT+jb3vk/RyaKWP0PTKyWtmLSM0b+adUTEvbs1PEaH2w=="

// lockFiles are lock files of package managers, with ms 2.1.2.
var lockFiles = map[string]struct{ file, text string }{
	"npm": {"package-lock.json", `{"name": "app", "lockfileVersion": 3, "requires": true, "packages": {
		"": {"name": "app", "dependencies": {"ms": "^2.0.0"}},
		"node_modules/ms": {"version": "2.1.2", "resolved": "https://registry.npmjs.org/ms/-/ms-2.1.2.tgz", "integrity": "` + msIntegrity + `"}
	}}`},
	"yarn": {"yarn.lock", `# yarn lockfile v1


ms@^2.0.0:
  version "2.1.2"
  resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.2.tgz#d09d1f357b443f493382a8eb3ccd183872ae6009"
  integrity ` + msIntegrity + "\n"},
	"berry": {"yarn.lock", `__metadata:
  version: 6
  cacheKey: 8

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    ms: ^2.0.0
  languageName: unknown
  linkType: soft

"ms@npm:^2.0.0":
  version: 2.1.2
  resolution: "ms@npm:2.1.2"
  languageName: node
  linkType: hard
`},
	"pnpm": {"pnpm-lock.yaml", `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .:
    dependencies:
      ms:
        specifier: ^2.0.0
        version: 2.1.2

packages:

  ms@2.1.2:
    resolution: {integrity: ` + msIntegrity + `}

snapshots:

  ms@2.1.2: {}
`},
}

// TestLockFilesAreFollowedAndStay runs functions with the lock file of each package
// manager: the locked version is installed, and no file of the project changes. A
// function without a lock file gets none, so nothing is to push after a call.
func TestLockFilesAreFollowedAndStay(t *testing.T) {
	registry.Public(t)
	f := newFacility(t)
	f.run(0, "add", "api", "shop", "--path", "/none", "--function", "none", "--new-function", "plain")
	const manifest = `{"name": "app", "dependencies": {"ms": "^2.0.0"}}`
	const source = `exports.handler = async () => ({ statusCode: 200, body: JSON.stringify(require("ms/package.json").version) });`
	write := func(function, name, text string) {
		writeFile(t, filepath.Join(f.dir, "backend/function", function, "src", name), text)
	}
	names := []string{"npm", "yarn", "berry", "pnpm"}
	for _, name := range names {
		f.run(0, "add", "function", name, "--template", "plain")
		f.run(0, "add", "path", "shop", "/"+name, "--function", name)
		write(name, lockFiles[name].file, lockFiles[name].text)
	}
	for _, name := range append(names, "none") {
		write(name, "package.json", manifest)
		write(name, "index.js", source)
	}
	f.git("init", "-q")
	f.git("add", "-A")
	f.git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "all")
	f.run(0, "push", "--yes")
	f.serve()
	for _, name := range names {
		var version string
		if f.get("/"+name, &version); version != "2.1.2" {
			t.Errorf("%s: the version is %s, and 2.1.2 is locked", name, version)
		}
	}
	var newest string
	if f.get("/none", &newest); newest == "2.1.2" || newest == "" {
		t.Errorf("without a lock file the version is %q", newest)
	}
	if out := f.git("status", "--porcelain"); out != "" {
		t.Errorf("git status prints %s", out)
	}
	// An exit code of 3 would mean that something is to push.
	f.run(0, "status", "--exit-code")
	f.stop(os.Interrupt, 0)
}

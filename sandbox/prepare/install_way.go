package prepare

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/text/lazyregexp"
)

// way is one way to install packages: a package manager and how it runs.
type way struct {
	// name is the command in messages.
	name    string
	command []string
	env     []string
	// settings are variables for settings of npm, which this package manager does not
	// read itself.
	settings map[string]string
	// rebuild runs the scripts of packages that were installed without, if not npm does; bare
	// means that they stay without.
	rebuild []string
	bare    bool
	// warning is given if this way succeeds after others failed.
	warning string
}

// patience are npm's flags for how long it tries to reach a registry.
var patience = []string{"--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=3000"}

// The versions of package managers that are run by npm exec, which keeps them in npm's
// own cache. Each reads the lock files of its generation.
const (
	yarnClassic = "yarn@1.22.22"
	yarnBerry   = "@yarnpkg/cli-dist@4.9.4"
)

// ways returns the ways to install the packages, the most faithful first: with the lock
// file as it is, with what of it still fits, and without it.
func (p *packages) ways() []way {
	npm := func(how string, more ...string) []string {
		if len(p.shared.Members) > 0 {
			more = append(slices.Clip(more), "--install-links=false")
		}
		command := []string{
			"npm", how, p.kinds(), "--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--color=false",
			"--loglevel=http",
		}
		return slices.Concat(command, patience, more)
	}
	if p.lambda {
		return []way{p.lambdaWay(npm)}
	}
	var ways []way
	switch {
	case p.lock != nil && p.lockMatches():
		ways = append(ways, way{name: "npm ci", command: npm("ci")})
	case p.otherLock != "":
		ways = append(ways, p.otherWay())
	}
	const noLock = "its lock file could not be followed; its packages have the newest versions that package.json allows"
	warning := func(loses bool) string {
		if loses && p.isLocked() {
			return noLock
		}
		return ""
	}
	return append(ways,
		way{name: "npm install", command: npm("install"), warning: warning(p.otherLock != "" && p.lock == nil)},
		way{
			name: "npm install --legacy-peer-deps", command: npm("install", "--legacy-peer-deps", "--no-package-lock"),
			warning: warning(true),
		},
	)
}

// withoutScripts is the same way without the scripts of packages.
func (w way) withoutScripts() way {
	w.command = append(slices.Clip(w.command), "--ignore-scripts")
	if w.settings != nil {
		// Only yarn's own setting does it there.
		w.command, w.env = w.command[:len(w.command)-1], append(slices.Clip(w.env), "YARN_ENABLE_SCRIPTS=false")
	}
	w.name, w.bare = w.name+" without scripts", true
	w.warning = "the installation scripts of its packages fail on this machine, and were left out; npm's log says why"
	return w
}

// otherWay returns the way of the package manager that the lock file belongs to.
func (p *packages) otherWay() way {
	run := func(version, program string, arguments ...string) []string {
		command := append([]string{"npm", "exec", "--yes", "--no-update-notifier"}, patience...)
		return append(append(command, "--package="+version, "--", program), arguments...)
	}
	lock := p.files[p.otherLock]
	switch p.otherLock {
	case "yarn.lock":
		if bytes.Contains(lock, []byte("__metadata:")) {
			arguments := []string{"workspaces", "focus", "--production"}
			if p.development {
				arguments = []string{"install"}
			}
			return way{
				// It installs packages for development otherwise (https://yarnpkg.com/cli/workspaces/focus).
				name: "yarn install", command: run(yarnBerry, "yarn", arguments...),
				bare:     noYarnScripts().Match(p.files[".yarnrc.yml"]),
				settings: map[string]string{"registry": "YARN_NPM_REGISTRY_SERVER", "cafile": "YARN_HTTPS_CA_FILE_PATH"},
				// An older lock is upgraded in the copy; its versions stay.
				env: []string{
					"YARN_IGNORE_PATH=1", "YARN_NODE_LINKER=node-modules", "YARN_ENABLE_IMMUTABLE_INSTALLS=false",
					"YARN_ENABLE_TELEMETRY=0",
					"YARN_ENABLE_GLOBAL_CACHE=true", "YARN_ENABLE_PROGRESS_BARS=false", "YARN_ENABLE_COLORS=false",
					"COREPACK_ENABLE_STRICT=0",
				},
			}
		}
		arguments := []string{
			"install", p.production(), "--non-interactive", "--no-progress", "--ignore-engines",
			// Its own cache is not safe for several at once.
			"--mutex", "file:" + filepath.Join(os.TempDir(), "gatewright-yarn.mutex"),
		}
		if out, err := command(context.Background(), "yarn", "--version").Output(); err == nil &&
			strings.HasPrefix(string(out), "1.") {
			return way{
				name: "yarn install", command: append([]string{"yarn"}, arguments...),
				env: []string{"YARN_IGNORE_PATH=1"},
			}
		}
		return way{name: "yarn install", command: run(yarnClassic, "yarn", arguments...), env: []string{"YARN_IGNORE_PATH=1"}}
	case "pnpm-lock.yaml":
		// pnpm's own layout is made of links: an archive has none, and what a package in a folder
		// needs is not next to it (https://pnpm.io/settings#nodelinker).
		arguments := []string{
			"install", p.production(), "--no-frozen-lockfile", "--ignore-workspace", "--reporter=append-only",
			"--config.node-linker=hoisted",
		}
		return way{
			name:    "pnpm install",
			command: run("pnpm@"+pnpmFor(lock), "pnpm", arguments...),
			rebuild: run("pnpm@"+pnpmFor(lock), "pnpm", "rebuild"),
			env:     []string{"COREPACK_ENABLE_STRICT=0", "npm_config_manage_package_manager_versions=false"},
		}
	}
	return way{
		name: "bun install", command: run("bun@1", "bun", "install", p.production(), "--no-progress"),
		// It has no command for that.
		rebuild: []string{},
	}
}

// noYarnScripts matches the setting of a project whose packages run no scripts.
var noYarnScripts = lazyregexp.New(`(?m)^enableScripts:\s*false`)

var pnpmVersion = lazyregexp.New(`(?m)^lockfileVersion:\s*'?([0-9]+)`)

// pnpmFor returns the version of pnpm that reads a lock file
// (https://pnpm.io/installation#compatibility).
func pnpmFor(lock []byte) string {
	found := pnpmVersion().FindSubmatch(lock)
	if found == nil {
		return "10"
	}
	switch string(found[1]) {
	case "5":
		return "7"
	case "6":
		return "8"
	}
	return "10"
}

// withSettings returns the variables of a way, with the values of npm's settings. A
// setting that the project itself has for the package manager stays.
func (p *packages) withSettings(ctx context.Context, w way) []string {
	env := w.env
	if len(w.settings) == 0 || p.files[".yarnrc.yml"] != nil {
		return env
	}
	for _, name := range slices.Sorted(maps.Keys(w.settings)) {
		out, err := command(ctx, "npm", "config", "get", name).Output()
		value := strings.TrimSpace(string(out))
		if err == nil && value != "" && value != "null" && value != "undefined" && os.Getenv(w.settings[name]) == "" {
			env = append(slices.Clip(env), w.settings[name]+"="+value)
		}
	}
	return env
}

// kinds is npm's flag for the packages of development.
func (p *packages) kinds() string {
	if p.development {
		return "--include=dev"
	}
	return "--omit=dev"
}

// production is the flag of other package managers for those packages.
func (p *packages) production() string {
	if p.development {
		return "--production=false"
	}
	return "--production"
}

// isLocked reports whether a lock file names the versions of the packages.
func (p *packages) isLocked() bool { return p.lock != nil || p.otherLock != "" }

package prepare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/function"
)

// Interpreters are fetched as the user's other packages are, so that mirrors, proxies and checks of
// sums are those of the user. Node.js is in packages of npm that have nothing but the program: those
// that https://www.npmjs.com/package/node installs. Python comes with uv
// (https://docs.astral.sh/uv/guides/install-python/), if that is there.

// nodePackage is the package with Node.js for this machine.
func nodePackage() string {
	system, processor := runtime.GOOS, cmp.Or(map[string]string{"amd64": "x64"}[runtime.GOARCH], runtime.GOARCH)
	switch {
	case system == windows:
		system = "win"
	case system == "darwin" && processor == "arm64":
		system = "bin-darwin"
	}
	return "node-" + system + "-" + processor
}

// fetchedNode is where the cache has Node.js of a release.
func fetchedNode(cache, release string) string {
	name := "bin/node"
	if runtime.GOOS == windows {
		name += ".exe"
	}
	return filepath.Join(cache, "runtimes", "nodejs", release, "node_modules", nodePackage(), filepath.FromSlash(name))
}

// FetchedFrom says what an interpreter of a runtime is fetched from, and to where; "" if this machine
// can fetch none.
func FetchedFrom(ctx context.Context, of model.Runtime, cache string) string {
	switch of.Language() {
	case model.NodeJS:
		registry, err := command(ctx, "npm", "config", "get", "registry").Output()
		if err != nil {
			return ""
		}
		return fmt.Sprintf("the package %s of %s into %s", nodePackage(), phrase.Quote(strings.TrimSpace(string(registry))),
			phrase.Quote(filepath.Join(cache, "runtimes")))
	case model.Python:
		if _, err := exec.LookPath("uv"); err == nil {
			return "what uv installs into its own folder (uv python install)"
		}
	}
	return ""
}

// Fetch fetches an interpreter of the version that a runtime names, for this user alone.
func Fetch(ctx context.Context, of model.Runtime, cache string) error {
	s := &function.Spec{Runtime: of.Language(), RuntimeName: string(of)}
	p := NewPreparer(filepath.Join(cache, "logs"), cache, nil, nil)
	if s.Runtime == model.Python {
		return p.fetch(ctx, "", "uv", "python", "install", strings.TrimPrefix(string(of), string(model.Python)))
	}
	major := strconv.Itoa(releaseOf(s))
	program := fetchedNode(cache, major)
	folder := filepath.Join(cache, "runtimes", "nodejs", major)
	// What is left of a fetch that somebody took apart makes no place for another.
	if _, err := os.Stat(program); err == nil {
		return nil
	}
	_ = os.RemoveAll(folder)
	return p.filled(folder, func(unfinished string) error {
		list := fmt.Sprintf(`{"private": true, "dependencies": {%q: %q}}`, nodePackage(), major)
		if err := os.WriteFile(filepath.Join(unfinished, "package.json"), []byte(list), 0o600); err != nil {
			return err
		}
		err := p.fetch(ctx, unfinished, append([]string{
			"npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--no-progress",
			"--color=false",
		}, patience...)...)
		if err != nil {
			return err
		}
		inside, _ := filepath.Rel(folder, program)
		if told := versionOf(filepath.Join(unfinished, inside)); release(s.Runtime, told) != releaseOf(s) {
			return errors.New("what was fetched is not a Node.js " + major + " that runs on this machine")
		}
		return nil
	})
}

// fetch runs a program that fetches an interpreter. The error has what it said.
func (p *Preparer) fetch(ctx context.Context, folder string, command ...string) error {
	lines, err := tool{command: command, dir: folder, log: p.logFile("fetch", command[0])}.run(ctx)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	said := append(npmErrors(lines), lastLines(lines)...)
	said = append([]string{command[0] + " " + howItEnded(err)}, said[:min(len(said), 2)]...)
	return errors.New(strings.Join(said, ": "))
}

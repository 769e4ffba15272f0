package prepare

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/await"
	"gatewright/test/symlink"
)

func TestAFunctionWithoutPackagesNeedsNoNpm(t *testing.T) {
	preparetest.Without(t)
	for name, manifest := range map[string]string{
		"none": "", "empty": "{}", "no dependencies": `{"name":"items","dependencies":{},"devDependencies":{}}`,
	} {
		files := map[string]string{"index.js": ""}
		if manifest != "" {
			files["package.json"] = manifest
		}
		p := newPreparing(t, model.NodeJS, files)
		if ready := p.ready(t); ready.Source != filepath.Join(p.spec.Folder, "src") || len(ready.Command) != 0 || len(p.eventTexts(function.EventInstall)) != 0 {
			t.Errorf("%s: it gives %+v", name, ready)
		}
	}
}

func TestPackagesAreInstalledOncePerState(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0", "1.2.0", "2.0.0"}, "right": {"3.0.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{
		".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"left":"^1.0.0","right":"*"}}`,
	})
	first := p.ready(t)
	if got := first.packages(t, "left", "right"); got != "1.2.0 3.0.0" {
		t.Errorf("the packages are %s", got)
	}
	if texts := p.eventTexts(function.EventInstall); len(texts) < 2 || texts[0] != "installing packages (npm install)" || !strings.HasPrefix(texts[len(texts)-1], "packages are installed in ") {
		t.Errorf("the events are %q", texts)
	}
	// Nothing changed: another preparer, as after a restart, has nothing to do.
	other := newPreparing(t, model.NodeJS, nil)
	other.spec, other.cache = p.spec, p.cache
	for _, again := range []*preparing{p, other} {
		if ready := again.ready(t); ready.Stamp != first.Stamp || len(again.eventTexts(function.EventInstall)) != 0 {
			t.Errorf("it is installed again, with stamp %s after %s", ready.Stamp, first.Stamp)
		}
	}
	// package.json changed.
	p.write(t, map[string]string{"package.json": `{"dependencies":{"left":"^2.0.0","right":"*"}}`})
	second := p.ready(t)
	if got := second.packages(t, "left", "right"); got != "2.0.0 3.0.0" || second.Stamp == first.Stamp {
		t.Errorf("after an edit the packages are %s", got)
	}
	if texts := p.eventTexts(function.EventInstall); len(texts) == 0 || texts[0] != "installing packages (npm install)" {
		t.Errorf("the events are %q", texts)
	}
	nothingInstalledBeside(t, p)
}

// nothingInstalledBeside checks that the function's folder has only what its owner wrote.
func nothingInstalledBeside(t *testing.T, p *preparing) {
	t.Helper()
	for _, name := range []string{"node_modules", "package-lock.json"} {
		if _, err := os.Lstat(filepath.Join(p.spec.Folder, "src", name)); !os.IsNotExist(err) {
			t.Errorf("%s is in the source: %v", name, err)
		}
	}
}

// TestPackagesOfDevelopmentAreNotInstalled follows the cloud, where only those of
// production are.
func TestPackagesOfDevelopmentAreNotInstalled(t *testing.T) {
	preparetest.Without(t)
	p := newPreparing(t, model.NodeJS, map[string]string{"index.js": "", "package.json": `{"devDependencies":{"@types/left":"*","right":"*"}}`})
	p.ready(t)
	if texts := p.eventTexts(function.EventInstall); len(texts) != 0 {
		t.Errorf("the events are %q", texts)
	}
}

// lockOf returns the lock that npm writes for a manifest.
func lockOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	preparetest.WriteFiles(t, folder, files)
	npm := exec.Command("npm", "install", "--package-lock-only", "--no-audit", "--no-fund")
	npm.Dir = folder
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestALockIsFollowedAndNotWritten(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0", "1.2.0"}})
	lock := strings.Replace(lockOf(t, map[string]string{".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"left":"1.0.0"}}`}), `"left": "1.0.0"`, `"left": "^1.0.0"`, 1)
	for name, test := range map[string]struct{ manifest, ran string }{
		"as it is":                  {`{"dependencies":{"left":"^1.0.0"}}`, "installing packages (npm ci)"},
		"with another package.json": {`{"dependencies":{"left":"~1.0.0"}}`, "installing packages (npm install)"},
	} {
		p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": r.Npmrc(), "package.json": test.manifest, "package-lock.json": lock})
		if got := p.ready(t).packages(t, "left"); got != "1.0.0" {
			t.Errorf("%s: left is %s, the lock says 1.0.0", name, got)
		}
		if texts := p.eventTexts(function.EventInstall); len(texts) == 0 || texts[0] != test.ran {
			t.Errorf("%s: the events are %q", name, texts)
		}
		if after, err := os.ReadFile(filepath.Join(p.spec.Folder, "src", "package-lock.json")); err != nil || string(after) != lock {
			t.Errorf("%s: the lock was written: %v", name, err)
		}
	}
}

// TestAPackageInAFolderIsInstalled has a package that is a folder of the project.
func TestAPackageInAFolderIsInstalled(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"shared":"file:../../shared"}}`})
	shared := filepath.Join(p.spec.Folder, "src", "..", "..", "shared")
	for _, version := range []string{"1.0.0", "7.0.0"} {
		preparetest.WriteFiles(t, shared, map[string]string{"package.json": `{"name":"shared","version":"` + version + `","dependencies":{"left":"*"}}`})
		if got := p.ready(t).packages(t, "shared", "left"); got != version+" 1.0.0" {
			t.Errorf("they are %s", got)
		}
	}
}

// TestTheLocksOfOtherPackageManagersChooseThem checks the commands; the package managers
// themselves run in test/facility.
func TestTheLocksOfOtherPackageManagersChooseThem(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for lock, want := range map[string]string{
		"yarn.lock\n# yarn lockfile v1\n":          "yarn@1.22.22 -- yarn install --production",
		"yarn.lock\n__metadata:\n  version: 6\n":   "@yarnpkg/cli-dist@4.9.4 -- yarn workspaces focus --production",
		"pnpm-lock.yaml\nlockfileVersion: 5.4\n":   "pnpm@7 -- pnpm install --production",
		"pnpm-lock.yaml\nlockfileVersion: '6.0'\n": "pnpm@8 -- pnpm install",
		"pnpm-lock.yaml\nlockfileVersion: '9.0'\n": "pnpm@10 -- pnpm install",
		"bun.lock\n{}": "bun@1 -- bun install",
	} {
		name, text, _ := strings.Cut(lock, "\n")
		p := newPreparing(t, model.NodeJS, map[string]string{"package.json": `{"dependencies":{"left":"*"}}`, name: text})
		wanted, err := readPackages(filepath.Join(p.spec.Folder, "src"), "", false)
		if err != nil {
			t.Fatal(err)
		}
		ways := wanted.ways()
		if got := strings.Join(ways[0].command, " "); !strings.Contains(got, want) {
			t.Errorf("%q: it runs %s", lock, got)
		}
		if len(ways) < 2 || ways[1].name != "npm install" || ways[1].warning == "" {
			t.Errorf("%q: without that package manager it does %+v", lock, ways[1:])
		}
	}
}

func TestOneNpmRunsForAllFunctionsOfAFolder(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"left":"*"}}`})
	link := filepath.Join(t.TempDir(), "link")
	symlink.Make(t, p.spec.Folder, link)
	var all sync.WaitGroup
	for i := range 6 {
		s := p.spec
		if s.Environment = "dev"; i%2 == 1 {
			s.Environment, s.Folder = "prod", link
		}
		all.Go(func() {
			if _, err := p.Prepare(t.Context(), s, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	begun := 0
	for _, text := range p.eventTexts(function.EventInstall) {
		if strings.HasPrefix(text, "installing packages (npm") {
			begun++
		}
	}
	if begun != 1 || r.Tarballs() != 1 {
		t.Errorf("npm ran %d times and got %d packages", begun, r.Tarballs())
	}
}

// hanging is a registry that never answers; requests receives a value for each request.
func hanging(t *testing.T) (npmrc string, requests chan struct{}) {
	t.Helper()
	preparetest.NewRegistry(t, nil)
	requests = make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		requests <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	return "registry=" + server.URL + "\n", requests
}

func TestNpmEndsWhenNobodyWaitsForIt(t *testing.T) {
	npmrc, requests := hanging(t)
	mark := "npm_config_gatewright_test_mark=" + t.TempDir()
	name, value, _ := strings.Cut(mark, "=")
	t.Setenv(name, value)
	p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": npmrc, "package.json": `{"dependencies":{"left":"*"}}`})
	first, endFirst := context.WithCancel(t.Context())
	second, endSecond := context.WithCancel(t.Context())
	results := make(chan error, 2)
	for _, ctx := range []context.Context{first, second} {
		go func() {
			_, err := p.Prepare(ctx, p.spec, nil)
			results <- err
		}()
	}
	<-requests
	await.Until(t, "both wait for npm", func() bool {
		p.Preparer.mu.Lock()
		defer p.Preparer.mu.Unlock()
		for _, f := range p.flights {
			if f.waiting == 2 {
				return true
			}
		}
		return false
	})
	endFirst()
	if err := <-results; !errors.Is(err, context.Canceled) {
		t.Fatalf("the first gets %v", err)
	}
	if runtime.GOOS == "linux" && len(marked(t, mark)) == 0 {
		t.Error("npm ended though the second waits for it")
	}
	endSecond()
	if err := <-results; !errors.Is(err, context.Canceled) {
		t.Fatalf("the second gets %v", err)
	}
	if left := marked(t, mark); len(left) != 0 {
		t.Errorf("processes are left: %q", left)
	}
}

// marked returns the processes with a variable; it works on Linux.
func marked(t *testing.T, variable string) []string {
	t.Helper()
	var found []string
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), variable) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			found = append(found, strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return found
}

func TestAnErrorOfNpmIsOneLine(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}})
	gone := httptest.NewServer(nil)
	gone.Close()
	tests := []struct {
		name  string
		files map[string]string
		words []string
	}{
		{
			"a package that does not exist",
			map[string]string{".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"nothing":"*"}}`},
			[]string{"npm install failed: ", "E404", "nothing", "; correct package.json, or run it in "},
		},
		{
			"a version that does not exist",
			map[string]string{".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"left":"^7.0.0"}}`},
			[]string{"npm install failed: ", "ETARGET", "left@^7.0.0"},
		},
		{
			"no registry",
			map[string]string{".npmrc": "registry=" + gone.URL + "\n", "package.json": `{"dependencies":{"left":"*"}}`},
			[]string{"no package registry is reachable: ECONNREFUSED", "; connect this machine to the network"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPreparing(t, model.NodeJS, test.files)
			p.refused(t, function.NotPrepared, test.words...)
			if logged := p.logged(); !strings.Contains(logged, "ERROR npm install: code ") {
				t.Errorf("the log has %s", logged)
			}
			files, err := filepath.Glob(filepath.Join(p.state, "npm", "*.log"))
			if err != nil || len(files) != 1 {
				t.Fatalf("%v: npm's logs are %q", err, files)
			}
			if whole, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(whole), "npm error code ") {
				t.Errorf("%v: npm's log has %s", err, whole)
			}
		})
	}
}

func TestAMissingNpmIsNamed(t *testing.T) {
	manifest := map[string]string{"package.json": `{"dependencies":{"left":"*"}}`}
	preparetest.Without(t, "node")
	newPreparing(t, model.NodeJS, manifest).refused(t, function.NoRuntime, "npm is not installed", "; install Node.js with npm")
	preparetest.Without(t)
	newPreparing(t, model.NodeJS, manifest).refused(t, function.NoRuntime, "Node.js is not installed")
}

// TestOwnScriptsAreNotRun checks that the manifest's own scripts, which need its source,
// are told and not run, and that a package's script that fails is left out.
func TestOwnScriptsAreNotRun(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"broken": {"1.0.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{
		".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"broken":"*"},"scripts":{"postinstall":"exit 4","test":"exit 4"}}`,
	})
	if got := p.ready(t).packages(t, "broken"); got != "1.0.0" {
		t.Errorf("the package is %q", got)
	}
	want := []string{
		"its package.json has the script postinstall, which is not run here: packages are installed outside of its folder",
		"the installation scripts of its packages fail on this machine, and were left out; npm's log says why",
	}
	if diff := cmp.Diff(want, p.eventTexts(function.EventWarning)); diff != "" {
		t.Error(diff)
	}
	texts := slices.DeleteFunc(p.eventTexts(function.EventInstall), func(text string) bool {
		return strings.HasPrefix(text, "installing packages: ") // an npm that takes longer tells how far it is
	})
	if len(texts) != 3 || texts[0] != "installing packages (npm install)" || texts[1] != "installing packages (npm install without scripts)" {
		t.Errorf("the events are %q", texts)
	}
}

func TestAnErrorOfAManifestHasItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n  \"dependencies\": {,}\n}": "src/package.json:2:20 is not valid: ",
		"{\n  \"dependencies\": 5\n}":   "src/package.json:2:19 is not valid: ",
		"":                              "src/package.json:1:1 is not valid: ",
		"{":                             "src/package.json:1:1 is not valid: ",
	} {
		p := newPreparing(t, model.NodeJS, map[string]string{"index.js": "", "package.json": text})
		p.refused(t, function.NotPrepared, want, "; correct it")
	}
}

// TestALockedVersionThatIsGoneIsReplaced has a lock with a version that the registry does
// not have any more: the newest one that package.json allows runs, and that is told.
func TestALockedVersionThatIsGoneIsReplaced(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}})
	lock := lockOf(t, map[string]string{".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"left":"^1.0.0"}}`})
	for i, manifest := range []string{`{"dependencies":{"left":"^1.0.0"}}`, `{"dependencies":{"left":"1"}}`} {
		gone := preparetest.NewRegistry(t, map[string][]string{"left": {"1.2.0"}})
		p := newPreparing(t, model.NodeJS, map[string]string{
			".npmrc": gone.Npmrc(), "package.json": manifest, "package-lock.json": strings.ReplaceAll(lock, r.URL, gone.URL),
		})
		if got := p.ready(t).packages(t, "left"); got != "1.2.0" {
			t.Errorf("left is %s", got)
		}
		texts := p.eventTexts(function.EventWarning)
		if len(texts) != 1+i || !strings.HasPrefix(texts[i], "its lock file could not be followed") ||
			i > 0 && !strings.HasPrefix(texts[0], "its lock file belongs to another package.json, which a push may refuse; run npm install in ") {
			t.Errorf("the events are %q", texts)
		}
	}
}

package function

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/model"
)

func TestAFunctionWithoutPackagesNeedsNoNpm(t *testing.T) {
	without(t)
	for name, manifest := range map[string]string{
		"none": "", "empty": "{}", "no dependencies": `{"name":"items","dependencies":{},"devDependencies":{}}`, "optional ones": `{"optionalDependencies":{"left":"^1.0.0"}}`,
	} {
		files := map[string]string{"index.js": ""}
		if manifest != "" {
			files["package.json"] = manifest
		}
		p := newPreparing(t, model.NodeJS, files)
		if ready := p.ready(t); ready.Dir != filepath.Join(p.spec.Folder, "src") || len(ready.Command) != 0 || len(p.eventTexts(EventInstall)) != 0 {
			t.Errorf("%s: it gives %+v", name, ready)
		}
	}
}

func TestPackagesAreInstalledOncePerState(t *testing.T) {
	r := newRegistry(t, map[string][]string{"left": {"1.0.0", "1.2.0", "2.0.0"}, "right": {"3.0.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{
		".npmrc": r.npmrc(), "package.json": `{"dependencies":{"left":"^1.0.0"},"devDependencies":{"right":"*"}}`,
	})
	const versions = "console.log(require('left'), require('right'))"
	first := p.ready(t)
	if got := first.run(t, "node", "-e", versions); got != "1.2.0 3.0.0" {
		t.Errorf("the packages are %s", got)
	}
	if texts := p.eventTexts(EventInstall); len(texts) < 2 || texts[0] != "installing packages (npm install)" || !strings.HasPrefix(texts[len(texts)-1], "packages are installed in ") {
		t.Errorf("the events are %q", texts)
	}
	// Nothing changed: another preparer, as after a restart, has nothing to do.
	other := newPreparing(t, model.NodeJS, nil)
	other.spec = p.spec
	for _, again := range []*preparing{p, other} {
		if ready := again.ready(t); ready.Stamp != first.Stamp || len(again.eventTexts(EventInstall)) != 0 {
			t.Errorf("it is installed again, with stamp %s after %s", ready.Stamp, first.Stamp)
		}
	}
	// package.json changed.
	p.write(t, map[string]string{"package.json": `{"dependencies":{"left":"^2.0.0"},"devDependencies":{"right":"*"}}`})
	second := p.ready(t)
	if got := second.run(t, "node", "-e", versions); got != "2.0.0 3.0.0" || second.Stamp == first.Stamp {
		t.Errorf("after an edit the packages are %s", got)
	}
	if texts := p.eventTexts(EventInstall); len(texts) == 0 || texts[0] != "installing packages (npm install)" {
		t.Errorf("the events are %q", texts)
	}
	// A package was removed by hand.
	if err := os.RemoveAll(filepath.Join(second.Dir, "node_modules", "right")); err != nil {
		t.Fatal(err)
	}
	if got := p.ready(t).run(t, "node", "-e", versions); got != "2.0.0 3.0.0" {
		t.Errorf("after one was removed they are %s", got)
	}
	if texts := p.eventTexts(EventInstall); len(texts) == 0 || texts[0] != "installing packages (npm ci)" {
		t.Errorf("the events are %q", texts)
	}
}

// TestALockThatChangedIsInstalled has a lock that came with a pull: the installed
// version is in the range, but is not the one of the lock.
func TestALockThatChangedIsInstalled(t *testing.T) {
	r := newRegistry(t, map[string][]string{"left": {"1.0.0", "1.2.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": r.npmrc(), "package.json": `{"dependencies":{"left":"1.0.0"}}`})
	p.ready(t)
	lock := filepath.Join(p.spec.Folder, "src", "package-lock.json")
	pulled, err := os.ReadFile(lock)
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, map[string]string{"package.json": `{"dependencies":{"left":"^1.0.0"}}`})
	if err := os.RemoveAll(filepath.Join(p.spec.Folder, "src", "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if got := p.ready(t).run(t, "node", "-p", "require('left')"); got != "1.2.0" {
		t.Fatalf("left is %s", got)
	}
	p.eventTexts(EventInstall)
	p.write(t, map[string]string{"package-lock.json": strings.Replace(string(pulled), `"left": "1.0.0"`, `"left": "^1.0.0"`, 1)})
	if got := p.ready(t).run(t, "node", "-p", "require('left')"); got != "1.0.0" {
		t.Errorf("left is %s, the lock says 1.0.0", got)
	}
	if texts := p.eventTexts(EventInstall); len(texts) == 0 || texts[0] != "installing packages (npm ci)" {
		t.Errorf("the events are %q", texts)
	}
}

func TestAnInstallationByHandCounts(t *testing.T) {
	r := newRegistry(t, map[string][]string{"left": {"1.0.0"}})
	manifest := map[string]string{".npmrc": r.npmrc(), "package.json": `{"dependencies":{"left":"^1.0.0"}}`}
	for name, place := range map[string]string{"here": "src", "in a folder above": "."} {
		p := newPreparing(t, model.NodeJS, manifest)
		writeFiles(t, filepath.Join(p.spec.Folder, place), manifest)
		npm := exec.Command("npm", "install")
		npm.Dir = filepath.Join(p.spec.Folder, place)
		if out, err := npm.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		p.ready(t)
		if texts := p.eventTexts(EventInstall); len(texts) != 0 {
			t.Errorf("%s: the events are %q", name, texts)
		}
	}
}

func TestAFileOfAnotherPackageManagerGetsNoLockBesideIt(t *testing.T) {
	r := newRegistry(t, map[string][]string{"left": {"1.0.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": r.npmrc(), "package.json": `{"dependencies":{"left":"*"}}`, "yarn.lock": "# yarn\n"})
	if got := p.ready(t).run(t, "node", "-p", "require('left')"); got != "1.0.0" {
		t.Errorf("left is %s", got)
	}
	if _, err := os.Stat(filepath.Join(p.spec.Folder, "src", "package-lock.json")); !os.IsNotExist(err) {
		t.Errorf("a package-lock.json is there: %v", err)
	}
}

func TestOneNpmRunsForAllFunctionsOfAFolder(t *testing.T) {
	r := newRegistry(t, map[string][]string{"left": {"1.0.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": r.npmrc(), "package.json": `{"dependencies":{"left":"*"}}`})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(p.spec.Folder, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	var all sync.WaitGroup
	for i := range 6 {
		s := p.spec
		if s.Environment = "dev"; i%2 == 1 {
			s.Environment, s.Folder = "prod", link
		}
		all.Go(func() {
			if _, err := p.prepare(t.Context(), s); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	begun := 0
	for _, text := range p.eventTexts(EventInstall) {
		if strings.HasPrefix(text, "installing packages (npm") {
			begun++
		}
	}
	if begun != 1 || r.tarballs() != 1 {
		t.Errorf("npm ran %d times and got %d packages", begun, r.tarballs())
	}
}

// hanging is a registry that never answers; requests receives a value for each request.
func hanging(t *testing.T) (npmrc string, requests chan struct{}) {
	t.Helper()
	newRegistry(t, nil)
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
	mark := "GATEWRIGHT_TEST_MARK=" + t.TempDir()
	name, value, _ := strings.Cut(mark, "=")
	t.Setenv(name, value)
	p := newPreparing(t, model.NodeJS, map[string]string{".npmrc": npmrc, "package.json": `{"dependencies":{"left":"*"}}`})
	first, endFirst := context.WithCancel(t.Context())
	second, endSecond := context.WithCancel(t.Context())
	results := make(chan error, 2)
	for _, ctx := range []context.Context{first, second} {
		go func() {
			_, err := p.prepare(ctx, p.spec)
			results <- err
		}()
	}
	<-requests
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
	r := newRegistry(t, map[string][]string{"left": {"1.0.0"}})
	gone := httptest.NewServer(nil)
	gone.Close()
	tests := []struct {
		name  string
		files map[string]string
		words []string
	}{
		{
			"a package that does not exist",
			map[string]string{".npmrc": r.npmrc(), "package.json": `{"dependencies":{"nothing":"*"}}`},
			[]string{"npm install failed: ", "E404", "nothing", "; correct package.json, or run npm install in "},
		},
		{
			"a version that does not exist",
			map[string]string{".npmrc": r.npmrc(), "package.json": `{"dependencies":{"left":"^7.0.0"}}`},
			[]string{"npm install failed: ", "ETARGET", "left@^7.0.0"},
		},
		{
			"no registry",
			map[string]string{".npmrc": "registry=" + gone.URL + "\n", "package.json": `{"dependencies":{"left":"*"}}`},
			[]string{"no package registry is reachable: ECONNREFUSED", "; connect this machine to the network, or run npm install in "},
		},
		{
			"a script that fails", map[string]string{
				".npmrc":       r.npmrc(),
				"package.json": `{"dependencies":{"left":"*"},"scripts":{"postinstall":"node -e 'console.log(1); process.exit(3)'"}}`,
			}, []string{"npm install failed: ", "code 3"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPreparing(t, model.NodeJS, test.files)
			began := time.Now()
			p.refused(t, NotPrepared, test.words...)
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
			t.Logf("it took %v", time.Since(began))
		})
	}
}

func TestAMissingNpmIsNamed(t *testing.T) {
	without(t)
	newPreparing(t, model.NodeJS, map[string]string{"package.json": `{"dependencies":{"left":"*"}}`}).
		refused(t, NoRuntime, "npm is not installed", "; install Node.js with npm")
}

func TestAnErrorOfAManifestHasItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"dependencies\": {,}\n}": "src/package.json:2:20 is not valid: ",
		"{\n  \"dependencies\": 5\n}":   "src/package.json:2:19 is not valid: ",
		"":                              "src/package.json:1:1 is not valid: ",
		"{":                             "src/package.json:1:1 is not valid: ",
	} {
		p := newPreparing(t, model.NodeJS, map[string]string{"index.js": "", "package.json": text})
		p.refused(t, NotPrepared, want, "; correct it")
	}
}

package prepare

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/depth"
)

// TestTheWaysToInstallAreTriedInTheirOrder compares whole commands, in the order in which they are
// tried, for the sandbox and for Lambda.
func TestTheWaysToInstallAreTriedInTheirOrder(t *testing.T) {
	t.Parallel()
	const (
		flags  = " --no-audit --no-fund --no-update-notifier --no-progress --color=false --loglevel=http --fetch-retries=2 --fetch-retry-mintimeout=500 --fetch-retry-maxtimeout=3000"
		exec   = "npm exec --yes --no-update-notifier --fetch-retries=2 --fetch-retry-mintimeout=500 --fetch-retry-maxtimeout=3000 --package="
		lambda = " --os=linux --cpu=x64 --libc=glibc --install-strategy=hoisted"
		noLock = " ! its lock file could not be followed; its packages have the newest versions that package.json allows"
		own    = `{"dependencies":{"left":"*"}}`
		lock   = `{"packages":{"":{"dependencies":{"left":"*"}}}}`
		local  = " --install-links=false"
		other  = `{"packages":{"":{"dependencies":{"left":"1"}}}}`
	)
	lenient := "npm install --legacy-peer-deps: npm install --omit=dev" + flags + " --legacy-peer-deps --no-package-lock"
	plain := "npm install: npm install --omit=dev" + flags
	for _, test := range []struct {
		name        string
		files       map[string]string
		development bool
		want        []string
		lambda      []string
	}{
		{"no lock", map[string]string{"package.json": own}, false, []string{plain, lenient}, []string{plain + lambda}},
		{
			"npm's lock",
			map[string]string{"package.json": own, "package-lock.json": lock},
			false,
			[]string{"npm ci: npm ci --omit=dev" + flags, plain, lenient + noLock},
			[]string{"npm ci: npm ci --omit=dev" + flags + lambda},
		},
		{
			"a lock of another package.json",
			map[string]string{"package.json": own, "package-lock.json": other},
			false,
			[]string{plain, lenient + noLock},
			[]string{"npm ci: npm ci --omit=dev" + flags + lambda},
		},
		{
			"a shrinkwrap before a lock",
			map[string]string{"package.json": own, "npm-shrinkwrap.json": lock, "package-lock.json": other},
			false,
			[]string{"npm ci: npm ci --omit=dev" + flags, plain, lenient + noLock},
			[]string{"npm ci: npm ci --omit=dev" + flags + lambda},
		},
		{
			"a lock and a folder", map[string]string{
				"package.json": `{"dependencies":{"left":"file:left"}}`, "left/package.json": "{}", "package-lock.json": `{"packages":{"":{"dependencies":{"left":"file:left"}}}}`,
			}, false, []string{plain + local, lenient + local + noLock}, []string{plain + lambda + local},
		},
		{
			"development",
			map[string]string{"package.json": own},
			true,
			[]string{strings.ReplaceAll(plain, "--omit=dev", "--include=dev"), strings.ReplaceAll(lenient, "--omit=dev", "--include=dev")},
			nil,
		},
		{
			"pnpm's lock",
			map[string]string{"package.json": own, "pnpm-lock.yaml": "lockfileVersion: '9.0'\n"},
			false,
			[]string{"pnpm install: " + exec + "pnpm@10 -- pnpm install --production --no-frozen-lockfile --ignore-workspace --reporter=append-only --config.node-linker=hoisted", plain + noLock, lenient + noLock},
			[]string{"pnpm install: " + exec + "pnpm@10 -- pnpm install --production --no-frozen-lockfile --ignore-workspace --reporter=append-only --config.node-linker=hoisted"},
		},
		{
			"yarn's lock of version 2",
			map[string]string{"package.json": own, "yarn.lock": "__metadata:\n"},
			false,
			[]string{"yarn install: " + exec + "@yarnpkg/cli-dist@4.9.4 -- yarn workspaces focus --production", plain + noLock, lenient + noLock},
			[]string{"yarn install: " + exec + "@yarnpkg/cli-dist@4.9.4 -- yarn workspaces focus --production"},
		},
		{
			"bun's lock, for development",
			map[string]string{"package.json": own, "bun.lock": "{}"},
			true,
			[]string{
				"bun install: " + exec + "bun@1 -- bun install --production=false --no-progress",
				strings.ReplaceAll(plain, "--omit=dev", "--include=dev") + noLock, strings.ReplaceAll(lenient, "--omit=dev", "--include=dev") + noLock,
			},
			nil,
		},
		{
			"npm's lock and another's",
			map[string]string{"package.json": own, "package-lock.json": lock, "bun.lock": "{}"},
			false,
			[]string{"npm ci: npm ci --omit=dev" + flags, plain, lenient + noLock},
			[]string{"npm ci: npm ci --omit=dev" + flags + lambda},
		},
	} {
		folder := t.TempDir()
		preparetest.WriteFiles(t, folder, test.files)
		wanted, err := readPackages(folder, "", test.development)
		if err != nil {
			t.Fatal(err)
		}
		said := func() (all []string) {
			for _, w := range wanted.ways() {
				text := w.name + ": " + strings.Join(w.command, " ")
				if w.warning != "" {
					text += " ! " + w.warning
				}
				all = append(all, text)
			}
			return all
		}
		if diff := cmp.Diff(test.want, said()); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		wanted.lambda = true
		if runtime.GOOS+runtime.GOARCH != "linuxamd64" || test.lambda == nil {
			continue
		}
		if diff := cmp.Diff(test.lambda, said()); diff != "" {
			t.Errorf("%s, for Lambda: %s", test.name, diff)
		}
	}
}

func TestAWayWithoutScriptsIsToldAndLeavesTheFirstAsItIs(t *testing.T) {
	t.Parallel()
	const warning = "the installation scripts of its packages fail on this machine, and were left out; npm's log says why"
	npm := way{name: "npm ci", command: []string{"npm", "ci"}}
	if got := npm.withoutScripts(); got.name != "npm ci without scripts" || strings.Join(got.command, " ") != "npm ci --ignore-scripts" || got.warning != warning || len(npm.command) != 2 {
		t.Errorf("of npm it is %+v", got)
	}
	yarn := way{name: "yarn install", command: []string{"yarn", "install"}, env: []string{"A=b"}, settings: map[string]string{}}
	if got := yarn.withoutScripts(); strings.Join(got.command, " ") != "yarn install" || strings.Join(got.env, " ") != "A=b YARN_ENABLE_SCRIPTS=false" {
		t.Errorf("of yarn it is %+v", got)
	}
}

func TestWhatPackageManagersSayIsUnderstood(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		output                string
		errors                []string
		final, script, closed bool
	}{
		{"npm error code E404\nnpm error 404 Not Found\nnpm error A complete log of this run can be found in: /x-debug-0.log\n", []string{"code E404", "404 Not Found"}, true, false, false},
		{"npm ERR! code ETARGET\nnpm ERR! notarget No matching version\nnpm ERR!     /home/x-debug-0.log", []string{"code ETARGET", "notarget No matching version"}, true, false, false},
		{"npm http fetch GET 404\nnpm error code ECONNREFUSED\nnpm error syscall connect\nnpm error errno ECONNREFUSED", []string{"code ECONNREFUSED"}, false, false, true},
		{"npm error code 3\nnpm error path /x", []string{"code 3", "path /x"}, false, true, false},
		{"npm error code ELIFECYCLE", []string{"code ELIFECYCLE"}, false, true, false},
		{"npm error code ERESOLVE", []string{"code ERESOLVE"}, false, false, false},
		{"error /x/node_modules/left: Command failed.\nExit code: 1", []string{"/x/node_modules/left: Command failed."}, false, true, false},
		{"➤ YN0009: left couldn't be built successfully (exit code 1)", nil, false, true, false},
		{" ERR_PNPM_FETCH_404  GET http://x: Not Found - 404", []string{"FETCH_404  GET http://x: Not Found - 404"}, false, false, false},
		{"added 3 packages", nil, false, false, false},
		{"", nil, false, false, false},
	} {
		lines := strings.Split(test.output, "\n")
		if diff := cmp.Diff(test.errors, npmErrors(lines)); diff != "" {
			t.Errorf("%q: %s", test.output, diff)
		}
		if got := isFinal(lines, final); got != test.final {
			t.Errorf("%q is final: %v", test.output, got)
		}
		if got := isScript(lines); got != test.script {
			t.Errorf("%q is of a script: %v", test.output, got)
		}
		if got := isFinal(lines, unreachable); got != test.closed {
			t.Errorf("%q is of a missing network: %v", test.output, got)
		}
	}
}

// TestOnAFullDiskItIsSaidWhereToFreeSpace has what npm 10 and pip 24 print on one.
func TestOnAFullDiskItIsSaidWhereToFreeSpace(t *testing.T) {
	t.Parallel()
	p := newPreparing(t, model.NodeJS, nil)
	for _, test := range []struct {
		name   string
		failed error
		full   bool
	}{
		{"npm", p.npmFailed(&p.spec, "npm install", []string{
			"npm error code ENOSPC", "npm error syscall write", "npm error errno -28",
			"npm error nospc ENOSPC: no space left on device, write",
		}, errors.New("exit"), "run it"), true},
		{"pip", p.pipFailed(&p.spec, "src", &pythonList{name: "src/requirements.txt"}, []string{
			"ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
		}, errors.New("exit")), true},
		{"the system", notPrepared("its list cannot be copied: "+reason(&fs.PathError{Err: syscall.ENOSPC}), "make it readable"), true},
		{"a limit of watches", notPrepared("ENOSPC: System limit for number of file watchers reached, watch", "correct it"), false},
	} {
		folder := filepath.Join(t.TempDir(), "packages", "one")
		err := p.filled(folder, func(string) error { return test.failed })
		u, ok := err.(*prepareError)
		if !ok {
			t.Fatalf("%s: it ends with %v", test.name, err)
		}
		told := strings.HasPrefix(u.text, "the disk is full: ") && strings.HasPrefix(u.fix, "free space in "+filepath.Dir(folder))
		if told != test.full || u.passing != test.full || u.kept != test.full {
			t.Errorf("%s: it says %q; %q", test.name, u.text, u.fix)
		}
	}
}

func TestTheCopyOfAPackageJSONHasOnlyWhatConcernsInstalling(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "src")
	preparetest.WriteFiles(t, folder, map[string]string{
		"package.json": "\ufeff" + `{"name":"items","type":"module","scripts":{"install":"x"},"workspaces":["a"],"packageManager":"yarn@1","devEngines":{},"engines":{"node":"1"},
			"dependencies":{"left":"*","shared":"file:../shared","@s/linked":"link:../linked"},"devDependencies":{"shared":"file:../shared","left":"1","x":"workspace:*","y":"*"},"overrides":{"a":"1"}}`,
		".npmrc": "registry=x\n", ".yarnrc.yml": "a: b\n", "package-lock.json": "{}", "index.js": "",
		"../shared/package.json":        `{"name":"shared","version":"1.2.3","dependencies":{"@s/linked":"portal:../linked","right":"1"},"devDependencies":{"z":"1"}}`,
		"../shared/node_modules/x/a.js": "", "../shared/lib/a.js": "a", "../linked/package.json": `{"peerDependencies":{"shared":"file:../shared"}}`,
	})
	wanted, err := readPackages(folder, "", false)
	if err != nil {
		t.Fatal(err)
	}
	place := t.TempDir()
	if err := wanted.copyTo(place); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	err = filepath.WalkDir(place, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		inside, _ := filepath.Rel(place, name)
		got[filepath.ToSlash(inside)] = strings.NewReplacer("\n", "", " ", "").Replace(string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		".npmrc": "registry=x", ".yarnrc.yml": "a:b", "package-lock.json": "{}",
		"local/shared/package.json":    `{"dependencies":{"@s/linked":"file:../@s/linked","right":"1"},"name":"shared","version":"1.2.3"}`,
		"local/@s/linked/package.json": `{"dependencies":{"shared":"file:../../shared"},"name":"@s/linked","version":"0.0.0"}`,
		"package.json":                 `{"dependencies":{"@s/linked":"file:./local/@s/linked","left":"*","shared":"file:./local/shared"},"devDependencies":{"y":"*"},"overrides":{"a":"1"}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"install"}, wanted.ownScripts()); diff != "" {
		t.Error(diff)
	}
}

func TestTheStampOfPackagesIsThatOfAllThatInstallingReads(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "src")
	preparetest.WriteFiles(t, folder, map[string]string{"package.json": `{"dependencies":{"shared":"file:../shared"}}`, "../shared/package.json": `{}`})
	seen := make(map[string]string)
	look := func(what string) {
		t.Helper()
		wanted, err := readPackages(folder, "", false)
		if err != nil {
			t.Fatal(err)
		}
		if before, known := seen[wanted.stamp]; known {
			t.Errorf("%s changes nothing after %s", what, before)
		}
		seen[wanted.stamp] = what
		if packagesStamp(wanted, "22 linux amd64") == packagesStamp(wanted, "24 linux amd64") {
			t.Error("another version of Node.js changes nothing")
		}
	}
	look("nothing")
	for _, name := range []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", ".npmrc", ".yarnrc", ".yarnrc.yml"} {
		preparetest.WriteFiles(t, folder, map[string]string{name: name + "\n"})
		look(name)
	}
	preparetest.WriteFiles(t, folder, map[string]string{"../shared/package.json": `{"dependencies":{"left":"1"}}`})
	look("a package of a folder")
	preparetest.WriteFiles(t, folder, map[string]string{
		"index.js": "", "../shared/a.js": "", "package.json": `{"name":"x","main":"a.js","dependencies":{"shared":"file:../shared"}}`,
		".npmrc": ".npmrc\n//host/:_authToken=secret\n",
	})
	wanted, err := readPackages(folder, "", false)
	if err != nil || seen[wanted.stamp] == "" {
		t.Errorf("a file that installing does not read changes it: %v", err)
	}
}

func TestFoldersOfTheCacheThatNobodyUsedForLongAreRemovedOnce(t *testing.T) {
	t.Parallel()
	p := NewPreparer(t.TempDir(), "", nil, nil)
	age := func(name string, days int) {
		t.Helper()
		folder := filepath.Join(p.cache, name)
		preparetest.WriteFiles(t, folder, map[string]string{"a": ""})
		at := time.Now().Add(-time.Duration(days)*24*time.Hour - time.Hour)
		if err := os.Chtimes(folder, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []string{"packages", "sdk", "python"} {
		age(kind+"/old", 60)
		age(kind+"/recent", 59)
		age(kind+"/new-old", 1)
		age(kind+"/new-recent", 0)
	}
	age("other/old", 70)
	left := func() string {
		found, _ := filepath.Glob(filepath.Join(p.cache, "*", "*"))
		var names []string
		for _, name := range found {
			inside, _ := filepath.Rel(p.cache, name)
			names = append(names, filepath.ToSlash(inside))
		}
		return strings.Join(names, " ")
	}
	p.pruneCache()
	const want = "other/old packages/new-recent packages/recent python/new-recent python/recent sdk/new-recent sdk/recent"
	if got := left(); got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	// A folder that is used stays for as long again.
	if !p.complete(filepath.Join(p.cache, "sdk", "recent")) || p.complete(filepath.Join(p.cache, "sdk", "old")) || p.complete(filepath.Join(p.cache, "sdk", "recent", "a")) {
		t.Error("what is complete is not known")
	}
	if info, err := os.Stat(filepath.Join(p.cache, "sdk", "recent")); err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Errorf("its use is not noted: %v", err)
	}
	age("sdk/old", 70)
	p.pruneCache()
	if got := left(); !strings.Contains(got, "sdk/old") {
		t.Errorf("it is done twice: %s", got)
	}
}

func TestAFolderOfTheCacheHasItsNameOnlyWhenItIsWhole(t *testing.T) {
	t.Parallel()
	p := NewPreparer(t.TempDir(), "", nil, nil)
	folder := filepath.Join(p.cache, "packages", "x")
	failed := errors.New("no")
	for _, want := range []error{failed, nil} {
		err := p.filled(folder, func(unfinished string) error {
			if _, err := os.Stat(folder); err == nil {
				t.Error("it has its name before it is filled")
			}
			if filepath.Dir(unfinished) != filepath.Dir(folder) || !strings.HasPrefix(filepath.Base(unfinished), Unfinished) {
				t.Errorf("it is filled as %s", unfinished)
			}
			preparetest.WriteFiles(t, unfinished, map[string]string{"a": ""})
			return want
		})
		if !errors.Is(err, want) || p.complete(folder) != (want == nil) {
			t.Errorf("%v: %v", want, err)
		}
		entries, err := os.ReadDir(filepath.Dir(folder))
		if err != nil || len(entries) != map[bool]int{true: 1, false: 0}[want == nil] {
			t.Errorf("left are %v, %v", entries, err)
		}
	}
}

func TestOnlyPackagesThatRunInLambdaAreTaken(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("NOT TESTED: the test's program is of another machine than Lambda's")
	}
	place := t.TempDir()
	program, err := os.ReadFile(preparetest.TestProgram())
	if err != nil {
		t.Fatal(err)
	}
	// The machine is a number of two bytes at 18.
	const machine, arm = 18, 0xb7
	other := append([]byte(nil), program...)
	other[machine] = arm
	preparetest.WriteFiles(t, place, map[string]string{
		"node_modules/a/build/Release/a.node": string(program), "node_modules/a/prebuilds/darwin/a.node": "another machine's", "node_modules/a/build/Release/a.o": "x",
	})
	if err := checkNative(place, ""); err != nil {
		t.Errorf("packages of Lambda's machine are refused: %v", err)
	}
	for name, text := range map[string]string{"node_modules/@s/b/build/Release/b.node": string(other), "node_modules/b/node_modules/c/build/Release/c.node": "no program"} {
		folder := t.TempDir()
		preparetest.WriteFiles(t, folder, map[string]string{name: text})
		want, _, _ := strings.Cut(name, "/build")
		if err := checkNative(folder, ""); err == nil || !strings.Contains(err.Error(), "the package in "+want+" was compiled for this machine, and does not run in Lambda") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPackagesOfPythonAreTheSameOnEveryMachine(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	preparetest.WriteFiles(t, folder, map[string]string{
		"left.py": "x", "__pycache__/left.pyc": "x", "pkg/__pycache__/a.pyc": "x", "pkg/direct_url.json": "x",
		"left-1.0.dist-info/direct_url.json": "x", "left-1.0.dist-info/METADATA": "x",
		"left-1.0.dist-info/RECORD": "left.py,a,1\n../../bin/left,b,2\nbin/left,c,3\n__pycache__/left.pyc,,\npkg/__pycache__/a.pyc,,\nleft-1.0.dist-info/direct_url.json,,\n\"a,b.py\",,\nleft-1.0.dist-info/RECORD,,\n",
		"bin/left":                  "#!/usr/bin/python3\n", "bin/data": "x", "pkg/bin/left": "#!/usr/bin/python3\n", "pkg/RECORD": "bin/left,,\n",
	})
	trim := strings.Replace(pipProgram, "sys.exit(main())", "trim(ARGUMENTS[0])", 1)
	python := preparetest.NeedsProgram(t, Interpreters[model.Python][0])
	if out, err := exec.Command(python, "-c", trim, "3.13 x86_64", "", folder).CombinedOutput(); err != nil {
		if strings.Contains(string(out), "No module named 'pip'") {
			depth.Lacks(t, "pip", err)
		}
		t.Fatalf("%v: %s", err, out)
	}
	got := make(map[string]string)
	_ = filepath.WalkDir(folder, func(name string, entry os.DirEntry, _ error) error {
		if !entry.IsDir() {
			text, _ := os.ReadFile(name)
			inside, _ := filepath.Rel(folder, name)
			got[filepath.ToSlash(inside)] = string(text)
		}
		return nil
	})
	want := map[string]string{
		"left.py": "x", "pkg/direct_url.json": "x", "left-1.0.dist-info/METADATA": "x",
		"left-1.0.dist-info/RECORD": "left.py,a,1\n\"a,b.py\",,\nleft-1.0.dist-info/RECORD,,\n",
		"bin/data":                  "x", "pkg/bin/left": "#!/usr/bin/python3\n", "pkg/RECORD": "bin/left,,\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

package npm_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/program"
	"gatewright/test/registry"
)

// shop is where package managers get a release from in a test.
type shop struct {
	t        *testing.T
	packages *registry.Server
	// folder is the one in which commands run, and environment what they get.
	folder      string
	environment []string
}

// stock has the folder with the packages of a release by scope, written once for all tests.
var stock = struct {
	sync.Mutex
	folders map[string]string
}{folders: make(map[string]string)}

// open opens a registry with packages whose program is the test's executable.
func open(t *testing.T, scope string) *shop {
	t.Helper()
	stock.Lock()
	defer stock.Unlock()
	if stock.folders[scope] == "" {
		folder, err := os.MkdirTemp("", "gatewright-npm-")
		if err != nil {
			t.Fatal(err)
		}
		stock.folders[scope] = folder
		pack(t, folder, scope, starter(t))
	}
	s := openFolder(t, stock.folders[scope])
	s.environment = append(s.environment, actsAsProgram+"=1")
	return s
}

// starter returns a small program that starts the test's executable, which takes seconds to pack.
// On Windows it is the executable itself.
func starter(t *testing.T) string {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return executable
	}
	name := filepath.Join(t.TempDir(), "starter")
	if err := os.WriteFile(name, []byte("#!/bin/sh\nexec '"+executable+"' \"$@\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// clearStock removes the packages of open.
func clearStock() {
	for _, folder := range stock.folders {
		_ = os.RemoveAll(folder)
	}
}

// pack writes a release of a program for this platform, and for others a text in its place, under
// the names of files that .goreleaser.yaml gives.
func pack(t *testing.T, dir, scope, program string) {
	t.Helper()
	r, programs := release()
	r.Scope, programs[runtime.GOOS+"_"+runtime.GOARCH] = scope, read(t, program)
	for target, packed := range written(t, r, programs) {
		if err := os.WriteFile(filepath.Join(dir, file(target)), packed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// file is the name of a packed package.
func file(target string) string {
	return strings.TrimSuffix("gatewright-npm_1.2.3_"+target, "_main") + ".tgz"
}

// openFolder opens a registry of the packages in a folder, and an empty project.
func openFolder(t *testing.T, dir string) *shop {
	t.Helper()
	packages, err := registry.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, packages: registry.Start(t, packages...), folder: project(t)}
	home := t.TempDir()
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(strings.ToLower(variable), "npm_") {
			s.environment = append(s.environment, variable)
		}
	}
	s.environment = append(s.environment,
		"HOME="+home, "USERPROFILE="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "XDG_DATA_HOME="+filepath.Join(home, "data"), "XDG_STATE_HOME="+filepath.Join(home, "state"),
		"GATEWRIGHT_STATE="+filepath.Join(home, "gatewright"))
	s.environment = append(s.environment, s.packages.Environment...)
	return s
}

// project returns a new folder with an empty package.json.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name": "a-project", "private": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs a command, which must succeed, and returns what it prints.
func (s *shop) run(name string, args ...string) string {
	s.t.Helper()
	out, err := s.command(name, args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %v: %v %s", name, args, err, out)
	}
	return string(out)
}

func (s *shop) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.folder, s.environment
	return cmd
}

// tells checks that an installed command is the program.
func (s *shop) tells(name string, args ...string) {
	s.t.Helper()
	if out := s.run(name, append(args, "version")...); !strings.Contains(out, "gatewright ") || !strings.Contains(out, runtime.GOOS+"/"+runtime.GOARCH) {
		s.t.Errorf("%s %v version says %q", name, args, out)
	}
}

// delivered checks that only the main package and the one of this platform were fetched since
// the last time.
func (s *shop) delivered() {
	s.t.Helper()
	if got, want := s.fetched(), []string{file("main"), file(runtime.GOOS + "_" + runtime.GOARCH)}; !slices.Equal(got, want) {
		s.t.Errorf("the registry delivered %v, want %v", got, want)
	}
	s.packages.Forget()
}

// fetched returns the names of the packages that were fetched, each once.
func (s *shop) fetched() []string {
	return slices.Compact(slices.Sorted(slices.Values(s.packages.Delivered())))
}

// manager returns a command of a package manager beside npm, or skips the test. .ci/run installs
// those in a folder of their own: most tests are for machines that have npm alone.
func (s *shop) manager(command string) string {
	s.t.Helper()
	if folder := os.Getenv("GATEWRIGHT_PACKAGE_MANAGERS"); folder != "" {
		s.environment = append(s.environment, "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		if found, err := exec.LookPath(filepath.Join(folder, command)); err == nil {
			return found
		}
	}
	depth.Needs(s.t, command)
	return command
}

// inModules is the path of the installed command in a project.
func (s *shop) inModules() string {
	return filepath.Join(s.folder, "node_modules", ".bin", "gatewright")
}

func TestNpmInstallsTheProgramOfThisPlatformAlone(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "npm")
	s := open(t, "")
	s.run("npm", "install", "gatewright")
	s.delivered()
	s.tells(s.inModules())
}

func TestNpmInstallsItInEachWay(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.Needs(t, "npm")
	s := open(t, "")
	s.run("npm", "install", "gatewright")
	s.tells("npx", "gatewright")

	// A build server installs what the lock file says.
	if err := os.RemoveAll(filepath.Join(s.folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	s.run("npm", "ci", "--ignore-scripts")
	s.tells(s.inModules())

	s.run("npm", "install", "--global", "gatewright")
	where := strings.TrimSpace(s.run("npm", "prefix", "--global"))
	if runtime.GOOS == "windows" {
		s.tells(filepath.Join(where, "gatewright.cmd"))
	} else {
		s.tells(filepath.Join(where, "bin", "gatewright"))
	}
}

// TestNpxRunsTheRealProgramInAnEmptyFolder makes a project.
func TestNpxRunsTheRealProgramInAnEmptyFolder(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.Needs(t, "npx")
	dir := t.TempDir()
	pack(t, dir, "", program.Built(t))
	s := openFolder(t, dir)
	s.folder = t.TempDir()
	s.tells("npx", "--yes", "gatewright")
	s.delivered()
	s.run("npx", "--yes", "gatewright", "init", "--name", "shop")
	if out := s.run("npx", "--yes", "gatewright", "validate"); !strings.Contains(out, "valid: 0 errors") {
		t.Errorf("validate says %q", out)
	}
}

// TestTheLaunchersAdviceHelps leaves the program out in each way that happens, and does what
// the launcher says.
func TestTheLaunchersAdviceHelps(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.Needs(t, "npm")
	s := open(t, "")
	refused := func(want string) {
		t.Helper()
		out, err := s.command(s.inModules(), "version").CombinedOutput()
		if exitCode(t, err) != 1 || !strings.Contains(string(out), want) {
			t.Errorf("the launcher says %q and ends with %v, want %q", out, err, want)
		}
	}
	s.run("npm", "install", "--omit=optional", "gatewright")
	refused("npm install --include=optional")
	s.run("npm", "install", "--include=optional")
	s.tells(s.inModules())

	// node_modules comes from another system.
	other := []string{"--os=darwin", "--cpu=arm64"}
	if here() == "darwin-arm64" {
		other = []string{"--os=linux", "--cpu=x64"}
	}
	s.folder = project(t)
	s.run("npm", append([]string{"install", "gatewright"}, other...)...)
	refused("npm ci")
	s.run("npm", "ci")
	s.tells(s.inModules())

	s.folder = t.TempDir()
	omit := s.command("npx", "--yes", "gatewright", "version")
	omit.Env = append(omit.Env, "npm_config_omit=optional")
	out, err := omit.CombinedOutput()
	_, advice, ok := strings.Cut(strings.TrimSpace(string(out)), "run npx ")
	if exitCode(t, err) != 1 || !ok {
		t.Fatalf("npx says %q and ends with %v", out, err)
	}
	s.tells("npx", append([]string{"--yes"}, strings.Fields(advice)...)...)
}

func TestAScopedPackageRuns(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.Needs(t, "npx")
	s := open(t, "@example")
	s.folder = t.TempDir()
	if code := exitCode(t, s.command("npx", "--yes", "@example/gatewright", "exit", "3").Run()); code != 3 {
		t.Errorf("the exit code is %d, want 3", code)
	}
	s.delivered()
}

func TestPnpmInstallsIt(t *testing.T) {
	t.Parallel()
	depth.Whole(t)
	s := open(t, "")
	pnpm := s.manager("pnpm")
	// pnpm 12 does not read npm's variables.
	s.run(pnpm, "add", "--registry", s.packages.URL, "gatewright")
	s.delivered()
	s.tells(pnpm, "exec", "gatewright")
}

func TestYarnInstallsIt(t *testing.T) {
	t.Parallel()
	depth.Whole(t)
	s := open(t, "")
	yarn := s.manager("yarn")
	// An empty lock file makes the folder a project of its own.
	if err := os.WriteFile(filepath.Join(s.folder, "yarn.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(yarn, "add", "gatewright")
	// Yarn 1 fetches the packages of all platforms, and installs one.
	if !strings.HasPrefix(s.run(yarn, "--version"), "1.") {
		s.delivered()
	}
	s.tells(yarn, "gatewright")
}

func TestWhatIsPackedIsWhatNpmPacks(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.Needs(t, "npm")
	r, programs := release()
	packed := written(t, r, programs)
	for _, target := range []string{"main", "windows_arm64"}[:depth.Rounds(1, 2, 2)] {
		s := &shop{t: t, folder: t.TempDir(), environment: append(os.Environ(), "npm_config_cache="+t.TempDir())}
		ours := unpack(t, packed[target])
		lay(t, s.folder, ours)
		name := strings.TrimSpace(s.run("npm", "pack", "--silent", "--offline", "--ignore-scripts"))
		theirs := unpack(t, []byte(read(t, s.folder, name)))
		if got, want := slices.Sorted(maps.Keys(theirs)), slices.Sorted(maps.Keys(ours)); !slices.Equal(got, want) {
			t.Errorf("%s: npm packs %q, and we %q", target, got, want)
		}
	}
}

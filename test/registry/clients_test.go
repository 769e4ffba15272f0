package registry_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/registry"
)

// client runs clients in a folder.
type client struct {
	t   *testing.T
	s   *registry.Server
	dir string
}

func newClient(t *testing.T, programs ...string) *client {
	t.Helper()
	depth.WithoutRace(t)
	depth.Needs(t, programs...)
	return &client{t, registry.Start(t), t.TempDir()}
}

func (c *client) run(command ...string) string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.s.Environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("%q: %v %s", command, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c *client) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

const list = `{"name": "shop", "private": true, "dependencies": {"right": "*", "@shop/scoped": "^1.0.0", "scripted": "1", "system": "1"}, "devDependencies": {"beside": "1"}}`

// installed checks what a client of npm's protocol installed for list.
func (c *client) installed() {
	c.t.Helper()
	const says = "import('@shop/scoped').then(s => console.log(require('right'), s.default, require('scripted'), require('system')))"
	if got := c.run("node", "-e", says); got != "right 3.0.0 with left 1.2.0 scoped 1.1.0 made 1.0.0" {
		c.t.Errorf("it gives %s", got)
	}
}

func TestNpmInstallsFromIt(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	c := newClient(t, "node", "npm")
	c.write("package.json", list)
	c.run("npm", "install", "--foreground-scripts")
	c.installed()
	if got := c.run(filepath.Join(c.dir, "node_modules", ".bin", "right")); got != "right 3.0.0 with left 1.2.0" {
		t.Errorf("the program says %s", got)
	}
	// npm ci checks what the registry said of itself.
	lock, err := os.ReadFile(filepath.Join(c.dir, "package-lock.json"))
	if err != nil || strings.Count(string(lock), `"integrity": "sha512-`) < 5 {
		t.Errorf("the lock is %s %v", lock, err)
	}
	c.run("npm", "ci", "--omit=dev")
	c.installed()
	if _, err := os.Stat(filepath.Join(c.dir, "node_modules", "beside")); !os.IsNotExist(err) {
		t.Errorf("a package of development is there: %v", err)
	}
}

func TestPipInstallsFromIt(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	c := newClient(t, "python3")
	if err := exec.Command("python3", "-m", "pip", "--version").Run(); err != nil {
		depth.Lacks(t, "pip", err)
	}
	c.run("python3", "-m", "pip", "install", "--target", "packages", "Right_Hand")
	if got := c.run("python3", "-c", "import sys; sys.path.insert(0, 'packages'); import right_hand; print(right_hand.version)"); got != "right 3.0 with left 1.2" {
		t.Errorf("it gives %s", got)
	}
}

func TestPipBuildsFromIt(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	c := newClient(t, "python3")
	c.run("python3", "-m", "pip", "install", "--target", "packages", "source")
	if got := c.run("python3", "-c", "import sys; sys.path.insert(0, 'packages'); import source; print(source.version)"); got != "1.0" {
		t.Errorf("it gives %s", got)
	}
	c.run("python3", "-m", "pip", "install", "--target", "lambda", "--only-binary=:all:", "--python-version", "3.13", "--platform", "manylinux2014_x86_64", "machine")
	if _, err := os.Stat(filepath.Join(c.dir, "lambda", "machine", "part.cpython-313-x86_64-linux-gnu.so")); err != nil {
		t.Error(err)
	}
}

// TestYarnAndPnpmInstallFromIt gets both from npm's registry, then installs with them from the
// one on loopback.
func TestYarnAndPnpmInstallFromIt(t *testing.T) {
	registry.Public(t)
	depth.Needs(t, "node", "npm")
	tools := t.TempDir()
	get := exec.CommandContext(t.Context(), "npm", "install", "--prefix", tools, "--no-audit", "--no-fund", "yarn@1.22.22", "pnpm@10")
	if out, err := get.CombinedOutput(); err != nil {
		depth.Lacks(t, "npm's registry", string(out))
	}
	for program, arguments := range map[string][]string{
		"yarn": {"install", "--non-interactive"},
		"pnpm": {"install", "--ignore-workspace", "--dangerously-allow-all-builds"},
	} {
		t.Run(program, func(t *testing.T) {
			c := newClient(t)
			c.write("package.json", list)
			command := append([]string{filepath.Join(tools, "node_modules", ".bin", program)}, arguments...)
			c.run(command...)
			c.installed()
			if err := os.RemoveAll(filepath.Join(c.dir, "node_modules")); err != nil {
				t.Fatal(err)
			}
			c.run(append(command, "--frozen-lockfile")...)
			c.installed()
		})
	}
}

package prepare

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/depth"
)

// TestAFunctionRunsOnTheVersionOfItsRuntime lays programs where version managers keep them. None but
// the one in PATH is started.
func TestAFunctionRunsOnTheVersionOfItsRuntime(t *testing.T) {
	if runtime.GOOS == windows {
		t.Skip("NOT TESTED: the program in PATH is a script of a shell")
	}
	home, cache := t.TempDir(), t.TempDir()
	for _, variable := range []string{
		"NVM_DIR", "NVM_HOME", "FNM_DIR", "VOLTA_HOME", "PYENV_ROOT", "UV_PYTHON_INSTALL_DIR",
	} {
		t.Setenv(variable, "")
	}
	t.Setenv("HOME", home)
	t.Setenv("PATH", filepath.Join(home, "bin"))
	lay := func(name, text string) string {
		at := filepath.Join(home, name)
		if filepath.IsAbs(name) {
			at = name
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return at
	}
	const never = "#!/bin/sh\nexit 1\n"
	usual := lay("bin/node", "#!/bin/sh\necho v20.20.2\n")
	lay(".nvm/versions/node/v22.9.0/bin/node", never)
	newest := lay(".nvm/versions/node/v22.10.0/bin/node", never)
	volta := lay(".volta/tools/image/node/18.20.1/bin/node", never)
	python := lay("bin/python3", "#!/bin/sh\necho Python 3.11.7\n")
	twelve := lay("bin/python3.12", never)
	lay("bin/python3.12-config", never)
	uv := lay(".local/share/uv/python/cpython-3.14.0-linux-x86_64-gnu/bin/python3", never)
	pyenv := lay(".pyenv/versions/3.13.2/bin/python3", never)
	lay(".pyenv/versions/3.15-dev/bin/python3", never)
	fetched := lay(fetchedNode(cache, "24"), never)
	for _, row := range []struct {
		runtime, path, differs string
	}{
		{"nodejs20.x", usual, ""},
		{"nodejs22.x", newest, ""},
		{"nodejs18.x", volta, ""},
		{"nodejs24.x", fetched, ""},
		{"nodejs14.x", volta, "deployed on nodejs14.x but run on Node.js 18.20.1 on this machine"},
		{"nodejs99.x", fetched, "deployed on nodejs99.x but run on Node.js 24 on this machine"},
		{"", usual, ""},
		{"python3.11", python, ""},
		{"python3.12", twelve, ""},
		{"python3.13", pyenv, ""},
		{"python3.14", uv, ""},
		{"python3.9", python, "deployed on python3.9 but run on Python 3.11.7 on this machine"},
	} {
		s := &function.Spec{Runtime: model.Runtime(row.runtime).Language(), RuntimeName: row.runtime}
		if row.runtime == "" {
			s.Runtime = model.NodeJS
		}
		got, ok := FindInterpreter(s, cache)
		if !ok || got.Path != row.path || got.Differs(s) != row.differs {
			t.Errorf("%s runs on %s: %q", row.runtime, got.Path, got.Differs(s))
		}
	}
	// What is gone is not run.
	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	if got, _ := FindInterpreter(&function.Spec{Runtime: model.NodeJS, RuntimeName: "nodejs24.x"}, cache); got.Path != newest {
		t.Errorf("without the cache it is %s", got.Path)
	}
}

// TestNodeIsFetched fetches Node.js with npm, and runs it.
func TestNodeIsFetched(t *testing.T) {
	depth.Whole(t)
	t.Parallel()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("NOT TESTED: npm is not installed")
	}
	cache := t.TempDir()
	for range 2 {
		if err := Fetch(context.Background(), "nodejs18.x", cache); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(fetchedNode(cache, "18"), "-p", "process.version").Output()
	if err != nil || !strings.HasPrefix(string(out), "v18.") {
		t.Errorf("what was fetched says %q: %v", out, err)
	}
	if err := Fetch(context.Background(), "nodejs77.x", cache); err == nil {
		t.Error("a version that does not exist was fetched")
	}
	if left, err := os.ReadDir(filepath.Join(cache, "runtimes", "nodejs")); err != nil || len(left) != 1 {
		t.Errorf("a fetch that failed leaves %v: %v", left, err)
	}
}

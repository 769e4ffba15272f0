package prepare

import (
	"path/filepath"
	"strings"
	"testing"

	"gatewright/sandbox/prepare/preparetest"
)

func TestLocksOfPythonAreReadForTheMachine(t *testing.T) {
	t.Parallel()
	const uv = `version = 1
[[package]]
name = "own"
version = "0.1.0"
source = { virtual = "." }
dependencies = [{ name = "requests", extra = ["socks"] }, { name = "colorama", marker = "sys_platform == 'win32'" }, { name = "forked", version = "2.0", marker = "python_full_version >= '3.10'" }]
[package.dev-dependencies]
dev = [{ name = "pytest" }]
[[package]]
name = "requests"
version = "2.32.3"
source = { registry = "https://pypi.org/simple" }
dependencies = [{ name = "Idna" }, { name = "own" }]
[package.optional-dependencies]
socks = [{ name = "pysocks" }]
[[package]]
name = "idna"
version = "3.7"
[[package]]
name = "pysocks"
version = "1.7.1"
[[package]]
name = "colorama"
version = "1"
[[package]]
name = "pytest"
version = "1"
[[package]]
name = "forked"
version = "1.0"
[[package]]
name = "forked"
version = "2.0"
`
	const poetry = `[[package]]
name = "requests"
version = "2.31.0"
optional = false
[package.dependencies]
idna = ">=2.5,<4"
PySocks = {version = ">=1.5.6", optional = true, markers = "extra == \"socks\""}
tomli = {version = "*", markers = "python_version < \"3.11\""}
[package.extras]
socks = ["PySocks (>=1.5.6)"]
[[package]]
name = "idna"
version = "3.7"
[[package]]
name = "pysocks"
version = "1.7.1"
[[package]]
name = "tomli"
version = "2"
[[package]]
name = "pytest"
version = "8"
`
	const project = `[tool.poetry.dependencies]
python = "^3.9"
requests = {version = "^2.31", extras = ["socks"]}
[tool.poetry.group.dev.dependencies]
pytest = "*"
`
	on313 := machine{"3.13", "linux", "x86_64"}
	for _, test := range []struct {
		name  string
		files map[string]string
		of    machine
		want  string
	}{
		{"uv", map[string]string{"uv.lock": uv, "pyproject.toml": "[project]\ndependencies = [\"requests\"]\n"}, on313, "forked==2.0 idna==3.7 pysocks==1.7.1 requests==2.32.3"},
		{"uv on Windows", map[string]string{"uv.lock": uv}, machine{"3.9", "windows", "x86_64"}, "colorama==1 idna==3.7 pysocks==1.7.1 requests==2.32.3"},
		{"poetry", map[string]string{"poetry.lock": poetry, "pyproject.toml": project}, on313, "idna==3.7 pysocks==1.7.1 requests==2.31.0"},
		{"poetry, Python 3.10", map[string]string{"poetry.lock": poetry, "pyproject.toml": project}, machine{"3.10", "linux", "x86_64"}, "idna==3.7 pysocks==1.7.1 requests==2.31.0 tomli==2"},
		{"ranges of poetry", map[string]string{"pyproject.toml": project + "[tool.poetry.dependencies.old]\nversion = \"~1.2\"\n[tool.poetry.dependencies.zero]\nversion = \"^0.2.3\"\n"}, on313, "old>=1.2,<1.3 requests[socks]>=2.31,<3 zero>=0.2.3,<0.3"},
		{"a project", map[string]string{"pyproject.toml": "[project]\ndependencies = [\"requests[socks]>=2,<3 ; python_version > '3'\"]\n[dependency-groups]\ndev = [\"pytest\"]\n"}, on313, "requests[socks]>=2,<3 ; python_version > '3'"},
		{"nothing", map[string]string{"pyproject.toml": "[tool.black]\nline-length = 100\n"}, on313, ""},
	} {
		folder := t.TempDir()
		for name, text := range test.files {
			preparetest.WriteFiles(t, folder, map[string]string{"src/" + name: text})
		}
		got, _, err := readRequirements(folder, filepath.Join(folder, "src"), test.of)
		if got = strings.ReplaceAll(got, "\n", " "); err != nil || got != test.want {
			t.Errorf("%s: they are %q %v, want %q", test.name, got, err, test.want)
		}
	}
	for text, want := range map[string]string{
		"[[package]]\nname = \"own\"\nsource = { virtual = \".\" }\ndependencies = [{ name = \"x\" }]\n[[package]]\nname = \"x\"\nversion = \"1\"\nsource = { git = \"https://x\" }\n": "the package x of uv.lock is not from an index but git",
		"[[package": "uv.lock is not valid: ",
	} {
		folder := t.TempDir()
		preparetest.WriteFiles(t, folder, map[string]string{"uv.lock": text})
		if _, _, err := readRequirements(folder, folder, on313); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMarkersAreReadAsPipReadsThem(t *testing.T) {
	t.Parallel()
	for marker, want := range map[string]bool{
		"": true, "python_version >= '3.9'": true, `python_version<"3.10"`: false, "python_version == '3.*'": true, "python_version != '3.13'": false,
		"python_version in '3.12 3.13'": true, "python_version not in '3.13'": false, "sys_platform == 'win32' or os_name == 'posix'": true,
		"(sys_platform == 'win32' or os_name == 'nt') and python_version > '3'": false, "extra == 'socks'": false, "'linux' in sys_platform": true,
		"platform_machine == 'aarch64' or (platform_machine == 'x86_64' and implementation_name == 'cpython')": true, "python_full_version >= '3.13.0'": true,
	} {
		if got := (machine{"3.13", "linux", "x86_64"}).holds(marker); got != want {
			t.Errorf("%q: %v", marker, got)
		}
	}
}

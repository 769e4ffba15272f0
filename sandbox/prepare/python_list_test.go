package prepare

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/depth"
)

// readLists runs pipProgram for each case of a JSON text, and prints what it says.
const readLists = `
import sys
sys.path[:] = [folder for folder in sys.path if folder]
import contextlib, io, json, os
from pip._vendor.packaging import markers
program, cases = sys.argv[1:]
of_machine, answers = markers.default_environment, []
for folder, machine, name in json.loads(cases):
    os.chdir(folder)
    markers.default_environment = of_machine
    sys.argv, said = ["-c", machine, name], io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            exec(program, {})
        except SystemExit:
            pass
    answers.append(said.getvalue())
print(json.dumps(answers))
`

// TestListsOfPythonAreReadForTheMachine reads locks and other lists as pip is given them.
func TestListsOfPythonAreReadForTheMachine(t *testing.T) {
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
source = { registry = "https://own.example/simple" }
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
	const on313, on39 = "3.13 x86_64", "3.9 aarch64"
	cases := []struct {
		name  string
		of    string
		files map[string]string
		list  string
		want  string
	}{
		{"uv, from another index too", on313, map[string]string{"uv.lock": uv}, "uv.lock", "--extra-index-url https://own.example/simple forked==2.0 idna==3.7 pysocks==1.7.1 requests==2.32.3"},
		{"uv, Python 3.9", on39, map[string]string{"uv.lock": uv}, "uv.lock", "--extra-index-url https://own.example/simple idna==3.7 pysocks==1.7.1 requests==2.32.3"},
		{"hashes", on313, map[string]string{"uv.lock": "[[package]]\nname = \"own\"\nsource = { editable = \".\" }\ndependencies = [{ name = \"x\" }]\n[[package]]\nname = \"x\"\nversion = \"1\"\nsdist = { hash = \"sha256:b\" }\nwheels = [{ hash = \"sha256:a\" }]\n"}, "uv.lock", "x==1 --hash=sha256:a --hash=sha256:b"},
		{"not from an index", on313, map[string]string{"uv.lock": "[[package]]\nname = \"own\"\nsource = { virtual = \".\" }\ndependencies = [{ name = \"x\" }]\n[[package]]\nname = \"x\"\nversion = \"1\"\nsource = { git = \"https://x\" }\n"}, "uv.lock", "ERROR: uv.lock: the package x is not from an index but git; install it from an index, or put it into src yourself"},
		{"broken", on313, map[string]string{"uv.lock": "[[package"}, "uv.lock", "ERROR: uv.lock: "},
		{"poetry", on313, map[string]string{"poetry.lock": poetry, "pyproject.toml": project}, "poetry.lock", "idna==3.7 pysocks==1.7.1 requests==2.31.0"},
		{"poetry, Python 3.9", on39, map[string]string{"poetry.lock": poetry, "pyproject.toml": project}, "poetry.lock", "idna==3.7 pysocks==1.7.1 requests==2.31.0 tomli==2"},
		{"poetry without a list", on39, map[string]string{"poetry.lock": poetry}, "poetry.lock", "ERROR: poetry.lock: "},
		{
			"ranges of poetry", on313,
			map[string]string{"pyproject.toml": project + "[tool.poetry.dependencies.old]\nversion = \"~1.2\"\n[tool.poetry.dependencies.zero]\nversion = \"^0.2.3\"\n[tool.poetry.dependencies.none]\nversion = \"^0.0\"\noptional = true\n[tool.poetry.dependencies.some]\nversion = \"1.0\"\npython = \">=3.13\"\n"},
			"pyproject.toml",
			"requests[socks]>=2.31,<3 old>=1.2,<1.3 zero>=0.2.3,<0.3 some==1.0 ; python_version >= '3.13'",
		},
		{"a project", on313, map[string]string{"pyproject.toml": "[project]\ndependencies = [\"requests[socks]>=2,<3 ; python_version > '3'\"]\n[dependency-groups]\ndev = [\"pytest\"]\n"}, "pyproject.toml", "requests[socks]>=2,<3 ; python_version > '3'"},
		{"dynamic", on313, map[string]string{"pyproject.toml": "[project]\ndynamic = [\"dependencies\"]\n"}, "pyproject.toml", "ERROR: pyproject.toml: its dependencies are dynamic; list them in src/requirements.txt"},
		{"a Pipfile", on313, map[string]string{"Pipfile": "[dev-packages]\npytest = \"*\"\n[packages]\nsrc = {editable = true, path = \"./src\"}\nleft = \"*\"\nright-hand = \"==1.2\" # why\nother = {extras = [\"x\"], version = \"~=2.0\"}\n"}, "Pipfile", "left right-hand==1.2 other[x]~=2.0"},
		{"its lock", on313, map[string]string{"Pipfile.lock": `{"default": {"left": {"version": "==1.0", "markers": "python_version >= '3.8'", "hashes": ["sha256:a"]}, "old": {"version": "==1.0", "markers": "python_version < '3.8'"}, "src": {"editable": true, "path": "./src"}}, "develop": {"x": {"version": "==1"}}}`}, "Pipfile.lock", "left==1.0 --hash=sha256:a"},
	}
	given := make([][3]string, 0, len(cases))
	for _, c := range cases {
		folder := t.TempDir()
		preparetest.WriteFiles(t, folder, c.files)
		given = append(given, [3]string{folder, c.of, c.list})
	}
	text, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(preparetest.NeedsProgram(t, Interpreters[model.Python][0]), "-c", readLists, pipProgram, string(text)).CombinedOutput()
	if strings.Contains(string(out), "No module named 'pip'") {
		depth.Lacks(t, "pip", err)
	}
	var answers []string
	if json.Unmarshal(out, &answers) != nil || len(answers) != len(cases) {
		t.Fatalf("%v: %s", err, out)
	}
	for i, c := range cases {
		got := strings.TrimSpace(strings.ReplaceAll(answers[i], "\n", " "))
		if got != c.want && !(strings.HasSuffix(c.want, ": ") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: they are %q, want %q", c.name, got, c.want)
		}
	}
}

// TestAListOfPythonIsReadAgainWithWhatItNames holds the fingerprint of a list against changes.
func TestAListOfPythonIsReadAgainWithWhatItNames(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	stamp := func(files map[string]string) (name, stamp string) {
		preparetest.WriteFiles(t, folder, files)
		list, err := readPythonList(folder, folder+"/src")
		if err != nil {
			t.Fatal(err)
		}
		if list == nil {
			return "", ""
		}
		return list.name, list.stampFor("")
	}
	if name, _ := stamp(map[string]string{
		"Pipfile": "[packages]\nsrc = {editable = true, path = \"./src\"}\n", "src/pyproject.toml": "[tool.black]\nline-length = 100\n", "src/requirements.txt": " # none\n",
		"uv.lock": "[[package]]\nname = \"own\"\nsource = { virtual = \".\" }\n",
	}); name != "" {
		t.Errorf("%s has packages", name)
	}
	known := map[string]bool{}
	for i, step := range []struct {
		files map[string]string
		name  string
		same  bool
	}{
		{map[string]string{"Pipfile": "[packages]\nleft = \"*\"\n"}, "Pipfile", false},
		{map[string]string{"src/pyproject.toml": "[tool.poetry.dependencies]\npython = \"^3.9\"\nleft = \"*\"\n"}, "pyproject.toml", false},
		{map[string]string{"src/poetry.lock": "[[package]]\nname = \"left\"\n"}, "poetry.lock", false},
		{map[string]string{"src/pyproject.toml": "[tool.poetry.dependencies]\nleft = \"^1\"\n"}, "poetry.lock", false},
		{map[string]string{"src/requirements.txt": "-r more/base.in\n./own # other\n", "src/more/base.in": "-c limits.txt\nleft\n", "src/more/limits.txt": "left<2\n", "src/own/a.py": ""}, "src/requirements.txt", false},
		{map[string]string{"src/more/limits.txt": "left<3\n"}, "src/requirements.txt", false},
		{map[string]string{"src/own/a.py": "1"}, "src/requirements.txt", false},
		{map[string]string{"src/other": "1", "src/index.py": "1"}, "src/requirements.txt", true},
	} {
		name, its := stamp(step.files)
		if name != step.name || known[its] != step.same {
			t.Errorf("step %d: %s, which was there before: %v", i, name, known[its])
		}
		known[its] = true
	}
}

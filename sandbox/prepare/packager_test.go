package prepare

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

// packed is what a Packager's step failed with, in one line.
func packed(t *testing.T, err error) string {
	t.Helper()
	var e *function.Error
	if !errors.As(err, &e) || e.Function != "items" || e.Fix == "" {
		t.Fatalf("the error is %#v", err)
	}
	return string(e.Kind) + ": " + e.Text + "; " + e.Fix
}

func TestPackagesOfNodeAreThoseOfLambda(t *testing.T) {
	t.Parallel()
	if !preparetest.StandsIn {
		t.Skip("the stand-in for npm tells how it was run")
	}
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}, "broken": {"1.0.0"}})
	cache := t.TempDir()
	var events []string
	k := NewPackager(cache, func(e function.Event) { events = append(events, e.Kind+" "+e.Function) })
	stamps := make(map[string]bool)
	for manifest, has := range map[string]bool{
		"": false, `{"type":"module"}`: false, `{"devDependencies":{"left":"*"}}`: false, `{"dependencies":{"left":"*"}}`: true,
		`{"optionalDependencies":{"left":"*"}}`: true,
	} {
		folder := t.TempDir()
		if manifest != "" {
			preparetest.WriteFiles(t, folder, map[string]string{"package.json": manifest})
		}
		p, err := k.Node("items", folder, "")
		if err != nil || (p.Stamp != "") != has {
			t.Errorf("%q: the stamp is %q, %v", manifest, p.Stamp, err)
		}
		stamps[p.Stamp] = true
	}
	if len(stamps) != 3 {
		t.Errorf("the stamps are %v", stamps)
	}
	folder := t.TempDir()
	preparetest.WriteFiles(t, folder, map[string]string{".npmrc": r.Npmrc(), "package.json": `{"dependencies":{"left":"*"}}`})
	var first string
	told := 0
	for n := range 2 {
		p, err := k.Node("items", folder, "")
		if err != nil {
			t.Fatal(err)
		}
		place, err := p.Install(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			first, told = place, len(events)
		}
		if version, ok := findPackage(place, "left"); version != "1.0.0" || !ok || place != first || !strings.HasPrefix(place, filepath.Join(cache, "packages")) {
			t.Errorf("%s has left %q", place, version)
		}
		if told == 0 || len(events) != told || slices.ContainsFunc(events, func(e string) bool { return e != "install items" }) {
			t.Errorf("the events are %q", events)
		}
	}
	var ran struct{ Arguments []string }
	text, err := os.ReadFile(filepath.Join(first, preparetest.NpmRan))
	if err == nil {
		err = json.Unmarshal(text, &ran)
	}
	if got := strings.Join(ran.Arguments, " "); err != nil || !strings.HasPrefix(got, "install --omit=dev ") || !strings.HasSuffix(got, strings.Join(lambdaNode(""), " ")) {
		t.Errorf("npm ran as %q, %v", got, err)
	}
	// A script that fails is left out here, but not in the cloud.
	preparetest.WriteFiles(t, folder, map[string]string{"package.json": `{"dependencies":{"broken":"*"}}`})
	p, err := k.Node("items", folder, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Install(t.Context())
	if got := packed(t, err); !strings.HasPrefix(got, string(function.NotPrepared)+": npm install failed: code 3; ") {
		t.Errorf("the error is %s", got)
	}
	preparetest.WriteFiles(t, folder, map[string]string{"package.json": "{"})
	_, err = k.Node("items", folder, "")
	if got := packed(t, err); !strings.Contains(got, "/package.json:1:1 is not valid: unexpected end of JSON input; correct it") {
		t.Errorf("the error is %s", got)
	}
}

func TestPackagesOfPythonAreThoseOfLambda(t *testing.T) {
	needsPip(t)
	cache, folder := t.TempDir(), t.TempDir()
	k := NewPackager(cache, func(function.Event) {})
	source := filepath.Join(folder, "src")
	preparetest.WriteFiles(t, folder, map[string]string{"src/index.py": "import boto3\n"})
	if p, err := k.Python("items", source); err != nil || p.Stamp != "" {
		t.Errorf("what Lambda has is installed: %q, %v", p.Stamp, err)
	}
	// The Pipfile is beside the source, and of a source of another name in it.
	preparetest.WriteFiles(t, folder, map[string]string{"Pipfile": "[packages]\nleft = \"*\"\n"})
	beside, err := k.Python("items", source)
	if err != nil || beside.Stamp == "" {
		t.Errorf("the Pipfile is not read: %v", err)
	}
	if p, err := k.Python("items", folder); err != nil || p.Stamp == "" {
		t.Errorf("the Pipfile of a layer is not read: %v", err)
	}
	preparetest.WriteFiles(t, folder, map[string]string{
		"src/requirements.txt":                 "--no-index\n--find-links wheels\nleft==1.0\n",
		"src/wheels/left-1.0-py3-none-any.whl": wheel(t, "left", "1.0"),
	})
	p, err := k.Python("items", source)
	if err != nil || p.Stamp == beside.Stamp {
		t.Fatalf("the stamp is %q as well, %v", p.Stamp, err)
	}
	place, err := p.Install(t.Context())
	if err != nil || filepath.Dir(place) != filepath.Join(cache, "python") {
		t.Fatalf("%s, %v", place, err)
	}
	if text, err := os.ReadFile(filepath.Join(place, "left.py")); err != nil || string(text) != "version = '1.0'\n" {
		t.Errorf("left is %q, %v", text, err)
	}
	if ran, err := os.ReadFile(filepath.Join(place, preparetest.PipRan)); preparetest.StandsIn && (err != nil || !strings.Contains(string(ran), " "+strings.Join(machine{"3.13", "x86_64"}.inLambda(), " ")+" --requirement")) {
		t.Errorf("pip ran as %q, %v", ran, err)
	}
	preparetest.WriteFiles(t, source, map[string]string{"requirements.txt": "--no-index\nnothing\n"})
	p, err = k.Python("items", source)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Install(t.Context())
	if got := packed(t, err); !strings.Contains(got, "No matching distribution found for nothing") ||
		!strings.HasSuffix(got, "; correct src/requirements.txt, or try pip install -r requirements.txt in "+source) {
		t.Errorf("the error is %s", got)
	}
	preparetest.WriteFiles(t, source, map[string]string{"requirements.txt": "--no-index\nother\n"})
	if p, err = k.Python("items", source); err != nil {
		t.Fatal(err)
	}
	preparetest.Without(t)
	_, err = p.Install(t.Context())
	want := string(function.NoRuntime) + ": its packages cannot be installed, because Python with pip is not installed; install Python 3 with pip, or add it to PATH as " +
		Interpreters[model.Python][0]
	if got := packed(t, err); got != want {
		t.Errorf("the error is %s", got)
	}
	if _, _, err := k.GoStamp(t.Context(), "items", source); packed(t, err) != string(function.NoRuntime)+": Go is not installed, so the program cannot be built; install Go, or add it to PATH" {
		t.Errorf("without Go: %v", err)
	}
}

func TestTheStampOfAProgramIsThatOfHowItIsBuilt(t *testing.T) {
	preparetest.NeedsProgram(t, "go")
	k := NewPackager(t.TempDir(), func(function.Event) {})
	plain, outside := t.TempDir(), t.TempDir()
	preparetest.WriteFiles(t, plain, map[string]string{"go.mod": "module items\n"})
	preparetest.WriteFiles(t, outside, map[string]string{"go.mod": "module items\n\nreplace shared => ../shared\n"})
	stamps := make([]string, 0, 4)
	for _, row := range []struct {
		source, flags string
		whole         bool
	}{{plain, "", true}, {outside, "", false}, {plain, "-race", true}, {plain, "-tags=x", true}} {
		t.Setenv("GOFLAGS", row.flags)
		stamp, whole, err := k.GoStamp(t.Context(), "items", row.source)
		if err != nil || whole != row.whole {
			t.Errorf("%+v: whole is %v, %v", row, whole, err)
		}
		stamps = append(stamps, stamp)
	}
	if stamps[0] != stamps[1] || stamps[0] != stamps[2] || stamps[0] == stamps[3] {
		t.Errorf("the stamps are %q", stamps)
	}
}

// TestPackagesAreForTheRuntimeAndTheProcessor names the machines of Lambda: Python up to 3.11 has a
// libc for which newer wheels are not made.
func TestPackagesAreForTheRuntimeAndTheProcessor(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		runtime      model.Runtime
		architecture model.Architecture
		want         string
	}{
		{"", "", "--python-version 3.13 --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 --platform manylinux_2_34_x86_64 --cpu=x64 GOARCH=amd64"},
		{"python3.11", model.X86, "--python-version 3.11 --platform manylinux2014_x86_64 --cpu=x64 GOARCH=amd64"},
		{"python3.12", model.ARM, "--python-version 3.12 --platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64 --platform manylinux_2_34_aarch64 --cpu=arm64 GOARCH=arm64"},
	} {
		s := (&Packager{}).For(row.runtime, row.architecture).spec("f")
		s.Runtime = model.Python
		got := strings.Join([]string{strings.Join(lambdaMachine(s).inLambda()[4:], " "), lambdaNode(row.architecture)[1], lambdaGoEnv(row.architecture)[1]}, " ")
		if got != row.want {
			t.Errorf("%s on %s:\n%s\nwant\n%s", row.runtime, row.architecture, got, row.want)
		}
	}
}

package prepare

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/depth"
)

// wheel writes a Python package with one module that has its version.
func wheel(t *testing.T, name, version string) string {
	t.Helper()
	info := name + "-" + version + ".dist-info/"
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	for file, text := range map[string]string{
		name + ".py":      "version = '" + version + "'\n",
		info + "METADATA": "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n",
		info + "WHEEL":    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		info + "RECORD":   name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n",
	} {
		w, err := archive.Create(file)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return data.String()
}

// needsPip skips the test without pip, or has the test's program stand for it.
func needsPip(t *testing.T) {
	t.Helper()
	if preparetest.StandsIn {
		folder := t.TempDir()
		if err := os.Symlink(preparetest.TestProgram(), filepath.Join(folder, "python3")); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", folder)
		return
	}
	if err := exec.Command(preparetest.NeedsProgram(t, Interpreters[model.Python][0]), "-m", "pip", "--version").Run(); err != nil {
		depth.Lacks(t, "pip", err)
	}
}

// module returns the text of a module that pip installed.
func (r Prepared) module(t *testing.T, name string) string {
	t.Helper()
	for _, pair := range r.Env {
		if folders, ok := strings.CutPrefix(pair, "PYTHONPATH="); ok {
			// The AWS SDK of this machine, if it has one, comes after what is installed.
			folder := filepath.SplitList(folders)[0]
			text, err := os.ReadFile(filepath.Join(folder, name+".py"))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
	}
	t.Fatalf("no packages are installed: %q", r.Env)
	return ""
}

func TestRequirementsAreInstalledBesideTheSource(t *testing.T) {
	needsPip(t)
	p := newPreparing(t, model.Python, map[string]string{
		"requirements.txt":                  "# comment\n--no-index\n--find-links wheels\nleft==1.0\n",
		"wheels/left-1.0-py3-none-any.whl":  wheel(t, "left", "1.0"),
		"wheels/right-2.0-py3-none-any.whl": wheel(t, "right", "2.0"),
	})
	first := p.ready(t)
	if got := first.module(t, "left"); got != "version = '1.0'\n" {
		t.Errorf("left is %s", got)
	}
	if texts := p.eventTexts(function.EventInstall); len(texts) < 2 {
		t.Errorf("the events are %q", texts)
	}
	if again := p.ready(t); again.Stamp != first.Stamp || !slices.Equal(again.Env, first.Env) || len(p.eventTexts(function.EventInstall)) != 0 {
		t.Errorf("it is installed again: %+v", again)
	}
	p.write(t, map[string]string{"requirements.txt": "-r more.txt\n", "more.txt": "--no-index\n--find-links wheels\nright\n"})
	second := p.ready(t)
	if got := second.module(t, "right"); got != "version = '2.0'\n" || second.Stamp == first.Stamp {
		t.Errorf("right is %s", got)
	}
	p.write(t, map[string]string{"more.txt": "--no-index\nnothing\n"})
	p.refused(t, function.NotPrepared, "pip install failed: ", "No matching distribution found for nothing", "; correct src/requirements.txt")
	if logged := p.logged(); !strings.Contains(logged, "ERROR pip install: No matching distribution found for nothing") {
		t.Errorf("the log has %s", logged)
	}
	if left, err := filepath.Glob(filepath.Join(p.state, "python", "*.new")); err != nil || len(left) != 0 {
		t.Errorf("%v: %q is left", err, left)
	}
	source, err := os.ReadDir(second.Dir)
	if err != nil || len(source) != 3 {
		t.Errorf("%v: the source has %v", err, source)
	}
}

func TestPythonWithoutRequirementsOrPip(t *testing.T) {
	preparetest.Without(t)
	for name, text := range map[string]string{"none": "", "comments": "\n# nothing\n  \n"} {
		p := newPreparing(t, model.Python, map[string]string{"index.py": "", "requirements.txt": text})
		if ready := p.ready(t); len(ready.Env) != 0 || len(p.eventTexts(function.EventWarning)) != 0 {
			t.Errorf("%s: it gives %+v", name, ready)
		}
	}
	p := newPreparing(t, model.Python, map[string]string{"requirements.txt": "left\n"})
	for range 3 {
		if ready := p.ready(t); len(ready.Env) != 0 {
			t.Errorf("it gives %+v", ready)
		}
	}
	if texts := p.eventTexts(function.EventWarning); len(texts) != 1 || !strings.HasPrefix(texts[0], "the packages of src/requirements.txt are missing, because pip is not installed; ") {
		t.Errorf("the events are %q", texts)
	}
}

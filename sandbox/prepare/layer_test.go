package prepare

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

func TestLaterLayersWin(t *testing.T) {
	first := preparetest.Layered(t, map[string]string{
		"nodejs/node_modules/left/index.js": "module.exports = 'first'", "nodejs/node_modules/right/index.js": "module.exports = 'only'",
		"python/left.py": "name = 'first'\n", "python/right.py": "name = 'only'\n", "bin/x": "", "lib/x.so": "",
	})
	second := preparetest.Layered(t, map[string]string{
		"nodejs/node_modules/left/index.js": "module.exports = 'second'", "python/left.py": "name = 'second'\n",
		"python/lib/python3.11/site-packages/site.txt": "", "bin/y": "",
	})
	t.Setenv("LD_LIBRARY_PATH", "")
	for _, test := range []struct {
		runtime model.Runtime
		command []string
	}{
		{model.NodeJS, []string{"node", "-e", "console.log(require('left'), require('right'))"}},
		{model.Python, []string{Interpreters[model.Python][0], "-c", "import left, right; print(left.name, right.name)"}},
	} {
		preparetest.NeedsProgram(t, test.command[0])
		p := newPreparing(t, test.runtime, map[string]string{"index.js": "", "index.py": ""})
		p.spec.Layers = []string{first, second}
		ready := p.ready(t)
		if got := ready.run(t, test.command...); got != "second only" {
			t.Errorf("%s: the layers give %s", test.runtime, got)
		}
		list := string(os.PathListSeparator)
		for _, want := range []string{
			"PATH=" + os.Getenv("PATH") + list + filepath.Join(ready.Opt, "bin"),
			"LD_LIBRARY_PATH=" + filepath.Join(ready.Opt, "lib"),
		} {
			if !slices.Contains(ready.Env, want) {
				t.Errorf("%s: %q lacks %s", test.runtime, ready.Env, want)
			}
		}
		if texts := p.eventTexts(function.EventWarning); len(texts) != 0 {
			t.Errorf("%s: the events are %q", test.runtime, texts)
		}
	}
}

func TestPackagesOfALayerAreInstalled(t *testing.T) {
	t.Parallel()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}})
	p := newPreparing(t, model.NodeJS, map[string]string{"index.js": ""})
	p.spec.Layers = []string{preparetest.Layered(t, map[string]string{"nodejs/.npmrc": r.Npmrc(), "nodejs/package.json": `{"dependencies":{"left":"*"}}`})}
	if got := p.ready(t).packages(t, "left"); got != "1.0.0" {
		t.Errorf("left is %s", got)
	}
}

func TestALayerOfTheCloudIsNamedOnceAndAMissingOneRefusesTheFunction(t *testing.T) {
	t.Parallel()
	p := newPreparing(t, model.NodeJS, map[string]string{"index.js": ""})
	const arn = "arn:aws:lambda:eu-west-1:123456789012:layer:shared:3"
	missing := filepath.Join(t.TempDir(), "missing\x1b")
	p.spec.Project, p.spec.Layers = filepath.Dir(missing), []string{arn, missing}
	for range 3 {
		p.refused(t, function.NotPrepared, `its layer "missing\x1b" is not a folder (/layers/1 of its function.json)`, "make that folder")
	}
	if err := os.Mkdir(missing, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		p.ready(t)
	}
	want := []string{"the layer " + arn + " is in the cloud; the function runs here without its content"}
	if texts := p.eventTexts(function.EventWarning); !slices.Equal(texts, want) {
		t.Errorf("the events are %q", texts)
	}
	if logged := p.logged(); strings.Count(logged, arn) != 1 {
		t.Errorf("the log has %s", logged)
	}
}

func TestAnESModuleWithALayerIsWarned(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, handler string
		files         map[string]string
		warned        bool
	}{
		{"CommonJS", "", map[string]string{"index.js": ""}, false},
		{"by its ending", "", map[string]string{"index.mjs": ""}, true},
		{"by package.json", "", map[string]string{"index.js": "", "package.json": `{"type":"module"}`}, true},
		{"CommonJS in a package of modules", "", map[string]string{"index.cjs": "", "package.json": `{"type":"module"}`}, false},
		{"in a folder", "lib/app.v2.handler", map[string]string{"lib/app.mjs": "", "index.js": ""}, true},
		{"js before mjs", "", map[string]string{"index.mjs": "", "index.js": ""}, false},
		{"no file", "", nil, false},
	}
	for _, test := range tests {
		p := newPreparing(t, model.NodeJS, test.files)
		if err := os.MkdirAll(filepath.Join(p.spec.Folder, "src"), 0o700); err != nil {
			t.Fatal(err)
		}
		p.spec.Handler = test.handler
		p.spec.Layers = []string{preparetest.Layered(t, map[string]string{"nodejs/node_modules/left/index.js": ""})}
		p.ready(t)
		if texts := p.eventTexts(function.EventWarning); (len(texts) == 1) != test.warned {
			t.Errorf("%s: the events are %q", test.name, texts)
		}
	}
}

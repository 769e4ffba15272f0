package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/depth"
)

// TestModulesAreFoundOutsideOfTheSource runs functions whose packages are in the cache, in
// layers and in the runtime, by require and by import, and checks that nothing is
// written beside their source.
func TestModulesAreFoundOutsideOfTheSource(t *testing.T) {
	depth.WithoutRace(t)
	needs(t, model.NodeJS)
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0", "2.0.0"}, "right": {"3.0.0"}, "aws-sdk": {"2.1693.0"}, "@aws-sdk/client-ssm": {"3.5.0"}, "@aws-sdk/client-hidden": {"3.6.0"}})
	t.Setenv("npm_config_registry", r.URL)
	const manifest = `{"dependencies":{"left":"^1.0.0"}}`
	tests := []struct {
		name, runtime string
		files, layer  map[string]string
		want          string
	}{
		{
			name:  "require",
			files: map[string]string{"package.json": manifest, "lib/a.js": "module.exports = require('left')", "index.js": "const a = require('./lib/a'); exports.handler = async () => a"},
			want:  `"1.0.0"`,
		},
		{
			name:  "import",
			files: map[string]string{"package.json": `{"type":"module","dependencies":{"left":"^1.0.0"}}`, "lib/a.js": "import left from 'left'; export default left", "index.js": "import a from './lib/a.js'; export const handler = async () => a"},
			want:  `"1.0.0"`,
		},
		{
			name:  "import from CommonJS",
			files: map[string]string{"package.json": manifest, "index.js": "exports.handler = async () => (await import('left')).default"},
			want:  `"1.0.0"`,
		},
		{
			name:  "the owner's own stale packages do not count",
			files: map[string]string{"package.json": manifest, "node_modules/left/package.json": `{"version":"0.1.0"}`, "node_modules/left/index.js": "module.exports = 'stale'", "index.js": "exports.handler = async () => require('left')"},
			want:  `"1.0.0"`,
		},
		{
			name: "the SDK of an old runtime", runtime: "nodejs14.x",
			files: map[string]string{"package.json": `{"devDependencies":{"aws-sdk":"^2.1.0"}}`, "index.js": "exports.handler = async () => require('aws-sdk')"},
			want:  `"2.1693.0"`,
		},
		{
			name: "the SDK of a new runtime", runtime: "nodejs18.x",
			files: map[string]string{"index.mjs": "import ssm from '@aws-sdk/client-ssm'; export const handler = async () => ssm"},
			want:  `"3.5.0"`,
		},
		{
			name:  "a package of the SDK that the source does not name in one piece",
			files: map[string]string{"index.js": "const x = require('@aws-sdk/' + 'client-hidden'); exports.handler = async () => x"},
			want:  `"3.6.0"`,
		},
		{
			name:  "the function's own version of the SDK",
			files: map[string]string{"package.json": `{"dependencies":{"@aws-sdk/client-ssm":"3.5.0"}}`, "index.js": "exports.handler = async () => require.resolve('@aws-sdk/client-ssm').includes('packages')"},
			want:  "true",
		},
		{
			name:  "layers below /opt",
			files: map[string]string{"index.js": "const a = require('/opt/shared'), b = require('/opt/nodejs/b.js'), c = require('right'); exports.handler = async () => [a, b, c]"},
			layer: map[string]string{"shared.js": "module.exports = 'opt'", "nodejs/b.js": "module.exports = require('right') + ' in a layer'", "nodejs/package.json": `{"dependencies":{"right":"*"}}`},
			want:  `["opt","3.0.0 in a layer","3.0.0"]`,
		},
		{
			name:  "modules below /opt",
			files: map[string]string{"index.mjs": "import a from '/opt/shared.mjs'; export const handler = async () => a"},
			layer: map[string]string{"shared.mjs": "export default 'opt'"},
			want:  `"opt"`,
		},
	}
	cache := t.TempDir()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			switch test.name {
			case "import", "a package of the SDK that the source does not name in one piece", "layers below /opt", "modules below /opt":
			default:
				// What is installed for a source is tested in package prepare, too.
				depth.Gate(t)
			}
			f := newFacility(t, func(o *Options) { o.Cache = cache })
			spec := f.serve(t, model.NodeJS, test.files, func(s *function.Spec) {
				s.RuntimeName = test.runtime
				if test.layer != nil {
					s.Layers = []string{preparetest.Layered(t, test.layer)}
				}
			})
			if got := f.result(t, "{}"); got != test.want {
				t.Errorf("it gives %s, want %s", got, test.want)
			}
			count := 0
			folders := append([]string{spec.Folder}, spec.Layers...)
			for _, folder := range folders {
				_ = filepath.WalkDir(folder, func(_ string, entry os.DirEntry, _ error) error {
					if !entry.IsDir() {
						count++
					}
					return nil
				})
			}
			if want := len(test.files) + len(test.layer); count != want {
				t.Errorf("its folders have %d files, of which %d are its owner's", count, want)
			}
		})
	}
}

func TestAMissingSDKOfANewRuntimeIsExplained(t *testing.T) {
	preparetest.NewRegistry(t, nil)
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": "require('aws-sdk')"}, func(s *function.Spec) { s.RuntimeName = "nodejs18.x" })
	e := f.refused(t, "{}", function.NotStarted)
	if !strings.Contains(e.Error(), "the runtime nodejs18.x has version 3 of the AWS SDK only; add aws-sdk to src/package.json") {
		t.Errorf("the error is %s", e)
	}
}

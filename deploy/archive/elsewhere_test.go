package archive

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/render/handler"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
	"gatewright/sandbox/worker"
	"gatewright/test/depth"
	"gatewright/test/registry"
)

// elsewhere are programs that call the handler of an unpacked archive and print its result. They have
// nothing of the sandbox's own.
var elsewhere = map[model.Runtime][]string{
	model.NodeJS: {"-e", `
const [dir, handler, event] = process.argv.slice(1);
const [file, name] = handler.split(".");
const at = [".js", ".mjs", ".cjs"].map((ending) => require("path").join(dir, file + ending)).find((at) => require("fs").existsSync(at));
import(require("url").pathToFileURL(at)).then((m) => (m[name] ?? m.default[name])(JSON.parse(event), {})).then((result) =>
  process.stdout.write(JSON.stringify(result), () => process.exit(0)));`},
	model.Python: {"-I", "-S", "-c", `
import importlib, json, sys
folder, handler, event = sys.argv[1:]
sys.path.insert(0, folder)
file, name = handler.rsplit(".", 1)
print(json.dumps(getattr(importlib.import_module(file), name)(json.loads(event), None)))`},
}

// TestAnArtifactAnswersElsewhereAsHere packs functions as a push does, unpacks them into an empty folder, and
// compares what they answer there with what they answer in the sandbox.
func TestAnArtifactAnswersElsewhereAsHere(t *testing.T) {
	depth.Gate(t)
	depth.WithoutRace(t)
	depth.Needs(t, "node", "npm", "python3")
	cloud := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"Items":[{"id":{"S":"1"}}],"Item":{"id":{"S":"1"}},"Count":1}`))
	}))
	defer cloud.Close()
	table := &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
	variables := map[string]string{
		"TABLE_NAME": "items", "TABLE_REGION": "eu-west-1", "AWS_REGION": "eu-west-1", "AWS_ENDPOINT_URL": cloud.URL,
		"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_ENDPOINT_URL_DYNAMODB": cloud.URL,
	}
	list := func(dependencies string) string { return `{"name":"f","dependencies":` + dependencies + `}` }
	for name, row := range map[string]struct {
		runtime  model.Runtime
		template model.Template
		// public means that the packages are those of public registries.
		public bool
		// files are written over the template's, from the project's folder.
		files map[string]string
		layer string
	}{
		"plain":              {runtime: model.NodeJS, template: model.Plain},
		"plain TypeScript":   {runtime: model.NodeJS, template: model.PlainTypeScript},
		"plain Python":       {runtime: model.Python, template: model.Plain},
		"express":            {runtime: model.NodeJS, template: model.Express, public: true},
		"express TypeScript": {runtime: model.NodeJS, template: model.ExpressTypeScript, public: true},
		"crud":               {runtime: model.NodeJS, template: model.CRUD, public: true},
		"workspace": {runtime: model.NodeJS, template: model.Plain, files: map[string]string{
			"package.json":              `{"workspaces":["packages/*"]}`,
			"packages/odd/package.json": `{"name":"@s/odd","version":"1.0.0","dependencies":{"right":"3.0.0","inner":"*"}}`, "packages/odd/index.js": `exports.all = [require("right"), require("inner"), require("fs").readFileSync(__dirname + "/ünï.txt", "utf8")]`,
			"packages/odd/ünï.txt": "ünï", "packages/odd/.npmrc": "//npm.example.com/:_authToken=kept-secret",
			"packages/inner/package.json": `{"name":"inner","type":"module","exports":{".":{"require":"./a.cjs","import":"./a.mjs"}}}`, "packages/inner/a.cjs": `module.exports = "inner"`, "packages/inner/a.mjs": `export default "inner, imported"`,
			"node_modules/rooted/package.json": `{"name":"rooted"}`, "node_modules/rooted/index.js": "",
			"backend/function/f/src/package.json": list(`{"@s/odd":"workspace:^","inner":"file:../../../../packages/inner"}`),
			"backend/function/f/src/child.js":     `let found; try { found = require.resolve("rooted") } catch (err) { found = err.code } const { parentPort } = require("worker_threads"); parentPort ? parentPort.postMessage(found) : console.log(found)`,
			"backend/function/f/src/index.js": `const { all } = require("@s/odd");
const thread = () => new Promise((done) => new (require("worker_threads").Worker)(__dirname + "/child.js").on("message", done));
const reached = (name) => { try { require(name); return true } catch (err) { return err.code } };
exports.handler = async () => ({ all, imported: (await import("inner")).default, thread: await thread(), above: reached("../../../../packages/odd"),
  child: require("child_process").execFileSync(process.execPath, [__dirname + "/child.js"], { encoding: "utf8" }), rooted: reached("rooted"), dynamic: await import("rooted").catch((err) => err.code) });`,
		}},
		"layer": {runtime: model.NodeJS, template: model.Plain, layer: "layer/l", files: map[string]string{
			"layer/l/nodejs/package.json": list(`{"right":"3.0.0","own":"file:../../../packages/own"}`), "layer/l/.gatewrightignore": "*.log\n", "layer/l/a.log": "", "layer/l/run.sh": "#!/bin/sh\n",
			"packages/own/package.json": `{"name":"own"}`, "packages/own/index.js": `module.exports = "own with " + require("right")`,
			"backend/function/f/src/index.js": `exports.handler = async () => [require("own"), require("right")]`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if row.public {
				registry.Public(t)
			}
			rendered, err := handler.Files(handler.Spec{Function: "f", Runtime: row.runtime, Template: row.template, Table: map[bool]*model.Table{true: table}[row.template == model.CRUD]})
			must(t, err)
			project, cache := t.TempDir(), t.TempDir()
			folder := filepath.Join(project, "backend", "function", "f")
			save := func(name string, data []byte) {
				must(t, os.MkdirAll(filepath.Dir(name), 0o755))
				must(t, os.WriteFile(name, data, 0o644))
			}
			event := []byte("{}")
			for _, f := range rendered {
				save(filepath.Join(folder, filepath.FromSlash(f.Name)), f.Data)
				if f.Name == "src/event.json" {
					event = f.Data
				}
			}
			for name, text := range row.files {
				save(filepath.Join(project, filepath.FromSlash(name)), []byte(text))
			}
			spec := function.Spec{
				Environment: "dev", Name: "f", Runtime: row.runtime, RuntimeName: string(row.runtime.InCloud()), Folder: folder, Project: project, Variables: variables, Region: "eu-west-1",
			}
			if depth.Rounds(0, 0, 1) > 0 && row.runtime == model.NodeJS && row.public {
				must(t, prepare.Fetch(t.Context(), row.runtime.InCloud(), cache))
			}
			program, ok := prepare.FindInterpreter(&spec, cache)
			if !ok {
				t.Fatal("there is no interpreter")
			}
			t.Logf("%s runs on %s %s", row.runtime.InCloud(), program.Path, program.Version)
			sources := []Source{{Name: "f", Folder: filepath.Join(folder, "src"), Project: project, Runtime: row.runtime, RuntimeName: row.runtime.InCloud()}}
			if row.layer != "" {
				spec.Layers = []string{filepath.Join(project, filepath.FromSlash(row.layer))}
				sources = append(sources, Source{Name: row.layer, Folder: spec.Layers[0], Project: project, Layer: true, Runtime: row.runtime, RuntimeName: row.runtime.InCloud()})
			}

			b := New(filepath.Join(cache, "archives"))
			made, err := b.BuildAll(t.Context(), sources, nil)
			must(t, err)
			machine := t.TempDir()
			for i, place := range []string{"task", "opt"}[:len(made)] {
				for name, text := range files(t, made[i]) {
					save(filepath.Join(machine, place, filepath.FromSlash(name)), []byte(text))
					if strings.Contains(text, "kept-secret") {
						t.Errorf("the archive has the token of a registry in %s", name)
					}
				}
				if size, known, err := b.Weigh(sources[i]); err != nil || !known || size != made[i].Unpacked {
					t.Errorf("it weighs %d, %v, %v: the archive has %d", size, known, err, made[i].Unpacked)
				}
			}
			task := filepath.Join(machine, "task")
			cmd := exec.CommandContext(t.Context(), program.Path, append(elsewhere[row.runtime], task, row.runtime.Handler(), string(event))...)
			cmd.Dir, cmd.Env = task, []string{"TZ=:UTC", "NODE_PATH=" + filepath.Join(machine, "opt", "nodejs", "node_modules")}
			for name, value := range variables {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			there, err := cmd.Output()
			if err != nil {
				t.Fatalf("there: %v", err)
			}

			r := worker.NewRunner(worker.Options{State: t.TempDir(), Cache: cache})
			t.Cleanup(func() { _ = r.Close(t.Context()) })
			r.Apply([]function.Spec{spec})
			here, err := r.Invoke(t.Context(), function.Call{Environment: "dev", Function: "f", Payload: event})
			if err != nil || here.Failed {
				t.Fatalf("here: %v %s", err, here.Payload)
			}
			var got, want any
			must(t, json.Unmarshal(here.Payload, &got))
			must(t, json.Unmarshal(there, &want))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("there and here it answers otherwise: %s", diff)
			}
			t.Logf("%.300s", there)
		})
	}
}

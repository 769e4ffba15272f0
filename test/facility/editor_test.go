package facility

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/registry"
)

// editor reads the settings of a folder as VS Code's client for JSON does, and asks the
// language service that VS Code runs what it says of files, and what it proposes.
const editor = `
const fs = require("fs"), path = require("path"), { pathToFileURL, fileURLToPath } = require("url");
const { getLanguageService, TextDocument } = require("vscode-json-languageservice");
const { parse } = require("jsonc-parser");
const [folder, ...files] = process.argv.slice(1);
const root = pathToFileURL(folder).toString();
const settings = path.join(folder, ".vscode/settings.json");
const schemas = fs.existsSync(settings) ? parse(fs.readFileSync(settings, "utf8"))["json.schemas"] : [];
const service = getLanguageService({
  schemaRequestService: uri => uri.startsWith("file:") ? fs.promises.readFile(fileURLToPath(uri), "utf8") : Promise.reject(new Error("cannot open " + uri)),
  workspaceContext: { resolveRelativePath: (relative, resource) => new URL(relative, resource).toString() },
});
service.configure({ validate: true, schemas: schemas.map(s => ({
  fileMatch: s.fileMatch, schema: s.schema, uri: /^[./]/.test(s.url) ? root + "/" + s.url.replace(/^\.?\//, "") : s.url,
})) });
(async () => {
  const answer = {};
  for (const file of files) {
    const doc = TextDocument.create(root + "/" + file, "json", 1, fs.readFileSync(path.join(folder, file), "utf8"));
    const json = service.parseJSONDocument(doc);
    const found = await service.doValidation(doc, json, { comments: "error", trailingCommas: "error" });
    const proposed = await service.doComplete(doc, { line: 0, character: 1 }, json);
    answer[file] = { found: found.map(d => d.message), proposed: proposed.items.map(i => i.label) };
  }
  console.log(JSON.stringify(answer));
})();
`

// seen is what an editor shows of a file.
type seen struct {
	Found    []string `json:"found"`
	Proposed []string `json:"proposed"`
}

// open asks the language service about files of the project.
func (f *facility) open(packages string, files ...string) map[string]seen {
	f.t.Helper()
	cmd := exec.Command("node", append([]string{"-e", editor, f.dir}, files...)...)
	cmd.Dir = packages
	out, err := cmd.Output()
	if err != nil {
		f.t.Fatalf("the language service ends with %v: %s", err, out)
	}
	var all map[string]seen
	if err := json.Unmarshal(out, &all); err != nil {
		f.t.Fatalf("%v: %s", err, out)
	}
	return all
}

// languageService installs the language service of VS Code and returns the folder.
func languageService(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "vscode-json-languageservice@5.7.2")
	if out, err := install.CombinedOutput(); err != nil {
		depth.Lacks(t, "npm's registry", string(out))
	}
	return dir
}

// declared and version are the beginning of an example.
var (
	declared = regexp.MustCompile(`^{\s*"\$schema": "[^"]*",`)
	version  = regexp.MustCompile(`"version": [^,]*,`)
)

// nativeFiles are files of a project, by schema.
var nativeFiles = map[string]string{
	"auth":          "backend/auth.json",
	"cli-inputs":    "backend/api/shop/cli-inputs.json",
	"client-config": "client_config.json",
	"data":          "backend/data.json",
	"environment":   "backend/environments/dev.json",
	"function":      "backend/function/books/function.json",
	"output":        "backend/outputs/extra.json",
	"project":       "backend/project.json",
	"request":       "backend/requests/first.json",
	"storage":       "backend/storage.json",
	"table":         "backend/table/books/table.json",
}

func TestVSCodeChecksAndCompletesTheFilesOfAProject(t *testing.T) {
	registry.Public(t)
	f := newFacility(t)
	packages := languageService(t)
	before := f.open(packages, "backend/project.json")["backend/project.json"]
	if len(before.Found) != 1 || !strings.HasPrefix(before.Found[0], "Unable to load schema from 'urn:gatewright:") {
		t.Errorf("without the settings the editor says %q", before.Found)
	}
	f.run(0, "schema", "--write")
	var names []string
	for schema, name := range nativeFiles {
		names = append(names, name, "wrong/"+name, "plain/"+name)
		example, err := os.ReadFile(filepath.Join("../../schemas/testdata", schema+".json"))
		if err != nil {
			t.Fatal(err)
		}
		body := declared.ReplaceAllString(string(example), "{")
		broken := version.ReplaceAllString(body, `"version": false,`)
		if body == string(example) || broken == body {
			t.Fatalf("%s does not begin with its schema and its version:\n%s", schema, example)
		}
		named := fmt.Sprintf(`{"$schema": "urn:gatewright:2024-02:%s",`, schema)
		writeFile(t, filepath.Join(f.dir, name), strings.Replace(body, "{", named, 1))
		writeFile(t, filepath.Join(f.dir, "wrong", name), strings.Replace(broken, "{", named, 1))
		writeFile(t, filepath.Join(f.dir, "plain", name), broken)
	}
	for name, s := range f.open(packages, names...) {
		wrong := strings.HasPrefix(name, "wrong/") || strings.HasPrefix(name, "plain/")
		// Of these files there are two versions.
		says := "Value must be "
		if base := path.Base(name); base == "cli-inputs.json" || base == "function.json" {
			says = `Incorrect type. Expected "integer".`
		}
		switch {
		case !wrong && len(s.Found) > 0:
			t.Errorf("%s is right, and the editor says %q", name, s.Found)
		case wrong && (len(s.Found) != 1 || !strings.HasPrefix(s.Found[0], says)):
			t.Errorf("%s has a wrong version, and the editor says %q", name, s.Found)
		}
	}

	writeFile(t, filepath.Join(f.dir, "backend/environments/next.json"), "{\n}\n")
	if s := f.open(packages, "backend/environments/next.json")["backend/environments/next.json"]; !slices.Contains(s.Proposed, "variables") {
		t.Errorf("for a member of an environment the editor proposes %q", s.Proposed)
	}
}

func TestVSCodeChecksTheAPIsOfAnAmplifyProjectOnly(t *testing.T) {
	registry.Public(t)
	f := emptyFacility(t)
	packages := languageService(t)
	const rest, graph, others = "amplify/backend/api/shop/cli-inputs.json", "amplify/backend/api/graph/cli-inputs.json", "amplify/backend/auth/pool/cli-inputs.json"
	writeFile(t, filepath.Join(f.dir, rest), `{"version": 1, "paths": {"/books": {"lambdaFunction": "books", "permissions": {"setting": "nobody"}}}}`)
	writeFile(t, filepath.Join(f.dir, graph), `{"version": 1, "serviceConfiguration": {"apiName": "graph", "serviceName": "AppSync", "defaultAuthType": {"mode": "API_KEY"}}}`)
	writeFile(t, filepath.Join(f.dir, others), `{"version": "1", "cognitoConfig": {}}`)
	writeFile(t, filepath.Join(f.dir, "amplify/.config/project-config.json"), `{"projectName": "shop", "version": "3.1", "frontend": "javascript", "providers": ["awscloudformation"]}`)
	writeFile(t, filepath.Join(f.dir, "amplify/backend/backend-config.json"), `{"api": {"shop": {"service": "API Gateway"}, "graph": {"service": "AppSync"}}}`)
	writeFile(t, filepath.Join(f.dir, "amplify/team-provider-info.json"), `{"dev": {"awscloudformation": {"Region": "eu-west-1"}}}`)
	f.run(0, "schema", "--write")
	all := f.open(packages, rest, graph, others)
	if found := all[rest].Found; len(found) != 1 || !strings.HasPrefix(found[0], "Value is not accepted. Valid values:") {
		t.Errorf("of a wrong setting the editor says %q", found)
	}
	for _, name := range []string{graph, others} {
		if found := all[name].Found; len(found) > 0 {
			t.Errorf("of %s, which is another program's, the editor says %q", name, found)
		}
	}
}

package source

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"gatewright/model"
)

func folderOf(files string) fstest.MapFS {
	folder := make(fstest.MapFS)
	for name := range strings.FieldsSeq(files) {
		name, text, _ := strings.Cut(name, "=")
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

func TestAHandlerIsFoundAsInLambda(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		runtime       model.Runtime
		handler       string
		files, file   string
		typescript    bool
		module, other string
	}{
		{model.NodeJS, "", "src/index.js", "src/index.js", false, "index", ""},
		{model.NodeJS, "index.handler", "src/index.mjs src/index.cjs", "src/index.mjs", false, "index", ""},
		{model.NodeJS, "index.handler", "src/index src/index.js", "src/index", false, "index", ""},
		{model.NodeJS, "index.handler", "src/index.ts src/index.d.ts", "src/index.ts", true, "index", ""},
		{model.NodeJS, "index.handler", "src/index.ts src/index.js", "src/index.js", false, "index", "src/index.ts"},
		{model.NodeJS, "index.handler", "src/index.tsx", "src/index.tsx", true, "index", ""},
		{model.NodeJS, "lib/app.items.list", "src/lib/app.mts", "src/lib/app.mts", true, "lib/app", ""},
		{model.NodeJS, "src/handler.main", "src/src/handler.ts", "src/src/handler.ts", true, "src/handler", ""},
		{model.NodeJS, "dist/index.handler", `src/index.ts src/tsconfig.json={"compilerOptions":{"outDir":"./dist"}}`, "src/index.ts", true, "dist/index", ""},
		{model.NodeJS, "dist/index.handler", `src/src/index.ts src/tsconfig.json={"compilerOptions":{"outDir":"dist","rootDir":"src"}}`, "src/src/index.ts", true, "dist/index", ""},
		{model.NodeJS, "index.handler", `lib/index.ts lib/tsconfig.json={"compilerOptions":{"outDir":"../src"}}`, "lib/index.ts", true, "index", ""},
		{model.NodeJS, "index.handler", `ts/index.ts tsconfig.json={"compilerOptions":{"rootDir":"ts","outDir":"src"}}`, "ts/index.ts", true, "index", ""},
		{model.NodeJS, "@scope/wrapper/dist/index.handler", `src/package.json={"dependencies":{"@scope/wrapper":"1"}}`, "", false, "@scope/wrapper/dist/index", ""},
		{model.NodeJS, "node_modules/wrapper/index.handler", "src/package.json={}", "", false, "node_modules/wrapper/index", ""},
		{model.Python, "", "src/index.py", "src/index.py", false, "index", ""},
		{model.Python, "app.main.handler", "src/app/main.py", "src/app/main.py", false, "app/main", ""},
		{model.Python, "app/main.handler", "src/app/main/__init__.py", "src/app/main/__init__.py", false, "app/main", ""},
		{model.Python, "fast.handler", "src/fast.cpython-313-x86_64-linux-gnu.so", "", false, "fast", ""},
		{model.Python, "fast.handler", "src/fast.pyd", "", false, "fast", ""},
		{model.Python, "lib.fast.handler", "src/lib/fast.pyc", "", false, "lib/fast", ""},
		{model.Python, "a.handler", "src/a.py src/a/__init__.py", "src/a.py", false, "a", ""},
		{model.Python, "datadog_lambda.handler.handler", "src/requirements.txt=datadog-lambda==5", "", false, "datadog_lambda/handler", ""},
		{model.Go, "bootstrap", "src/main.go", "", false, "", ""},
	} {
		got, err := FindHandler(folderOf(row.files), row.runtime, row.handler)
		if want := (Handler{File: row.file, Module: row.module, TypeScript: row.typescript, Beside: row.other}); err != nil || got != want {
			t.Errorf("%s %q in %s: %+v, %v; want %+v", row.runtime, row.handler, row.files, got, err, want)
		}
	}
}

func TestAHandlerWithoutAFileIsAnErrorWithWhatToDo(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		runtime      model.Runtime
		handler      string
		files        string
		text, remedy string
	}{
		{model.NodeJS, "index.handler", "function.json", "its folder src is missing", "write its source there"},
		{model.NodeJS, "", "src/event.json", "the handler index.handler has no file: there is no src/index.js or src/index.ts", "write that file"},
		{model.NodeJS, "index.main", "src/app.ts", "there is no src/index.js or src/index.ts", "such as app.main for src/app.ts"},
		{model.NodeJS, "index.handler", "src/index.d.ts", "there is no src/index.js", "write that file"},
		{model.NodeJS, "index.handler", "src/index.js/file", "there is no src/index.js", "write that file"},
		{model.NodeJS, "dist/index.handler", `src/index.ts src/tsconfig.json={/*"outDir":"dist"*/}`, "there is no src/dist/index.js", "such as index.handler for src/index.ts"},
		{model.NodeJS, "index.handler", "src/a.js/file src/b.js src/c.ts", "there is no src/index.js", "such as b.handler for src/b.js"},
		{model.NodeJS, "index.$x", "src/a.js", "there is no src/index.js", "such as 'a.$x' for src/a.js"},
		{model.Python, "fast.handler", "src/faster.so", "there is no src/fast.py", "write that file"},
		{model.Python, ".handler", "src/a.py", "names no function in a file", "FILE.NAME"},
		{model.Go, "bootstrap", "main.go", "its folder src is missing", "remove the function"},
		{model.NodeJS, "handler", "src/index.js", "names no function in a file", "FILE.NAME"},
		{model.NodeJS, "../index.handler", "index.js src/a.js", "leads out of the function's folder", "below src"},
		{model.Python, "index.handler", "src/main.py", "there is no src/index.py", "such as main.handler"},
		{model.Python, "wrapper.handler", "src/requirements.txt=wrapperlib", "there is no src/wrapper.py", "write that file"},
		{model.Go, "bootstrap", "src/main_test.go", "no Go file", "src/main.go"},
	} {
		_, err := FindHandler(folderOf(row.files), row.runtime, row.handler)
		var p *model.Problem
		if !errors.As(err, &p) || !strings.Contains(p.Text, row.text) || !strings.Contains(p.Fix, row.remedy) {
			t.Errorf("%s %q in %s: %v", row.runtime, row.handler, row.files, err)
		}
	}
}

func TestAnyTextIsReadAsATSConfig(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"compilerOptions": {"outDir": "a"}}`:                             "a",
		"{ // \"outDir\": \"b\"\n \"outDir\": \"a\" }":                     "a",
		`{"extends": "https://x", "outDir": "a//b", /* "rootDir": "c" */}`: "a//b",
		`{"outDir": "a\"b"}`:                                               `a"b`, `{"outDir": `: "", "": "", "\x00": "",
	} {
		if got := optionsOf([]byte(text)); got["outDir"] != want || got["rootDir"] != "" {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestImportsThatAPushWouldMissAreFound(t *testing.T) {
	t.Parallel()
	imports := []string{"express", "@scope/a/file", "fs", "fs/promises", "node:test", "@aws-sdk/client-s3", "@smithy/types", "/opt/own", "left", "left/deep", "#own"}
	for files, want := range map[string]string{
		"src/index.ts": "express @scope/a left",
		`src/package.json={"dependencies":{"express":"5"},"optionalDependencies":{"@scope/a":"1"},"devDependencies":{"left":"1"}}`: "left",
		"src/node_modules/left/package.json={}":                     "",
		`src/package.json={} src/node_modules/left/package.json={}`: "express @scope/a left",
	} {
		if got := strings.Join(Unlisted(folderOf(files), imports), " "); got != want {
			t.Errorf("with %s: %q, want %q", files, got, want)
		}
	}
	if _, err := FindHandler(folderOf("src/other.js"), model.NodeJS, "util.handler"); err == nil {
		t.Error("a module of Node.js is taken for a handler")
	}
}

func TestAHandlerIsAnESModuleAsNodeSays(t *testing.T) {
	t.Parallel()
	const module = `={"type":"module"}`
	for _, row := range []struct {
		file, module, files string
		want                bool
	}{
		{"src/index.mjs", "index", "", true},
		{"src/index.mts", "index", "", true},
		{"src/index.cjs", "index", "src/package.json" + module, false},
		{"src/index.cts", "index", "src/package.json" + module, false},
		{"src/index.js", "index", "", false},
		{"src/index.js", "index", "src/package.json" + module, true},
		{"src/index.ts", "index", "src/package.json" + module, true},
		{"src/index.tsx", "index", "src/package.json" + module, true},
		{"src/index.js", "index", "src/package.json=\ufeff" + `{"type":"module"}`, true},
		{"src/index.js", "index", `src/package.json={"type":"commonjs"}`, false},
		{"src/index.js", "index", `src/package.json={"type":"module"`, false},
		{"src/index.js", "index", "package.json" + module, false},
		{"src/a/b/index.js", "a/b/index", "src/package.json" + module, true},
		{"src/a/b/index.js", "a/b/index", "src/a/package.json={} src/package.json" + module, false},
		{"src/a/b/index.js", "a/b/index", "src/a/b/package.json" + module + " src/a/package.json={}", true},
		// What counts is where the script would be.
		{"lib/index.ts", "dist/index", "src/dist/package.json" + module, true},
		{"src/fast", "fast", "src/package.json" + module, false},
		{"", "wrapper/index", "src/package.json" + module, false},
	} {
		if got := (Handler{File: row.file, Module: row.module}).IsModule(folderOf(row.files)); got != row.want {
			t.Errorf("%s with %s: %v", row.file, row.files, got)
		}
	}
}

func TestJSONWithCommentsBecomesJSONInItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": 1}`:                        `{"a": 1}`,
		"{\"a\": 1, // one\n\"b\": 2,\n}": "{\"a\": 1,       \n\"b\": 2 \n}",
		"{/* a\n,} */\"a\": [1, 2, ]}":    "{    \n     \"a\": [1, 2  ]}",
		`{"a": "// no, } /* comment */"}`: `{"a": "// no, } /* comment */"}`,
		`{"a": "\", // x"} // y`:          `{"a": "\", // x"}     `,
		"\ufeff{}":                        "   {}",
		"{} // a\r{} // b\u2028[]":        "{}     \r{}     \u2028[]",
		"{} /* never ended":               "{} /* never ended",
	} {
		if got := string(PlainJSON([]byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestARuntimeBringsTheSDKOfItsVersion(t *testing.T) {
	t.Parallel()
	for runtime, want := range map[string]struct {
		major int
		sdk2  bool
	}{
		"nodejs8.10": {8, true}, "nodejs16.x": {16, true}, "nodejs18.x": {18, false}, "nodejs22.x": {22, false},
		"": {0, false}, "nodejs": {0, false}, "nodejsx": {0, false}, "python3.13": {0, false}, "xnodejs16.x": {0, false},
	} {
		if major, sdk2 := NodeMajor(runtime), HasSDK2(runtime); major != want.major || sdk2 != want.sdk2 {
			t.Errorf("%q is version %d and has the old SDK: %v", runtime, major, sdk2)
		}
	}
}

func TestFilesOfTypeScriptAreKnownByTheirNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a.ts": true, "a.mts": true, "a.cts": true, "a.tsx": true, "a.d.ts": true, "a.js": false, "a.jsx": false, "ts": false, "a.ts.js": false, "a.TS": false,
	} {
		if got := IsTypeScript(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestPackagesOfPythonAreFoundInTheFilesThatListThem(t *testing.T) {
	t.Parallel()
	for files, want := range map[string]bool{
		"src/requirements.txt=datadog-lambda==5": true, "requirements.txt=Datadog.Lambda>=5": true, `Pipfile="datadog_lambda"="*"`: true, "src/Pipfile=datadog__lambda": true,
		"src/requirements.txt=datadog-lambda[all]": true, "src/requirements.txt=datadog": false, "src/requirements.txt=#datadog-lambda": false,
		"src/requirements.txt=datadog-lambdas": false, "lib/requirements.txt=datadog-lambda": false, "src/requirements.txt=": false,
	} {
		if got := isRequired(folderOf(files), "datadog_lambda"); got != want {
			t.Errorf("%s: %v", files, got)
		}
	}
}

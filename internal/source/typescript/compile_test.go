package typescript_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/model"
)

func write(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func compile(t *testing.T, folder, handler string) (*typescript.Program, error) {
	t.Helper()
	found, err := source.FindHandler(os.DirFS(folder), model.NodeJS, handler)
	if err != nil {
		t.Fatal(err)
	}
	return typescript.Compile(typescript.Source{Folder: folder, Handler: found})
}

func TestAProgramHasItsFilesAndNamesItsPackages(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"src/api/list.ts": "import express from 'express'\nimport { S3Client } from '@aws-sdk/client-s3'\nimport type { Context } from 'aws-lambda'\nimport { price } from '../lib/price'\n" +
			"import fs from 'node:fs'\nexport const handler = async (_: unknown, c: Context) => [express, S3Client, price, fs, c]\n",
		"src/lib/price.ts": "export const price: number = 1\n", "src/unused.ts": "syntax error",
	}
	p, err := compile(t, write(t, files), "api/list.handler")
	if err != nil {
		t.Fatal(err)
	}
	if p.File != "api/list.cjs" || p.IsModule() || !slices.Equal(p.Packages, []string{"@aws-sdk/client-s3", "express", "node:fs"}) ||
		!slices.Equal(p.Files, []string{"src/api/list.ts", "src/lib/price.ts"}) || len(p.Warnings) > 0 {
		t.Errorf("%s has the packages %q, the files %q and the warnings %q", p.File, p.Packages, p.Files, p.Warnings)
	}
	var m struct{ Sources []string }
	if err := json.Unmarshal(p.Map, &m); err != nil || !slices.Equal(m.Sources, []string{"list.ts", "../lib/price.ts"}) {
		t.Errorf("the sources of the map are %q, %v", m.Sources, err)
	}
	again, err := compile(t, write(t, files), "api/list.handler")
	if err != nil || !reflect.DeepEqual(p, again) {
		t.Errorf("in another folder it becomes another program, %v", err)
	}
}

func TestTheFormatIsThatOfTheFile(t *testing.T) {
	t.Parallel()
	const module, exported = `{"type": "module"}`, "export const handler = 1"
	for _, row := range []struct{ handler, files, want string }{
		{"index.handler", "src/index.ts=" + exported, "index.cjs"},
		{"index.handler", "src/index.ts=" + exported + "|src/package.json=" + module, "index.mjs"},
		{"lib/index.handler", "src/lib/index.ts=" + exported + "|src/package.json=" + module, "lib/index.mjs"},
		{"lib/index.handler", "src/lib/index.ts=" + exported + "|src/lib/package.json={}|src/package.json=" + module, "lib/index.cjs"},
		{"index.handler", "src/index.mts=" + exported, "index.mjs"},
		{"index.handler", "src/index.cts=" + exported + "|src/package.json=" + module, "index.cjs"},
		{"index.handler", "src/index.ts=await 1; " + exported, "index.mjs"},
		{"index.handler", "src/index.ts=" + exported + "; console.log(import.meta.url)", "index.mjs"},
		// What is above src is not there in Lambda.
		{"index.handler", "src/index.ts=" + exported + "|package.json=" + module, "index.cjs"},
	} {
		files := make(map[string]string)
		for file := range strings.SplitSeq(row.files, "|") {
			name, text, _ := strings.Cut(file, "=")
			files[name] = text
		}
		if p, err := compile(t, write(t, files), row.handler); err != nil || p.File != row.want {
			t.Errorf("%s: %+v, %v; want %s", row.files, p, err, row.want)
		}
	}
}

func TestTheFirstErrorHasItsPlaceAndCountsTheRest(t *testing.T) {
	t.Parallel()
	_, err := compile(t, write(t, map[string]string{"src/index.ts": "import './a'\nimport './b'\nimport './c'\nexport const handler = 1"}), "")
	if want := `src/index.ts:1:8: Could not resolve "./a" (and 2 errors more)`; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// TestAFileInAnotherFolderKnowsItsOwnPlace has what files ask their place with, and what is left of it in the program.
func TestAFileInAnotherFolderKnowsItsOwnPlace(t *testing.T) {
	t.Parallel()
	const own = `var __filename = require("node:path").join(__gatewrightFolder, "../lib/place.js")`
	const url = `new URL("../lib/place.js", import.meta.url)`
	for _, row := range []struct{ handler, place, want, not string }{
		{"api/list.ts", "__dirname", own, ""},
		{"api/list.ts", "__filename", "var __gatewrightFolder = __dirname;", ""},
		{"api/list.ts", "1", "var __gatewrightFolder = __dirname;", own},
		{"api/list.ts", "2; const __dirname = 1", "1", own},
		{"api/list.mts", "import.meta.url", url + ".href", "__gatewrightFolder"},
		{"api/list.mts", "import.meta.filename", `process.getBuiltinModule("node:url").fileURLToPath(` + url + ")", "dirname"},
		{"api/list.mts", "import.meta.dirname", `process.getBuiltinModule("node:path").dirname(process.getBuiltinModule("node:url").fileURLToPath(` + url, ""},
	} {
		p, err := compile(t, write(t, map[string]string{
			"src/" + row.handler: "export * from '../lib/place'\nexport const handler = 1", "src/lib/place.ts": "export const place = " + row.place,
		}), "api/list.handler")
		if err != nil || !strings.Contains(string(p.Code), row.want) || row.not != "" && strings.Contains(string(p.Code), row.not) {
			t.Errorf("%s with %s: %v\n%s\nwant %s and not %q", row.handler, row.place, err, p.Code, row.want, row.not)
		}
	}
	// Beside the program its place is right as it is.
	p, err := compile(t, write(t, map[string]string{"src/index.ts": "export * from './place'\nexport const handler = 1", "src/place.ts": "export const place = __dirname"}), "")
	if err != nil || !strings.Contains(string(p.Code), "place = __dirname") || strings.Contains(string(p.Code), "node:path") {
		t.Errorf("%v\n%s", err, p.Code)
	}
}

func TestAnESModuleHasARequireIfItCallsOne(t *testing.T) {
	t.Parallel()
	const banner = `import { createRequire as __gatewrightRequire } from "node:module"; globalThis.require ??= __gatewrightRequire(import.meta.url);`
	for text, want := range map[string]bool{"export const handler = require('left')": true, "export const handler = 1": false} {
		p, err := compile(t, write(t, map[string]string{"src/index.mts": text}), "")
		if err != nil || strings.HasPrefix(string(p.Code), banner) != want {
			t.Errorf("%s: %v\n%s", text, err, p.Code)
		}
	}
}

// TestWhatIsNotCompiledSaysWhy has all that this program itself says of a source.
func TestWhatIsNotCompiledSaysWhy(t *testing.T) {
	t.Parallel()
	const decorated = `{"compilerOptions": {"emitDecoratorMetadata" : true}}`
	for _, row := range []struct{ files, handler, want string }{
		{"src/index.ts=import '../../other'; export const handler = 1|../other.ts=", "", "src/index.ts:1:8: the import leads out of the function's folder, which a push would miss; move what it imports there, or make a package of it"},
		{"src/index.cts=await 1", "", `src/index.cts:1:1: Top-level await is currently not supported with the "cjs" output format`},
		{"src/index.ts=import './a'; import './b'", "", `src/index.ts:1:8: Could not resolve "./a" (and 1 error more)`},
		{"src/index.ts=import './a'", "", `src/index.ts:1:8: Could not resolve "./a"`},
		{"src/index.ts=export const handler = 1|src/tsconfig.json=" + decorated, "", "src/tsconfig.json: emitDecoratorMetadata has no effect, so libraries that read the types of decorated code find none"},
		{"src/index.ts=export const handler = 1|tsconfig.json=" + decorated, "", "tsconfig.json: emitDecoratorMetadata has no effect, so libraries that read the types of decorated code find none"},
		{"src/index.ts=export const handler = {a: 1, a: 2}", "", `src/index.ts:1:31: Duplicate key "a" in object literal`},
		{"src/index.ts=export class A {}; export const handler = 1", "", ""},
	} {
		files := make(map[string]string)
		for file := range strings.SplitSeq(row.files, "|") {
			name, text, _ := strings.Cut(file, "=")
			files["function/"+name] = text
		}
		p, err := compile(t, filepath.Join(write(t, files), "function"), row.handler)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = strings.Join(p.Warnings, "\n")
			if !strings.Contains(string(p.Code), `__name(this, "A")`) && strings.Contains(row.files, "class") {
				t.Errorf("the names of classes are not kept:\n%s", p.Code)
			}
		}
		if got != row.want {
			t.Errorf("%s: %s\nwant %s", row.files, got, row.want)
		}
	}
	for node, want := range map[int]bool{0: true, 20: true, 8: false} {
		folder := write(t, map[string]string{"src/index.ts": "export const handler = (a: any) => a?.b"})
		p, err := typescript.Compile(typescript.Source{Folder: folder, Handler: source.Handler{File: "src/index.ts", Module: "index", TypeScript: true}, Node: node})
		if err != nil || strings.Contains(string(p.Code), "?.b") != want {
			t.Errorf("for Node.js %d: %v\n%s", node, err, p.Code)
		}
	}
}

func TestImportsWithAssertAreFoundWhereTheyStand(t *testing.T) {
	t.Parallel()
	folder := write(t, map[string]string{
		"src/index.mjs": "// import x from './x.json' assert { type: 'json' }\nimport x from './x.json' assert { type: 'json' };\nimport './more.mjs';\nimport y from './x.json' with { type: 'json' };\nassert (x); const text = `\nimport x from './x.json' assert { type: 'json' }`\n",
		"src/more.mjs":  "export const x = await import('./x.json', { assert: { type: 'json' } })\n", "src/x.json": "1",
		"src/unused.mjs": "import x from './x.json' assert { type: 'json' };",
	})
	for node, want := range map[int]string{20: "", 22: "src/index.mjs:2:26 src/more.mjs:1:45 "} {
		got := ""
		for _, found := range typescript.Imports(typescript.Source{Folder: folder, Handler: source.Handler{File: "src/index.mjs"}, Node: node}, func(string, string) string { return "" }) {
			got += fmt.Sprintf("%s:%d:%d ", found.File, found.Line, found.Column)
			if found.Text != typescript.Asserts {
				t.Errorf("it says %s", found.Text)
			}
		}
		if got != want {
			t.Errorf("on %d they are at %s", node, got)
		}
	}
}

package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/depth"
)

func TestHandlersInTypeScriptAnswer(t *testing.T) {
	t.Parallel()
	const (
		module = `{"type":"module"}`
		types  = `type Event = {a: number}; interface Answer { got: number }` + "\n"
	)
	for _, row := range []struct {
		name, handler string
		files         map[string]string
		want          string
	}{
		{"export", "", map[string]string{"index.ts": types + `export const handler = async (e: Event): Promise<Answer> => ({got: e.a})`}, `{"got":1}`},
		{"export =", "", map[string]string{"index.ts": `export = {handler: async (e: {a: number}) => e.a}`}, `1`},
		{"exports of CommonJS", "", map[string]string{"index.ts": `exports.handler = async (e: any) => e.a as number`}, `1`},
		{"an ES module by package.json", "", map[string]string{
			"package.json": module, "index.ts": `import p from "node:path"; const x: number = await Promise.resolve(2); export const handler = async () => [x, p.dirname(new URL(import.meta.url).pathname) === process.cwd()]`,
		}, `[2,true]`},
		{"an ES module by its name", "", map[string]string{"index.mts": `export const handler = async () => import.meta.url.endsWith("/task/index.mjs")`}, `true`},
		{"CommonJS by its name", "", map[string]string{"package.json": module, "index.cts": `import p = require("path"); export const handler = async () => p.basename(__filename)`}, `"index.cjs"`},
		{"an await at the top level without package.json", "", map[string]string{"index.ts": `const x = await Promise.resolve(3); export const handler = async () => x`}, `3`},
		{"another file", "handler.main", map[string]string{"handler.ts": `export async function main(): Promise<string> { return "main" }`}, `"main"`},
		{"a file in a folder", "handlers/list.handler", map[string]string{
			"handlers/list.ts": `import { readFileSync } from "fs"; import { text } from "../lib/text"; export const handler = async () => text() + readFileSync(__dirname + "/../lib/a.txt", "utf8")`,
			"lib/text.ts":      `import { readFileSync } from "fs"; export const text = (): string => readFileSync(__dirname + "/a.txt", "utf8")`, "lib/a.txt": "a",
		}, `"aa"`},
		{"a file beside an ES module", "", map[string]string{
			"package.json": module, "index.ts": `import { text } from "./lib/text.js"; export const handler = async () => text`,
			"lib/text.ts": `import { readFileSync } from "node:fs"; export const text = readFileSync(new URL("a.txt", import.meta.url), "utf8")`, "lib/a.txt": "b",
		}, `"b"`},
		{"the script of tsconfig.json", "dist/index.handler", map[string]string{
			"tsconfig.json": `{ // made by tsc --init
				"compilerOptions": {"outDir": "./dist", /* "rootDir": "none" */ "rootDir": "./source",},
			}`, "source/index.ts": `export const handler = async () => "mapped"`,
		}, `"mapped"`},
		{"paths of tsconfig.json, enums, decorators and JSON", "", map[string]string{
			"tsconfig.json": `{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["lib/*"]}, "experimentalDecorators": true}}`,
			"index.ts": `import { Color, Item } from "@lib/item"; import data from "./data.json"
				export const handler = async () => [Color.Red, new Item("n").name, Item.name, data.n]`,
			"lib/item.ts": `export enum Color { Red = "red" }
				const log = (c: Function) => { if (c.name === "Item") { Object.assign(c, {seen: true}) } }
				@log export class Item { constructor(readonly name: string) {} }`, "data.json": `{"n": 4}`,
		}, `["red","n","Item",4]`},
		{"a package of its folder, from an ES module", "", map[string]string{
			"index.mts":                      `import { one } from "left"; import type { Two } from "types"; export const handler = async (): Promise<Two> => one`,
			"node_modules/left/package.json": `{"name":"left","version":"1.0.0","main":"main.js"}`, "node_modules/left/main.js": `exports.one = "left"`,
		}, `"left"`},
		{"a package of its folder, from CommonJS", "", map[string]string{
			"index.ts":                       `import { one } from "left"; export const handler = async () => one`,
			"node_modules/left/package.json": `{"name":"left","version":"1.0.0","main":"main.js"}`, "node_modules/left/main.js": `exports.one = "left"`,
		}, `"left"`},
		{"a file of CommonJS, from an ES module", "", map[string]string{
			"package.json": module, "index.ts": `import old from "./lib/old.cjs"; export const handler = async () => old.join("a", "b")`,
			"lib/old.cjs": `module.exports = { join: require("path").posix.join }`,
		}, `"a/b"`},
		{"JSX", "", map[string]string{
			"tsconfig.json": `{"compilerOptions": {"jsxFactory": "h"}}`, "index.tsx": `const h = (name: string, _: null, ...inner: string[]) => "<" + name + ">" + inner.join(""); export const handler = async () => <b>x</b>`,
		}, `"<b>x"`},
		{"a script is preferred, as Lambda loads it", "", map[string]string{"index.js": `exports.handler = async () => "script"`, "index.ts": `export const handler = async () => "not compiled"`}, `"script"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			switch row.name {
			case "export =", "exports of CommonJS", "an ES module by its name", "another file", "a package of its folder, from CommonJS", "JSX",
				"CommonJS by its name", "a file beside an ES module", "a package of its folder, from an ES module", "an await at the top level without package.json",
				"a script is preferred, as Lambda loads it":
				// Their programs are of the same kinds as those of other rows.
				depth.Gate(t)
			}
			t.Parallel()
			f := newFacility(t, nil)
			s := f.serve(t, model.NodeJS, row.files, func(s *function.Spec) { s.Handler = row.handler })
			for range 2 {
				if got := f.result(t, `{"a":1}`); got != row.want {
					t.Errorf("the answer is %s, want %s\n%s", got, row.want, f.log(""))
				}
			}
			if made, _ := filepath.Glob(filepath.Join(s.Folder, "src", "*.[cm]js*")); len(made) > 0 {
				t.Errorf("the source has new files: %v", made)
			}
		})
	}
}

func TestStacksNameTheLinesOfTypeScript(t *testing.T) {
	t.Parallel()
	for name, manifest := range map[string]string{"CommonJS": `{}`, "ES module": `{"type":"module"}`} {
		t.Run(name, func(t *testing.T) {
			if name == "CommonJS" {
				depth.Gate(t)
			}
			t.Parallel()
			f := newFacility(t, nil)
			f.serve(t, model.NodeJS, map[string]string{
				"package.json": manifest,
				"index.ts":     "import { fail } from './lib/fail.js'\n\ninterface Event {\n  a: string\n}\n\nexport const handler = async (e: Event) => {\n  fail(e.a)\n}\n",
				"lib/fail.ts":  "type Text = string\n\n\nexport function fail(text: Text): never {\n  throw new TypeError(text)\n}\n",
			}, nil)
			a := f.answer(t, `{"a":"wrong"}`)
			for _, want := range []string{"lib/fail.ts:5:9", "index.ts:8:3"} {
				if !strings.Contains(string(a.Payload), want) || !strings.Contains(f.log(a.RequestID), want) {
					t.Errorf("%s is not in the answer and the log:\n%s\n%s", want, a.Payload, f.log(a.RequestID))
				}
			}
		})
	}
}

func TestAnErrorInTypeScriptIsOneLine(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"syntax", map[string]string{"index.ts": "const a = 1\nexport const handler = async ( => a\n"}, `src/index.ts:2:32: Unexpected "=>"`},
		{"syntax of an imported file", map[string]string{"index.ts": `import "./lib/a"; export const handler = 1`, "lib/a.ts": "let x: = 1"}, `src/lib/a.ts:1:8: `},
		{"a missing file", map[string]string{"index.ts": "import x from './none'\nexport const handler = x"}, `src/index.ts:1:15: Could not resolve "./none"`},
		{"a file outside", map[string]string{"index.ts": "import x from '../../outside'\nexport const handler = x"}, `src/index.ts:1:15: the import leads out of the function's folder`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f := newFacility(t, nil)
			f.serve(t, model.NodeJS, row.files, func(s *function.Spec) {
				if err := os.WriteFile(filepath.Join(filepath.Dir(s.Folder), "outside.ts"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			})
			e := f.refused(t, `{}`, function.NotPrepared)
			if !strings.Contains(e.Error(), row.want) || strings.Contains(e.Error(), "\n") {
				t.Errorf("the error is %s", e)
			}
		})
	}
}

func TestAnEditOfTypeScriptIsAnsweredByTheNextCall(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	s := f.serve(t, model.NodeJS, map[string]string{"index.ts": `import { v } from "./lib/v"; export const handler = async () => v`, "lib/v.ts": `export const v: number = 0`}, nil)
	if got := f.result(t, `{}`); got != "0" {
		t.Fatalf("the answer is %s", got)
	}
	for _, version := range []string{"1", "20", "3"}[:depth.Rounds(1, 3, 3)] {
		writeSource(t, s, map[string]string{"lib/v.ts": `export const v: number = ` + version})
		f.edited()
		if got := f.result(t, `{}`); got != version {
			t.Errorf("the answer is %s after an edit to %s", got, version)
		}
	}
}

func TestAScriptBesideTypeScriptIsTold(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `exports.handler = async () => 1`, "index.ts": `export const handler = async () => 2`}, nil)
	f.result(t, `{}`)
	if texts := f.eventTexts(function.EventWarning); len(texts) != 1 || !strings.Contains(texts[0], "src/index.js runs") {
		t.Errorf("the warnings are %q", texts)
	}
}

func TestAnOptionWithoutEffectIsTold(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.ts": `export const handler = async () => 2`, "tsconfig.json": `{"compilerOptions": {"emitDecoratorMetadata": true}}`}, nil)
	f.result(t, `{}`)
	if texts := f.eventTexts(function.EventWarning); len(texts) != 1 || !strings.Contains(texts[0], "src/tsconfig.json: emitDecoratorMetadata has no effect") {
		t.Errorf("the warnings are %q", texts)
	}
}

func TestAFailedStartOfTypeScriptNamesALineOfTheSource(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	// The package is called by code that the compiler adds for a decorator.
	f.serve(t, model.NodeJS, map[string]string{
		"index.ts":                      "import { old } from 'old'\nclass Shop {\n  @old list() {}\n}\nexport const handler = async () => new Shop()\n",
		"node_modules/old/package.json": `{"name":"old","version":"1.0.0","main":"main.js"}`,
		"node_modules/old/main.js":      `exports.old = (target, name, descriptor) => { descriptor.value }`,
	}, nil)
	if e := f.refused(t, `{}`, function.NotStarted); !strings.Contains(e.Error(), "at index.ts:") {
		t.Errorf("the error is %s", e)
	}
}

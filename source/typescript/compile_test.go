package typescript_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/source"
	"gatewright/source/typescript"
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

package handler

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/model"
	"gatewright/test/depth"
)

func typeScriptSpecs() []Spec {
	return []Spec{
		{Function: "items", Runtime: model.NodeJS, Template: model.ExpressTypeScript, Paths: []string{"/items"}},
		{Function: "items", Runtime: model.NodeJS, Template: model.PlainTypeScript},
	}
}

func TestTemplatesInTypeScriptAnswerEveryExchange(t *testing.T) {
	t.Parallel()
	for _, s := range typeScriptSpecs() {
		t.Run(string(s.Template), func(t *testing.T) {
			start := nodeEngine
			if s.Template == model.ExpressTypeScript {
				start = packagesEngine
			}
			e := start(t)
			folder := e.write(t, render(t, s))
			handler, err := source.FindHandler(os.DirFS(folder), s.Runtime, s.Runtime.Handler())
			if err != nil {
				t.Fatal(err)
			}
			program, err := typescript.Compile(typescript.Source{Folder: folder, Handler: handler})
			if err != nil || len(program.Warnings) > 0 {
				t.Fatalf("compile: %v, %v", err, program)
			}
			if err := os.WriteFile(filepath.Join(folder, "src", "index.js"), program.Code, 0o600); err != nil {
				t.Fatal(err)
			}
			verify(t, exchanges, e.do(t, call{Folder: folder, Events: events(exchanges)}))
			if own := e.do(t, call{Folder: folder, Events: []json.RawMessage{Event(s)}}); own[0].StatusCode != 200 {
				t.Errorf("its own event is answered with %+v", own[0])
			}
		})
	}
}

// TestTemplatesInTypeScriptHaveNoTypeErrors runs the check of package.json, with the packages
// that it lists.
func TestTemplatesInTypeScriptHaveNoTypeErrors(t *testing.T) {
	t.Parallel()
	depth.Whole(t)
	depth.Needs(t, "node", "npm")
	for _, s := range typeScriptSpecs() {
		t.Run(string(s.Template), func(t *testing.T) {
			folder := t.TempDir()
			if err := writeFiles(folder, render(t, s)); err != nil {
				t.Fatal(err)
			}
			for _, arguments := range [][]string{{"install", "--no-audit", "--no-fund", "--prefer-offline"}, {"run", "check"}} {
				npm := exec.Command("npm", arguments...)
				npm.Dir = filepath.Join(folder, "src")
				if out, err := npm.CombinedOutput(); err != nil {
					t.Fatalf("npm %v: %v\n%s", arguments, err, out)
				}
			}
		})
	}
}

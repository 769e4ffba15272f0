package board

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
)

func TestTheSourceOfAFunctionIsItsMainFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		f     model.Function
		files []string
		want  string
	}{
		{"an Express app", model.Function{Template: model.Express, Handler: "index.handler"}, []string{"app.js", "index.js", "package.json"}, "app.js"},
		{"the module of the handler", model.Function{Handler: "index.handler"}, []string{"app.js", "index.json", "index.mjs"}, "index.mjs"},
		{"a module in a folder's name", model.Function{Handler: "src/main.run"}, []string{"a.py", "main.py"}, "main.py"},
		{"a Go program", model.Function{Handler: "bootstrap"}, []string{"go.mod", "handler.go", "main.go"}, "main.go"},
		{"the first that there is", model.Function{Handler: "x.y"}, []string{"b.js", "c.js"}, "b.js"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			test.f.Name = "f"
			folder := filepath.Join(root, "backend", "function", "f", "src")
			must(t, os.MkdirAll(folder, 0o755))
			for _, name := range test.files {
				must(t, os.WriteFile(filepath.Join(folder, name), nil, 0o644))
			}
			got, err := sourceOf(root, 0, &test.f)
			if err != nil || got != "backend/function/f/src/"+test.want {
				t.Errorf("it is %q, %v", got, err)
			}
		})
	}
	if _, err := sourceOf(t.TempDir(), 0, &model.Function{Name: "f"}); err == nil || !strings.Contains(err.Error(), "function f has no folder backend/function/f/src") {
		t.Errorf("without sources the error is %v", err)
	}
}

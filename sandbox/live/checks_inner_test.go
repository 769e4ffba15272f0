package live

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
)

func writeAt(t *testing.T, root, name, text string, mode os.FileMode) {
	t.Helper()
	name = filepath.Join(root, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), mode), os.Chmod(name, mode)); err != nil {
		t.Fatal(err)
	}
}

func TestAHandlerHasItsFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		runtime       model.Runtime
		handler, file string
		found         bool
	}{
		{model.NodeJS, "index.handler", "index.js", true},
		{model.NodeJS, "index.handler", "index.mjs", true},
		{model.NodeJS, "index.handler", "index.cjs", true},
		{model.NodeJS, "a/b.handler", "a/b.js", true},
		{model.NodeJS, "index.handler", "index.py", false},
		{model.NodeJS, "index.handler", "index.js/x", false},
		{model.NodeJS, "", "index.js", true},
		{model.Python, "index.handler", "index.py", true},
		{model.Python, "a.b.handler", "a/b.py", true},
		{model.Python, "index.handler", "index.js", false},
		{model.Go, "bootstrap", "main.go", true},
		{model.Go, "bootstrap", "a/main.go", false},
		{"java21", "index.handler", "index.js", false},
	} {
		folder := filepath.Join(t.TempDir(), "items")
		writeAt(t, folder, "src/"+tt.file, "", 0o644)
		err := checkSource(function.Spec{Name: "items", Folder: folder, Runtime: tt.runtime, Handler: tt.handler})
		if (err == nil) != tt.found || err != nil && !strings.HasPrefix(err.Error(), "function items: ") {
			t.Errorf("%s of %s with %s: %v", tt.handler, tt.runtime, tt.file, err)
		}
	}
	err := checkSource(function.Spec{Name: "items", Folder: t.TempDir(), Runtime: model.NodeJS, Handler: "../x.handler"})
	if err == nil || !strings.HasPrefix(err.Error(), "function items: ") {
		t.Errorf("a handler outside of the source: %v", err)
	}
}

func TestAChangeIsOneLineWithItsFirstReasons(t *testing.T) {
	t.Parallel()
	of := model.Ref{Kind: model.KindFunction, Name: "items"}
	for n, want := range map[int]string{
		0: "update function items", 1: "update function items: r0", 6: "update function items: r0; r1; r2; r3; r4; r5", 8: "update function items: r0; r1; r2; r3; r4; r5; and 2 more",
	} {
		var reasons []string
		for i := range n {
			reasons = append(reasons, fmt.Sprint("r", i))
		}
		if got := changeText(diff.Difference{Operation: diff.ToUpdate, Of: of, Reasons: reasons}); got != want {
			t.Errorf("%d reasons are %q, want %q", n, got, want)
		}
	}
}

func TestWhatIsServedAnewOrNoMoreIsTold(t *testing.T) {
	t.Parallel()
	state := func(name, snapshot string, functions ...string) served {
		s := served{Environment: sandbox.Environment{Name: name}, backend: &model.Backend{}}
		s.record.Snapshot = snapshot
		for _, f := range functions {
			s.backend.Functions = append(s.backend.Functions, &model.Function{Name: f})
		}
		return s
	}
	var told []string
	l := &live{environment: "dev", options: Options{Notify: func(e sandbox.Event) { told = append(told, e.Kind+" "+e.Environment+": "+e.Text) }}}
	l.serving = []served{state("dev", "", "a", "new"), state("prod", "2"), state("same", "1"), state("fresh", "1")}
	l.reportChanges([]served{state("dev", "", "a", "old"), state("prod", "1"), state("same", "1"), state("gone", "1")})
	if diff := cmp.Diff([]string{
		"definition dev: create function new", "definition dev: delete function old", "serving prod: environment prod, from the working tree",
		"serving fresh: environment fresh, from the working tree", "definition gone: environment gone is no longer served",
	}, told); diff != "" {
		t.Errorf("it is told otherwise (-want +got):\n%s", diff)
	}
}

func TestAChangeOfAWatchedFileIsSeenOnceItIsComplete(t *testing.T) {
	t.Parallel()
	for layout, names := range map[project.Layout][]string{
		project.Native: {
			"backend/project.json", "backend/environments/dev.json", "backend/outputs/o.json", "backend/api/shop/api.json", "backend/function/f/function.json", "backend/table/t/table.json",
			".gatewright/secrets/dev.json", ".gatewright/deployed/dev/record.json",
		},
		project.Amplify: {
			"package.json", "amplify/cli.json", "amplify/.config/project-config.json", "amplify/backend/backend-config.json", "amplify/backend/api/shop/cli-inputs.json",
			"amplify/backend/api/shop/override.ts", "amplify/backend/api/shop/build/x.json", "amplify/backend/function/f/x.json", "amplify/backend/storage/s/x.json", "amplify/backend/auth/a/x.json",
			"gatewright/contract/shop.json", ".gatewright/secrets/dev.json",
		},
	} {
		root := t.TempDir()
		w := newWatch(root, layout)
		for _, name := range names {
			writeAt(t, root, name, "{}", 0o600)
			<-w.changed
			if first, second := w.differs(), w.differs(); !first || second {
				t.Errorf("%s is seen as changed %v, %v", name, first, second)
			}
			writeAt(t, root, name, "{ }", 0o600)
			if first, second := w.differs(), w.differs(); !first || second {
				t.Errorf("%s differs: %v, %v", name, first, second)
			}
			<-w.changed
		}
		writeAt(t, root, "backend/readme.md", "x", 0o600)
		if w.differs() || len(w.changed) > 0 {
			t.Error("another file is seen")
		}
		w.again()
		if <-w.changed; !w.differs() || w.differs() {
			t.Error("a change is not seen again, once")
		}
		w.close()
	}
}

package deploy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/archive"
	"gatewright/model"
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
	} {
		folder := filepath.Join(t.TempDir(), "items")
		writeAt(t, folder, "src/"+tt.file, "", 0o644)
		err := checkSource(function.Spec{Name: "items", Folder: folder, Runtime: tt.runtime, Handler: tt.handler})
		want := "<nil>"
		if !tt.found {
			want = "function items: its source has no file for the handler " + tt.handler + "; write it below items/src"
		}
		if fmt.Sprint(err) != want {
			t.Errorf("%s of %s with %s: %v, want %s", tt.handler, tt.runtime, tt.file, err, want)
		}
	}
	err := checkSource(function.Spec{Name: "items", Folder: t.TempDir(), Runtime: model.NodeJS, Handler: "../x.handler"})
	if err == nil || !strings.HasPrefix(err.Error(), "function items: ") {
		t.Errorf("a handler outside of the source: %v", err)
	}
}

func TestSecretsSayWhatIsWrongWithTheirFile(t *testing.T) {
	t.Parallel()
	f := &model.Function{Secrets: []string{"KEY", "OTHER"}}
	file := SecretFile("dev")
	for _, tt := range []struct {
		text, values string
		mode         os.FileMode
		want         []string
	}{
		{`{"KEY": "a", "OTHER": "b"}`, "map[KEY:a OTHER:b]", 0o600, nil},
		{`{"KEY": "a"}`, "map[KEY:a]", 0o600, []string{"runs without its secret OTHER; write it into " + file + ` as {"OTHER": "value"}`}},
		{`{"KEY": "a", "OTHER": "b"}`, "map[KEY:a OTHER:b]", 0o640, []string{"its secrets: " + file + " can be read by others; run: chmod 600 " + file}},
		{`{"KEY": 1}`, "map[]", 0o600, []string{"its secrets: " + file + ` is not a JSON object of strings; write it as {"NAME": "value"}`}},
		{strings.Repeat(" ", mostSecrets-2) + "{}", "map[]", 0o600, []string{
			"runs without its secret KEY; write it into " + file + ` as {"KEY": "value"}`, "runs without its secret OTHER; write it into " + file + ` as {"OTHER": "value"}`,
		}},
		{strings.Repeat(" ", mostSecrets-1) + "{}", "map[]", 0o600, []string{"its secrets: " + file + ` is too large; write it as {"NAME": "value"}`}},
	} {
		if tt.mode&0o077 != 0 && runtime.GOOS == "windows" {
			continue
		}
		root := t.TempDir()
		writeAt(t, root, file, tt.text, tt.mode)
		s := readSecrets(root, "dev")
		if got := s.missing(f); !slices.Equal(got, tt.want) || fmt.Sprint(s.values) != tt.values {
			t.Errorf("of %.30s it reads %v and says %q, want %q", tt.text, s.values, got, tt.want)
		}
		if got := s.missing(&model.Function{}); got != nil {
			t.Errorf("of a function without secrets it says %q", got)
		}
		names, problem := KnownSecrets(root, "dev")
		if problem != "" && (len(tt.want) != 1 || !strings.Contains(tt.want[0], problem)) || problem == "" && len(names) != len(s.values) {
			t.Errorf("known are %q, %s", names, problem)
		}
	}
	root := t.TempDir()
	if err := WriteSecrets(root, "dev", []byte(`{"KEY": "a"}`)); err != nil {
		t.Fatal(err)
	}
	if err := WriteSecrets(root, "dev", []byte(`{}`)); err == nil || !strings.HasPrefix(err.Error(), "writing the secrets of environment dev: ") {
		t.Errorf("a file that is there is written over: %v", err)
	}
	if s := readSecrets(root, "dev"); s.values["KEY"] != "a" || s.exposed {
		t.Errorf("it has %v, exposed %v", s.values, s.exposed)
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
		if got := changeText(model.Difference{Operation: model.ToUpdate, Of: of, Reasons: reasons}); got != want {
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
	l := &live{environment: "dev", options: LiveOptions{Notify: func(e sandbox.Event) { told = append(told, e.Kind+" "+e.Environment+": "+e.Text) }}}
	l.serving = []served{state("dev", "", "a", "new"), state("prod", "2"), state("same", "1"), state("fresh", "1")}
	l.reportChanges([]served{state("dev", "", "a", "old"), state("prod", "1"), state("same", "1"), state("gone", "1")})
	if diff := cmp.Diff([]string{
		"definition dev: create function new", "definition dev: delete function old", "serving prod: environment prod, from the working tree",
		"serving fresh: environment fresh, from the working tree", "definition gone: environment gone is not served any more",
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
			first, second, third := w.changed(), w.changed(), w.changed()
			if first || !second || third || w.pause < usualPause {
				t.Errorf("%s is seen as changed %v, %v, %v", name, first, second, third)
			}
			writeAt(t, root, name, "{ }", 0o600)
			if first, second := w.differs(), w.differs(); !first || second {
				t.Errorf("%s differs: %v, %v", name, first, second)
			}
		}
		writeAt(t, root, "backend/readme.md", "x", 0o600)
		if w.changed() || w.differs() {
			t.Error("another file is seen")
		}
		if w.again(); !w.changed() || w.changed() {
			t.Error("a change is not seen again, once")
		}
	}
}

func TestEachFunctionAndLayerIsUploadedOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	b := &model.Backend{Functions: []*model.Function{
		{Name: "b", Runtime: model.Python, Handler: "x.y", Layers: []string{"layers/two", "arn:aws:lambda:x", "layers/one"}}, {Name: "a", Layers: []string{"layers/one"}},
	}}
	env := &model.Environment{Name: "dev"}
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	want := []archive.Source{
		{Name: "b", Folder: at("backend/function/b/src"), Project: root, Runtime: model.Python, Handler: "x.y"},
		{Name: "a", Folder: at("backend/function/a/src"), Project: root, Runtime: model.NodeJS},
		{Name: "layers/one", Folder: at("layers/one"), Project: root, Layer: true, Runtime: model.Python},
		{Name: "layers/two", Folder: at("layers/two"), Project: root, Layer: true, Runtime: model.Python},
	}
	if diff := cmp.Diff(want, archiveSources(Target{Project: &project.Project{Root: root, Layout: project.Native, Backend: b}, Environment: env})); diff != "" {
		t.Errorf("other things are uploaded (-want +got):\n%s", diff)
	}
}

func TestARefusalHasItsFirstReasonAndCountsTheRest(t *testing.T) {
	t.Parallel()
	reasons := []error{errors.New("one"), errors.New("two"), errors.New("three")}
	target := Target{Environment: &model.Environment{Name: "my dev"}}
	for n, want := range map[int]string{
		1: "nothing is deployed: one", 2: "nothing is deployed: one (and 1 more; see them with: gatewright status --env 'my dev')",
		3: "nothing is deployed: one (and 2 more; see them with: gatewright status --env 'my dev')",
	} {
		r := refusedBecause(reasons[:n], target)
		if r.Error() != want || !errors.Is(r, reasons[n-1]) {
			t.Errorf("%d reasons are %q, want %q", n, r, want)
		}
	}
}

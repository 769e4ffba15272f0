package prepare

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/depth"
)

const (
	goMod  = "module items\n\ngo 1.24\n"
	goMain = "package main\n\nfunc main() { println(\"first\") }\n"
)

func TestAProgramIsBuiltOncePerSource(t *testing.T) {
	preparetest.NeedsProgram(t, "go")
	p := newPreparing(t, model.Go, map[string]string{"go.mod": goMod, "main.go": goMain})
	first := p.ready(t)
	if got := first.run(t, first.Command...); got != "first" || !strings.HasPrefix(first.Command[0], p.state) {
		t.Errorf("%v prints %q", first.Command, got)
	}
	if texts := p.eventTexts(function.EventBuild); len(texts) != 2 || texts[0] != "building the program (go build)" {
		t.Errorf("the events are %q", texts)
	}
	p.write(t, map[string]string{"main.go": strings.Replace(goMain, "first", "second", 1)})
	second := p.ready(t)
	if got := second.run(t, second.Command...); got != "second" || second.Stamp == first.Stamp {
		t.Errorf("after an edit %v prints %q", second.Command, got)
	}
	p.eventTexts(function.EventBuild)
	// The source is the first again, and Go is not installed.
	preparetest.Without(t)
	p.write(t, map[string]string{"main.go": goMain})
	third := p.ready(t)
	if texts := p.eventTexts(function.EventBuild); len(texts) != 0 || third.Command[0] != first.Command[0] || third.Stamp != first.Stamp {
		t.Errorf("it is built again: %q, %v", texts, third.Command)
	}
	p.write(t, map[string]string{"main.go": goMain + "\n"})
	p.refused(t, function.NoRuntime, "Go is not installed", "; install Go")
}

func TestASourceOfSeveralFunctionsIsBuiltOnce(t *testing.T) {
	t.Parallel()
	preparetest.NeedsProgram(t, "go")
	p := newPreparing(t, model.Go, map[string]string{"go.mod": goMod, "main.go": goMain})
	copied := t.TempDir()
	preparetest.WriteFiles(t, filepath.Join(copied, "src"), map[string]string{"go.mod": goMod, "main.go": goMain})
	var all sync.WaitGroup
	for i := range 4 {
		s := p.spec
		if i%2 == 1 {
			s.Environment, s.Folder = "prod", copied
		}
		all.Go(func() {
			if _, err := p.Prepare(t.Context(), s, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if texts := p.eventTexts(function.EventBuild); len(texts) != 2 {
		t.Errorf("the events are %q", texts)
	}
}

// TestAChangeOfAReplacedModuleIsBuilt has a go.mod that replaces a module by a folder.
func TestAChangeOfAReplacedModuleIsBuilt(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	preparetest.NeedsProgram(t, "go")
	p := newPreparing(t, model.Go, map[string]string{
		"go.mod":  goMod + "\nrequire other v0.0.0\n\nreplace other => ../../other\n",
		"main.go": "package main\n\nimport \"other\"\n\nfunc main() { println(other.Name) }\n",
	})
	other := filepath.Join(p.spec.Folder, "..", "other")
	t.Cleanup(func() { _ = os.RemoveAll(other) })
	for _, name := range []string{"one", "two"} {
		preparetest.WriteFiles(t, other, map[string]string{"go.mod": "module other\n", "other.go": "package other\n\nconst Name = \"" + name + "\"\n"})
		ready := p.ready(t)
		if got := ready.run(t, ready.Command...); got != name {
			t.Errorf("it prints %q, want %q", got, name)
		}
	}
}

func TestCompilerErrorsHaveTheirPlace(t *testing.T) {
	preparetest.NeedsProgram(t, "go")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "")
	src := func(text string) map[string]string { return map[string]string{"go.mod": goMod, "main.go": text} }
	tests := []struct {
		name   string
		files  map[string]string
		words  []string
		logged []string
	}{
		{
			"types", src("package main\n\nfunc main() {\n\tx := 1\n\tmissing()\n}\n"),
			[]string{"go build failed: main.go:4:2: declared and not used: x; correct it"},
			[]string{"ERROR main.go:4:2: declared and not used: x\n", "ERROR main.go:5:2: undefined: missing\n"},
		},
		{"syntax", src("package main\n\nfunc main() {\n"), []string{"go build failed: main.go:4:1: syntax error: unexpected EOF"}, []string{"ERROR main.go:4:1: syntax error"}},
		{
			"a module that is not required", src("package main\n\nimport _ \"example.com/a/b\"\n\nfunc main() {}\n"),
			[]string{"main.go:3:8: no required module provides package example.com/a/b; run go mod tidy in "},
			[]string{"ERROR main.go:3:8: no required module"},
		},
		{"no go.mod", map[string]string{"main.go": goMain}, []string{"src has no go.mod; run go mod init and go mod tidy in "}, nil},
		{"a wrong go.mod", map[string]string{"go.mod": "modul items\n", "main.go": goMain}, []string{"go build failed: "}, []string{"go.mod:1: "}},
		{"no source", map[string]string{"go.mod": goMod}, []string{"go build failed: no Go files in "}, []string{"no Go files"}},
	}
	for _, test := range tests {
		p := newPreparing(t, model.Go, test.files)
		for range depth.Rounds(1, 2, 2) {
			p.refused(t, function.NotPrepared, test.words...)
		}
		for _, want := range test.logged {
			if logged := p.logged(); !strings.Contains(logged, want) {
				t.Errorf("%s: the log lacks %q: %s", test.name, want, logged)
			}
		}
		if built, err := filepath.Glob(filepath.Join(p.state, "go", "*", "*")); err != nil || len(built) != 0 {
			t.Errorf("%s: %v: %q is left", test.name, err, built)
		}
	}
	missing := newPreparing(t, model.Go, nil)
	missing.refused(t, function.NotPrepared, "src cannot be read: ")
}

func TestProgramsThatNobodyStartsAreRemoved(t *testing.T) {
	t.Parallel()
	p := newPreparing(t, model.Go, nil)
	old, recent := filepath.Join(p.state, "go", "old"), filepath.Join(p.state, "go", "recent")
	for folder, age := range map[string]time.Duration{old: 15 * 24 * time.Hour, recent: 13 * 24 * time.Hour} {
		preparetest.WriteFiles(t, folder, map[string]string{"bootstrap": ""})
		at := time.Now().Add(-age)
		if err := os.Chtimes(folder, at, at); err != nil {
			t.Fatal(err)
		}
	}
	prune(filepath.Join(p.state, "go"), longestUnused, "")
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old program still exists: %v", err)
	}
	if _, err := os.Stat(recent); err != nil {
		t.Error(err)
	}
}

func TestFlagsThatNeedCgoAreLeftOut(t *testing.T) {
	depth.Gate(t)
	preparetest.NeedsProgram(t, "go")
	t.Setenv("GOFLAGS", "-race -mod=mod")
	p := newPreparing(t, model.Go, map[string]string{"go.mod": goMod, "main.go": goMain})
	if built := p.ready(t); built.run(t, built.Command...) != "first" {
		t.Errorf("%v is not the program", built.Command)
	}
}

func TestOnlyFlagsThatNeedCgoAreLeftOut(t *testing.T) {
	t.Parallel()
	if got := plainFlags("-race -mod=mod --msan -tags=a"); got != "-mod=mod -tags=a" {
		t.Errorf("the flags are %q", got)
	}
}

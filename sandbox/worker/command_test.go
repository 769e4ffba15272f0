package worker

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

func TestAWorkerIsStartedWithItsInterpreterAndBootstrap(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not tested: programs have other names there")
	}
	found, none := t.TempDir(), t.TempDir()
	for _, name := range []string{"nodejs", "python"} {
		if err := os.WriteFile(filepath.Join(found, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(kind function.ErrorKind, text, fix string) *function.Error {
		return &function.Error{Kind: kind, Environment: "dev", Function: "items", Text: text, Fix: fix}
	}
	for name, row := range map[string]struct {
		path     string
		spec     function.Spec
		prepared prepare.Prepared
		broken   error
		want     []string
		failure  *function.Error
	}{
		"Node.js":         {found, function.Spec{Runtime: model.NodeJS}, prepare.Prepared{}, nil, []string{found + "/nodejs", "boot/bootstrap.cjs"}, nil},
		"with a debugger": {found, function.Spec{Runtime: model.NodeJS, Inspect: true}, prepare.Prepared{}, nil, []string{found + "/nodejs", "--inspect-brk=127.0.0.1:0", "boot/bootstrap.cjs"}, nil},
		"Python":          {found, function.Spec{Runtime: model.Python}, prepare.Prepared{}, nil, []string{found + "/python", "-s", "-S", "boot/bootstrap.py"}, nil},
		"Go":              {none, function.Spec{Runtime: model.Go}, prepare.Prepared{Command: []string{"/program", "-x"}}, errors.New("no folder"), []string{"/program", "-x"}, nil},
		"another runtime": {found, function.Spec{Runtime: "ruby"}, prepare.Prepared{}, nil, nil, fails(function.NoRuntime, "the runtime ruby is not supported", "use a runtime of Node.js, Python or Go")},
		"no Node.js":      {none, function.Spec{Runtime: model.NodeJS}, prepare.Prepared{}, nil, nil, fails(function.NoRuntime, "Node.js is not installed", "install Node.js 20 or later, or add it to PATH as node")},
		"no Python":       {none, function.Spec{Runtime: model.Python}, prepare.Prepared{}, nil, nil, fails(function.NoRuntime, "Python is not installed", "install Python 3.9 or later, or add it to PATH as python3")},
		"a handler elsewhere": {
			found,
			function.Spec{Runtime: model.NodeJS, Handler: "../x.handler"},
			prepare.Prepared{},
			nil, nil,
			fails(function.NotStarted, "the handler ../x.handler leads out of the function's folder", "name a file below src, such as index.handler"),
		},
		"no bootstraps": {
			found,
			function.Spec{Runtime: model.Python},
			prepare.Prepared{},
			errors.New("read-only\nfile system"), nil,
			fails(function.NotStarted, "the bootstraps cannot be written: read-only file system", "make the sandbox's state folder writable"),
		},
	} {
		t.Setenv("PATH", row.path)
		row.spec.Environment, row.spec.Name, row.spec.Memory = "dev", "items", 256
		w := &worker{spec: &row.spec, pool: &pool{runner: &Runner{bootstrapsErr: row.broken}}}
		got, failure := w.command(row.prepared, "boot")
		if diff := cmp.Diff(row.want, got) + cmp.Diff(row.failure, failure); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got, want := nodeHeap(256, true), []string{"--max-semi-space-size=12", "--max-old-space-size=230"}; !slices.Equal(got, want) {
		t.Errorf("with strict memory it has %q", got)
	}
	if got, want := nodeHeap(10, true), []string{"--max-semi-space-size=1", "--max-old-space-size=9"}; !slices.Equal(got, want) {
		t.Errorf("with little memory it has %q", got)
	}
}

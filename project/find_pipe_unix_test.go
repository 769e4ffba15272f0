//go:build unix

package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatewright/project"
)

func TestAPipeInThePlaceOfTheProjectFileIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "backend"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "backend", "project.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if root, layout, err := project.Find(dir); root != dir || layout != project.Native || err != nil {
		t.Errorf("found %q, %v, %v", root, layout, err)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	if said := lines(p.Problems); !strings.Contains(said, "backend/project.json: ") || !strings.Contains(said, "not a regular file") {
		t.Errorf("it says %s", said)
	}
}

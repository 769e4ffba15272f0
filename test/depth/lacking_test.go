package depth

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhatLacksIsToldOnceForAllPackages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"11": "node\tTestA/one\nnode\tTestA/two\ntmux\tTestB\n",
		"12": "node\tTestC\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := "\nThese tests did not run:\n  for want of node, 2: TestA, TestC\n  for want of tmux, 1: TestB\n\n"
	if got := lacking(dir); got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if got := lacking(t.TempDir()); got != "" {
		t.Errorf("without notes it says %q", got)
	}
}

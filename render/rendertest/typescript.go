package rendertest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gatewright/test/depth"
)

// TypeScript makes a folder with the compiler of TypeScript.
func TypeScript(t *testing.T) string {
	t.Helper()
	depth.Whole(t)
	depth.Needs(t, "npm")
	folder := t.TempDir()
	Write(t, folder, "package.json",
		[]byte(`{"private": true, "type": "module", "dependencies": {"typescript": "5.9.3"}}`))
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefer-offline")
	npm.Dir = folder
	if out, err := npm.CombinedOutput(); err != nil {
		depth.Lacks(t, "npm's registry", string(out))
	}
	return folder
}

// Write writes a file of a folder.
func Write(t *testing.T, folder, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Compile runs the compiler in a folder, with all its strictness.
func Compile(t *testing.T, folder string, args ...string) {
	t.Helper()
	compile := exec.Command(filepath.Join("node_modules", ".bin", "tsc"), append([]string{
		"--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler",
	}, args...)...)
	compile.Dir = folder
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s", err, bytes.TrimSpace(out))
	}
}

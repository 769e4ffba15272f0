package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each run of the program would compile them, whatever its command is: lazyregexp.New does so when they are used.
func TestNoExpressionIsCompiledBeforeMain(t *testing.T) {
	t.Parallel()
	ofPackage := regexp.MustCompile(`(?m)^(?:var \w+|\t\w+) +(?:\*regexp\.Regexp )?= regexp\.MustCompile`)
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "tools" || entry.Name() == "node_modules" || strings.HasSuffix(entry.Name(), "test")):
			return fs.SkipDir
		case entry.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if found := ofPackage.Find(text); found != nil {
			t.Errorf("%s: %s", name, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

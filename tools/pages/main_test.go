package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheReferenceAgreesWithTheProgram compares the pages that this command writes with those that are committed.
func TestTheReferenceAgreesWithTheProgram(t *testing.T) {
	t.Parallel()
	pages, err := all()
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != 5 {
		t.Errorf("%d pages are made, and not 5", len(pages))
	}
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
			t.Errorf("docs/reference/%s is not what the program says: run go run ./tools/pages", name)
		}
	}
}

package test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostFiles is how many files a package may have, tests apart.
const mostFiles = 30

func TestAPackageIsARoomThatOneCanOversee(t *testing.T) {
	t.Parallel()
	files := make(map[string]int)
	for _, name := range sources(t) {
		files[path.Dir(name)]++
	}
	for folder, n := range files {
		if n > mostFiles {
			t.Errorf("%s has %d files, and %d are the most: give some of them a package of their own", folder, n, mostFiles)
		}
	}
}

// mostColumns is how long a line may be. A tabulator is one column.
const mostColumns = 120

// TestLinesFitASmallWindow lets through what cannot be broken: long addresses, and texts in backquotes.
func TestLinesFitASmallWindow(t *testing.T) {
	t.Parallel()
	for _, name := range sources(t) {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		raw := false
		for i, line := range strings.Split(string(text), "\n") {
			quotes := strings.Count(line, "`")
			if raw || quotes > 0 {
				raw = raw != (quotes%2 == 1)
				continue
			}
			whole := slices.ContainsFunc(strings.Fields(line), func(word string) bool { return len(word) > mostColumns/2 })
			if n := utf8.RuneCountInString(line); n > mostColumns && !whole {
				t.Errorf("%s:%d has %d columns", name, i+1, n)
			}
		}
	}
}

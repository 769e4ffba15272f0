package rendertest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// update is whether the goldens are written instead of compared.
var update = flag.Bool("update", false, "write the goldens")

// Golden compares with a file in testdata, or writes it with -update.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

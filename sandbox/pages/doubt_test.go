package pages_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gatewright/sandbox/pages"
)

func TestDamagedChecksumsAreToldAndTheFileIsUsed(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 7))
	name := filepath.Join(t.TempDir(), "file.db")
	f, model := open(t, name), make(map[string]string)
	for range 20 {
		must(t, change(f, random, model))
	}
	must(t, f.Close())
	good, err := os.ReadFile(name + pages.Suffix)
	must(t, err)
	for at := range good {
		bad := slices.Clone(good)
		bad[at] ^= byte(1 + random.IntN(255))
		must(t, os.WriteFile(name+pages.Suffix, bad, 0o600))
		f, err := pages.Open(name, pages.Options{})
		must(t, err)
		got, err := content(f)
		must(t, err)
		if !maps.Equal(got, model) || f.Warning() == "" {
			t.Fatalf("byte %d: the file has %d of %d keys, warning %q", at, len(got), len(model), f.Warning())
		}
		must(t, f.Close())
		if kept, err := os.ReadFile(name + pages.DoubtSuffix); err != nil || !bytes.Equal(kept, bad) {
			t.Fatalf("byte %d: the damaged checksums are not kept: %v", at, err)
		}
		// A whole file of checksums does not end the doubt.
		again, err := pages.Open(name, pages.Options{})
		must(t, err)
		if again.Taken() || again.Warning() == "" {
			t.Fatalf("byte %d: taken: %v, warning %q", at, again.Taken(), again.Warning())
		}
		must(t, again.Close())
		must(t, os.Remove(name+pages.DoubtSuffix))
	}
	f, err = pages.Open(name, pages.Options{})
	must(t, err)
	if f.Warning() != "" {
		t.Errorf("nobody doubts the file, and it says %q", f.Warning())
	}
	must(t, f.Close())
}

func TestReadingAloneLeavesDamagedChecksumsWhereTheyAre(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file.db")
	f := open(t, name)
	must(t, change(f, rand.New(rand.NewPCG(1, 2)), make(map[string]string)))
	must(t, f.Close())
	bad := []byte("no checksums")
	must(t, os.WriteFile(name+pages.Suffix, bad, 0o600))
	f, err := pages.Open(name, pages.Options{ReadOnly: true})
	must(t, err)
	if f.Warning() == "" {
		t.Error("damaged checksums are not told")
	}
	must(t, f.Close())
	if left, err := os.ReadFile(name + pages.Suffix); err != nil || !bytes.Equal(left, bad) || pages.IsDoubted(name) {
		t.Errorf("reading changed something: %q, %v", left, err)
	}
}

func TestChecksumsThatWereDamagedSayNothingOfANewFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file.db")
	must(t, os.WriteFile(name+pages.DoubtSuffix, []byte("old"), 0o600))
	must(t, os.WriteFile(name+pages.Suffix, []byte("old"), 0o600))
	for range 2 {
		f, err := pages.Open(name, pages.Options{})
		must(t, err)
		if f.Warning() != "" {
			t.Errorf("a new file has the warning %q", f.Warning())
		}
		must(t, f.Close())
	}
}

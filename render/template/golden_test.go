package template_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"gatewright/model"
)

var update = flag.Bool("update", false, "write the goldens")

func TestTheTemplatesEqualTheirGoldens(t *testing.T) {
	t.Parallel()
	large := backend(manyPaths("catalog", 75), manyPaths("stock", 30), api("small",
		restricted("/", "small", toGuests(model.Read))))
	for name, tt := range map[string]struct {
		b   *model.Backend
		env string
	}{
		"shop": {shop(), "dev"}, "guarded": {shop(), "prod"}, "sign-in": {signIn(), "dev"}, "triggers": {triggered(), "dev"}, "large": {large, "dev"},
	} {
		made := rendered(t, tt.b, tt.env)
		golden(t, name+".golden.json", made.Root.JSON())
		for _, n := range made.Nested {
			if n.API == "small" {
				golden(t, name+"-"+n.Name, n.Node.JSON())
			}
		}
	}
}

// golden compares with a file in testdata, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
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
		t.Errorf("%s differs from what is rendered; read the difference, and write it with -update", name)
	}
}

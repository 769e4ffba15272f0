package prepare

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestImportsAreReadBehindLinksToo(t *testing.T) {
	t.Parallel()
	source, shared := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(source, "index.js"):                          `require("./shared/db"); require("./one")`,
		filepath.Join(shared, "db.js"):                             `const { DynamoDBClient } = require("@aws-sdk/client-dynamodb")`,
		filepath.Join(shared, "node_modules", "other", "index.js"): `require("@aws-sdk/client-sns")`,
		filepath.Join(shared, "more", "one.js"):                    `require("@aws-sdk/client-s3")`,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"shared": shared, "one.js": filepath.Join(shared, "more", "one.js"), "again": source, "nothing.js": "missing.js"} {
		if err := os.Symlink(target, filepath.Join(source, link)); err != nil {
			t.Skip("NOT TESTED: this system makes no links:", err)
		}
	}
	got := slices.Sorted(maps.Keys(NewPreparer(t.TempDir(), "", nil, nil).readImports([]string{source, filepath.Join(source, "missing")}).packages))
	if want := []string{"@aws-sdk/client-dynamodb", "@aws-sdk/client-s3"}; !slices.Equal(got, want) {
		t.Errorf("the imports are %q, want %q", got, want)
	}
}

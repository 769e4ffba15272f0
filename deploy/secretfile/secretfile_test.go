package secretfile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/secretfile"
)

func TestKnownSecretsHasNamesAndNoValues(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if names, problem := secretfile.Known(dir, "dev"); len(names) > 0 || problem != "" {
		t.Errorf("without a file: %q, %q", names, problem)
	}
	file := filepath.Join(dir, filepath.FromSlash(secretfile.Name("dev")))
	deploytest.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	deploytest.Must(t, os.WriteFile(file, []byte(`{"TOKEN": "hidden", "KEY": "hidden"}`), 0o600))
	if names, problem := secretfile.Known(dir, "dev"); !slices.Equal(names, []string{"KEY", "TOKEN"}) || problem != "" {
		t.Errorf("the names are %q, the problem %q", names, problem)
	}
	deploytest.Must(t, os.WriteFile(file, []byte(`["hidden"]`), 0o600))
	names, problem := secretfile.Known(dir, "dev")
	if len(names) > 0 || !strings.Contains(problem, "is not a JSON object") || strings.Contains(problem, "hidden") {
		t.Errorf("with a broken file: %q, %q", names, problem)
	}
}

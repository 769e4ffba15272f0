package schemas

import (
	"os"
	"path/filepath"
	"testing"
)

// realFiles returns files that public projects committed, where they are there.
func realFiles(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../shared/real/" + folder + "/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skipf("no files of public projects in %s", folder)
	}
	files := make(map[string][]byte)
	for _, path := range paths {
		if files[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestRealAPIDefinitionsAreValid(t *testing.T) {
	for path, doc := range realFiles(t, "cli-inputs") {
		if found := problems(t, "cli-inputs", doc); len(found) > 0 {
			t.Errorf("%s: %+v", path, found)
		}
	}
}

func TestRealClientFilesGetTheVerdictOfThePublicSchema(t *testing.T) {
	public := publicOracle(t)
	if public == nil {
		t.Skip("the public schema is not there")
	}
	var accepted, refused int
	for path, doc := range realFiles(t, "outputs") {
		value := decode(t, doc)
		want := public.Validate(value) == nil
		found := problems(t, "client-config-amplify", doc)
		if (len(found) == 0) != want {
			t.Errorf("%s: the public schema accepts it: %t, we found %+v", path, want, found)
		}
		if fields := value.(map[string]any); fields["version"] != "1" {
			continue
		}
		if want {
			accepted++
		} else {
			refused++
			t.Logf("%s: %+v", path, found)
		}
	}
	if accepted == 0 {
		t.Errorf("of the files of version 1, %d are accepted and %d refused", accepted, refused)
	}
}

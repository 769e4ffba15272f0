package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/project/git"
)

// checkedOut asks of files below the folder app.
func checkedOut(t *testing.T, r *git.Repository) func(name string) bool {
	t.Helper()
	return files(t, r, "HEAD").In("app").Afero().(interface{ IsCheckedOut(string) bool }).IsCheckedOut
}

func TestFilesWithOtherEndsOfLinesAreAsGitSays(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("app/text", "a\nb\n")
	r.write("app/q\"ü uote", "a\nb\n")
	r.write("app/raw.bin", "a\nb\n")
	r.write("app/crlf", "a\r\nb\r\n")
	r.write("app/.gitattributes", "*.bin -text\n")
	r.commit("one")
	for _, name := range []string{"app/text", "app/q\"ü uote", "app/raw.bin"} {
		r.write(name, "a\r\nb\r\n")
	}
	plain := checkedOut(t, r.open("app"))
	if plain("text") || !plain("crlf") {
		t.Error("without a setting, the ends of lines count")
	}
	r.git("config", "core.autocrlf", "true")
	is := checkedOut(t, r.open("app"))
	for name, want := range map[string]bool{"text": true, "q\"ü uote": true, "raw.bin": false, "missing": false} {
		if is(name) != want {
			t.Errorf("%q is checked out: %v", name, !want)
		}
	}
	r.write("app/text", "a\r\nc\r\n")
	if is("text") {
		t.Error("another text counts as checked out")
	}
	// A file that cannot be read ends the process, which starts again.
	if err := os.Remove(filepath.Join(r.dir, "app", "raw.bin")); err != nil {
		t.Fatal(err)
	}
	if is("raw.bin") || !is("q\"ü uote") {
		t.Error("after a file that cannot be read, git is not asked any more")
	}
}

func TestNamesOfFilesThatAreCheckedOutMayHaveAnyCharacter(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	names := []string{"two\nlines", `back\slash`, `"quoted"`, "tab\tin", "a\\n"}
	for _, name := range names {
		r.write("app/"+name, "a\n")
	}
	r.commit("one")
	r.git("config", "core.autocrlf", "true")
	is := checkedOut(t, r.open("app"))
	for _, name := range names {
		r.write("app/"+name, "a\r\n")
		if !is(name) {
			t.Errorf("%q is not", name)
		}
	}
}

func TestABareRepositoryHasNothingCheckedOut(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("app/f", "x")
	r.commit("one")
	bare := repository{t, t.TempDir()}
	bare.git("clone", "--quiet", "--bare", r.dir, "bare.git")
	if checkedOut(t, bare.open("bare.git"))("f") {
		t.Error("a file of a bare repository is checked out")
	}
}

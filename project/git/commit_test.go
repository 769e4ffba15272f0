package git_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/git"
	"gatewright/test/depth"
)

// The settings of whoever runs the tests do not count.
func TestMain(m *testing.M) {
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		if err := os.Setenv(name, os.DevNull); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// repository is a git repository in a temporary folder.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	depth.Needs(t, "git")
	r := repository{t, t.TempDir()}
	r.git("init", "--quiet", "--initial-branch", "main")
	return r
}

// git runs git, and returns what it prints.
func (r repository) git(args ...string) string {
	r.t.Helper()
	return r.gitWith("", args...)
}

func (r repository) gitWith(input string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repository) write(name, text string) {
	r.t.Helper()
	at := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// commit commits all files, and returns the id.
func (r repository) commit(message string) string {
	r.t.Helper()
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

func (r repository) open(folder string) *git.Repository {
	r.t.Helper()
	// The context of a test ends before its cleanup.
	opened, err := git.Open(context.Background(), filepath.Join(r.dir, folder))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			r.t.Errorf("closing: %v", err)
		}
	})
	return opened
}

func files(t *testing.T, r *git.Repository, revision string) *git.FS {
	t.Helper()
	id, err := r.Commit(revision)
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Files(id)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestACommitIsReadWithoutCheckingItOut(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("app/backend/project.json", "old")
	r.write("app/backend/function/f/src/index.js", strings.Repeat("x", 100_000))
	r.write("other.txt", "beside")
	first := r.commit("one")
	r.write("app/backend/project.json", "newer")
	r.commit("two")
	opened := r.open("app")
	if opened.Prefix() != "app" {
		t.Errorf("the prefix is %q", opened.Prefix())
	}
	fsys := files(t, opened, "HEAD~1").In("app").Afero()
	text, err := afero.ReadFile(fsys, "backend/project.json")
	if err != nil || string(text) != "old" {
		t.Errorf("the file was %q, %v", text, err)
	}
	info, err := fsys.Stat("backend/function/f/src/index.js")
	if err != nil || info.Size() != 100_000 || !info.Mode().IsRegular() {
		t.Errorf("the file is described as %v, %v", info, err)
	}
	var names []string
	err = afero.Walk(fsys, ".", func(name string, _ fs.FileInfo, err error) error {
		names = append(names, name)
		return err
	})
	want := []string{".", "backend", "backend/function", "backend/function/f", "backend/function/f/src", "backend/function/f/src/index.js", "backend/project.json"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("the files are %q, %v", names, err)
	}
	if _, err := fsys.Stat("other.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file beside the folder: %v", err)
	}
	if err := fsys.Remove("backend/project.json"); err == nil {
		t.Error("a file of a commit was removed")
	}
	if id, err := opened.Commit("main~1"); err != nil || id != first {
		t.Errorf("main~1 is %s, %v", id, err)
	}
	if text, err := os.ReadFile(filepath.Join(r.dir, "app/backend/project.json")); err != nil || string(text) != "newer" {
		t.Errorf("the working tree has %q, %v", text, err)
	}
}

func TestFilesWithTheSameContentHaveTheSameID(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a", "same")
	r.write("b", "other")
	r.commit("one")
	r.write("c", "same")
	r.commit("two")
	opened := r.open("")
	ids := files(t, opened, "HEAD").Afero().(interface{ ContentID(string) (string, bool) })
	a, _ := ids.ContentID("a")
	b, _ := ids.ContentID("b")
	c, known := ids.ContentID("c")
	if a != c || a == b || !known {
		t.Errorf("the ids are %s, %s and %s", a, b, c)
	}
	if _, known := ids.ContentID("."); known {
		t.Error("a folder has an id of a content")
	}
}

func TestRevisionsAreNotOptions(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("f", "x")
	r.commit("one")
	opened := r.open("")
	for _, revision := range []string{"", "--help", "-h", "--output=stolen", "nope", "HEAD\nHEAD", "HEAD:f", "HEAD^{tree}", "main missing"} {
		if id, err := opened.Commit(revision); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is %s, %v", revision, id, err)
		}
	}
	// The process still answers.
	if _, err := opened.Commit("HEAD"); err != nil {
		t.Error(err)
	}
	r.git("tag", "--annotate", "-m", "a tag", "v1")
	if names := opened.Names(); !slices.Equal(names, []string{"main", "v1"}) {
		t.Errorf("the names are %q", names)
	}
	if id, err := opened.Commit("v1"); err != nil || id != r.git("rev-parse", "HEAD") {
		t.Errorf("the tag is %s, %v", id, err)
	}
}

func TestANameThatGitCannotFollowIsNoCommit(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("f", "x")
	for _, tt := range [][2]string{{"HEAD", "has no commit yet"}, {"main@{upstream}", "git knows no commit main@{upstream}"}} {
		opened, err := git.Open(t.Context(), r.dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := opened.Commit(tt[0]); err == nil || !strings.Contains(err.Error(), tt[1]) {
			t.Errorf("%s: %v", tt[0], err)
		}
		_ = opened.Close()
		r.commit("one")
	}
}

func TestWhatGitDoesNotKnowIsSaidInOneLineWithWhatToDo(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("f", "x")
	id := r.commit("one")
	opened := r.open("")
	for revision, want := range map[string]string{
		"":       `revision: git knows no commit ""; name a branch, a tag or a commit`,
		"a\nb":   `revision: git knows no commit "a\nb"; name a branch, a tag or a commit`,
		"nope":   "revision: git knows no commit nope; see the branches with: git branch --all; a branch of the remote is origin/NAME, and git fetch gets new ones",
		id + "x": "revision: git knows no commit " + id + "x; see the branches with: git branch --all; a branch of the remote is origin/NAME, and git fetch gets new ones",
	} {
		if _, err := opened.Commit(revision); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", revision, err, want)
		}
	}
	if got, err := opened.Commit(id[:8]); err != nil || got != id {
		t.Errorf("a short id is %s, %v", got, err)
	}
	if _, err := opened.MergeBase(id, "nope"); err == nil || !strings.HasPrefix(err.Error(), "git merge-base says: ") {
		t.Errorf("a common ancestor with nothing: %v", err)
	}
	if _, err := opened.Files("nope"); err == nil || !strings.HasPrefix(err.Error(), "git ls-tree says: ") {
		t.Errorf("files of nothing: %v", err)
	}
	if opened.Shallow() || opened.Prefix() != "" {
		t.Errorf("shallow: %v, prefix %q", opened.Shallow(), opened.Prefix())
	}
	all := files(t, opened, "HEAD")
	for range 2 {
		if err := opened.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}
	if _, err := all.Open("f"); err == nil || !strings.Contains(err.Error(), "the git repository is closed") {
		t.Errorf("after its end a file is read: %v", err)
	}
}

// TestAFileIsReadAgainAfterAnother reads files in turn, of which the last one read is kept.
func TestAFileIsReadAgainAfterAnother(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, name := range []string{"a", "b", "empty"} {
		r.write(name, strings.Repeat(name, len(name)%5))
	}
	r.commit("one")
	fsys := files(t, r.open(""), "HEAD").Afero()
	for range 2 {
		for name, want := range map[string]string{"a": "a", "b": "b", "empty": ""} {
			info, err := fsys.Stat(name)
			if err != nil || info.Size() != int64(len(want)) {
				t.Errorf("%s is described as %v, %v", name, info, err)
			}
			if text, err := afero.ReadFile(fsys, name); err != nil || string(text) != want {
				t.Errorf("%s has %q, %v", name, text, err)
			}
		}
	}
}

func TestThreeDotsCountFromTheCommonAncestor(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("f", "x")
	common := r.commit("one")
	r.git("checkout", "--quiet", "-b", "feature")
	feature := r.commit("feature")
	r.git("checkout", "--quiet", "main")
	main := r.commit("main goes on")
	r.git("checkout", "--quiet", "--orphan", "lonely")
	lonely := r.commit("no ancestor")
	opened := r.open("")
	if base, err := opened.MergeBase(main, feature); err != nil || base != common {
		t.Errorf("the common ancestor is %s, %v; want %s", base, err, common)
	}
	if _, err := opened.MergeBase(main, lonely); err == nil || !strings.Contains(err.Error(), "no common ancestor") {
		t.Errorf("without a common ancestor: %v", err)
	}
}

func TestAShallowCloneSaysHowToGetTheRest(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	first := r.commit("one")
	r.commit("two")
	clone := repository{t, t.TempDir()}
	clone.git("clone", "--quiet", "--depth", "1", "file://"+filepath.ToSlash(r.dir), "clone")
	clone.dir = filepath.Join(clone.dir, "clone")
	opened := clone.open("")
	if _, err := opened.Commit(first); err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("an earlier commit: %v", err)
	}
}

func TestWithoutARepositoryItIsSaid(t *testing.T) {
	newRepository(t)
	if _, err := git.Open(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "in no git repository") {
		t.Errorf("without a repository: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := git.Open(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "git is not installed") {
		t.Errorf("without git: %v", err)
	}
}

func TestABareRepositoryIsRead(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("f", "x")
	r.commit("one")
	bare := repository{t, t.TempDir()}
	bare.git("clone", "--quiet", "--bare", r.dir, "bare.git")
	opened := bare.open("bare.git")
	if !opened.Bare() || r.open("").Bare() {
		t.Error("what is bare is not known")
	}
	all := files(t, opened, "main")
	if _, err := all.Open("f"); err != nil {
		t.Error(err)
	}
}

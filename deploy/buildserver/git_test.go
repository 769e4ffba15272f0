package buildserver_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/buildserver"
	"gatewright/deploy/deploytest"
	"gatewright/test/depth"
	"gatewright/test/symlink"
)

// gitBuild returns the build in a folder by git alone.
func gitBuild(dir string) (buildserver.Build, error) { return buildserver.Current(dir, variables(nil)) }

func TestTheBranchThatGitHas(t *testing.T) {
	t.Parallel()
	const commit = "0123456789abcdef0123456789abcdef01234567\n"
	for name, tt := range map[string]struct {
		files map[string]string
		// branch is "" if an error with the words is expected.
		branch, words string
	}{
		"a branch":              {map[string]string{".git/HEAD": "ref: refs/heads/main\n"}, "main", ""},
		"a branch with slashes": {map[string]string{".git/HEAD": "ref: refs/heads/feature/a.b\r\n"}, "feature/a.b", ""},
		"a folder above":        {map[string]string{"../.git/HEAD": "ref: refs/heads/main\n"}, "main", ""},
		"the nearest":           {map[string]string{".git/HEAD": "ref: refs/heads/near\n", "../.git/HEAD": "ref: refs/heads/far\n"}, "near", ""},
		"an empty .git":         {map[string]string{".git/x": "", "../.git/HEAD": "ref: refs/heads/main\n"}, "main", ""},
		"a worktree":            {map[string]string{".git": "gitdir: ../repo/.git/worktrees/w\n", "../repo/.git/worktrees/w/HEAD": "ref: refs/heads/w\n"}, "w", ""},
		"a worktree that went":  {map[string]string{".git": "gitdir: ../repo/.git/worktrees/w\n", "../.git/HEAD": "ref: refs/heads/main\n"}, "", "does not exist"},
		"a detached head":       {map[string]string{".git/HEAD": commit}, "", "detached"},
		"a tag":                 {map[string]string{".git/HEAD": "ref: refs/tags/v1\n"}, "", "refs/tags/v1"},
		"a reftable":            {map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n"}, "", "reftable"},
		"nothing":               {map[string]string{".git/HEAD": "ref: refs/heads/\n"}, "", "not a branch"},
		"a terminal's orders":   {map[string]string{".git/HEAD": "ref: refs/heads/a\x1b[2Jb\n"}, "", `a\x1b[2Jb`},
		"no repository":         {nil, "", "no git repository was found"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a")
			deploytest.Must(t, os.Mkdir(dir, 0o755))
			for file, content := range tt.files {
				deploytest.Put(t, filepath.Join(dir, file), content)
			}
			got, err := gitBuild(dir)
			if tt.branch != "" {
				if err != nil || got.Branch != tt.branch || got.From != "git" {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if !errors.Is(err, buildserver.ErrNoBranch) || !strings.Contains(err.Error(), tt.words) || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestAHeadMayBeALinkToTheBranch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deploytest.Must(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	symlink.Make(t, "refs/heads/not/yet", filepath.Join(dir, ".git", "HEAD"))
	for _, commit := range []string{"", "0123456789abcdef0123456789abcdef01234567\n"} {
		if commit != "" {
			deploytest.Put(t, filepath.Join(dir, ".git", "refs", "heads", "not", "yet"), commit)
		}
		if got, err := gitBuild(dir); err != nil || got.Branch != "not/yet" {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestBranchesThatGitItselfMade(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "git")
	dir := t.TempDir()
	repository, worktree := filepath.Join(dir, "repository"), filepath.Join(dir, "worktree")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", repository)
	git("-C", repository, "checkout", "-q", "-b", "feature/one")
	git("-C", repository, "commit", "-q", "--allow-empty", "-m", "one")
	git("-C", repository, "worktree", "add", "-q", "-b", "two", worktree)
	deploytest.Must(t, os.MkdirAll(filepath.Join(worktree, "a", "b"), 0o755))
	for folder, want := range map[string]string{repository: "feature/one", filepath.Join(worktree, "a", "b"): "two"} {
		if got, err := gitBuild(folder); err != nil || got.Branch != want {
			t.Errorf("%s: %+v, %v", filepath.Base(folder), got, err)
		}
	}
	// A worktree and a submodule with relative paths, and a branch without a commit.
	git("-C", repository, "pack-refs", "--all")
	git("-C", dir, "-c", "protocol.file.allow=always", "clone", "-q", "--no-local", repository, "copy")
	git("-C", filepath.Join(dir, "copy"), "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "-b", "two", repository, "below")
	git("-C", filepath.Join(dir, "copy"), "checkout", "-q", "--orphan", "unborn")
	for folder, want := range map[string]string{repository: "feature/one", filepath.Join(dir, "copy"): "unborn", filepath.Join(dir, "copy", "below"): "two"} {
		if got, err := gitBuild(folder); err != nil || got.Branch != want {
			t.Errorf("%s: %+v, %v", filepath.Base(folder), got, err)
		}
	}
	git("-C", repository, "checkout", "-q", "--detach")
	if got, err := gitBuild(repository); !errors.Is(err, buildserver.ErrNoBranch) {
		t.Errorf("detached: %+v, %v", got, err)
	}
}

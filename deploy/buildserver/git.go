package buildserver

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// gitBranch returns the branch that is checked out in the git repository around a folder. It reads git's files: git
// itself need not be installed. The error matches ErrNoBranch.
func gitBranch(dir string) (string, error) {
	problem := func(fix, text string, args ...any) error {
		return &model.Problem{Field: "branch", Text: fmt.Sprintf(text, args...), Fix: fix, Cause: ErrNoBranch}
	}
	head, err := gitHead(dir)
	if err != nil {
		return "", err
	}
	if head == "" {
		return "", problem(giveBranch,
			"no variable names the branch of this build, and no git repository was found in this folder or above")
	}
	ref, symbolic := strings.CutPrefix(head, "ref:")
	branch, isBranch := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
	switch {
	case !symbolic:
		return "", problem("check out a branch, or "+giveBranch, "git has no branch checked out (a detached head)")
	case branch == ".invalid":
		return "", problem(giveBranch, "git stores the branch in a reftable, which gatewright cannot read")
	case !isBranch || branch == "":
		return "", problem(giveBranch, "git has %s checked out, which is not a branch", phrase.Quote(strings.TrimSpace(ref)))
	}
	return branch, nil
}

// gitHead returns the content of HEAD of the repository around a folder: `ref: ` and
// a reference, or a commit; "" without a repository.
func gitHead(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("looking for a git repository: %w", err)
	}
	for {
		dotGit := filepath.Join(dir, ".git")
		folder, linked := gitFolder(dotGit)
		head, ok := readHead(filepath.Join(folder, "HEAD"))
		switch {
		case ok:
			return head, nil
		case linked:
			// A repository in a folder above is another one.
			return "", &model.Problem{
				Field: "branch", Text: phrase.QuotePath(dotGit) + " names a git repository that does not exist", Fix: giveBranch,
				Cause: ErrNoBranch,
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// gitFolder returns the repository's folder: .git itself, or the one that the file .git
// of a worktree or a submodule names (linked).
func gitFolder(dotGit string) (folder string, linked bool) {
	line, ok := readLine(dotGit)
	if !ok {
		return dotGit, false
	}
	folder, linked = strings.CutPrefix(line, "gitdir:")
	if !linked {
		return dotGit, false
	}
	folder = filepath.FromSlash(strings.TrimSpace(folder))
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(filepath.Dir(dotGit), folder)
	}
	return folder, true
}

// readHead reads a HEAD. With core.preferSymlinkRefs it is a link to the reference, whose file may not exist yet.
func readHead(name string) (string, bool) {
	if ref, err := os.Readlink(name); err == nil && strings.HasPrefix(filepath.ToSlash(ref), "refs/") {
		return "ref: " + filepath.ToSlash(ref), true
	}
	return readLine(name)
}

// readLine reads the first line of a small file; ok is false if there is no such file, or it is not a regular file.
func readLine(name string) (string, bool) {
	const enough = 8 << 10
	// Opening a named pipe would wait for a writer.
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := os.Open(name)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, enough))
	if err != nil {
		return "", false
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimRight(line, "\r"), true
}

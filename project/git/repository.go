// Package git reads the files of a commit out of a git repository, without checking it out. It runs the program git:
// one process reads all contents, and ends when the repository is closed. Nothing that the repository names is run:
// no filter, no hook, no monitor of files, no transport. The names in a commit are untrusted; none of them leaves
// this package as a name of this machine's filesystem.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Repository is a git repository, opened for reading. Its methods may be called by several goroutines.
type Repository struct {
	ctx     context.Context
	folder  string
	environ []string
	prefix  string
	objects *objects
	// hashes is nil if the repository has no working tree.
	hashes *hashes
}

// Open opens the repository around a folder. The error is one line that says what to do if git
// is not installed, or there is no repository. The caller closes the repository; it also ends
// with ctx. environ is the environment of git; without it, git gets that of this process.
func Open(ctx context.Context, folder string, environ ...string) (*Repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("git is not installed, or not in the PATH; install it from https://git-scm.com")
	}
	r := &Repository{ctx: ctx, folder: folder, environ: environ}
	if len(environ) == 0 {
		r.environ = os.Environ()
	}
	out, err := r.run("rev-parse", "--is-inside-work-tree", "--show-prefix")
	switch said := saidBy(err); {
	case err == nil:
	case strings.Contains(said, "must be run in a work tree"):
		// A bare repository has no folder below its top.
	case strings.Contains(said, "not a git repository"):
		return nil, errors.New("this folder is in no git repository; run the command in a clone of one")
	default:
		return nil, err
	}
	inside, prefix, _ := strings.Cut(string(out), "\n")
	if inside == "true" {
		r.hashes = &hashes{start: r.hashing}
	}
	r.prefix = strings.TrimSuffix(strings.TrimSuffix(prefix, "\n"), "/")
	r.objects, err = startObjects(r.command("cat-file", "--batch"))
	if err != nil {
		return nil, fmt.Errorf("reading the git repository: %w", err)
	}
	return r, nil
}

// hashing is the command of hashes, in the top of the working tree.
func (r *Repository) hashing() (*exec.Cmd, error) {
	top, err := r.run("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	args := []string{"-c", "core.safecrlf=false"}
	// It fails if there are none.
	filters, _ := r.run("config", "--null", "--name-only", "--get-regexp", `^filter\.`)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(filters), "\x00"), "\x00") {
		switch i := strings.LastIndexByte(name, '.'); {
		case strings.Contains(name, "="):
			// It cannot be switched off by an option, which ends a name there.
			return nil, errors.New("the git repository has a filter whose name has the character =")
		case i > 0:
			args = append(args, "-c", name[:i]+".clean=", "-c", name[:i]+".process=", "-c", name[:i]+".required=false")
		}
	}
	cmd := r.command(append(args, "hash-object", "--stdin-paths")...)
	cmd.Dir = strings.TrimSuffix(string(top), "\n")
	return cmd, nil
}

// Close ends the processes that read contents.
func (r *Repository) Close() error {
	if r.hashes != nil {
		// Only a file that it could not read makes it fail.
		_ = r.hashes.close()
	}
	if err := r.objects.close(); err != nil && r.ctx.Err() == nil {
		return fmt.Errorf("reading the git repository: %w", err)
	}
	return nil
}

// Prefix is the path of the folder that the repository was opened with, from the repository's
// top: slash-separated, "" for the top itself.
func (r *Repository) Prefix() string { return r.prefix }

// Bare reports whether there is no working tree around the folder that the repository was opened with.
func (r *Repository) Bare() bool { return r.hashes == nil }

// Commit returns the id of the commit that a revision names, in hexadecimal digits.
func (r *Repository) Commit(revision string) (string, error) {
	unknown := func(fix string) error {
		return &model.Problem{Field: "revision", Text: "git knows no commit " + phrase.Quote(revision), Fix: fix}
	}
	// Names go to the process one a line, and not as arguments: a name with a dash is no option.
	if revision == "" || strings.ContainsAny(revision, "\x00\r\n") {
		return "", unknown("name a branch, a tag or a commit")
	}
	id, kind, _, err := r.objects.read(revision+"^{commit}", false)
	switch {
	case errors.Is(err, io.EOF):
		// Some names end the process, such as @{upstream} where there is none.
		return "", unknown("name a branch, a tag or a commit")
	case err != nil && !errors.Is(err, errMissing):
		return "", err
	case err == nil && kind == "commit":
		return id, nil
	case revision == "HEAD":
		return "", &model.Problem{
			Field: "revision", Text: "the branch that is checked out has no commit yet",
			Fix: "make one with: git commit, or name a branch",
		}
	case r.Shallow():
		return "", unknown("this clone is shallow; get the rest with: git fetch --unshallow (in a workflow of GitHub, give " +
			"actions/checkout fetch-depth: 0)")
	}
	return "", unknown("see the branches with: git branch --all; a branch of the remote is origin/NAME, and git fetch " +
		"gets new ones")
}

// MergeBase returns the id of the best common ancestor of two commits, from which git counts A...B.
func (r *Repository) MergeBase(a, b string) (string, error) {
	out, err := r.run("merge-base", "--end-of-options", a, b)
	if id := strings.TrimSpace(string(out)); err == nil && id != "" {
		return id, nil
	}
	if failed, ok := errors.AsType[*gitError](err); ok && failed.said != "" {
		return "", err
	}
	fix := "compare them with two dots: BASE..HEAD"
	if r.Shallow() {
		fix = "this clone is shallow; get the rest with: git fetch --unshallow (in a workflow of GitHub, give " +
			"actions/checkout fetch-depth: 0)"
	}
	return "", &model.Problem{Field: "revision", Text: "the two commits have no common ancestor here", Fix: fix}
}

// Shallow reports whether the clone lacks earlier commits.
func (r *Repository) Shallow() bool {
	out, err := r.run("rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(string(out)) == "true"
}

// Names are the names of branches and tags, as they may be given to Commit.
func (r *Repository) Names() []string {
	out, err := r.run("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// Files lists all files of a commit, whose id Commit returned. Their contents are read when they
// are asked for. A commit with too many files or folders is refused before all are listed.
func (r *Repository) Files(id string) (*FS, error) {
	files := &FS{objects: r.objects, nodes: map[string]*node{".": {mode: fs.ModeDir | 0o755}}, hashes: r.hashes}
	listing, stop := context.WithCancel(r.ctx)
	defer stop()
	cmd := r.commandIn(listing, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", id)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("reading the git repository: %w", err)
	}
	large := files.list(out)
	if large != nil {
		stop()
	}
	err = cmd.Wait()
	switch {
	case r.ctx.Err() != nil:
		return nil, r.ctx.Err()
	case large != nil:
		return nil, fmt.Errorf("commit %s: %w", id[:min(len(id), 7)], large)
	case err != nil:
		return nil, &gitError{command: "ls-tree", said: strings.TrimSpace(said.String()), err: err}
	}
	return files, nil
}

func (r *Repository) command(args ...string) *exec.Cmd { return r.commandIn(r.ctx, args...) }

func (r *Repository) commandIn(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=", "-c", "core.hooksPath=" + os.DevNull},
		args...)...)
	cmd.Dir = r.folder
	// Messages that are looked at are in English, nothing is asked, and reading takes no lock. What a
	// partial clone lacks is not fetched: by the last one, and before git 2.45 by a list of transports
	// that has none. See https://git-scm.com/docs/git#_environment_variables.
	cmd.Env = append(slices.Clip(r.environ), "LC_ALL=C", "LANGUAGE=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_PAGER=", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1")
	cmd.WaitDelay = time.Second
	return cmd
}

// run runs git and returns what it prints.
func (r *Repository) run(args ...string) ([]byte, error) {
	cmd := r.command(args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		return nil, &gitError{command: args[0], said: strings.TrimSpace(said.String()), err: err}
	}
	return out.Bytes(), nil
}

// gitError is a run of git that failed.
type gitError struct {
	command, said string
	err           error
}

// Error returns the first line of what git said, which may name paths.
func (e *gitError) Error() string {
	line, _, _ := strings.Cut(e.said, "\n")
	line = strings.TrimPrefix(line, "fatal: ")
	if line == "" {
		return "git " + e.command + ": " + e.err.Error()
	}
	return "git " + e.command + " says: " + phrase.Escape(line)
}

func (e *gitError) Unwrap() error { return e.err }

func saidBy(err error) string {
	if failed, ok := errors.AsType[*gitError](err); ok {
		return failed.said
	}
	return ""
}

package git_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gatewright/test/depth"
)

// marking returns a shell command that leaves a mark, and a function that lists the marks.
func marking(t *testing.T) (command func(name string) string, marks func() []string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a shell of Unix")
	}
	dir := t.TempDir()
	command = func(name string) string { return "touch '" + filepath.Join(dir, name) + "'; cat" }
	marks = func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	return command, marks
}

func TestNothingThatARepositoryNamesIsRun(t *testing.T) {
	t.Parallel()
	command, marks := marking(t)
	r := newRepository(t)
	r.write("app/f", "one\n")
	r.commit("one")
	r.write("app/.gitattributes", "* filter=evil diff=evil\ng filter=required\n")
	for key, value := range map[string]string{
		"filter.evil.clean": "clean", "filter.required.process": "process", "core.fsmonitor": "fsmonitor", "core.pager": "pager",
		"diff.external": "external", "diff.evil.textconv": "textconv", "core.sshCommand": "ssh", "core.askPass": "askpass",
	} {
		r.git("config", key, command(value))
	}
	r.git("config", "filter.required.required", "true")
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout"} {
		r.write(".git/hooks/"+hook, "#!/bin/sh\n"+command(hook)+"\n")
		if err := os.Chmod(filepath.Join(r.dir, ".git", "hooks", hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.write("app/g", "one\n")
	opened := r.open("app")
	is := checkedOut(t, opened)
	if !is("f") {
		t.Error("a file that is as it was committed is not checked out")
	}
	r.write("app/f", "two\n")
	if is("f") || is("g") {
		t.Error("another file is checked out")
	}
	if _, err := opened.MergeBase("HEAD", "HEAD"); err != nil {
		t.Error(err)
	}
	if names := opened.Names(); len(names) == 0 {
		t.Error("there are no branches")
	}
	if ran := marks(); len(ran) > 0 {
		t.Errorf("the repository ran %q", ran)
	}
}

func TestAFilterThatCannotBeSwitchedOffIsNotRun(t *testing.T) {
	t.Parallel()
	command, marks := marking(t)
	r := newRepository(t)
	r.write("app/f", "one\n")
	r.commit("one")
	r.write("app/.gitattributes", "* filter=a=b\n")
	r.git("config", "filter.a=b.clean", command("clean"))
	if checkedOut(t, r.open("app"))("f") || len(marks()) > 0 {
		t.Errorf("the repository ran %q", marks())
	}
}

func TestAPartialCloneFetchesNothing(t *testing.T) {
	t.Parallel()
	command, marks := marking(t)
	r := newRepository(t)
	r.write("f", "one\n")
	r.commit("one")
	r.git("config", "uploadpack.allowFilter", "true")
	partial := repository{t, filepath.Join(t.TempDir(), "partial")}
	repository{t, t.TempDir()}.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://"+filepath.ToSlash(r.dir), partial.dir)
	partial.git("config", "protocol.file.allow", "always")
	partial.git("config", "remote.origin.uploadpack", "sh -c '"+strings.ReplaceAll(command("uploadpack"), "'", `'\''`)+"'")
	_, err := fs.ReadFile(files(t, partial.open(""), "HEAD"), "f")
	if err == nil || !strings.Contains(err.Error(), "use a full clone") && !strings.Contains(err.Error(), "is not in the git repository") {
		t.Errorf("the error is %v", err)
	}
	if ran := marks(); len(ran) > 0 {
		t.Errorf("the repository ran %q", ran)
	}
}

func TestACommitWithMoreFilesThanCanBeListedIsRefused(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	r := newRepository(t)
	tree := r.gitWith("100644 blob "+r.gitWith("x", "hash-object", "-w", "--stdin")+"\tf", "mktree")
	for range 9 {
		var entries strings.Builder
		for i := range 10 {
			fmt.Fprintf(&entries, "040000 tree %s\td%d\n", tree, i)
		}
		tree = r.gitWith(entries.String(), "mktree")
	}
	id := r.git("commit-tree", "-m", "a great many", tree)
	_, err := r.open("").Files(id)
	if err == nil || !strings.HasPrefix(err.Error(), "commit "+id[:7]+": has more than 1000000 files and folders") {
		t.Errorf("the error is %v", err)
	}
}

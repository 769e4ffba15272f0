package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gatewright/tools/release/build"
)

// verify makes the release again, from a clone in another folder and with an empty cache, and
// fails if a file differs. It writes what it found to figures.txt.
func (r *release) verify(ctx context.Context, out string) error {
	other, err := os.MkdirTemp("", "gatewright-again-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(other) }()
	clone := filepath.Join(other, "a", "longer", "path", "clone")
	if said, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "--no-hardlinks", r.folder,
		clone).CombinedOutput(); err != nil {
		return fmt.Errorf("git clone: %w: %s", err, said)
	}
	// Somebody may have committed more in the meantime.
	if said, err := exec.CommandContext(ctx, "git", "-C", clone, "checkout", "--quiet", "--detach",
		r.Commit).CombinedOutput(); err != nil {
		return fmt.Errorf("git checkout: %w: %s", err, said)
	}
	cache := filepath.Join(other, "cache")
	start := time.Now()
	cmd := exec.CommandContext(ctx, "go", r.again()...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = clone, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "GOCACHE="+cache)
	fmt.Println("once more, in another folder and with an empty cache")
	if err := cmd.Run(); err != nil {
		return build.Explain("the second build", err)
	}
	took := time.Since(start)
	first, err := readSums(out)
	if err != nil {
		return err
	}
	second, err := readSums(filepath.Join(clone, "dist"))
	if err != nil {
		return err
	}
	if different := differences(first, second); len(different) > 0 {
		return fmt.Errorf("two builds of commit %s differ: %s", r.Commit, strings.Join(different, ", "))
	}
	fmt.Printf("the same: %d files\n", len(first))
	figures, err := r.figures(out, len(first), took)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.folder, "tools", "release", "figures.txt"), []byte(figures), 0o644)
}

// again are the arguments of go that make the same release.
func (r *release) again() []string {
	args := []string{"run", "./tools/release", "--only", r.only, "--base-url", r.baseURL, "--npm-scope", r.npmScope}
	if r.snapshot {
		return append(args, "--snapshot")
	}
	return append(args, "--version", r.Version)
}

// differences are the names of files that are not in both, or not the same.
func differences(first, second map[string]string) []string {
	names := maps.Clone(first)
	maps.Copy(names, second)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(name string) bool {
		return first[name] == second[name]
	})
}

func (r *release) figures(out string, same int, took time.Duration) (string, error) {
	files, bytes, err := contents(out)
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", errors.New("the release has no files")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "gatewright %s, commit %s of %s\n", r.Version, r.Commit, r.Date.Format(time.RFC3339))
	fmt.Fprintf(&b, "%s on %s/%s with %d processors, %s\n\n", r.goVersion, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		time.Now().UTC().Format(time.DateOnly))
	fmt.Fprintf(&b, "built twice, the second time in another folder and with an empty cache: %d of %d files the same\n",
		same, len(files))
	for _, s := range r.steps {
		fmt.Fprintf(&b, "%-28s %7.1f s  %2d files  %9s\n", s.name, s.took.Seconds(), s.files, megabytes(s.bytes))
	}
	fmt.Fprintf(&b, "%-28s %7.1f s\n\n", "all, with an empty cache", took.Seconds())
	for _, f := range files {
		fmt.Fprintf(&b, "%-52s %9s\n", f.Name(), megabytes(f.Size()))
	}
	fmt.Fprintf(&b, "%-52s %9s\n", "all", megabytes(bytes))
	return b.String(), nil
}

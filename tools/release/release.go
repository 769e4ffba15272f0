package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gatewright/tools/release/build"
	"gatewright/tools/release/checksum"
	"gatewright/tools/release/licence"
)

// release is a release while it is made.
type release struct {
	options
	build.Stamp
	folder    string
	targets   []build.Target
	goVersion string

	// dist is where the files go until all are there; work is for what they are made of.
	dist, work string
	programs   map[build.Target]string
	modules    []licence.Module
	// texts are the files that go along with the program, by their names in an archive.
	texts map[string][]byte
	steps []step
}

// step is a step that is done, for the summary.
type step struct {
	name  string
	took  time.Duration
	files int
	bytes int64
}

// write makes the release beside the folder out, and puts it there when it is whole.
func (r *release) write(ctx context.Context, out string) (err error) {
	if err := isOurs(out); err != nil {
		return err
	}
	if r.dist, err = os.MkdirTemp(filepath.Dir(out), filepath.Base(out)+".new-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(r.dist) }()
	if r.work, err = os.MkdirTemp("", "gatewright-release-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(r.work) }()

	fmt.Printf("gatewright %s, commit %.7s of %s, %s\n", r.Version, r.Commit, r.Date.Format(time.RFC3339), r.goVersion)
	start := time.Now()
	for _, s := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"programs", r.writePrograms},
		{"man pages and completions", r.writeManual},
		{"licences", r.collectLicences},
		{"archives", r.writeArchives},
		{"packages for Linux", r.writeLinux},
		{"packages for npm", r.writeNpm},
		{"bill of materials", r.writeBill},
		{"formula and manifest", r.writeFormulas},
		{"checksums", r.writeSums},
	} {
		if err := r.step(ctx, s.name, s.do); err != nil {
			return err
		}
	}
	if err := os.Chmod(r.dist, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.Rename(r.dist, out); err != nil {
		return err
	}
	files, bytes, err := contents(out)
	if err != nil {
		return err
	}
	fmt.Printf("wrote %d files, %s, to %s in %.1f s\n", len(files), megabytes(bytes), out, time.Since(start).Seconds())
	return nil
}

// step does a step, and says what it wrote.
func (r *release) step(ctx context.Context, name string, do func(context.Context) error) error {
	before, _, err := contents(r.dist)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := do(ctx); err != nil {
		if ctx.Err() != nil {
			return errors.New("interrupted; nothing was written")
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	took := time.Since(start)
	after, _, err := contents(r.dist)
	if err != nil {
		return err
	}
	done := step{name: name, took: took}
	for _, f := range after {
		if !slices.ContainsFunc(before, func(b fs.FileInfo) bool { return b.Name() == f.Name() }) {
			fmt.Printf("  %-52s %9s\n", f.Name(), megabytes(f.Size()))
			done.files++
			done.bytes += f.Size()
		}
	}
	r.steps = append(r.steps, done)
	fmt.Printf("%s: %.1f s\n", name, took.Seconds())
	return nil
}

// isOurs refuses a folder that holds something else than an earlier release, since it is replaced.
func isOurs(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(filepath.Dir(out), 0o755)
	}
	if err != nil {
		return err
	}
	if len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == checksum.File }) {
		return fmt.Errorf("%s has files that are not of a release: remove it, or choose another folder by --out", out)
	}
	return nil
}

// contents lists the files of a folder by their names, and the sum of their sizes.
func contents(folder string) ([]fs.FileInfo, int64, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, 0, err
	}
	var files []fs.FileInfo
	var bytes int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, 0, err
		}
		files, bytes = append(files, info), bytes+info.Size()
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(a.Name(), b.Name()) })
	return files, bytes, nil
}

func megabytes(n int64) string {
	if n < 100_000 {
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

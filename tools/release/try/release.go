//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"gatewright/tools/release/checksum"
)

// release is what lies in the folder of a release.
type release struct {
	dir, version, arch string
	// files is how many files have the sum that checksums.txt says.
	files int
	// npm is the name of the package for npm.
	npm string
}

var npmFile = regexp.MustCompile(`^(?:(.+)-)?gatewright-(\d.*)\.tgz$`)

// readRelease finds the version in the names of the files, and checks the sums of all.
func readRelease(dir string) (release, error) {
	r := release{dir: dir, arch: runtime.GOARCH}
	ending := "_linux_" + r.arch + ".tar.gz"
	archives, err := filepath.Glob(filepath.Join(dir, "gatewright_*"+ending))
	if err != nil {
		return r, err
	}
	if len(archives) != 1 {
		return r, fmt.Errorf("%s has %d files gatewright_VERSION%s, not one: make a release with go run ./tools/release", dir,
			len(archives), ending)
	}
	r.version = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(archives[0]), "gatewright_"), ending)
	if err := r.check(); err != nil {
		return r, err
	}
	packages, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil {
		return r, err
	}
	for _, p := range packages {
		if m := npmFile.FindStringSubmatch(filepath.Base(p)); m != nil && m[2] == r.version {
			r.npm = "gatewright"
			if m[1] != "" {
				r.npm = "@" + m[1] + "/gatewright"
			}
		}
	}
	if r.npm == "" {
		return r, fmt.Errorf("%s has no package for npm", dir)
	}
	return r, nil
}

// file is the path of a file of the release for this machine.
func (r release) file(ending string) string {
	return fmt.Sprintf("gatewright_%s_linux_%s.%s", r.version, r.arch, ending)
}

// check compares every file with checksums.txt, and checksums.txt with the files.
func (r *release) check() error {
	list, err := os.Open(filepath.Join(r.dir, checksum.File))
	if err != nil {
		return err
	}
	defer func() { _ = list.Close() }()
	for lines := bufio.NewScanner(list); lines.Scan(); r.files++ {
		want, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok || name != filepath.Base(name) {
			return fmt.Errorf("checksums.txt has the line %q", lines.Text())
		}
		got, err := checksum.Of(filepath.Join(r.dir, name))
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s is not the file that checksums.txt means: %s, not %s", name, got, want)
		}
	}
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	if r.files != len(entries)-1 {
		return fmt.Errorf("checksums.txt has %d files, and %s has %d others", r.files, r.dir, len(entries)-1)
	}
	return nil
}

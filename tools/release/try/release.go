//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// release is what lies in the folder of a release.
type release struct {
	dir, version, arch string
	// files is how many files have the sum that checksums.txt says.
	files int
	// npm is the name of the package for npm.
	npm string
}

// readRelease finds the version in the names of the files, and checks the sums of all.
func readRelease(dir string) (release, error) {
	r := release{dir: dir, arch: runtime.GOARCH}
	ending := "_linux_" + r.arch + ".tar.gz"
	archives, err := filepath.Glob(filepath.Join(dir, "gatewright_*"+ending))
	if err != nil {
		return r, err
	}
	if len(archives) != 1 {
		return r, fmt.Errorf("%s has %d files gatewright_VERSION%s, not one: make a release with .ci/release", dir,
			len(archives), ending)
	}
	r.version = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(archives[0]), "gatewright_"), ending)
	if err := r.check(); err != nil {
		return r, err
	}
	tar := exec.Command("tar", "-xzOf", "gatewright-npm_"+r.version+".tgz", "package/package.json")
	tar.Dir = dir
	manifest, err := tar.Output()
	if err != nil {
		return r, fmt.Errorf("%s has no package for npm: %w", dir, err)
	}
	var main struct{ Name string }
	err = json.Unmarshal(manifest, &main)
	r.npm = main.Name
	return r, err
}

// file is the path of a file of the release for this machine.
func (r release) file(ending string) string {
	return fmt.Sprintf("gatewright_%s_linux_%s.%s", r.version, r.arch, ending)
}

// check compares every file with checksums.txt, and checksums.txt with the files. The formula and
// the manifest are not in it, since they have sums themselves.
func (r *release) check() error {
	sums := exec.Command("sha256sum", "--check", "--strict", "--quiet", "checksums.txt")
	sums.Dir = r.dir
	if out, err := sums.CombinedOutput(); err != nil {
		return fmt.Errorf("checksums.txt: %w: %s", err, last(string(out), 3))
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "checksums.txt"))
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.Contains(string(text), "  "+name+"\n"):
			r.files++
		case name != "checksums.txt" && name != "gatewright.rb" && name != "gatewright.json":
			return fmt.Errorf("checksums.txt has no %s", name)
		}
	}
	return nil
}

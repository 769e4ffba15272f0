// Package npm writes what the npm packages of a release say of themselves: a main package with a
// launcher, and for each platform a package with the program. The main package depends on all of
// these optionally, and a package manager installs only the one for its machine, by the fields os
// and cpu. There is no install script, since package managers do not run those unasked.
//
// GoReleaser packs them as archives, but it cannot write a package.json.
package npm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"deps.dev/util/semver"
)

// Name is the name of the main package without its scope, and of the command.
const Name = "gatewright"

// Release is what the packages have in common.
type Release struct {
	// Version is a semantic version without build metadata, which npm would drop.
	Version string
	// Scope is the scope of all packages, with or without its @. It may be empty.
	Scope string
	// Repository is the address of the repository. It may be empty; but npm accepts the
	// provenance of a package only if it names the repository that it was built from.
	Repository string
}

// platform is a platform in npm's words.
type platform struct{ os, cpu string }

func (p platform) String() string { return p.os + "-" + p.cpu }

// platforms has the platforms that there are packages for, by the words of Go.
var platforms = map[string]platform{
	"darwin_amd64":  {"darwin", "x64"},
	"darwin_arm64":  {"darwin", "arm64"},
	"linux_amd64":   {"linux", "x64"},
	"linux_arm64":   {"linux", "arm64"},
	"windows_amd64": {"win32", "x64"},
	"windows_arm64": {"win32", "arm64"},
}

// scopeName matches the scopes that npm accepts and that are plain in a path.
var scopeName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

// Write writes the package.json and the README of each package into a folder below dir: main, or
// the system and processor of the program, such as linux_amd64.
func Write(dir string, r Release) error {
	if err := r.check(); err != nil {
		return err
	}
	for target, p := range platforms {
		if err := lay(filepath.Join(dir, target), r.platformManifest(p), r.platformReadme(p)); err != nil {
			return err
		}
	}
	return lay(filepath.Join(dir, "main"), r.mainManifest(), readme)
}

// check says what is wrong with a release.
func (r Release) check() error {
	v, err := semver.NPM.Parse(r.Version)
	switch {
	case err != nil || v.IsWildcard() || v.Canon(true) != r.Version:
		return fmt.Errorf("version %q: want a semantic version such as 1.2.3 or 1.2.3-rc1", r.Version)
	case v.IsBuild():
		return fmt.Errorf("version %q: npm drops what follows +; leave it out", r.Version)
	case r.Scope != "" && !scopeName.MatchString(r.bareScope()):
		return fmt.Errorf("npm scope %q: want lower case letters, digits, dots, dashes and underscores, such as @example",
			r.Scope)
	}
	return nil
}

func (r Release) bareScope() string { return strings.TrimPrefix(r.Scope, "@") }

// packageName returns the name of the main package, or with a suffix that of another one.
func (r Release) packageName(suffix string) string {
	if r.Scope == "" {
		return Name + suffix
	}
	return "@" + r.bareScope() + "/" + Name + suffix
}

// lay writes the files of a package.
func lay(dir string, m manifest, readme string) error {
	text, err := m.text()
	if err != nil {
		return err
	}
	return errors.Join(
		os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "package.json"), text, 0o644),
		os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme), 0o644),
	)
}

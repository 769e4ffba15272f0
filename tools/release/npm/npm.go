// Package npm writes the npm packages of a release: a main package with a launcher, and for
// each platform a package with the program. The main package depends on all of these
// optionally, and a package manager installs only the one for its machine, by the fields os
// and cpu. There is no install script, since package managers do not run those unasked.
package npm

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"gatewright/internal/file"
)

// Name is the name of the main package without its scope, and of the command.
const Name = "gatewright"

// Release is what goes into the packages.
type Release struct {
	// Version is a semantic version without build metadata, which npm would drop.
	Version string
	// Scope is the scope of all packages, with or without its @. It may be empty.
	Scope string
	// Programs has the path of the program of each platform, such as "linux/amd64".
	Programs map[string]string
	// License is the text of the licence.
	License string
	// Notices has the licences of the libraries in the program. It may be empty.
	Notices string
	// Readme is the README of the main package. If it is empty, the package has a short one.
	Readme string
	// Repository is the address of the repository. It may be empty; but npm accepts the
	// provenance of a package only if it names the repository that it was built from.
	Repository string
	// Epoch is the time of all files.
	Epoch time.Time
}

// platform is a platform in npm's words.
type platform struct{ os, cpu string }

func (p platform) String() string { return p.os + "-" + p.cpu }

// program returns the path of the program in a package.
func (p platform) program() string {
	if p.os == "win32" {
		return "bin/" + Name + ".exe"
	}
	return "bin/" + Name
}

// platforms has the platforms that there can be packages for, by Go's words.
var platforms = map[string]platform{
	"darwin/amd64":  {"darwin", "x64"},
	"darwin/arm64":  {"darwin", "arm64"},
	"linux/amd64":   {"linux", "x64"},
	"linux/arm64":   {"linux", "arm64"},
	"windows/amd64": {"win32", "x64"},
	"windows/arm64": {"win32", "arm64"},
}

// scopeName matches the scopes that npm accepts and that are plain in a path.
var scopeName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

// Write writes the packages of a release into a folder, and returns the names of their files
// in the order in which they are to be published: the main package is last, because it is
// installable only when the others are there. The same release gives the same bytes.
func Write(dir string, r Release) ([]string, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	var written []string
	for _, target := range slices.Sorted(maps.Keys(r.Programs)) {
		p := platforms[target]
		program, err := os.ReadFile(r.Programs[target])
		if err != nil {
			return written, fmt.Errorf("reading the program for %s: %w", target, err)
		}
		files := append(r.texts(r.platformReadme(p)), packed{name: p.program(), content: program, executable: true})
		if written, err = r.pack(dir, r.platformManifest(p), files, written); err != nil {
			return written, err
		}
	}
	files := append(r.texts(cmp.Or(r.Readme, r.mainReadme())),
		packed{name: launcherPath, content: launcher, executable: true})
	return r.pack(dir, r.mainManifest(), files, written)
}

// check says what is wrong with a release.
func (r Release) check() error {
	v, err := semver.StrictNewVersion(r.Version)
	switch {
	case err != nil:
		return fmt.Errorf("version %q: want a semantic version such as 1.2.3 or 1.2.3-rc.1", r.Version)
	case v.Metadata() != "":
		return fmt.Errorf("version %q: npm drops what follows +; leave it out", r.Version)
	case r.Scope != "" && !scopeName.MatchString(r.bareScope()):
		return fmt.Errorf("npm scope %q: want lower case letters, digits, dots, dashes and underscores, such as @example",
			r.Scope)
	case len(r.Programs) == 0:
		return fmt.Errorf("there is no program to make npm packages of")
	case strings.TrimSpace(r.License) == "":
		return fmt.Errorf("the text of the licence is empty, and every npm package needs it")
	case r.Epoch.Unix() < 0:
		return fmt.Errorf("the time of the files is %s: want one after 1970", r.Epoch.Format(time.RFC3339))
	}
	for target := range r.Programs {
		if _, ok := platforms[target]; !ok {
			return fmt.Errorf("platform %q: there are npm packages for %s", target,
				strings.Join(slices.Sorted(maps.Keys(platforms)), ", "))
		}
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

// pack writes a package, and adds the name of its file to those that are written.
func (r Release) pack(dir string, m manifest, files []packed, written []string) ([]string, error) {
	text, err := m.text()
	if err != nil {
		return written, err
	}
	packed, err := tarball(append(files, packed{name: "package.json", content: text}), r.Epoch)
	if err != nil {
		return written, fmt.Errorf("packing %s: %w", m.Name, err)
	}
	// The name is that which npm pack gives.
	name := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-") + "-" + r.Version + ".tgz"
	if err := file.Replace(filepath.Join(dir, name), 0o644, file.Text(packed)); err != nil {
		return written, err
	}
	return append(written, name), nil
}

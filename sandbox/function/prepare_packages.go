package function

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"gatewright/fingerprint"
)

// manifest is what we read of a package.json.
type manifest struct {
	Type            string            `json:"type"`
	Version         string            `json:"version"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
	Optional        map[string]string `json:"optionalDependencies"`
}

// needed is the packages that must be there, with their ranges. Those of
// development are among them: the managed runtime has the cloud's SDK, so that
// templates list it there.
func (m *manifest) needed() map[string]string {
	needed := make(map[string]string)
	maps.Copy(needed, m.DevDependencies)
	maps.Copy(needed, m.Dependencies)
	for name := range m.Optional {
		delete(needed, name)
	}
	return needed
}

// lock is what we read of a package-lock.json, and of the one that npm keeps in
// node_modules of what it installed.
type lock struct {
	Packages map[string]lockedPackage `json:"packages"`
}

type lockedPackage struct {
	manifest
	Resolved    string `json:"resolved"`
	Optional    bool   `json:"optional"`
	DevOptional bool   `json:"devOptional"`
}

// lockNames are the locks of npm, the one that wins first.
var lockNames = []string{"npm-shrinkwrap.json", "package-lock.json"}

// otherLocks are those of other programs: npm must not put its own beside them.
var otherLocks = []string{"yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"}

// packages is the packages of a folder: what its files ask for.
type packages struct {
	folder       string
	manifest     manifest
	lock         *lock // nil where there is none
	hasOtherLock bool  // another program's lock is there
	// stamp is the fingerprint of the files.
	stamp string
}

// readPackages reads what a folder asks for; nil where it has no package.json.
func readPackages(folder string) (*packages, error) {
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, notPrepared("package.json cannot be read: "+reason(err), "see that it is a file that you may read")
	}
	found := &packages{folder: folder}
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &found.manifest); err != nil {
		return nil, notPrepared(filepath.Base(folder)+"/package.json"+position(text, err)+" is wrong: "+err.Error(), "mend it")
	}
	sum := fingerprint.New()
	sum.Content("package.json", text)
	for _, name := range lockNames {
		// npm itself says what is wrong with a lock.
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		var l lock
		if json.Unmarshal(text, &l) == nil && l.Packages != nil {
			found.lock = &l
		}
		sum.Content(name, text)
		break
	}
	for _, name := range otherLocks {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			found.hasOtherLock = true
		}
	}
	found.stamp = sum.String()
	return found, nil
}

// position is where in a JSON text an error is, as :line:column.
func position(text []byte, err error) string {
	offset := int64(0)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = syntax.Offset
	} else if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = kind.Offset
	}
	before := text[:min(max(offset-1, 0), int64(len(text)))]
	return fmt.Sprintf(":%d:%d", bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n'))
}

// reason is an error of a file without its path, which is the person's own.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// stampFile is where we write what we installed from.
func (p *packages) stampFile() string { return filepath.Join(p.folder, "node_modules", ".gatewright") }

// installed reports whether all packages are there, by our own installation or
// by somebody's.
func (p *packages) installed() bool {
	needed := p.manifest.needed()
	ours, err := os.ReadFile(p.stampFile())
	same := err == nil && string(ours) == p.stamp
	for name, wanted := range needed {
		there, ok := findPackage(p.folder, name)
		if !ok || !same && !inRange(wanted, there) {
			return false
		}
	}
	return same || p.lock == nil || !p.lockMatches() || p.lock.isInstalled(filepath.Join(p.folder, "node_modules"))
}

// inRange reports whether a version satisfies a range of package.json. A tag, a URL
// or a folder is not a range: any version satisfies it.
func inRange(wanted, installed string) bool {
	v, versionErr := semver.NewVersion(installed)
	for alternative := range strings.SplitSeq(wanted, "||") {
		constraint, err := semver.NewConstraint(alternative)
		if err != nil {
			return true
		}
		// npm accepts a prerelease only if the range names one of the same three numbers.
		if versionErr == nil && constraint.Check(v) &&
			(v.Prerelease() == "" || strings.Contains(alternative, fmt.Sprintf("%d.%d.%d-", v.Major(), v.Minor(), v.Patch()))) {
			return true
		}
	}
	return false
}

// findPackage finds the version of a package as Node.js finds the package: in the
// folder, or in one above (a workspace has them at its top).
func findPackage(folder, name string) (installed string, ok bool) {
	if !fs.ValidPath(name) {
		return "", false
	}
	for {
		text, err := os.ReadFile(filepath.Join(folder, "node_modules", filepath.FromSlash(name), "package.json"))
		if err == nil {
			var m manifest
			return m.Version, json.Unmarshal(text, &m) == nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", false
		}
		folder = parent
	}
}

// lockMatches reports whether the lock was made from this package.json: npm ci
// refuses one that was not.
func (p *packages) lockMatches() bool {
	root, ok := p.lock.Packages[""]
	return ok && maps.Equal(root.Dependencies, p.manifest.Dependencies) && maps.Equal(root.DevDependencies, p.manifest.DevDependencies) &&
		maps.Equal(root.manifest.Optional, p.manifest.Optional)
}

// isInstalled reports whether npm installed there what the lock says. Of what another
// program installed nothing is known.
func (l *lock) isInstalled(modules string) bool {
	text, err := os.ReadFile(filepath.Join(modules, ".package-lock.json"))
	if err != nil {
		return true
	}
	var there lock
	if json.Unmarshal(text, &there) != nil {
		return false
	}
	for _, place := range slices.Sorted(maps.Keys(l.Packages)) {
		wanted := l.Packages[place]
		// The others are the project itself and its workspaces.
		if !strings.HasPrefix(place, "node_modules/") || wanted.Optional || wanted.DevOptional {
			continue
		}
		found, ok := there.Packages[place]
		if !ok || found.Version != wanted.Version || found.Resolved != wanted.Resolved && wanted.Resolved != "" && found.Resolved != "" {
			return false
		}
	}
	return true
}

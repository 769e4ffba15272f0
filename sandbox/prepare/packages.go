package prepare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"deps.dev/util/semver"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source/workspace"
	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
)

// manifest is the part of a package.json that is read here.
type manifest struct {
	Type            string            `json:"type"`
	Version         string            `json:"version"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
	Optional        map[string]string `json:"optionalDependencies"`
	Scripts         map[string]string `json:"scripts"`
}

// needed returns the packages of production with their ranges, as for a deployment.
func (m *manifest) needed() map[string]string {
	needed := make(map[string]string)
	maps.Copy(needed, m.Dependencies)
	maps.Copy(needed, m.Optional)
	return needed
}

// lock is the part of a package-lock.json that is read here.
type lock struct {
	Packages map[string]manifest `json:"packages"`
}

// lockNames are npm's lock files, the stronger first.
var lockNames = []string{"npm-shrinkwrap.json", "package-lock.json"}

// otherLocks are the lock files of other package managers.
var otherLocks = []string{"yarn.lock", pnpmLock, "bun.lock", "bun.lockb"}

const pnpmLock = "pnpm-lock.yaml"

// importers matches what a lock of pnpm says of the folders of a workspace.
var importers = lazyregexp.New(`(?m)^importers:\r?\n(?:[ \t].*\n|\r?\n)*`)

// packages are the packages that a folder's files require.
type packages struct {
	folder   string
	manifest manifest
	// files are the files besides package.json that an installation reads, by name.
	files map[string][]byte
	// lock is npm's lock, nil if there is none; otherLock is the name of another package
	// manager's, "" if there is none.
	lock      *lock
	otherLock string
	// shared are the packages in folders of the project, below base.
	shared *workspace.Found
	base   string
	// isMoved means that npm's lock is the root's, and unfollowed is the name of one that cannot be followed.
	isMoved    bool
	unfollowed string
	// development means that the packages for development are installed too.
	development bool
	// lambda means that they are installed for Lambda's machine, with the processor architecture.
	lambda       bool
	architecture model.Architecture
	// stamp is the fingerprint of the files.
	stamp string
}

// readPackages reads the packages of a folder, which may need those in folders below root; nil if
// it has no package.json.
func readPackages(folder, root string, development bool) (*packages, error) {
	text, err := file.ReadRegular(filepath.Join(folder, "package.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, notPrepared("package.json cannot be read: "+reason(err), "make it a file that you can read")
	}
	found := &packages{folder: folder, files: make(map[string][]byte), development: development}
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &found.manifest); err != nil {
		return nil, notPrepared(filepath.Base(folder)+"/package.json"+position(text, err)+" is not valid: "+
			err.Error(), "correct it")
	}
	if err := found.readShared(root); err != nil {
		return nil, err
	}
	sum := fingerprint.New()
	manifests, err := found.manifests()
	if err != nil {
		return nil, notPrepared("its list of packages cannot be read: "+err.Error(), "correct package.json")
	}
	for _, name := range slices.Sorted(maps.Keys(manifests)) {
		sum.Content(name, manifests[name])
	}
	found.readFiles()
	for _, name := range slices.Sorted(maps.Keys(found.files)) {
		// Whoever has another token has the same packages.
		sum.Content(name, workspace.WithoutTokens(found.files[name]))
	}
	found.stamp = sum.String()
	if development {
		found.stamp += " development"
	}
	return found, nil
}

// readFiles reads the locks and settings of the folder, or those of the root of its workspace and
// of the project.
func (p *packages) readFiles() {
	own := p.lockIn(p.folder)
	if !own && p.shared.Root != "" && p.lockIn(p.at(p.shared.Root)) {
		for _, name := range lockNames {
			if text := p.files[name]; text != nil {
				p.files[name], p.isMoved = p.movedLock(text), true
			}
		}
		if text := p.files[pnpmLock]; text != nil {
			// pnpm would install what each folder in it has, from the registry.
			p.files[pnpmLock] = importers().ReplaceAll(text, nil)
		}
		if strings.HasPrefix(p.otherLock, "bun.") {
			// bun refuses a lock with other members.
			delete(p.files, p.otherLock)
			p.otherLock, p.unfollowed = "", p.otherLock
		}
	}
	for _, name := range workspace.SettingFiles {
		var texts [][]byte
		for _, folder := range p.around() {
			if text, err := file.ReadRegular(filepath.Join(folder, name)); err == nil {
				texts = append(texts, text)
			}
		}
		if len(texts) == 0 {
			continue
		}
		// npm reads the later one of two settings; files of YAML cannot be joined.
		p.files[name] = texts[len(texts)-1]
		if name == ".npmrc" {
			p.files[name] = bytes.Join(texts, []byte("\n"))
		}
	}
}

// lockIn reads the locks of a folder, and reports whether there is one.
func (p *packages) lockIn(folder string) bool {
	for _, name := range lockNames {
		// npm itself reports a broken lock.
		text, err := file.ReadRegular(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		p.files[name] = text
		var l lock
		if json.Unmarshal(text, &l) == nil && l.Packages != nil {
			p.lock = &l
		}
		break
	}
	for _, name := range otherLocks {
		if text, err := file.ReadRegular(filepath.Join(folder, name)); err == nil && p.otherLock == "" {
			p.files[name], p.otherLock = text, name
		}
	}
	return len(p.files) > 0
}

// ownScripts returns the names of the manifest's own scripts that npm runs when it
// installs.
func (p *packages) ownScripts() []string {
	var names []string
	for _, name := range []string{"preinstall", "install", "postinstall", "prepare"} {
		if p.manifest.Scripts[name] != "" {
			names = append(names, name)
		}
	}
	return names
}

// position returns the place of an error in a JSON text, as :line:column.
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

// reason returns the text of a file's error without the path.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// inRange reports whether a version satisfies a range of package.json. A tag, a URL
// or a folder is not a range: any version satisfies it.
func inRange(wanted, installed string) bool {
	// All alternatives in one constraint also have what lies between ">=1 <2" and "3".
	for alternative := range strings.SplitSeq(wanted, "||") {
		constraint, err := semver.NPM.ParseConstraint(cmp.Or(strings.TrimSpace(alternative), "*"))
		if err != nil || constraint.Match(installed) {
			return true
		}
	}
	return false
}

// lockMatches reports whether the lock was made from this package.json: npm ci
// refuses one that was not.
func (p *packages) lockMatches() bool {
	root, ok := p.lock.Packages[""]
	return ok && !p.isChanged() && maps.Equal(root.Dependencies, p.manifest.Dependencies) &&
		maps.Equal(root.DevDependencies, p.manifest.DevDependencies) &&
		maps.Equal(root.Optional, p.manifest.Optional)
}

// Package workspace finds the packages of Node.js that are folders of a project: the members of a
// workspace, by their names, and those that a package.json names by their folder. A name in a
// workspace is the workspace's, and never that of a package of a registry.
package workspace

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// manifestFile describes a package.
const manifestFile = "package.json"

// pnpmFile makes a folder the root of a workspace (https://pnpm.io/pnpm-workspace_yaml).
const pnpmFile = "pnpm-workspace.yaml"

// SettingFiles are the files of package managers with registries and the like, which may have the
// token of one. LockFiles are those with versions.
var (
	SettingFiles = []string{".npmrc", ".yarnrc", ".yarnrc.yml"}
	LockFiles    = []string{
		"npm-shrinkwrap.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb",
	}
)

// RootFiles are the files of a workspace's root that decide which packages its members have.
func RootFiles() []string {
	return slices.Concat([]string{manifestFile, pnpmFile}, SettingFiles, LockFiles)
}

// Package is a package in a folder.
type Package struct {
	// Name is that by which others need it, and Folder its folder, with slashes.
	Name, Folder string
	// Text is its package.json.
	Text []byte
	// Local are the folders of the packages that it needs, by name.
	Local map[string]string
	// Ranges are what pnpm's and bun's catalogs say of the others
	// (https://pnpm.io/catalogs).
	Ranges map[string]string

	manifest manifest
}

// Found are the packages in folders that the package.json of a folder needs.
type Found struct {
	Package
	// Members are those that it needs, and those that they need, in the order of their names.
	Members []*Package
	// Root is the folder of the workspace's root, "" if it is in none.
	Root string
	// Versions are what the root's package.json says of versions, such as overrides.
	Versions map[string]json.RawMessage
	// Names are the files that say the names of all members of the workspace.
	Names []string
}

// manifest is the part of a package.json that is read here.
type manifest struct {
	Name, Version, Main string
	Exports             any
	Scripts             map[string]string
	Dependencies        map[string]string
	Optional            map[string]string `json:"optionalDependencies"`
	Peers               map[string]string `json:"peerDependencies"`
	Development         map[string]string `json:"devDependencies"`
	Workspaces          json.RawMessage
	// Overrides, Resolutions and Pnpm are what package managers read at the root alone.
	Overrides, Resolutions, Pnpm json.RawMessage
}

// catalogs are the ranges that members share.
type catalogs struct {
	Packages []string
	Catalog  map[string]string
	Catalogs map[string]map[string]string
}

// reader finds packages.
type reader struct {
	fsys fs.FS
	// within is the folder that they may be in.
	within string
	root   string
	ranges catalogs
	// members are the folders of a workspace by the names of their packages, and broken is why one
	// of them has no name.
	members map[string][]string
	broken  error
	// names are the folders of those that are needed, by name.
	names map[string]*Package
}

// Find finds the packages in folders that a folder needs, also for development if that is set.
// Neither a name nor a path leads out of within. It returns nil without an error if there is no
// package.json. The error is a *model.Problem without the function's name.
func Find(fsys fs.FS, folder, within string, development bool) (*Found, error) {
	own, err := read(fsys, folder)
	if own == nil || err != nil {
		return nil, err
	}
	r := &reader{fsys: fsys, within: within, names: make(map[string]*Package)}
	found := &Found{Package: *own, Versions: make(map[string]json.RawMessage)}
	if err := r.findRoot(found); err != nil {
		return found, err
	}
	waiting := []*Package{&found.Package}
	for len(waiting) > 0 && err == nil {
		var more []*Package
		more, err = r.resolve(waiting[0], development && waiting[0] == &found.Package)
		waiting = append(waiting[1:], more...)
	}
	for _, name := range slices.Sorted(maps.Keys(r.names)) {
		found.Members = append(found.Members, r.names[name])
	}
	return found, err
}

// read reads the package.json of a folder; nil if there is none.
func read(fsys fs.FS, folder string) (*Package, error) {
	name := path.Join(folder, manifestFile)
	wrong := func(reason, fix string) error {
		return &model.Problem{Text: phrase.QuotePath(name) + " " + reason, Fix: fix}
	}
	info, err := fs.Stat(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, wrong("is not a file", "make it one")
	}
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, wrong("cannot be read", "make it readable")
	}
	p := &Package{
		Folder: folder, Text: []byte(strings.TrimPrefix(string(text), "\ufeff")), Local: make(map[string]string),
		Ranges: make(map[string]string),
	}
	if err := json.Unmarshal(p.Text, &p.manifest); err != nil {
		return nil, wrong("is not valid: "+err.Error(), "correct it")
	}
	p.Name = p.manifest.Name
	return p, nil
}

// findRoot finds the root of the workspace that a folder is below, and its members
// (https://docs.npmjs.com/cli/using-npm/workspaces).
func (r *reader) findRoot(found *Found) error {
	for at := found.Folder; ; at = path.Dir(at) {
		// A package.json around a function that cannot be read is told where it is a function's.
		m, _ := read(r.fsys, at)
		var listed catalogs
		if m != nil && len(m.manifest.Workspaces) > 0 && json.Unmarshal(m.manifest.Workspaces, &listed.Packages) != nil {
			_ = json.Unmarshal(m.manifest.Workspaces, &listed)
		}
		if text, err := fs.ReadFile(r.fsys, path.Join(at, pnpmFile)); err == nil {
			if err := yaml.Unmarshal(text, &listed); err != nil {
				return &model.Problem{Text: phrase.QuotePath(path.Join(at, pnpmFile)) + " is not valid", Fix: "correct it"}
			}
		}
		if len(listed.Packages) > 0 {
			r.root, r.ranges, found.Root = at, listed, at
			if m != nil {
				found.Versions = map[string]json.RawMessage{
					"overrides": m.manifest.Overrides, "resolutions": m.manifest.Resolutions, "pnpm": m.manifest.Pnpm,
				}
			}
			r.readMembers(found)
			return nil
		}
		if at == "." {
			return nil
		}
	}
}

// readMembers reads the names of a workspace's members.
func (r *reader) readMembers(found *Found) {
	folders := make(map[string]bool)
	for _, pattern := range r.ranges.Packages {
		pattern, not := strings.CutPrefix(pattern, "!")
		r.expand(r.root, strings.Split(path.Clean(pattern), "/"), func(folder string) { folders[folder] = !not })
	}
	r.members = make(map[string][]string)
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if !folders[folder] || folder == found.Folder {
			continue
		}
		found.Names = append(found.Names, path.Join(folder, manifestFile))
		switch m, err := read(r.fsys, folder); {
		case err != nil && r.broken == nil:
			r.broken = err
		case m != nil && m.Name != "":
			r.members[m.Name] = append(r.members[m.Name], folder)
		}
	}
}

// expand finds the folders with a package.json that a pattern names, in a folder.
func (r *reader) expand(at string, pattern []string, add func(folder string)) {
	if len(pattern) == 0 {
		if _, err := fs.Stat(r.fsys, path.Join(at, manifestFile)); err == nil {
			add(at)
		}
		return
	}
	deep := pattern[0] == "**"
	if deep {
		r.expand(at, pattern[1:], add)
	} else if !strings.ContainsAny(pattern[0], `*?[\`) {
		if next := path.Join(at, pattern[0]); fs.ValidPath(next) {
			r.expand(next, pattern[1:], add)
		}
		return
	}
	entries, _ := fs.ReadDir(r.fsys, at)
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() || fingerprint.IsGenerated(name) || strings.HasPrefix(name, ".") {
			continue
		}
		if matches, _ := path.Match(pattern[0], name); deep {
			r.expand(path.Join(at, name), pattern, add)
		} else if matches {
			r.expand(path.Join(at, name), pattern[1:], add)
		}
	}
}

// Unmet are the members whose version is not in the range that the folder asks for, as texts.
// holds reports whether a version is in a range.
func (f *Found) Unmet(holds func(wanted, version string) bool) (texts []string) {
	for _, m := range f.Members {
		wanted := f.manifest.Dependencies[m.Name]
		if _, isRange := f.Local[m.Name]; isRange && m.manifest.Version != "" && !strings.ContainsAny(wanted, ":/") &&
			!holds(wanted, m.manifest.Version) {
			texts = append(texts, "the package "+phrase.Quote(m.Name)+" is the workspace's, of version "+
				phrase.Quote(m.manifest.Version)+", though "+manifestFile+" asks for "+phrase.Quote(wanted))
		}
	}
	return texts
}

// credential matches a line of settings that lets into a registry, and does not only lead there
// (https://docs.npmjs.com/cli/configuring-npm/npmrc#auth-related-configuration).
var credential = lazyregexp.New(`(?i)_auth|authtoken|authident|password|username|_otp|\bkey\s*=|://[^/\s]*@`)

// WithoutTokens returns settings without the lines that have a token or a password. Those that name
// a variable in its place stay.
func WithoutTokens(text []byte) []byte {
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if !credential().MatchString(line) || strings.Contains(line, "${") {
			kept.WriteString(line)
		}
	}
	return []byte(kept.String())
}

package prepare

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/source/workspace"
	"gatewright/model"
	"gatewright/sandbox/function"
)

// Packages in folders of the project are installed from their package.json alone, and their files
// are laid next to what was installed: an edit of them needs no installation, and what lies in or
// above their folders is not found.

// sharedFolder has the manifests of packages in folders in what is installed.
const sharedFolder = "local"

// readShared finds the packages in folders that the folder needs. The root of a workspace may be above
// the project: then its members are known, and refused.
func (p *packages) readShared(root string) error {
	folder := file.RealPath(p.folder)
	root = file.RealPath(root)
	p.base = filepath.VolumeName(folder) + string(filepath.Separator)
	inside := func(name string) string {
		name, err := filepath.Rel(p.base, name)
		if name == "" || err != nil {
			return "."
		}
		return filepath.ToSlash(name)
	}
	within := "."
	if root != "" {
		within = inside(root)
	}
	var err error
	p.shared, err = workspace.Find(os.DirFS(p.base), inside(folder), within, p.development)
	if err == nil && p.shared != nil {
		err = p.shared.CheckBuilt(os.DirFS(p.base))
	}
	if problem, ok := errors.AsType[*model.Problem](err); ok {
		// The project is known.
		short := func(text string) string { return strings.ReplaceAll(text, within+"/", "") }
		return notPrepared(short(problem.Text), short(problem.Fix))
	}
	return err
}

// at returns the path of a folder of the shared packages.
func (p *packages) at(folder string) string { return filepath.Join(p.base, filepath.FromSlash(folder)) }

// around are the folders whose settings count: the root of the workspace and the folder itself.
func (p *packages) around() []string {
	if p.shared.Root == "" || p.shared.Root == p.shared.Folder {
		return []string{p.folder}
	}
	return []string{p.at(p.shared.Root), p.folder}
}

// members are the folders of the packages in folders, by their names.
func (p *packages) members() map[string]string {
	members := make(map[string]string)
	for _, m := range p.shared.Members {
		members[m.Name] = p.at(m.Folder)
	}
	return members
}

// SharedFiles returns the folders of the packages in folders that a function or its layers need, and
// the files of the workspace that say which these are. They may be missing.
func SharedFiles(s *function.Spec) (names []string) {
	if s.Runtime != model.NodeJS {
		return nil
	}
	names = sharedFiles(filepath.Join(s.Folder, "src"), s.Project)
	for _, layer := range s.Layers {
		names = append(names, sharedFiles(filepath.Join(layer, "nodejs"), s.Project)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func sharedFiles(folder, project string) (names []string) {
	p := &packages{folder: folder}
	// Of a workspace in which something is wrong counts what was found.
	_ = p.readShared(project)
	if p.shared == nil {
		return nil
	}
	for _, m := range p.shared.Members {
		names = append(names, p.at(m.Folder))
	}
	for _, name := range p.shared.Names {
		names = append(names, p.at(name))
	}
	if p.shared.Root != "" {
		for _, name := range workspace.RootFiles() {
			names = append(names, filepath.Join(p.at(p.shared.Root), name))
		}
	}
	return names
}

// installing are the members of a package.json that concern installing. Its own scripts need its
// source, and a named package manager or workspaces would change how the copy is read.
var installing = []string{
	"dependencies", "optionalDependencies", "devDependencies", "peerDependencies", "peerDependenciesMeta",
	"dependenciesMeta", "bundleDependencies", "bundledDependencies", "overrides", "resolutions", "pnpm",
	"trustedDependencies",
}

// manifests are the package.json to install from, and those of the packages in folders that it
// leads to, by their names in the copy.
func (p *packages) manifests() (map[string][]byte, error) {
	own, err := p.manifestOf(&p.shared.Package, ".")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"package.json": own}
	for _, m := range p.shared.Members {
		place := path.Join(sharedFolder, m.Name)
		if files[path.Join(place, "package.json")], err = p.manifestOf(m, place); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// manifestOf returns the package.json of a package for a folder of the copy.
func (p *packages) manifestOf(of *workspace.Package, place string) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(of.Text, &all); err != nil {
		return nil, err
	}
	kept := make(map[string]any)
	for _, name := range installing {
		if all[name] != nil {
			kept[name] = all[name]
		}
	}
	isOwn := of == &p.shared.Package
	if isOwn {
		for name, text := range p.shared.Versions {
			if kept[name] == nil && text != nil {
				kept[name] = text
			}
		}
	} else {
		kept["name"], kept["version"] = of.Name, "0.0.0"
		if all["version"] != nil {
			kept["version"] = all["version"]
		}
	}
	needed := make(map[string]string)
	for _, kind := range []string{"peerDependencies", "devDependencies", "optionalDependencies", "dependencies"} {
		var ranges map[string]string
		if json.Unmarshal(all[kind], &ranges) != nil || ranges == nil {
			continue
		}
		for name, wanted := range ranges {
			folder, isLocal := of.Local[name]
			_, again := p.manifest.Dependencies[name]
			switch {
			case kind == "devDependencies" && (!isOwn || !p.development && (isLocal || again || isOfWorkspace(wanted))):
				// npm leaves out what is for development, even if it is for production too.
				delete(ranges, name)
			case isLocal && folder != "":
				to, err := filepath.Rel(filepath.FromSlash(place), filepath.FromSlash(path.Join(sharedFolder, name)))
				if err != nil {
					return nil, err
				}
				needed[name] = "file:" + filepath.ToSlash(to)
				if !strings.HasPrefix(needed[name], "file:.") {
					needed[name] = "file:./" + filepath.ToSlash(to)
				}
				delete(ranges, name)
			case of.Ranges[name] != "":
				ranges[name] = of.Ranges[name]
			}
		}
		if kind == "dependencies" {
			maps.Copy(ranges, needed)
			needed = nil
		}
		if kept[kind] = ranges; len(ranges) == 0 {
			delete(kept, kind)
		}
	}
	if len(needed) > 0 {
		kept["dependencies"] = needed
	}
	return json.MarshalIndent(kept, "", "  ")
}

// isOfWorkspace reports whether a range is one that npm does not read.
func isOfWorkspace(wanted string) bool {
	protocol, _, _ := strings.Cut(wanted, ":")
	return slices.Contains([]string{"workspace", "catalog", "link", "portal", "file"}, protocol)
}

// isChanged reports whether the package.json of the copy asks for other packages than the folder's,
// so that a lock does not belong to it.
func (p *packages) isChanged() bool {
	for name := range p.manifest.Dependencies {
		if _, again := p.manifest.DevDependencies[name]; again {
			return true
		}
	}
	return len(p.shared.Members)+len(p.shared.Ranges) > 0 || p.isMoved
}

// asksRegistry reports whether the folder or a package that it needs has packages of a registry.
func (p *packages) asksRegistry() bool {
	for _, of := range append([]*workspace.Package{&p.shared.Package}, p.shared.Members...) {
		var m manifest
		// What is wrong in it was told before.
		_ = json.Unmarshal(of.Text, &m)
		for name := range m.needed() {
			if of.Local[name] == "" {
				return true
			}
		}
	}
	return false
}

// movedLock returns the lock of a workspace's root with the places that packages have in the copy.
// npm keeps the versions that it names as far as they are in the ranges.
func (p *packages) movedLock(text []byte) []byte {
	var all map[string]json.RawMessage
	var places map[string]map[string]any
	if json.Unmarshal(text, &all) != nil || json.Unmarshal(all["packages"], &places) != nil {
		return text
	}
	inRoot := func(folder string) string {
		return strings.TrimPrefix(strings.TrimPrefix(folder, p.shared.Root), "/")
	}
	if p.shared.Root == "." {
		inRoot = func(folder string) string { return folder }
	}
	moved := map[string]map[string]any{"": {}}
	move := func(from, to string) {
		for place, entry := range places {
			rest, ok := strings.CutPrefix(place, strings.TrimPrefix(from+"/node_modules/", "/"))
			if !ok || entry["link"] == true {
				continue
			}
			delete(entry, "dev")
			delete(entry, "devOptional")
			moved[path.Join(to, "node_modules", rest)] = entry
		}
	}
	move("", "")
	for _, m := range p.shared.Members {
		place := path.Join(sharedFolder, m.Name)
		if places[inRoot(m.Folder)] != nil {
			move(inRoot(m.Folder), place)
		}
	}
	if own := inRoot(p.shared.Folder); own != "" {
		move(own, "")
	}
	delete(all, "dependencies")
	// What was read can be written.
	all["packages"], _ = json.Marshal(moved)
	text, _ = json.Marshal(all)
	return text
}

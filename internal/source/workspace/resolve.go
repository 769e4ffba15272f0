package workspace

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// resolve finds the packages in folders that a package needs, and returns those that are new.
func (r *reader) resolve(p *Package, development bool) (more []*Package, err error) {
	m := &p.manifest
	needed := []map[string]string{m.Peers, m.Optional, m.Dependencies}
	if development {
		needed = append(needed, m.Development)
	}
	for _, wanted := range needed {
		for _, name := range slices.Sorted(maps.Keys(wanted)) {
			folder, err := r.local(p, name, wanted[name])
			if err != nil || folder == "" {
				if err != nil {
					return more, err
				}
				continue
			}
			p.Local[name] = folder
			if known := r.names[name]; known != nil && known.Folder != folder {
				return more, &model.Problem{
					Text: "two folders have the package " + phrase.Quote(name) + ": " + phrase.QuotePath(known.Folder) + " and " +
						phrase.QuotePath(folder),
					Fix: "give one of them another name",
				}
			} else if known != nil {
				continue
			}
			next, err := read(r.fsys, folder)
			if err != nil {
				return more, err
			}
			if next == nil {
				return more, r.missing(name, folder)
			}
			next.Name = name
			r.names[name] = next
			more = append(more, next)
		}
	}
	return more, nil
}

// local returns the folder of a package that another needs, "" if a registry has it.
func (r *reader) local(of *Package, name, wanted string) (folder string, err error) {
	protocol, rest, hasProtocol := strings.Cut(wanted, ":")
	place := ""
	switch {
	case !fs.ValidPath(name):
		return "", nil
	case slices.Contains([]string{"file", "link", "portal"}, protocol),
		protocol == "workspace" && strings.HasPrefix(rest, "."):
		place = rest
	case protocol == "catalog":
		ranges := r.ranges.Catalogs[rest]
		if rest == "" || rest == "default" && ranges == nil {
			ranges = r.ranges.Catalog
		}
		of.Ranges[name] = ranges[name]
		if ranges[name] == "" {
			return "", &model.Problem{
				Text: "the package " + phrase.Quote(name) + " has its version from a catalog (" + phrase.Quote(wanted) +
					"), and no " + pnpmFile + " above has it",
				Fix: "add it there, or write the version",
			}
		}
		return r.local(of, name, ranges[name])
	case protocol == "workspace":
		// An alias is name@range (https://pnpm.io/workspaces#referencing-workspace-packages-through-aliases).
		if at := strings.LastIndexByte(rest, '@'); at > 0 {
			name = rest[:at]
		}
	case hasProtocol, strings.HasPrefix(wanted, "."), strings.Contains(wanted, "/"):
		// It comes from elsewhere by an address; npm reads a bare path too.
		if !strings.HasPrefix(wanted, ".") || hasProtocol {
			return "", nil
		}
		place = wanted
	}
	if place == "" {
		return r.member(name, wanted, protocol == "workspace")
	}
	folder = path.Join(of.Folder, strings.ReplaceAll(place, `\`, "/"))
	if path.IsAbs(place) || strings.Contains(place, ":") || !fs.ValidPath(folder) || !isIn(r.within, folder) {
		return "", outside(name, place)
	}
	info, err := fs.Stat(r.fsys, folder)
	if err != nil {
		return "", r.missing(name, folder)
	}
	if !info.IsDir() {
		return "", &model.Problem{
			Text: "the package " + phrase.Quote(name) + " is a file (" + phrase.QuotePath(folder) + "), not a folder",
			Fix:  "unpack it into a folder of the project, and name that",
		}
	}
	return folder, nil
}

// member returns the folder of a member of the workspace.
func (r *reader) member(name, wanted string, must bool) (folder string, err error) {
	switch folders := r.members[name]; {
	case len(folders) == 1 && isIn(r.within, folders[0]):
		return folders[0], nil
	case len(folders) == 1:
		return "", outside(name, folders[0])
	case len(folders) > 1:
		return "", &model.Problem{
			Text: "two folders of the workspace have the package " + phrase.Quote(name) + ": " + phrase.QuotePath(folders[0]) +
				" and " + phrase.QuotePath(folders[1]),
			Fix: "give one of them another name",
		}
	case r.broken != nil:
		return "", r.broken
	case !must:
		return "", nil
	case r.root == "":
		return "", &model.Problem{
			Text: "the package " + phrase.Quote(name) + " is asked for as " + phrase.Quote(wanted) +
				", and no folder above is the root of a workspace",
			Fix: "list its folder in workspaces of a package.json of the project, or in " + pnpmFile,
		}
	}
	return "", &model.Problem{
		Text: "the package " + phrase.Quote(name) + " is asked for as " + phrase.Quote(wanted) +
			", and no member of the workspace has that name",
		Fix: "correct the name, or list its folder in workspaces of " + phrase.QuotePath(path.Join(r.root, manifestFile)),
	}
}

func (r *reader) missing(name, folder string) error {
	return &model.Problem{
		Text: "the package " + phrase.Quote(name) + " is missing: " + phrase.QuotePath(folder) + " has no " + manifestFile,
		Fix:  "correct its folder in " + manifestFile,
	}
}

func outside(name, place string) error {
	return &model.Problem{
		Text: "the package " + phrase.Quote(name) + " (" + phrase.QuotePath(place) + ") lies outside of the project",
		Fix:  "move it into the project, or make a project of the folder around both",
	}
}

// isIn reports whether a path is a folder or below it.
func isIn(folder, name string) bool {
	return folder == "." || name == folder || strings.HasPrefix(name, folder+"/")
}

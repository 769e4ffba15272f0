package archive

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/phrase"
)

// entry is a file that may be stored in an archive.
type entry struct {
	// path is where it is read, without links.
	path       string
	executable bool
	size       int64
}

// listing are the files of a folder by their names in an archive, which have slashes.
type listing struct {
	of Source
	// root is the folder, without links. No link leads out of project, which is root or around it.
	root, project string
	entries       map[string]entry
	// modules reports whether the folder node_modules in a folder of the archive belongs
	// to it.
	modules func(in string) bool
}

// add adds the files below a folder. name is the folder's in the archive, and above are
// the folders that it is in, itself last, without links.
func (l *listing) add(folder, name string, above []string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return l.unreadable(name, err)
	}
	for _, found := range entries {
		inside, file := path.Join(name, found.Name()), filepath.Join(folder, found.Name())
		if l.leavesOut(name, found) {
			continue
		}
		if slices.Contains(stores, found.Name()) && path.Base(name) == "node_modules" {
			if hasFolder(file) {
				return l.of.problem("the packages in "+phrase.Quote(name)+" are links into "+phrase.Quote(found.Name())+
					", which no archive can have",
					"list them in a package.json, or install them with npm")
			}
			continue
		}
		if found.Type()&fs.ModeSymlink != 0 {
			if file, err = l.follow(inside, file); err != nil {
				return err
			}
		}
		info, err := os.Stat(file)
		switch {
		case err != nil:
			return l.unreadable(inside, err)
		case info.IsDir() && (slices.Contains(above, file) || found.Type()&fs.ModeSymlink != 0 && isInside(l.root, file)):
			return l.of.problem("the link "+phrase.Quote(inside)+" leads to a folder that it is in", "remove it")
		case info.IsDir():
			err = l.add(file, inside, append(slices.Clip(above), file))
		case info.Mode().IsRegular():
			l.entries[inside] = entry{file, isExecutable(file, info), info.Size()}
		default:
			err = l.of.problem(phrase.Quote(inside)+" is neither a file nor a folder, and no archive can have it", "remove it")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// follow returns where a link leads. A link that a function would miss in the cloud is an
// error, because it works on this machine.
func (l *listing) follow(name, link string) (string, error) {
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		return "", l.of.problem("the link "+phrase.Quote(name)+" leads nowhere", "correct or remove it")
	}
	if !isInside(target, l.project) {
		return "", l.of.problem("the link "+phrase.Quote(name)+
			" leads out of the project, so that another clone would not have what it leads to",
			"copy that into the project in place of the link")
	}
	return target, nil
}

// isInside reports whether a path is a folder or below it. Both have no links.
func isInside(name, folder string) bool {
	inside, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(inside)
}

func (l *listing) unreadable(name string, err error) error {
	reason := err
	if e, ok := err.(*fs.PathError); ok {
		reason = e.Err
	}
	if name == "" {
		return l.of.problem("its folder "+phrase.QuotePath(l.of.Folder)+" cannot be read: "+reason.Error(),
			"make it a folder that you can read")
	}
	return l.of.problem(phrase.Quote(name)+" cannot be read: "+reason.Error(), "make it readable, or remove it")
}

// forInstalling are settings of package managers. They may have the token for a registry,
// which would be readable for whoever may read the function.
var forInstalling = []string{".npmrc", ".yarnrc", ".yarnrc.yml"}

// byInstalling are what package managers keep in node_modules for themselves. It differs
// from one installation to the next. The links of .bin are commands for scripts of
// package.json, which nobody runs in Lambda.
var byInstalling = []string{
	".bin", ".cache", ".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml",
	".pnpm-workspace-state.json", ".pnpm-workspace-state-v1.json",
}

// stores are folders in node_modules from which package managers link packages. Node.js
// finds what a package needs beside the folder that the link leads to, so a copy in place
// of the link would miss it. Without packages, they have only notes of the package manager.
var stores = []string{".pnpm", ".store", ".bun"}

// hasFolder reports whether there is a folder in a folder.
func hasFolder(name string) bool {
	entries, _ := os.ReadDir(name)
	return slices.ContainsFunc(entries, fs.DirEntry.IsDir)
}

// leavesOut reports whether an entry of a folder does not belong to the archive.
func (l *listing) leavesOut(folder string, found fs.DirEntry) bool {
	name := found.Name()
	installed := slices.Contains(strings.Split(folder, "/"), "node_modules")
	switch {
	case installed && path.Base(folder) == "node_modules" && slices.Contains(byInstalling, name):
		return true
	case name == "node_modules" && found.Type().IsRegular():
		return false
	case name == "node_modules":
		return !installed && !l.modules(folder)
	case fingerprint.IsGenerated(name):
		return true
	}
	return !installed && slices.Contains(forInstalling, name)
}

// size returns how many bytes the files have together.
func (l *listing) size() int64 {
	var size int64
	for _, e := range l.entries {
		size += e.size
	}
	return size
}

// exists reports whether there is a file or folder at a path.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

package artifact

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/file/ignore"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// File is a file of an artifact.
type File struct {
	// Path is where it is read, without links; Data is the content of one that was made.
	Path       string
	Data       []byte
	Executable bool
	Size       int64
	Time       time.Time
}

// Open opens the file.
func (f File) Open() (io.ReadCloser, error) {
	if f.Data != nil {
		return io.NopCloser(bytes.NewReader(f.Data)), nil
	}
	return file.OpenRegular(f.Path)
}

// LeftOut is a file or a folder of a source that does not belong to the artifact.
type LeftOut struct {
	Name string
	// Rule is the rule that says so; nil for what Mark in the folder shows.
	Rule *ignore.Rule
	Mark string
}

// Listing are the files of a source by their names in its artifact, which have slashes.
type Listing struct {
	Source
	Files map[string]File
	// Links are folders of packages that lie elsewhere, by their names in the artifact.
	Links   map[string]string
	LeftOut []LeftOut

	// root is the folder, without links. No link leads out of project, which is root or around it.
	root, project string
	// at is the folder whose names the rules are about, with slashes; rules are none for packages.
	at    string
	rules ignore.Rules
	// place is the folder with node_modules, in whose place packages are installed or not.
	place     string
	installed bool
	// member is set for a package in a folder of the project.
	member bool
}

// Rules are what says what of a source is left out, with the files that say so.
func (s Source) Rules() (ignore.Rules, []string) {
	folder := cmp.Or(s.Original, s.Folder)
	if s.Layer {
		return ignore.Of(s.Project, folder)
	}
	return ignore.Of(s.Project, filepath.Dir(folder), folder)
}

// New returns a Listing without files.
func (s Source) New() *Listing {
	return &Listing{Source: s, Files: make(map[string]File), Links: make(map[string]string)}
}

// List lists the files of a source. Packages that are installed for the artifact take the place of
// those in the source, which may be for another system.
func (s Source) List(installed bool) (*Listing, error) {
	l := s.New()
	l.installed = installed
	l.rules, _ = s.Rules()
	if err := l.list(); err != nil {
		return l, err
	}
	return l, l.checkHandler()
}

// list adds the files of the source.
func (l *Listing) list() (err error) {
	l.at = filepath.ToSlash(cmp.Or(l.Original, l.Folder))
	if l.Layer {
		l.place = "nodejs"
	}
	if l.root, err = filepath.EvalSymlinks(l.Folder); err != nil {
		return l.Unreadable("", err)
	}
	l.project = l.root
	if l.Project != "" {
		if l.project, err = filepath.EvalSymlinks(l.Project); err != nil {
			return l.Unreadable("", err)
		}
	}
	return l.add(l.root, "", []string{l.root})
}

// Add adds the files of a folder with installed packages, under a name. Links lead within the folder
// that has the packages.
func (l *Listing) Add(name, folder string) error {
	of := l.New()
	var err error
	if of.root, err = filepath.EvalSymlinks(folder); err != nil {
		return l.Unreadable("", err)
	}
	of.project, _, _ = strings.Cut(of.root, string(filepath.Separator)+modulesName)
	err = of.add(of.root, name, []string{of.root})
	maps.Copy(l.Files, of.Files)
	return err
}

// Expand has the files that the links lead to instead of the links.
func (l *Listing) Expand() error {
	for name, folder := range l.Links {
		if err := l.Add(name, folder); err != nil {
			return err
		}
	}
	clear(l.Links)
	return nil
}

// Install adds packages for Node.js to a folder of the artifact: those that are installed in a folder,
// "" for none, and those in folders of the project, by their names.
func (l *Listing) Install(in, installed string, members map[string]string) error {
	modules, from := path.Join(in, modulesName), filepath.Join(installed, modulesName)
	switch {
	case installed == "" || !exists(from):
		from = ""
	case len(members) == 0 && !l.Layer:
		l.Links[modules] = file.RealPath(from)
	default:
		// The patterns are some.
		names, _ := fs.Glob(os.DirFS(from), "[^.@]*")
		scoped, _ := fs.Glob(os.DirFS(from), "@*/*")
		for _, name := range slices.Concat(names, scoped) {
			l.Links[path.Join(modules, name)] = file.RealPath(filepath.Join(from, filepath.FromSlash(name)))
		}
	}
	for name, folder := range members {
		at := path.Join(modules, name)
		delete(l.Links, at)
		if nested := filepath.Join(from, filepath.FromSlash(name), modulesName); from != "" && exists(nested) {
			l.Links[path.Join(at, modulesName)] = file.RealPath(nested)
		}
		of := Source{Name: l.Name, Layer: l.Layer, Folder: folder, Project: l.Project}.New()
		of.member = true
		of.rules, _ = ignore.Of(l.Project, folder)
		err := of.list()
		if problem, ok := errors.AsType[*model.Problem](err); ok {
			return l.Problem("in the package "+phrase.Quote(name)+" "+problem.Text, problem.Fix)
		} else if err != nil {
			return err
		}
		for inside, f := range of.Files {
			l.Files[path.Join(at, inside)] = f
		}
	}
	return nil
}

// Over puts another artifact over this one, as Lambda puts layers into /opt.
func (l *Listing) Over(other *Listing) {
	for link := range other.Links {
		maps.DeleteFunc(l.Files, func(name string, _ File) bool { return strings.HasPrefix(name, link+"/") })
	}
	for name := range other.Files {
		maps.DeleteFunc(l.Links, func(link, _ string) bool { return strings.HasPrefix(name, link+"/") })
	}
	maps.Copy(l.Files, other.Files)
	maps.Copy(l.Links, other.Links)
}

// add adds the files below a folder. name is the folder's in the archive, and above are
// the folders that it is in, itself last, without links.
func (l *Listing) add(folder, name string, above []string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return l.Unreadable(name, err)
	}
	for _, found := range entries {
		inside, file := path.Join(name, found.Name()), filepath.Join(folder, found.Name())
		if l.leavesOut(name, file, found) {
			continue
		}
		if isStore(name, found) {
			if hasFolder(file) {
				return l.stored(name, found.Name())
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
		case errors.Is(err, fs.ErrNotExist):
			// It was removed meanwhile.
		case err != nil:
			return l.Unreadable(inside, err)
		case info.IsDir() && (slices.Contains(above, file) || found.Type()&fs.ModeSymlink != 0 && isInside(l.root, file)):
			return l.Problem("the link "+phrase.Quote(inside)+" leads to a folder that it is in", "remove it")
		case info.IsDir() && inside == modulesName && !l.Layer && l.rules != nil:
			l.Links[inside], err = file, l.checkStores(file)
		case info.IsDir():
			err = l.add(file, inside, append(slices.Clip(above), file))
		case info.Mode().IsRegular():
			l.Files[inside] = File{Path: file, Executable: isExecutable(file, info), Size: info.Size(), Time: info.ModTime()}
		default:
			err = l.Problem(phrase.Quote(inside)+" is neither a file nor a folder, so no archive can hold it", "remove it")
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// follow returns where a link leads. A link that a function would miss in the cloud is an
// error, because it works on this machine.
func (l *Listing) follow(name, link string) (string, error) {
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		return "", l.Problem("the link "+phrase.Quote(name)+" leads nowhere", "correct or remove it")
	}
	if !isInside(target, l.project) && !isInside(target, l.root) {
		return "", l.Problem("the link "+phrase.Quote(name)+
			" leads out of the project, so another clone would not have its target",
			"copy the target into the project instead of the link")
	}
	return target, nil
}

// isInside reports whether a path is a folder or below it. Both have no links.
func isInside(name, folder string) bool {
	inside, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(inside)
}

// Unreadable is the error of a file that cannot be read, "" for the folder itself.
func (l *Listing) Unreadable(name string, err error) error {
	reason := err
	if e, ok := err.(*fs.PathError); ok {
		reason = e.Err
	}
	if name == "" {
		return l.Problem("its folder "+phrase.QuotePath(l.Folder)+" cannot be read: "+reason.Error(),
			"make it a folder that you can read")
	}
	return l.Problem(phrase.Quote(name)+" cannot be read: "+reason.Error(), "make it readable, or remove it")
}

// byInstalling are what package managers keep in node_modules for themselves. It differs
// from one installation to the next. The links of .bin are commands for scripts of
// package.json, which nobody runs in Lambda.
var byInstalling = []string{
	".bin", ".cache", ".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml",
	".pnpm-workspace-state.json", ".pnpm-workspace-state-v1.json",
}

// stores are folders in node_modules from which package managers link packages. Node.js
// finds what a package needs next to the folder that the link leads to, so a copy in place
// of the link would miss it. Without packages, they have only notes of the package manager.
var stores = []string{".pnpm", ".store", ".bun"}

func isStore(folder string, found fs.DirEntry) bool {
	return slices.Contains(stores, found.Name()) && path.Base(folder) == "node_modules"
}

func (l *Listing) stored(folder, store string) error {
	return l.Problem("the packages in "+phrase.Quote(folder)+" are links into "+phrase.Quote(store)+
		", which no archive can hold", "list them in a package.json, or install them with npm")
}

// checkStores refuses a folder node_modules whose packages are links into a store.
func (l *Listing) checkStores(modules string) error {
	for _, store := range stores {
		if hasFolder(filepath.Join(modules, store)) {
			return l.stored("node_modules", store)
		}
	}
	return nil
}

// hasFolder reports whether there is a folder in a folder.
func hasFolder(name string) bool {
	entries, _ := os.ReadDir(name)
	return slices.ContainsFunc(entries, fs.DirEntry.IsDir)
}

// leavesOut reports whether an entry of a folder does not belong to the artifact. at is its path.
func (l *Listing) leavesOut(folder, at string, found fs.DirEntry) bool {
	name := found.Name()
	switch installed := slices.Contains(strings.Split(folder, "/"), "node_modules"); {
	case installed && path.Base(folder) == "node_modules" && slices.Contains(byInstalling, name):
		return true
	case installed || l.rules == nil:
		return name != "node_modules" && fingerprint.IsGenerated(name)
	}
	isFolder := found.IsDir()
	if found.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(at)
		isFolder = err == nil && info.IsDir()
	}
	out := LeftOut{Name: path.Join(folder, name)}
	if out.Rule = l.rules.Find(l.at+"/"+out.Name, isFolder); out.Rule == nil && isFolder {
		out.Mark = ignore.Made(name, func(mark string) bool { return exists(filepath.Join(at, mark)) })
	}
	if out.Rule != nil || out.Mark != "" {
		l.LeftOut = append(l.LeftOut, out)
		return true
	}
	return name == "node_modules" && isFolder && !l.hasModules(folder)
}

// hasModules reports whether the folder node_modules in a folder of the artifact belongs to it.
func (l *Listing) hasModules(in string) bool {
	if l.Layer && !l.member {
		return !l.installed || in != l.place
	}
	return in == "" && l.Runtime == model.NodeJS && !exists(filepath.Join(l.Folder, "package.json"))
}

// Size returns how many bytes the files have together.
func (l *Listing) Size() int64 {
	var size int64
	for _, e := range l.Files {
		size += e.Size
	}
	return size
}

// exists reports whether there is a file or folder at a path.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Put adds a file that is not one of the source.
func (l *Listing) Put(name, at string, executable bool) error {
	info, err := os.Stat(at)
	if err == nil {
		l.Files[name] = File{Path: file.RealPath(at), Executable: executable, Size: info.Size(), Time: info.ModTime()}
	}
	return err
}

// Bootstrap is the name of a function's program in Go: Lambda starts the file of this name
// (https://docs.aws.amazon.com/lambda/latest/dg/golang-package.html).
const Bootstrap = "bootstrap"

// AddGo puts a program instead of the files that are only for the Go command.
func (l *Listing) AddGo(program string) error {
	for name := range l.Files {
		if isGo(name) {
			delete(l.Files, name)
		}
	}
	return l.Put(Bootstrap, program, true)
}

// isGo reports whether a file of a source is only for the Go command.
func isGo(name string) bool {
	switch path.Base(name) {
	case "go.mod", "go.sum", "go.work", "go.work.sum":
		return true
	}
	return path.Ext(name) == ".go" || strings.HasPrefix(name, "vendor/") ||
		slices.Contains(strings.Split(path.Dir(name), "/"), "testdata")
}

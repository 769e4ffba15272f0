package archive

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source/typescript"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/prepare"
)

// work makes one archive.
type work struct {
	Source
	builder  *Builder
	packager *prepare.Packager
	say      func(text string, done bool)
}

// plan is how an archive is made.
type plan struct {
	// key is the fingerprint of all that the archive depends on.
	key string
	// whole is false if it depends on files that the key does not cover.
	whole  bool
	source *listing
	// program is the handler if it is written in TypeScript.
	program *typescript.Program
	// packages are installed into folders of the archive, by their names.
	packages map[string]prepare.Packages
}

// archive makes the archive, or finds it in the cache.
func (w *work) archive(ctx context.Context) (Archive, error) {
	p, err := w.plan(ctx)
	if err != nil {
		return Archive{}, err
	}
	if p.whole {
		if found, ok := w.builder.find(p.key); ok {
			w.say("its archive is the same as before ("+megabytes(found.Size)+")", true)
			return found, nil
		}
	}
	made, err := w.make(ctx, p)
	if err != nil {
		return Archive{}, err
	}
	w.say("its archive is ready ("+megabytes(made.Size)+")", true)
	return made, nil
}

// plan reads the source.
func (w *work) plan(ctx context.Context) (*plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &plan{whole: true, packages: make(map[string]prepare.Packages)}
	sum := fingerprint.New()
	// The number changes with the rules of this package.
	sum.Text(fmt.Sprintf("archive 1 %s %v", w.Runtime, w.Layer))
	var err error
	switch {
	case w.Layer:
		p.packages["nodejs"], err = w.packager.Node(w.Name, filepath.Join(w.Folder, "nodejs"), w.Project)
		if err == nil {
			p.packages["python"], err = w.packager.Python(w.Name, filepath.Join(w.Folder, "python"))
		}
	case w.Runtime == model.NodeJS:
		p.packages[""], err = w.packager.Node(w.Name, w.Folder, w.Project)
	case w.Runtime == model.Python:
		p.packages[""], err = w.packager.Python(w.Name, w.Folder)
	case w.Runtime == model.Go:
		if !exists(w.Folder) {
			break
		}
		var stamp string
		stamp, p.whole, err = w.packager.GoStamp(ctx, w.Name, w.Folder)
		sum.Text(stamp)
	default:
		return nil, w.problem("its runtime "+phrase.Quote(string(w.Runtime))+" is not known", "use nodejs, python or go")
	}
	if err != nil {
		return nil, w.problemOf(err)
	}
	for _, place := range slices.Sorted(maps.Keys(p.packages)) {
		if sum.Text(p.packages[place].Stamp); p.packages[place].Stamp == "" {
			delete(p.packages, place)
		}
	}
	if p.source, err = w.list(p.packages); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(p.source.entries)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e := p.source.entries[name]
		sum.Text(fmt.Sprint(e.executable))
		if err := sum.File(name, e.path); err != nil {
			return nil, p.source.unreadable(name, err)
		}
	}
	if err := w.compile(p, sum); err != nil {
		return nil, err
	}
	p.key = sum.String()
	return p, nil
}

// list lists the files of the source. Packages that are installed for the archive take the
// place of those in the source, which may be for another system.
func (w *work) list(installed map[string]prepare.Packages) (*listing, error) {
	l := &listing{of: w.Source, entries: make(map[string]entry)}
	l.modules = func(in string) bool {
		if w.Layer {
			_, isInstalled := installed[in]
			return !isInstalled
		}
		return in == "" && w.Runtime == model.NodeJS && !exists(filepath.Join(w.Folder, "package.json"))
	}
	var err error
	if l.root, err = filepath.EvalSymlinks(w.Folder); err != nil {
		return nil, l.unreadable("", err)
	}
	l.project = l.root
	if w.Project != "" {
		if l.project, err = filepath.EvalSymlinks(w.Project); err != nil {
			return nil, l.unreadable("", err)
		}
	}
	return l, l.add(l.root, "", []string{l.root})
}

// make makes the archive.
func (w *work) make(ctx context.Context, p *plan) (Archive, error) {
	unfinished, err := w.builder.unfinished()
	if err != nil {
		return Archive{}, w.noCache(err)
	}
	defer func() { _ = file.RemoveAll(unfinished) }()
	entries, err := w.content(ctx, p, unfinished)
	if err != nil {
		return Archive{}, err
	}
	all := &listing{of: w.Source, entries: entries}
	size := all.size()
	switch {
	case len(entries) == 0:
		return Archive{}, w.noFiles()
	case size > w.builder.most:
		return Archive{},
			w.problem(fmt.Sprintf("its files have %d bytes (%s), and Lambda takes at most %d (%s)", size, megabytes(size),
				w.builder.most, megabytes(w.builder.most)),
				"remove packages or files that it does not need"+all.largest())
	}
	made, err := all.write(ctx, filepath.Join(unfinished, "archive.zip"))
	if err != nil {
		if ctx.Err() != nil {
			return Archive{}, ctx.Err()
		}
		return Archive{}, err
	}
	// What changed meanwhile is in the archive in part, or not.
	again, err := w.plan(ctx)
	if err != nil {
		return Archive{}, err
	}
	if again.key != p.key {
		return Archive{}, w.problem("its source changed while its archive was made", "try again")
	}
	if made, err = w.builder.keep(made, p.key); err != nil {
		return Archive{}, w.noCache(err)
	}
	return made, nil
}

func (w *work) noCache(err error) error {
	return w.problem("its archive cannot be written: "+err.Error(), "make "+phrase.Quote(w.builder.cache)+" writable")
}

// content returns what the archive has: installed packages or the program, which is built
// into a folder, and the source.
func (w *work) content(ctx context.Context, p *plan, folder string) (map[string]entry, error) {
	if w.Runtime == model.Go && !w.Layer {
		return w.program(ctx, p, folder)
	}
	if err := w.addProgram(p, folder); err != nil {
		return nil, err
	}
	entries := make(map[string]entry)
	for _, place := range slices.Sorted(maps.Keys(p.packages)) {
		if err := w.addInstalled(ctx, p.packages[place], place, entries); err != nil {
			return nil, err
		}
	}
	// Python finds a file of the source before one of a package.
	maps.Copy(entries, p.source.entries)
	return entries, nil
}

// addInstalled installs packages, and adds them as what is in a folder of the archive.
func (w *work) addInstalled(
	ctx context.Context, packages prepare.Packages, place string, entries map[string]entry,
) error {
	installed, err := packages.Install(ctx)
	if err != nil {
		return w.problemOf(err)
	}
	l := &listing{of: w.Source, entries: entries, modules: func(string) bool { return true }}
	if l.root, err = filepath.EvalSymlinks(installed); err != nil {
		return l.unreadable("", err)
	}
	// Packages in folders are beside links to those of the registry.
	if l.project, err = filepath.EvalSymlinks(w.builder.cache); err != nil {
		return l.unreadable("", err)
	}
	above := []string{l.root}
	if place == "python" || w.Runtime == model.Python && !w.Layer {
		return l.add(l.root, place, above)
	}
	if modules := filepath.Join(l.root, "node_modules"); exists(modules) {
		return l.add(modules, path.Join(place, "node_modules"), append(above, modules))
	}
	return nil
}

// program builds a Go program, and returns it with the files of the source that are no
// source of Go: the program may read them.
func (w *work) program(ctx context.Context, p *plan, folder string) (map[string]entry, error) {
	// Lambda starts the file of this name
	// (https://docs.aws.amazon.com/lambda/latest/dg/golang-package.html).
	const name = "bootstrap"
	file := filepath.Join(folder, name)
	if err := w.packager.Go(ctx, w.Name, w.Folder, file); err != nil {
		return nil, w.problemOf(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, w.noCache(err)
	}
	entries := make(map[string]entry)
	for name, e := range p.source.entries {
		if !isGo(name) {
			entries[name] = e
		}
	}
	entries[name] = entry{file, true, info.Size()}
	return entries, nil
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

// largest names the top folder with the most bytes, two levels deep, for advice.
func (l *listing) largest() string {
	sizes := make(map[string]int64)
	largest := ""
	for name, e := range l.entries {
		parts := strings.SplitN(name, "/", 3)
		folder := strings.Join(parts[:min(len(parts), 2)], "/")
		sizes[folder] += e.size
	}
	for _, folder := range slices.Sorted(maps.Keys(sizes)) {
		if largest == "" || sizes[folder] > sizes[largest] {
			largest = folder
		}
	}
	if largest == "" {
		return ""
	}
	return "; the largest is " + phrase.Quote(largest) + " with " + megabytes(sizes[largest])
}

func megabytes(size int64) string { return fmt.Sprintf("%.1f MB", float64(size)/(1<<20)) }

package archive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source/typescript"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/artifact"
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
	source *artifact.Listing
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
	sum.Text(fmt.Sprintf("archive 2 %s %v", w.Runtime, w.Layer))
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
		if _, missing := os.Stat(w.Folder); missing != nil {
			break
		}
		var stamp string
		stamp, p.whole, err = w.packager.GoStamp(ctx, w.Name, w.Folder)
		sum.Text(stamp)
	default:
		return nil, w.Problem("its runtime "+phrase.Quote(string(w.Runtime))+" is not known", "use nodejs, python or go")
	}
	if err != nil {
		return nil, problemOf(w.Source, err)
	}
	for _, place := range slices.Sorted(maps.Keys(p.packages)) {
		if sum.Text(p.packages[place].Stamp); p.packages[place].Stamp == "" {
			delete(p.packages, place)
		}
	}
	of := ""
	if w.Layer {
		of = "nodejs"
	}
	_, installed := p.packages[of]
	if p.source, err = w.List(installed); err != nil {
		return nil, err
	}
	if err := errors.Join(p.source.Expand(), p.source.Install(of, "", p.packages[of].Members)); err != nil {
		return nil, err
	}
	for _, name := range p.source.Names() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e := p.source.Files[name]
		sum.Text(fmt.Sprint(e.Executable))
		if err := sum.File(name, e.Path); err != nil {
			return nil, p.source.Unreadable(name, err)
		}
	}
	if err := w.compile(p, sum); err != nil {
		return nil, err
	}
	p.key = sum.String()
	return p, nil
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
	all := &artifact.Listing{Source: w.Source, Files: entries}
	size := all.Size()
	switch {
	case len(entries) == 0:
		return Archive{}, w.NoFiles()
	case size > w.builder.most:
		return Archive{},
			w.Problem(fmt.Sprintf("its files have %d bytes (%s), and Lambda takes at most %d (%s)", size, megabytes(size),
				w.builder.most, megabytes(w.builder.most)),
				"remove packages or files that it does not need"+largest(all))
	}
	made, err := zipped(ctx, all, filepath.Join(unfinished, "archive.zip"))
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
		return Archive{}, w.Problem("its source changed while its archive was made", "try again")
	}
	if made, err = w.builder.keep(made, p.key); err != nil {
		return Archive{}, w.noCache(err)
	}
	return made, nil
}

func (w *work) noCache(err error) error {
	return w.Problem("its archive cannot be written: "+err.Error(), "make "+phrase.Quote(w.builder.cache)+" writable")
}

// content returns what the archive has: installed packages or the program, which is built
// into a folder, and the source.
func (w *work) content(ctx context.Context, p *plan, folder string) (map[string]artifact.File, error) {
	if w.Runtime == model.Go && !w.Layer {
		return w.program(ctx, p, folder)
	}
	if p.program != nil {
		if err := errors.Join(artifact.WriteProgram(folder, p.program),
			p.source.AddProgram(folder, p.program.File)); err != nil {
			return nil, w.noCache(err)
		}
	}
	all := w.New()
	for place, packages := range p.packages {
		installed, err := packages.Install(ctx)
		if err != nil {
			return nil, problemOf(w.Source, err)
		}
		if place == "python" || !w.Layer && w.Runtime == model.Python {
			err = all.Add(place, installed)
		} else {
			err = all.Install(place, installed, packages.Members)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := all.Expand(); err != nil {
		return nil, err
	}
	// Python finds a file of the source before one of a package.
	maps.Copy(all.Files, p.source.Files)
	return all.Files, nil
}

// program builds a Go program, and returns it with the files of the source that are no
// source of Go: the program may read them.
func (w *work) program(ctx context.Context, p *plan, folder string) (map[string]artifact.File, error) {
	file := filepath.Join(folder, artifact.Bootstrap)
	if err := w.packager.Go(ctx, w.Name, w.Folder, file); err != nil {
		return nil, problemOf(w.Source, err)
	}
	if err := p.source.AddGo(file); err != nil {
		return nil, w.noCache(err)
	}
	return p.source.Files, nil
}

// largest names the top folder with the most bytes, two levels deep, for advice.
func largest(l *artifact.Listing) string {
	sizes := make(map[string]int64)
	largest := ""
	for name, e := range l.Files {
		parts := strings.SplitN(name, "/", 3)
		folder := strings.Join(parts[:min(len(parts), 2)], "/")
		sizes[folder] += e.Size
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

package archive

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
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
	// packages are installed into folders of the archive, by their names.
	packages map[string]prepare.Packages
}

// archive makes the archive, or finds it in the cache.
func (w *work) archive(ctx context.Context) (Archive, error) {
	p, err := w.plan(ctx)
	if err != nil {
		return Archive{}, err
	}
	made, found := Archive{}, false
	if p.whole {
		made, found = w.builder.find(p.key)
	}
	text := "its archive is the same as before"
	if !found {
		if made, err = w.make(ctx, p); err != nil {
			return Archive{}, err
		}
		text = "its archive is ready"
	}
	w.say(text+" ("+megabytes(made.Size)+")", true)
	return made, nil
}

// plan reads the source.
func (w *work) plan(ctx context.Context) (*plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &plan{whole: true}
	sum := fingerprint.New()
	// The number changes with the rules of this package.
	sum.Text(fmt.Sprintf("archive 3 %s %v", w.Runtime, w.Layer))
	var err error
	if p.packages, err = w.packages(); err != nil {
		return nil, err
	}
	for _, place := range slices.Sorted(maps.Keys(p.packages)) {
		sum.Text(p.packages[place].Stamp)
	}
	if _, missing := os.Stat(w.Folder); w.Runtime == model.Go && !w.Layer && missing == nil {
		var stamp string
		if stamp, p.whole, err = w.packager.GoStamp(ctx, w.Name, w.Folder); err != nil {
			return nil, problemOf(w.Source, err)
		}
		sum.Text(stamp)
	}
	if p.source, err = w.sources(p.packages); err != nil {
		return nil, err
	}
	for _, name := range p.source.Names() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e := p.source.Files[name]
		sum.Text(fmt.Sprint(e.Executable))
		if e.Data != nil {
			sum.Content(name, e.Data)
		} else if err := sum.File(name, e.Path); err != nil {
			return nil, p.source.Unreadable(name, err)
		}
	}
	p.key = sum.String()
	return p, nil
}

// packages finds the packages that are installed into folders of the archive.
func (w *work) packages() (map[string]prepare.Packages, error) {
	places := map[string]model.Runtime{"": w.Runtime}
	switch {
	case w.Layer:
		places = map[string]model.Runtime{nodejs: model.NodeJS, "python": model.Python}
	case w.Runtime.Language() == "":
		return nil, w.Problem("its runtime "+phrase.Quote(string(w.Runtime))+" is not known", "use Node.js, Python or Go")
	}
	found := make(map[string]prepare.Packages)
	for place, language := range places {
		var one prepare.Packages
		var err error
		switch language {
		case model.NodeJS:
			one, err = w.packager.Node(w.Name, filepath.Join(w.Folder, place), w.Project)
		case model.Python:
			one, err = w.packager.Python(w.Name, filepath.Join(w.Folder, place))
		}
		if err != nil {
			return nil, problemOf(w.Source, err)
		}
		if one.Stamp != "" {
			found[place] = one
		}
	}
	return found, nil
}

// nodejs is the folder of a layer with what is for Node.js.
const nodejs = "nodejs"

// sources lists what is not installed: the files of the source and of packages in folders.
func (w *work) sources(packages map[string]prepare.Packages) (*artifact.Listing, error) {
	place := ""
	if w.Layer {
		place = nodejs
	}
	of, installed := packages[place]
	l, err := w.List(installed)
	if err == nil {
		err = l.Expand()
	}
	if err == nil {
		err = l.Install(place, "", of.Members)
	}
	if err == nil {
		err = w.compile(l)
	}
	return l, err
}

// installed lists installed packages. folder returns that in which some are.
func (w *work) installed(
	packages map[string]prepare.Packages, folder func(prepare.Packages) (string, error),
) (*artifact.Listing, error) {
	all := w.New()
	for place, one := range packages {
		installed, err := folder(one)
		switch {
		case err != nil:
			return nil, err
		case place == "python" || !w.Layer && w.Runtime == model.Python:
			err = all.Add(place, installed)
		default:
			err = all.Install(place, installed, one.Members)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, all.Expand()
}

// Weigh returns how many bytes the files of a source have unpacked. known is false if that lacks packages
// that are not installed, or a program that is not built.
func (b *Builder) Weigh(s Source) (size int64, known bool, err error) {
	w := &work{Source: s, builder: b, packager: prepare.NewPackager(b.cache, nil).For(s.RuntimeName, s.Architecture)}
	packages, err := w.packages()
	if err != nil {
		return 0, false, err
	}
	all, err := w.sources(packages)
	if err != nil {
		return 0, false, err
	}
	known = s.Layer || s.Runtime != model.Go
	for place, one := range packages {
		if _, ok := one.Installed(); !ok {
			known = false
			delete(packages, place)
		}
	}
	installed, err := w.installed(packages, func(one prepare.Packages) (string, error) {
		folder, _ := one.Installed()
		return folder, nil
	})
	if err != nil {
		return 0, false, err
	}
	maps.Copy(installed.Files, all.Files)
	return installed.Size(), known, nil
}

// make makes the archive.
func (w *work) make(ctx context.Context, p *plan) (Archive, error) {
	w.packager.Prune()
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
		return Archive{}, TooLarge(w.Source, size, w.builder.most, largest(all))
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

// TooLarge is the error of a function or a layer whose files have more bytes than Lambda takes.
func TooLarge(s Source, size, most int64, advice string) *model.Problem {
	return &model.Problem{
		Of: s.Ref(),
		Text: fmt.Sprintf("its files have %d bytes (%s), but Lambda accepts at most %d (%s)", size, megabytes(size), most,
			megabytes(most)),
		Fix: "remove packages or files that it does not need" + advice,
	}
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
	all, err := w.installed(p.packages, func(one prepare.Packages) (string, error) {
		installed, err := one.Install(ctx)
		return installed, problemOf(w.Source, err)
	})
	if err != nil {
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

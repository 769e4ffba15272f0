package archive

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"sync"

	"gatewright/model"
	"gatewright/sandbox/artifact"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

// Source is what an archive is made from.
type Source = artifact.Source

// Archive is a finished archive.
type Archive struct {
	// File is the path of the archive in the cache.
	File string
	// SHA256 is the hash of its bytes in hexadecimal.
	SHA256 string
	// Size is the number of its bytes, Unpacked that of its files.
	Size, Unpacked int64
}

// FunctionFolder begins the keys of functions' archives, and Ending ends every key.
const FunctionFolder, Ending = "functions/", ".zip"

// Key is the key of the archive of a source in a bucket, which has its hash.
func Key(of Source, a Archive) string {
	if of.Layer {
		return "layers/" + a.SHA256 + Ending
	}
	return FunctionFolder + a.SHA256 + Ending
}

// Keys are the keys of archives by the names of their sources, those of layers apart.
func Keys(sources []Source, made []Archive) (functions, layers map[string]string) {
	functions, layers = make(map[string]string), make(map[string]string)
	for i, of := range sources {
		if of.Layer {
			layers[of.Name] = Key(of, made[i])
		} else {
			functions[of.Name] = Key(of, made[i])
		}
	}
	return functions, layers
}

// Progress says how far one archive is.
type Progress struct {
	// Name is the Source's.
	Name string
	// Text is what begins, such as "installing packages (npm ci)", or what happened.
	Text string
	// Done is set once for each archive, when it is there.
	Done bool
}

// Builder makes archives, and keeps them in its cache.
type Builder struct {
	cache string
	// most is how many bytes the files of an archive may have together.
	most int64
}

// MostUnzipped is Lambda's limit for the files of a function together with those of its layers, in bytes: 250 MB
// (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
const MostUnzipped = 250 << 20

// New returns a Builder with a folder of the user for archives and installed packages,
// which is made when it is needed, for the user alone. It may be the sandbox's cache.
func New(cache string) *Builder {
	if absolute, err := filepath.Abs(cache); err == nil {
		cache = absolute
	}
	return &Builder{cache: cache, most: MostUnzipped}
}

// BuildAll makes the archives of sources side by side, or finds them in the cache if nothing changed, and returns
// them in the same order. tell, which may be nil, is never called concurrently. The first error ends the others: it
// is a *model.Problem about the function or layer, or ctx.Err(). The end of ctx ends all programs that were started.
func (b *Builder) BuildAll(ctx context.Context, sources []Source, tell func(Progress)) ([]Archive, error) {
	var telling sync.Mutex
	say := func(p Progress) {
		if tell != nil {
			telling.Lock()
			defer telling.Unlock()
			tell(p)
		}
	}
	packager := prepare.NewPackager(b.cache, func(e function.Event) { say(Progress{Name: e.Function, Text: e.Text}) })
	doing, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	archives := make([]Archive, len(sources))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, s := range sources {
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			w := &work{
				Source: s, builder: b, packager: packager.For(s.RuntimeName, s.Architecture),
				say: func(text string, done bool) { say(Progress{s.Name, text, done}) },
			}
			var err error
			if archives[i], err = w.archive(doing); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := context.Cause(doing); err != nil {
		return nil, err
	}
	return archives, nil
}

// problemOf returns an error of a Packager as one about the source.
func problemOf(s Source, err error) error {
	if e, ok := errors.AsType[*function.Error](err); ok {
		return &model.Problem{Of: s.Ref(), Text: e.Text, Fix: e.Fix, Cause: err}
	}
	return err
}

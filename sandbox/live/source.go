package live

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/sandbox/state"
)

// unfinished is the suffix of a copy that is not complete yet.
const unfinished = ".new"

// copySources copies the functions of a deployment into the sandbox's state and
// returns their folder: the next push removes the stored deployment, which running
// functions still need. An existing copy is used again.
func (l *live) copySources(p *project.Project, d *project.Deployment) (string, error) {
	from := filepath.Join(p.Root, project.StateFolder, "deployed", d.Environment, d.Snapshot)
	copies := filepath.Join(state.SourceFolder(State(p.Root)), d.Environment)
	to, functions := filepath.Join(copies, d.Snapshot), filepath.Join(filepath.FromSlash(p.Layout.String()), "function")
	if info, err := os.Stat(filepath.Join(to, functions)); err == nil && info.IsDir() {
		return filepath.Join(to, functions), nil
	}
	fail := func(err error) (string, error) {
		return "", fmt.Errorf("copying the functions of environment %s: %w", phrase.Quote(d.Environment), err)
	}
	made := to + unfinished
	// An earlier program copied the functions alone.
	if err := errors.Join(file.RemoveAll(made), file.RemoveAll(to)); err != nil {
		return fail(err)
	}
	if err := os.MkdirAll(filepath.Join(made, functions), 0o700); err != nil {
		return fail(err)
	}
	err := os.CopyFS(made, os.DirFS(from))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(err)
	}
	if err := file.Rename(made, to); err != nil {
		return fail(err)
	}
	return filepath.Join(to, functions), nil
}

// removeSources removes copies of sources that neither the present nor the earlier
// state of the sandbox uses. The next change tries again what cannot be removed now.
func (l *live) removeSources(root string, before []served) {
	var used []string
	for _, s := range slices.Concat(l.serving, before) {
		used = append(used, s.source)
	}
	copies := state.SourceFolder(State(root))
	names, _ := fs.Glob(os.DirFS(copies), "*/*")
	for _, name := range names {
		folder := filepath.Join(copies, filepath.FromSlash(name))
		isUsed := func(source string) bool { return strings.HasPrefix(source, folder+string(filepath.Separator)) }
		if !slices.ContainsFunc(used, isUsed) {
			_ = os.RemoveAll(folder)
		}
	}
}

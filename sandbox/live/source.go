package live

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

const (
	nodeModules  = "node_modules"
	unfinished   = ".new" // the suffix of a copy that is not complete yet
	sourceFolder = "src"
)

// copySources copies the functions of a deployment into the sandbox's state and
// returns their folder: packages and compiled files must not be written into a stored
// deployment. An existing copy is used again.
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
	err := copyTree(from, made)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(err)
	}
	earlier := []string{functionFolder(p)}
	if entries, err := os.ReadDir(copies); err == nil {
		for _, entry := range entries {
			earlier = append(earlier, filepath.Join(copies, entry.Name(), functions))
		}
	}
	for _, f := range d.Project.Backend.Functions {
		copyPackages(filepath.Join(made, functions, f.Name, sourceFolder), f.Name, earlier)
	}
	if err := file.Rename(made, to); err != nil {
		return fail(err)
	}
	return filepath.Join(to, functions), nil
}

// copyPackages copies the packages of a function from a folder where the same ones are
// installed already, so that a push needs no network. If no folder has them, the
// runner installs them.
func copyPackages(to, name string, earlier []string) {
	for _, folder := range earlier {
		from := filepath.Join(folder, name, sourceFolder)
		info, err := os.Lstat(filepath.Join(from, nodeModules))
		if err != nil || !info.IsDir() || !sameFiles(from, to, "package.json", "package-lock.json", "npm-shrinkwrap.json") {
			continue
		}
		if copyTree(filepath.Join(from, nodeModules), filepath.Join(to, nodeModules)) == nil {
			return
		}
		_ = os.RemoveAll(filepath.Join(to, nodeModules))
	}
}

// sameFiles reports whether the files of these names are equal in two folders, and at
// least one exists.
func sameFiles(a, b string, names ...string) bool {
	some := false
	for _, name := range names {
		first, firstErr := file.ReadRegular(filepath.Join(a, name))
		second, secondErr := file.ReadRegular(filepath.Join(b, name))
		if errors.Is(firstErr, fs.ErrNotExist) && errors.Is(secondErr, fs.ErrNotExist) {
			continue
		}
		if firstErr != nil || secondErr != nil || !bytes.Equal(first, second) {
			return false
		}
		some = true
	}
	return some
}

// errLink is the error for a link that leads out of the copied folder.
var errLink = errors.New("a link leads out of the folder")

// copyTree copies a folder with its files, their permissions, and the links that
// stay inside it.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, inside)
		switch {
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		case entry.Type()&fs.ModeSymlink != 0:
			text, err := os.Readlink(name)
			if err != nil {
				return err
			}
			if filepath.IsAbs(text) || !filepath.IsLocal(filepath.Join(filepath.Dir(inside), text)) {
				return fmt.Errorf("%s: %w", inside, errLink)
			}
			return os.Symlink(text, target)
		case !entry.Type().IsRegular():
			return nil
		}
		return copyFile(name, target)
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
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

package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/afero"
)

// recasing is the change of the case of a name, on a filesystem that takes both for the same:
// that of Windows and, as a rule, that of macOS. A rename there is neither a deletion nor a new file.
type recasing struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// IsSame reports whether two paths that differ only in case are the same file here.
func IsSame(fsys afero.Fs, one, other string) (bool, error) {
	if one == other || !strings.EqualFold(one, other) {
		return false, nil
	}
	for _, name := range []string{one, other} {
		if _, err := lstat(fsys, name); errors.Is(err, fs.ErrNotExist) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	first, err := isListed(fsys, one)
	if err != nil {
		return false, err
	}
	second, err := isListed(fsys, other)
	return first != second, err
}

// isListed reports whether every name of a path is in its folder in just this case.
func isListed(fsys afero.Fs, name string) (bool, error) {
	for ; name != "."; name = path.Dir(name) {
		names, err := list(fsys, path.Dir(name))
		if err != nil {
			return false, err
		}
		if !slices.Contains(names, path.Base(name)) {
			return false, nil
		}
	}
	return true, nil
}

// recase takes the deletions whose files get another case out of the changes, and lists the
// names to change. Each file that gets the case is a change of its content then.
func recase(fsys afero.Fs, changes []Change) ([]Change, []recasing, error) {
	var names []recasing
	gone := map[string]bool{}
	changes = slices.Clone(changes)
	for i, to := range changes {
		if to.Delete || to.Existed {
			continue
		}
		for _, from := range changes {
			if !from.Delete {
				continue
			}
			same, err := IsSame(fsys, from.Path, to.Path)
			if err != nil {
				return nil, nil, fmt.Errorf("look at %s: %w", to.Path, err)
			}
			if !same {
				continue
			}
			gone[from.Path] = true
			changes[i].Existed, changes[i].Old = true, from.Old
			for _, name := range differences(from.Path, to.Path) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	changes = slices.DeleteFunc(changes, func(c Change) bool { return c.Delete && gone[c.Path] })
	return changes, names, nil
}

// differences returns the folders, outer before inner, and the file whose names differ.
func differences(from, to string) []recasing {
	was, now := strings.Split(from, "/"), strings.Split(to, "/")
	var names []recasing
	for i := range now {
		if was[i] != now[i] {
			folder := path.Join(now[:i]...)
			names = append(names, recasing{path.Join(folder, was[i]), path.Join(folder, now[i])})
		}
	}
	return names
}

func (r recasing) check() error {
	if err := errors.Join(CheckPath(r.From), CheckPath(r.To)); err != nil {
		return err
	}
	if !strings.EqualFold(r.From, r.To) {
		return fmt.Errorf("path %q: not another case of %q", r.To, r.From)
	}
	return nil
}

// set gives the file or folder the name To. It does nothing if it has that already. Where a
// rename to another case does nothing, as under Wine, it goes by a third name.
func (r recasing) set(fsys afero.Fs) error {
	if is, err := isListed(fsys, r.To); is || err != nil {
		return err
	}
	if err := fsys.Rename(r.From, r.To); err != nil {
		return fmt.Errorf("rename %s: %w", r.From, err)
	}
	if is, err := isListed(fsys, r.To); is || err != nil {
		return err
	}
	if err := fsys.Rename(r.From, r.aside()); err != nil {
		return fmt.Errorf("rename %s: %w", r.From, err)
	}
	return r.settle(fsys)
}

func (r recasing) aside() string { return r.To + ".gatewright-tmp" }

// settle ends a rename that was interrupted while the file or folder had the third name.
func (r recasing) settle(fsys afero.Fs) error {
	if err := fsys.Rename(r.aside(), r.To); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("rename %s: %w", r.aside(), err)
	}
	return nil
}

func (r recasing) back() recasing { return recasing{r.To, r.From} }

func (r record) settle(fsys afero.Fs) error {
	for _, name := range r.Names {
		if err := name.settle(fsys); err != nil {
			return err
		}
	}
	return nil
}

package plan

import (
	"maps"
	"path"
	"slices"

	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// Renamed says that an edit renamed a thing. Two backends alone do not show a
// rename: a plan would delete the files of one name and create those of the other.
type Renamed struct {
	From model.Ref
	To   string
}

// trackRenames maps the new name of each renamed thing to its name in the project as read, also after several renames
// of one thing. It leaves out things that the same edits added or removed.
func (pl *planner) trackRenames(renames []Renamed) {
	pl.renames = make(map[model.Kind]map[string]string)
	for _, r := range renames {
		names := pl.renames[r.From.Kind]
		if names == nil {
			names = make(map[string]string)
			pl.renames[r.From.Kind] = names
		}
		old := pl.oldName(r.From.Kind, r.From.Name)
		delete(names, r.From.Name)
		names[r.To] = old
	}
	for kind, names := range pl.renames {
		was, now := namesOf(pl.Backend, kind), namesOf(pl.next, kind)
		maps.DeleteFunc(names, func(to, from string) bool {
			return to == from || !slices.Contains(was, from) || !slices.Contains(now, to)
		})
	}
}

// oldName returns the name that a thing of the planned backend had in the project as read; "" for a new one.
func (pl *planner) oldName(kind model.Kind, name string) string {
	names := pl.renames[kind]
	if old, ok := names[name]; ok {
		return old
	}
	for _, old := range names {
		if old == name {
			return ""
		}
	}
	return name
}

// newName returns the name that a thing of the project as read has in the planned backend, if it is still there.
func (pl *planner) newName(kind model.Kind, name string) string {
	for to, from := range pl.renames[kind] {
		if from == name {
			return to
		}
	}
	return name
}

// namesOf lists the things of a kind that have files of their own.
func namesOf(b *model.Backend, kind model.Kind) []string {
	if kind == model.KindGroup {
		return nil
	}
	return b.Names(kind)
}

// pair is one thing before and after the edits: old is zero if it is new, now is zero if it was removed.
type pair[T any] struct {
	from, to string
	old, now T
}

// pairs matches the things of a list before and after the edits, also renamed ones.
func pairs[T any](pl *planner, kind model.Kind, was, next []T, name func(T) string) []pair[T] {
	old := make(map[string]T, len(was))
	for _, item := range was {
		old[name(item)] = item
	}
	var list []pair[T]
	for _, item := range next {
		p := pair[T]{to: name(item), now: item}
		if before, had := old[pl.oldName(kind, p.to)]; had {
			p.from, p.old = name(before), before
			delete(old, p.from)
		}
		list = append(list, p)
	}
	for _, gone := range slices.Sorted(maps.Keys(old)) {
		list = append(list, pair[T]{from: gone, old: old[gone]})
	}
	return list
}

// move plans to move the files of renamed things, byte for byte; edits of their definitions are planned later. All
// deletions come before the new files, since two things may swap their names.
func (pl *planner) move() error {
	var moved []journal.Change
	for _, kind := range slices.Sorted(maps.Keys(pl.renames)) {
		for _, to := range slices.Sorted(maps.Keys(pl.renames[kind])) {
			from := pl.Layout.File(model.Ref{Kind: kind, Name: pl.renames[kind][to]})
			target := pl.Layout.File(model.Ref{Kind: kind, Name: to})
			files := []content{{name: from}}
			if ownFolder(kind) {
				var err error
				if files, err = pl.contents(path.Dir(from)); err != nil {
					return err
				}
				if !slices.ContainsFunc(files, func(f content) bool { return f.name == from }) {
					return &read.Problem{File: from, Text: "is a link, which is not moved", Fix: "replace it with the file itself"}
				}
			} else if f := pl.Definitions[from]; f != nil {
				files[0].data = f.Doc.Bytes()
			}
			for _, f := range files {
				pl.put(journal.Change{Path: f.name, Existed: true, Old: f.data, Delete: true})
				name := target
				if ownFolder(kind) {
					name = path.Dir(target) + f.name[len(path.Dir(from)):]
				}
				moved = append(moved, journal.Change{Path: name, New: f.data, Mode: f.mode})
			}
		}
	}
	for _, c := range moved {
		if err := pl.refuseExisting(c.Path); err != nil {
			return err
		}
		pl.put(c)
	}
	return nil
}

// ownFolder reports whether each thing of a kind has a folder of its own, where people may put files.
func ownFolder(kind model.Kind) bool {
	return kind == model.KindAPI || kind == model.KindFunction || kind == model.KindTable
}

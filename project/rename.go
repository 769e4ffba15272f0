package project

import (
	"maps"
	"path"
	"slices"

	"gatewright/model"
	"gatewright/project/journal"
)

// Renamed says that an edit gave a thing another name. A backend does not tell:
// without it a thing that went and one that came are just that, and the files of
// the one are deleted.
type Renamed struct {
	From model.Ref
	To   string
}

// trackRenames works out what each renamed thing was called in the project as it was
// read, over several renames of one thing. What was made or removed by the same
// edits is no rename.
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

// oldName is what a thing of the planned backend oldName called; "" for a new one.
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

// newName is what a thing of the project as it was read is called in the planned
// backend, which may have it no more.
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

// pair is one thing before and after an edit: a zero old for a new one, a zero
// now for one that is gone.
type pair[T any] struct {
	from, to string
	old, now T
}

// pairs puts together what a list was and is to be, renames included.
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

// move plans to bring the files of what is renamed to where its new name wants
// them, byte for byte; what an edit changes in its definition comes on top. All
// are taken away before one is put down: two things may swap their names.
func (pl *planner) move() error {
	var moved []journal.Change
	for _, kind := range slices.Sorted(maps.Keys(pl.renames)) {
		for _, to := range slices.Sorted(maps.Keys(pl.renames[kind])) {
			from := pl.Layout.file(model.Ref{Kind: kind, Name: pl.renames[kind][to]})
			target := pl.Layout.file(model.Ref{Kind: kind, Name: to})
			files := []content{{name: from}}
			if ownFolder(kind) {
				var err error
				if files, err = pl.contents(path.Dir(from)); err != nil {
					return err
				}
				if !slices.ContainsFunc(files, func(f content) bool { return f.name == from }) {
					return &Problem{File: from, Text: "is a link, which is not moved", Fix: "put the file itself in its place"}
				}
			} else if f := pl.files[from]; f != nil {
				files[0].data = f.doc.Bytes()
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

// ownFolder reports whether things of a kind have a folder each, and in it what
// a person put there.
func ownFolder(kind model.Kind) bool {
	return kind == model.KindAPI || kind == model.KindFunction || kind == model.KindTable
}

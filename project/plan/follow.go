package plan

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render/handler"
)

// followSources plans the changes of existing functions' sources: a template puts the paths, the table and the name
// of its function into them. A file that equals what the template made before the edits becomes what it makes now. An
// edited file stays; if it routes requests, a note says so.
func (pl *planner) followSources() error {
	before, after := pl.servedBefore(), pl.served()
	for _, p := range pl.functionPairs() {
		if p.old == nil || p.now == nil || p.now.Template == "" || p.old.Template != p.now.Template ||
			p.old.Runtime.Language() != p.now.Runtime.Language() {
			continue
		}
		same := p.from == p.to && slices.Equal(before[p.from], after[p.to])
		if same && pl.sameTable(p.old, p.now) {
			continue
		}
		// A table or a path that no source can contain is reported at its definition.
		was, err := templateFiles(pl.Backend, p.old, before[p.from])
		if err != nil {
			continue
		}
		now, err := templateFiles(pl.next, p.now, after[p.to])
		if err != nil {
			continue
		}
		if err := pl.followFiles(p.now, was, now, notIn(after[p.to], before[p.from])); err != nil {
			return err
		}
	}
	return nil
}

// sameTable reports whether nothing changed in the table that a function's source contains.
func (pl *planner) sameTable(old, now *model.Function) bool {
	if now.Template != model.CRUD {
		return true
	}
	was, is := pl.Backend.Table(old.Table), pl.next.Table(now.Table)
	return was != nil && is != nil && was.Name == is.Name && was.PartitionKey == is.PartitionKey &&
		was.SortKey == is.SortKey
}

// notIn lists the names that are not in other.
func notIn(list, other []string) []string {
	there := make(map[string]bool, len(other))
	for _, name := range other {
		there[name] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return there[name] })
}

// followFiles plans the changes of one function's files; was and now are what its
// template made before the edits and makes now, paths are the new ones.
func (pl *planner) followFiles(f *model.Function, was, now []handler.File, paths []string) error {
	folder, edited := pl.Layout.FunctionFolder(f.Name), false
	for i, file := range now {
		if len(was) != len(now) || was[i].Name != file.Name || bytes.Equal(was[i].Data, file.Data) {
			continue
		}
		name := path.Join(folder, file.Name)
		have, err := pl.plannedContent(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case read.SameLines(have, was[i].Data):
			pl.put(journal.Change{Path: name, Existed: true, Old: have, New: read.EndLinesAs(have, file.Data)})
		default:
			edited = edited || !slices.Contains(unrouted, file.Name)
		}
	}
	if edited && len(paths) > 0 {
		pl.note(folder, "has edited sources, which stay unchanged; add %s where they list the paths",
			phrase.QuoteList(paths))
	} else if edited {
		pl.note(folder, "has edited sources, which stay unchanged; adapt them to the change")
	}
	return nil
}

// unrouted are the files of a template that route no request.
var unrouted = []string{"src/event.json", "src/package.json"}

// plannedContent returns the content of a file after the changes planned so far.
func (pl *planner) plannedContent(name string) ([]byte, error) {
	c, ok := pl.changes[name]
	switch {
	case !ok:
		return read.Bytes(pl.FS, name)
	case c.Delete:
		return nil, fs.ErrNotExist
	}
	return c.New, nil
}

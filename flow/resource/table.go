package resource

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// SetIndex returns indexes with another one, which replaces the one of its name.
func SetIndex(indexes []model.Index, index model.Index) []model.Index {
	next := slices.Clone(indexes)
	if at := IndexNamed(next, index.Name); at >= 0 {
		next[at] = index
		return next
	}
	return append(next, index)
}

// IndexNamed is the place of an index; -1 for none.
func IndexNamed(indexes []model.Index, name string) int {
	return slices.IndexFunc(indexes, func(i model.Index) bool { return i.Name == name })
}

// KeyWords describes the keys of a table for a sentence.
func KeyWords(t *model.Table) string {
	text := "the partition key " + phrase.Quote(t.PartitionKey.Name) + " (" + string(t.PartitionKey.Type) + ")"
	if t.HasSortKey() {
		text += " and the sort key " + phrase.Quote(t.SortKey.Name) + " (" + string(t.SortKey.Type) + ")"
	}
	return text
}

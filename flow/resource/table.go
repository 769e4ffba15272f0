package resource

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// IndexNamed is the place of an index; -1 for none.
func IndexNamed(indexes []model.Index, name string) int {
	return slices.IndexFunc(indexes, func(i model.Index) bool { return i.Name == name })
}

// keyWords describes the keys of a table for a sentence.
func keyWords(t *model.Table) string {
	text := "the partition key " + phrase.Quote(t.PartitionKey.Name) + " (" + string(t.PartitionKey.Type) + ")"
	if t.HasSortKey() {
		text += " and the sort key " + phrase.Quote(t.SortKey.Name) + " (" + string(t.SortKey.Type) + ")"
	}
	return text
}

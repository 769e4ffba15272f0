package flow

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gatewright/model"
)

// Label returns the label of the API: that of the task, else the answer, else a proposal
// that is free: the name of the project, or "api".
func (f *Flow) Label() string {
	return cmp.Or(f.Task.API, strings.TrimSpace(f.now.Label), f.freeLabel())
}

func (f *Flow) freeLabel() string {
	names := []string{"api"}
	if project := cmp.Or(f.projectName(), f.Base.Project.Name); model.CheckName(model.KindAPI, project) == nil {
		names = []string{project, "api"}
	}
	return free(names, f.Base.Names(model.KindAPI))
}

// functionName returns the name of the new function of a path: the answer, or a proposal
// that no other function has.
func (f *Flow) functionName(path int) string {
	p := f.now.Paths[path]
	return cmp.Or(strings.TrimSpace(p.Function.Name), free(proposedNames(p.Path), f.taken(model.KindFunction, path)))
}

// tableName returns the name of the new table of a path: the answer, or a proposal that no
// other table has.
func (f *Flow) tableName(path int) string {
	name := SuggestTableName(f.functionName(path))
	return cmp.Or(strings.TrimSpace(f.now.Paths[path].Function.Table.New), free([]string{name}, f.taken(model.KindTable, path)))
}

// SuggestTableName suggests the name of a function's table: the function's own name, or a
// longer one if a table cannot have that.
func SuggestTableName(function string) string {
	if model.CheckName(model.KindTable, function) == nil {
		return function
	}
	return function + "-table"
}

// proposedNames returns names for the function of a path, the best first: the last segment
// that is no variable, then all segments.
func proposedNames(path string) []string {
	last, all := "", ""
	for part := range strings.SplitSeq(path, "/") {
		if word := model.SuggestName(part, ""); word != "" {
			all = strings.TrimPrefix(all+"-"+word, "-")
			if part[0] != '{' {
				last = word
			}
		}
	}
	if last == "" {
		last = "root"
	}
	const longest = 60 // with a number it is still a valid name
	return []string{last, strings.TrimRight(cmp.Or(all, last)[:min(len(cmp.Or(all, last)), longest)], "-")}
}

// free returns the first of some names that is not taken, or the last with a number. Case
// does not count.
func free(names, taken []string) string {
	for _, name := range names {
		if !containsFold(taken, name) {
			return name
		}
	}
	for n := 2; ; n++ {
		if name := fmt.Sprintf("%s-%d", names[len(names)-1], n); !containsFold(taken, name) {
			return name
		}
	}
}

func containsFold(list []string, name string) bool {
	return slices.ContainsFunc(list, func(other string) bool { return strings.EqualFold(other, name) })
}

// taken returns the names of a kind that the project and the answers about earlier paths
// have: those that a path may use, and that no new thing can have.
func (f *Flow) taken(kind model.Kind, path int) []string {
	names := slices.Clone(f.Base.Names(kind))
	for i, p := range f.now.Paths[:path] {
		name := ""
		switch {
		case kind == model.KindFunction && p.makesFunction():
			name = f.functionName(i)
		case kind == model.KindTable && p.makesTable():
			name = f.tableName(i)
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// defaultPartition is the name of a partition key that is not answered.
const defaultPartition = "id"

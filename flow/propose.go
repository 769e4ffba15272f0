package flow

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/flow/resource"
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
	return model.FreeName(names, model.Among(f.Base.Names(model.KindAPI)))
}

// functionName returns the name of the new function of a path: the answer, or a proposal that no other function has.
func (f *Flow) functionName(path int) string {
	p := f.now.Paths[path]
	return cmp.Or(strings.TrimSpace(p.Function.Name),
		model.FreeName(model.SuggestFunctions(p.Path), model.Among(f.taken(model.KindFunction, path))))
}

// tableName returns the name of the new table of a path: the answer, or a proposal that no other table has.
func (f *Flow) tableName(path int) string {
	name := resource.SuggestTableName(f.functionName(path))
	return cmp.Or(strings.TrimSpace(f.now.Paths[path].Function.Table.New),
		model.FreeName([]string{name}, model.Among(f.taken(model.KindTable, path))))
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

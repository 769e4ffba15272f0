package flow

import (
	"strings"

	"gatewright/flow/matrix"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// Summary returns the answers of a step in a few words, for lists of steps; "" for none.
func (f *Flow) Summary(at ID) string {
	p := &f.now.Paths[at.Path]
	switch at.step() {
	case projectStep:
		return f.projectName()
	case apiStep:
		if types := f.binaryMediaTypes(); len(types) > 0 {
			return f.Label() + ", bytes of " + strings.Join(types, ", ")
		}
		return f.Label()
	case pathStep:
		return p.Path
	case functionStep:
		if p.Source == ExistingFunction {
			return p.Existing
		}
		return f.functionName(at.Path) + ", " + templateTitles[p.Function.template()]
	case tableStep:
		return f.tableSummary(at.Path)
	case accessStep:
		return f.accessSummary(at.Path)
	case anotherStep:
		return p.Another
	case environmentsStep:
		names := f.now.Environments
		if names == nil {
			names = f.environmentNames()
		}
		return strings.Join(append(names[:len(names):len(names)], model.SplitList(f.now.NewEnvironments)...), ", ")
	}
	return ""
}

func (f *Flow) tableSummary(path int) string {
	a := f.now.Paths[path].Function.Table
	if a.Name != NewTable {
		return a.Name
	}
	t := f.table(path)
	keys := t.PartitionKey.Name
	if t.HasSortKey() {
		keys += ", " + t.SortKey.Name
	}
	return t.Name + " by " + keys
}

func (f *Flow) accessSummary(path int) string {
	rules := f.Matrix(path).Access
	text := matrix.ModeTitle(rules.Setting)
	if groups := len(rules.Groups()); groups > 0 && rules.Setting != access.Open {
		text += ", " + phrase.Count(groups, "group")
	}
	return text
}

// Function returns the new function of a path as far as its answers are valid; nil if the path uses one that exists.
func (f *Flow) Function(path int) *model.Function {
	if !f.now.Paths[path].makesFunction() {
		return nil
	}
	fn, err := f.function(path)
	if err != nil {
		return f.plainFunction(path)
	}
	return fn
}

// Table returns the new table of a path; nil for none.
func (f *Flow) Table(path int) *model.Table {
	if !f.now.Paths[path].makesTable() {
		return nil
	}
	return f.table(path)
}

// Project returns the settings of a new project, but not its application id, which it gets when it is written.
func (f *Flow) Project() model.Project {
	return model.Project{Name: f.projectName(), Region: strings.TrimSpace(f.now.Project.Region), Dialect: model.Neutral}
}

// NewEnvironments returns the environments that the answers add.
func (f *Flow) NewEnvironments() []*model.Environment {
	if !picksEnvironments(f, nil) {
		return nil
	}
	var all []*model.Environment
	names := model.SplitList(f.now.NewEnvironments)
	if f.NewProject != "" {
		names = append([]string{model.FirstEnvironment}, names...)
	}
	for _, name := range names {
		all = append(all, &model.Environment{Name: name, Provider: model.Local})
	}
	return all
}

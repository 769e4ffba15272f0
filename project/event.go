package project

import (
	"path"

	"gatewright/model"
)

// EventFileNamed is the path of an event of a function, event-NAME.json beside its source,
// relative to the project.
func (l Layout) EventFileNamed(function, name string) string {
	return path.Join(l.FunctionFolder(function), "src", "event-"+name+".json")
}

// PlanEvent plans to keep an event of a function in a new file. It refuses to overwrite one.
func (p *Project) PlanEvent(function, name string, event []byte) (*Plan, error) {
	if err := p.Backend.Known(model.Ref{Kind: model.KindFunction, Name: function}); err != nil {
		return nil, err
	}
	pl, err := p.planner(p.Backend)
	if err != nil {
		return nil, err
	}
	if err := pl.create(p.Layout.EventFileNamed(function, name), event); err != nil {
		return nil, err
	}
	return pl.finish()
}

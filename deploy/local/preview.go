package local

import (
	"gatewright/deploy/contract"
	"gatewright/deploy/outputs"
	"gatewright/deploy/refuse"
	"gatewright/model"
	"gatewright/project"
)

// Preview returns the record that a push of the target would make, with the errors that the push would give. tell,
// which may be nil, gets the events of the push about resources and missing fields. It writes nothing.
func Preview(target contract.Target, tell func(contract.Event)) (project.Record, error) {
	if target.Environment.Provider != model.Local {
		return project.Record{}, contract.Elsewhere(target.Environment)
	}
	if err := refuse.Push(target); err != nil {
		return project.Record{}, err
	}
	p, env := target.Project, target.Environment
	record, waiting, err := outputs.RecordOf(p.Backend, env, target.Now)
	if err != nil || tell == nil {
		return record, err
	}
	before, err := compare(p, env, tell)
	if err != nil {
		return record, err
	}
	reportChanges(before, p.Backend.For(env), tell)
	warnIncomplete(waiting, tell)
	return record, nil
}

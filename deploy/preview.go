package deploy

import "gatewright/project"

// Preview is the record that a push of the target would make. It refuses what the
// push would refuse, tells of what that would tell of resources and of what stays
// missing (tell may be nil), and writes nothing.
func Preview(target Target, tell func(Event)) (project.Record, error) {
	if err := refuse(target); err != nil {
		return project.Record{}, err
	}
	p, env := target.Project, target.Environment
	record, waiting, err := recordOf(p.Backend, env, target.Now)
	if err != nil || tell == nil {
		return record, err
	}
	before, err := compare(p, env, tell)
	if err != nil {
		return record, err
	}
	tellChanges(before, p.Backend.For(env), tell)
	tellWaiting(waiting, tell)
	return record, nil
}

package deploy

import (
	"gatewright/deploy/aws"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/deploy/secretfile"
	"gatewright/model"
	"gatewright/render/template"
)

// WouldRefuse finds why a push of a target would be refused before one tries: exactly what the push itself would say,
// as far as no cloud has to be asked. was is the backend that is deployed, nil for none: a secret that it has needs
// no value here, and a push must not lose what is in its tables. It is nil if nothing is in the way.
func WouldRefuse(target contract.Target, was *model.Backend) *refuse.Refusal {
	if r := refuse.Of(target); r != nil || target.Environment.Provider != model.AWS {
		return r
	}
	made, err := template.Render(target.Project.Backend, target.Environment, template.Options{})
	if err != nil {
		return &refuse.Refusal{Reasons: []error{err}}
	}
	kept := make(map[string]bool)
	if was != nil {
		for _, f := range was.Functions {
			for _, name := range f.Secrets {
				kept[name] = true
			}
		}
	}
	wrong := refuse.Secrets(target, made.Secrets, secretfile.Read(target.Project.Root, target.Environment.Name),
		func(s template.Secret) bool { return kept[s.Name] })
	if len(wrong) > 0 {
		return refuse.Because(wrong, target)
	}
	if was != nil && was.Environment(target.Environment.Name) != nil {
		if lost := aws.RefusedLosses(aws.LossesSince(was, target.Environment, made)); len(lost) > 0 {
			return &refuse.Refusal{Reasons: lost}
		}
	}
	return nil
}

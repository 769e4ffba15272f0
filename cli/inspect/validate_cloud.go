package inspect

import (
	"slices"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/project/validate"
	"gatewright/render/aws"
	"gatewright/render/template"
)

// forAWS is what --for takes.
const forAWS = "aws"

// cloudProblems checks environments against what AWS accepts: the one that is named, else
// those of the provider aws, else all. What is among the known problems is not found again.
func cloudProblems(
	p *project.Project, named string, known []*read.Problem, streams command.Streams,
) ([]*read.Problem, error) {
	environments := p.Backend.Environments
	switch {
	case named != "":
		env, err := command.NamedEnvironment(p.Backend, named)
		if err != nil {
			return nil, err
		}
		environments = []*model.Environment{env}
	case slices.ContainsFunc(environments, ofAWS):
		environments = slices.DeleteFunc(slices.Clone(environments), func(e *model.Environment) bool { return !ofAWS(e) })
	case len(environments) == 0:
		environments = []*model.Environment{{Name: model.FirstEnvironment}}
		command.Say(streams.Err, "note: there is no environment; the check is for one called %s", model.FirstEnvironment)
	default:
		command.Say(streams.Err, "note: no environment is deployed to AWS; each is checked as if it were")
	}
	var problems []*read.Problem
	add := func(of []*read.Problem) {
		for _, problem := range of {
			again := func(other *read.Problem) bool {
				return other.File == problem.File && other.Pointer == problem.Pointer && other.Text == problem.Text
			}
			if !slices.ContainsFunc(known, again) && !slices.ContainsFunc(problems, again) {
				problems = append(problems, problem)
			}
		}
	}
	for _, env := range environments {
		add(validate.Located(p, aws.Check(p.Backend, env)))
		add(validate.Located(p, refuse.KnownWeights(contract.Target{Project: p, Environment: env, Now: time.Now()})))
		made, err := template.Render(p.Backend, env, template.Options{})
		if refused, ok := err.(template.Refused); ok {
			add(validate.Located(p, refused))
			continue
		}
		if err != nil {
			return nil, err
		}
		add(validate.Located(p, made.Announcements(p.Backend)))
	}
	add(validate.OldRuntimes(p, time.Now()))
	return problems, nil
}

func ofAWS(e *model.Environment) bool { return e.Provider == model.AWS }

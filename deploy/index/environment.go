package index

import (
	"errors"
	"fmt"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// ErrNoEnvironment is the cause of a *model.Problem about a branch that no environment, or more than one, has.
var ErrNoEnvironment = errors.New("no environment of the branch")

// EnvironmentOf returns the environment that builds of a branch deploy. The error, a *model.Problem that matches
// ErrNoEnvironment, names the environments of the backend and what to do.
func EnvironmentOf(b *model.Backend, branch string) (*model.Environment, error) {
	var found []*model.Environment
	for _, env := range b.Environments {
		if env.BranchName() == branch {
			found = append(found, env)
		}
	}
	problem := &model.Problem{Field: "branch", Cause: ErrNoEnvironment}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		problem.Text = fmt.Sprintf("%s belongs to more than one environment: %s", phrase.Quote(branch),
			listed(found, environmentName))
		problem.Fix = "give each a branch of its own with: gatewright update env NAME --branch BRANCH"
	case len(b.Environments) == 0:
		problem.Text = fmt.Sprintf("no environment has the branch %s: the project has no environments", phrase.Quote(branch))
		problem.Fix = "add one with: gatewright add env NAME"
	default:
		problem.Text = fmt.Sprintf("no environment has the branch %s; the environments are %s", phrase.Quote(branch),
			listed(b.Environments, withBranch))
		problem.Fix = "give the branch of one of them with --branch, or run: gatewright update env NAME --branch BRANCH"
	}
	return nil, problem
}

// EnvironmentNames joins the names of a backend's environments as a sentence does.
func EnvironmentNames(b *model.Backend) string { return listed(b.Environments, environmentName) }

func environmentName(e *model.Environment) string { return phrase.Quote(e.Name) }

func withBranch(e *model.Environment) string {
	if e.BranchName() == e.Name {
		return phrase.Quote(e.Name)
	}
	return fmt.Sprintf("%s (branch %s)", phrase.Quote(e.Name), phrase.Quote(e.BranchName()))
}

// listed joins the names of things as a sentence does: "a, b and c".
func listed[T any](things []T, name func(T) string) string {
	names := make([]string, len(things))
	for i, thing := range things {
		names[i] = name(thing)
	}
	return phrase.List(names)
}

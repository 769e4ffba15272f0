package items

import (
	"context"
	"errors"
	"fmt"

	"gatewright/cli/cloud"
	"gatewright/deploy/aws"
	"gatewright/deploy/remote"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
)

// inCloud opens a table of an environment in AWS while use runs. What changes it is asked about
// before.
func (x *tableCommand) inCloud(p *project.Project, env *model.Environment, table string, use func() error) error {
	of := model.Ref{Kind: model.KindTable, Name: table}
	if x.refused != nil {
		return x.refused(table, env)
	}
	r, err := cloud.Reach(x.streams, p, env)
	if err != nil {
		return err
	}
	deployed, err := remote.TableOf(r, table)
	if unknown := p.Backend.Known(of); errors.Is(err, aws.ErrNotDeployed) && unknown != nil {
		return unknown
	}
	if err != nil {
		return err
	}
	x.tables, x.name, x.definition = remote.TablesOf(r), deployed.Name, deployed.Definition
	if x.change != nil {
		change, err := x.change()
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%s table %s of environment %s, account %s, %s", change, phrase.Quote(x.name),
			phrase.Quote(env.Name), r.ID, r.Region)
		if err := x.guard.AllowInCloud(x.streams, env, what); err != nil {
			return err
		}
	}
	return cloud.Use(x.streams, func(ctx context.Context) error {
		x.ctx = ctx
		return x.explainInCloud(env, use())
	})
}

// explainInCloud replaces the error about a table that the stack has and AWS does not.
func (x *tableCommand) explainInCloud(env *model.Environment, err error) error {
	if !sandbox.NoTable(err) {
		return err
	}
	return &model.Problem{
		Of: model.Ref{Kind: model.KindTable, Name: x.definition.Name},
		Text: "the table " + phrase.Quote(x.name) + " of environment " + phrase.Quote(env.Name) +
			" is no longer in the account, although the stack has it: somebody removed it in AWS",
		Fix: "see what else differs with: gatewright status --drift --env " + model.ShellWord(env.Name), Cause: err,
	}
}

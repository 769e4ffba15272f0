package deploy

import (
	"gatewright/deploy/account"
	"gatewright/model"
	"gatewright/project"
)

// Options returns how the account of an environment is opened.
func (a AWS) Options(p *project.Project, env *model.Environment) account.Options {
	return a.options(p, env)
}

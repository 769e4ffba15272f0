package aws

import (
	"context"
	"errors"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// isHalf reports whether a stack has nothing but what was taken over from the account: the push
// that did so has not ended. Only a push that is whole gives a stack its tags.
func isHalf(s *stack.Stack) bool {
	if _, whole := s.Tags[environmentTag]; whole {
		return false
	}
	return s.Status.Settled() || s.Status == stack.UpdateRollbackFailed
}

// adoptedFor says whose a stack without tags is: the environment of this project that took
// something over into it, or could not; "" if it is somebody else's.
func (c *session) adoptedFor(
	ctx context.Context, s *stack.Stack, b *model.Backend, env *model.Environment,
) (environment string, err error) {
	if s.Status.Unmade() || s.Status == stack.ImportRolledBack {
		// It may have no template, but it has the events of the push that began it.
		if random, _, _, _ := tokenOf(c.operation(ctx, s).Token); len(random) >= randomLength &&
			strings.HasPrefix(random[randomLength:], markOf(b, env)) {
			return env.Name, nil
		}
	}
	text, err := c.client.Template(ctx, s.ARN)
	switch {
	case errors.Is(err, stack.ErrNoStack), account.Code(err) == "ValidationError":
		return "", nil
	case err != nil:
		return "", err
	}
	t, err := cfn.Parse("the template of the stack "+s.Name, text)
	if err != nil {
		return "", nil // gatewright made no such template
	}
	if application, environment := template.AdoptedFor(t.Root); application == b.Project.ApplicationID &&
		environment != "" {
		return environment, nil
	}
	// While the rest of the push goes on, the stack has its template already.
	if metadata := t.Root.Get("Resources", template.DefinitionID, "Metadata"); metadata != nil {
		definition, err := template.ReadDefinition(metadata.Minified())
		if err != nil {
			return "", nil // not one of gatewright
		}
		d, err := project.DeploymentOf(project.Record{Environment: definition.Environment}, definition.Files)
		if err == nil && d.Project.Backend.Project.ApplicationID == b.Project.ApplicationID {
			return definition.Environment, nil
		}
	}
	return "", nil
}

// verifyAdopted looks once more at the tables and the pool that were taken over: they have to be
// the same as before.
func (d *difference) verifyAdopted(ctx context.Context) error {
	for _, f := range d.Adopted {
		var mark string
		var there bool
		var err error
		switch f.imports.Type {
		case tableType:
			var t describedTable
			t, there, err = d.cloud.describeTable(ctx, f.ID)
			mark = t.mark()
		case userPoolType:
			var p describedPool
			p, there, err = d.cloud.describePool(ctx, f.ID)
			mark = p.mark()
		default:
			continue
		}
		if err != nil {
			return d.deployedBut(err)
		}
		if !there || mark != f.mark {
			return &model.Problem{
				Of: f.Of, Text: f.Name + ", " + f.ID + ", is not the one any more that was taken over",
				Fix: "look into the account's trail of events who replaced it", Cause: ErrPushFailed,
			}
		}
	}
	return nil
}

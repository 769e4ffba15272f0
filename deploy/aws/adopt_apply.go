package aws

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/contract"
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

// adoptionInput is the change set that takes over what is in the account.
func (x *Push) adoptionInput(token string) stack.Input {
	return stack.Input{
		Stack: x.Stack, TemplateURL: x.cloud.bucket.URL(oldKey(x.old.Root.Minified())), Imports: x.imports, Token: token,
		Description: "gatewright push by " + x.Who,
	}
}

// prepareAdoption makes the change set with which the push begins. AWS looks at everything that
// it takes over.
func (x *Push) prepareAdoption(ctx context.Context) error {
	set, err := x.cloud.client.Change(ctx, x.adoptionInput("p-"+x.random))
	x.set = set
	if err != nil {
		return x.refused(ctx, err)
	}
	return nil
}

// ownedBy is the error about a resource that a stack has already, in the text of the service.
func (x *Push) ownedBy(text, arn string, cause error) error {
	for _, f := range x.Adopted {
		if !strings.Contains(text, f.ID) {
			continue
		}
		owner, _, _ := strings.Cut(arn, " ")
		f.belongs(stackNameOf(owner))
		return &model.Problem{
			Of: x.of(), Text: f.Name + ", " + f.ID + ", cannot be taken over: " + f.Cannot,
			Fix: f.Fix + "; nothing has changed", Cause: cause,
		}
	}
	return &model.Problem{
		Of: x.of(), Text: "AWS does not accept it: " + shortly(text),
		Fix: "correct it and push again; nothing has changed", Cause: cause,
	}
}

// takeOver carries out the first update of an adoption.
func (x *Push) takeOver(ctx context.Context, tell func(contract.Progress)) error {
	tell(contract.Progress{Text: fmt.Sprintf("update 1 of %d takes over what is there", x.Updates)})
	arn := x.set.StackARN
	err := x.execute(ctx, token(1, x.Updates, x.random, x.Who), tell)
	if errors.Is(err, ErrPushFailed) {
		return fmt.Errorf("%w; nothing was taken over, and all data are as they were", err)
	}
	if err != nil {
		return err
	}
	if x.before, err = x.cloud.client.Describe(ctx, arn); err != nil {
		return x.interrupted(err)
	}
	x.first, x.half, x.taken = false, true, 1
	return nil
}

// halfAdopted adds to an error after something was taken over that it was, and how to go on.
func (x *Push) halfAdopted(err error) error {
	if errors.Is(err, ErrDetached) || errors.Is(err, ErrStackBusy) {
		return err
	}
	return fmt.Errorf("%w; what was taken over stays in the stack, with its data: push again to go on", err)
}

// verifyAdopted looks once more at the tables and the pool that were taken over: they have to be
// the same as before.
func (x *Push) verifyAdopted(ctx context.Context) error {
	for _, f := range x.Adopted {
		var mark string
		var there bool
		var err error
		switch f.imports.Type {
		case tableType:
			var t describedTable
			t, there, err = x.describeTable(ctx, f.ID)
			mark = t.mark()
		case userPoolType:
			var p describedPool
			p, there, err = x.describePool(ctx, f.ID)
			mark = p.mark()
		default:
			continue
		}
		if err != nil {
			return x.deployedBut(err)
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

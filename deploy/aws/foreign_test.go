package aws_test

import (
	"errors"
	"testing"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/stack"
	"gatewright/model"
	"gatewright/model/edit"
)

// as makes the project one of an application, and its environment one of a branch. app1 with the
// branch _dev and app1_ with the branch dev have stacks of one name.
func (r *cloudRoom) as(application, branch string) {
	r.t.Helper()
	r.edit(func(b *model.Backend) error {
		p := b.Project
		p.ApplicationID = application
		env := *b.Environment("dev")
		env.Branch = branch
		return errors.Join(edit.SetProject(b, p), edit.UpdateEnvironment(b, &env))
	})
}

func TestAStackOfAnotherApplicationIsNotOurs(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(t *testing.T) *cloudRoom{
		"pushed": func(t *testing.T) *cloudRoom {
			r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
			r.as("app1", "_dev")
			deploytest.Must(t, r.push(pushOptions{}).err)
			return r
		},
		"unmade, without a template": func(t *testing.T) *cloudRoom {
			r := removed(t, awstest.Options{})
			r.as("app1", "_dev")
			r.fake.FailResource("AWS::Cognito::UserPool", "The pool cannot be read")
			if err := r.push(pushOptions{adopt: true}).err; err == nil {
				t.Fatal("the push does not fail")
			}
			return r
		},
		"without tags yet": func(t *testing.T) *cloudRoom {
			r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
			r.as("app1", "_dev")
			deploytest.Must(t, r.push(pushOptions{}).err)
			name := r.stackName("dev")
			c := &stack.Client{API: r.reach().CloudFormation(), Pace: r.aws.Pace}
			body := string(r.fake.Templates(name)[0])
			deploytest.Must(t, c.Delete(t.Context(), name, "by-hand"))
			r.fake.Settle(name)
			set, err := c.Change(t.Context(), stack.Input{Stack: name, Create: true, Body: body, Token: "by-hand-again"})
			deploytest.Must(t, err)
			deploytest.Must(t, c.Execute(t.Context(), set, "by-hand-again"))
			r.fake.Settle(name)
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := make(t)
			stackName := r.stackName("dev")
			before, there := r.fake.Stack(stackName)
			if _, err := r.look(); err != nil || !there {
				t.Fatalf("our own stack, there %v: %v", there, err)
			}
			r.as("app1_", "dev")
			if r.stackName("dev") != stackName {
				t.Fatalf("the stack is %s, and that of the other application %s", stackName, r.stackName("dev"))
			}
			if _, err := r.look(); !errors.Is(err, aws.ErrForeignStack) {
				t.Errorf("another application sees %v", err)
			}
			o := r.push(pushOptions{})
			if oneLine(t, o.err); !errors.Is(o.err, aws.ErrForeignStack) {
				t.Errorf("its push ends with %v", o.err)
			}
			if after, _ := r.fake.Stack(stackName); after.ID != before.ID || after.Status != before.Status {
				t.Errorf("the stack was %s, and is %s", before.Status, after.Status)
			}
		})
	}
}

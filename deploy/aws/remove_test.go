package aws_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
)

// removal finds what a removal of the environment dev would remove.
func (r *cloudRoom) removal() (*aws.Removal, error) {
	r.t.Helper()
	p := r.open()
	return r.aws.PrepareRemoval(r.t.Context(), p, p.Backend.Environment("dev"))
}

func TestARemovalOfNothingAsksForNothing(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	removal, err := r.removal()
	deploytest.Must(t, err)
	if removal.Stack != "" || removal.Account != awsAccount || removal.Region != awsRegion || len(removal.Lost)+len(removal.Kept) > 0 {
		t.Errorf("it would remove %+v", removal)
	}
	calls := len(r.fake.Calls())
	if kept, err := removal.Apply(t.Context(), nil); err != nil || len(kept) > 0 || len(r.fake.Calls()) != calls {
		t.Errorf("it keeps %v, %v", kept, err)
	}
	// An empty stack that waits for its change set goes at once.
	r.fake.SetStatus(r.stackName("dev"), "REVIEW_IN_PROGRESS")
	removal, err = r.removal()
	deploytest.Must(t, err)
	if removal.Stack != r.stackName("dev") || len(removal.Lost)+len(removal.Kept) > 0 {
		t.Errorf("of an empty stack it would remove %+v", removal)
	}
	_, err = removal.Apply(t.Context(), nil)
	deploytest.Must(t, err)
	r.settle()
	if s, _ := r.fake.Stack(r.stackName("dev")); s.Status != "DELETE_COMPLETE" {
		t.Errorf("the empty stack is %s", s.Status)
	}
}

func TestARemovalNamesWhatIsLostAndRemovesAll(t *testing.T) {
	t.Parallel()
	r := begin(t, start{pushed: true}, archives(t), awstest.Options{})
	removal, err := r.removal()
	deploytest.Must(t, err)
	if !slices.Equal(removal.Lost, []string{"the table books"}) || !slices.Equal(removal.Kept, []string{"the user pool", "the identity pool"}) {
		t.Errorf("lost are %q, kept %q", removal.Lost, removal.Kept)
	}
	// Preparing changes nothing.
	if s, _ := r.fake.Stack(r.stackName("dev")); s.Status != "CREATE_COMPLETE" || r.fake.Executed(s.ID) != 1 {
		t.Errorf("before it is carried out the stack is %s", s.Status)
	}
	var told []string
	kept, err := removal.Apply(t.Context(), func(p contract.Progress) {
		if p.Resource != nil && !p.Resource.Going() {
			told = append(told, p.Resource.Name+" "+p.Resource.Words())
		}
	})
	deploytest.Must(t, err)
	if len(kept) != 2 || len(r.fake.Data()) != 2 || !slices.Contains(told, "the table books removed") {
		t.Errorf("kept are %v, there is %v, told was %q", kept, r.fake.Data(), told)
	}
	// This machine forgets it with the next look.
	p := r.open()
	if _, err := project.ReadRecord(r.dir, "dev"); err != nil {
		t.Errorf("before anybody looks: %v", err)
	}
	state, err := r.aws.Refresh(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	if _, err := project.ReadRecord(r.dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) || state.Deployment != nil {
		t.Errorf("after a look at what is gone: %v, %+v", err, state)
	}
}

func TestARemovalThatDoesNotEndWellSaysSo(t *testing.T) {
	t.Parallel()
	t.Run("while somebody pushes", func(t *testing.T) {
		t.Parallel()
		r := begin(t, start{pushed: true}, archives(t), awstest.Options{})
		r.fake.SetStatus(r.stackName("dev"), "UPDATE_IN_PROGRESS")
		if _, err := r.removal(); !errors.Is(err, aws.ErrStackBusy) {
			t.Errorf("it ends with %v", err)
		}
	})
	t.Run("a resource stays", func(t *testing.T) {
		t.Parallel()
		r := begin(t, start{pushed: true}, archives(t), awstest.Options{})
		removal, err := r.removal()
		deploytest.Must(t, err)
		r.fake.FailResource("AWS::DynamoDB::Table", "It is in use")
		if _, err = removal.Apply(t.Context(), nil); !errors.Is(err, aws.ErrPushFailed) || !strings.Contains(err.Error(), "table books: could not be removed: It is in use") {
			t.Errorf("it ends with %v", err)
		}
		oneLine(t, err)
		if s, _ := r.fake.Stack(r.stackName("dev")); s.Status != "DELETE_FAILED" {
			t.Fatalf("the stack is %s", s.Status)
		}
		state, err := r.look()
		deploytest.Must(t, err)
		if !strings.Contains(state.Note, "could not be removed") || !strings.Contains(state.Note, "gatewright remove env dev") {
			t.Errorf("another machine sees %q", state.Note)
		}
		r.fake.Clear()
		again, err := r.removal()
		deploytest.Must(t, err)
		if _, err := again.Apply(t.Context(), nil); err != nil || r.fake.Data()["AWS::DynamoDB::Table books-dev"] != (awstest.Data{}) {
			t.Errorf("the next removal leaves %v, %v", r.fake.Data(), err)
		}
	})
	t.Run("somebody leaves", func(t *testing.T) {
		t.Parallel()
		r := begin(t, start{pushed: true}, archives(t), awstest.Options{Speed: 1})
		removal, err := r.removal()
		deploytest.Must(t, err)
		ctx, leave := context.WithCancel(t.Context())
		_, err = removal.Apply(ctx, func(contract.Progress) { leave() })
		if !errors.Is(err, aws.ErrDetached) || !strings.Contains(err.Error(), "the removal continues in AWS") {
			t.Errorf("it ends with %v", err)
		}
		// Whoever follows it forgets the deployment.
		p := r.open()
		w, err := r.aws.Attach(t.Context(), p, p.Backend.Environment("dev"))
		deploytest.Must(t, err)
		if !w.Running || !strings.Contains(w.Text, "is being removed") {
			t.Errorf("what goes on is %q", w.Text)
		}
		if _, err = w.Follow(t.Context(), nil, nil); err != nil {
			t.Errorf("following it ends with %v", err)
		}
		if _, err := project.ReadRecord(r.dir, "dev"); !errors.Is(err, project.ErrNeverDeployed) {
			t.Errorf("afterwards the record is there: %v", err)
		}
		if _, err := r.aws.Attach(t.Context(), p, p.Backend.Environment("dev")); !errors.Is(err, project.ErrNeverDeployed) {
			t.Errorf("there is still something to follow: %v", err)
		}
	})
	t.Run("the groups cannot be kept", func(t *testing.T) {
		t.Parallel()
		b := cloudShop(t)
		b.Groups = []string{"Admins"}
		r := roomInCloud(t, b, archives(t), awstest.Options{})
		r.guard(true)
		deploytest.Must(t, r.push(pushOptions{}).err)
		removal, err := r.removal()
		deploytest.Must(t, err)
		data := r.fake.Data()
		r.fake.Fail("CreateChangeSet", "ValidationError", "Template error", 1)
		if _, err := removal.Apply(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "Template error") {
			t.Errorf("it ends with %v", err)
		}
		r.mustHold(data, r.stackName("dev"))
		if s, _ := r.fake.Stack(r.stackName("dev")); s.Status != "CREATE_COMPLETE" || !s.Protected {
			t.Errorf("the stack is %s, protected %v", s.Status, s.Protected)
		}
	})
}

func TestOnlyWhatGoesOnCanBeCancelled(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start, status, says string
		record              bool
	}{
		"a first push":   {"nothing", "DELETE_COMPLETE", "", false},
		"a later push":   {"another access", "UPDATE_ROLLBACK_COMPLETE", "everything is as before", true},
		"nothing at all": {"the same", "CREATE_COMPLETE", "cannot be cancelled now: its stack is pushed", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := begin(t, startOf(t, tt.start), archives(t), awstest.Options{Speed: 1})
			ctx, leave := context.WithCancel(t.Context())
			o := r.push(pushOptions{ctx: ctx, listen: func(p contract.Progress) {
				if p.Resource != nil {
					leave()
				}
			}})
			leave()
			if tt.start != "the same" && !errors.Is(o.err, aws.ErrDetached) {
				t.Fatalf("the push ends with %v", o.err)
			}
			before := r.local()[".gatewright/deployed/dev/record.json"]
			p := r.open()
			w, err := r.aws.Attach(t.Context(), p, p.Backend.Environment("dev"))
			deploytest.Must(t, err)
			if w.Running != (tt.start != "the same") || w.Running && (w.Step != 1 || w.Steps != 1 || !strings.Contains(w.Text, " by tester since 2026-")) {
				t.Errorf("what goes on is %+v", w)
			}
			err = w.Cancel(t.Context())
			if !w.Running {
				if err == nil || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("it is cancelled: %v", err)
				}
				return
			}
			deploytest.Must(t, err)
			_, err = w.Follow(t.Context(), nil, nil)
			if (err != nil) != (tt.says != "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("following it ends with %v", err)
			}
			if s, _ := r.fake.Stack(r.stackName("dev")); s.Status != tt.status {
				t.Errorf("the stack is %s", s.Status)
			}
			if after := r.local()[".gatewright/deployed/dev/record.json"]; after != before || (after != "") != tt.record {
				t.Errorf("the record was %q and is %q", before, after)
			}
			if again := r.push(pushOptions{}); again.err != nil {
				t.Errorf("the next push ends with %v", again.err)
			} else {
				r.mustBeAtRest(again)
			}
		})
	}
}

// TestTwoEnvironmentsOfOneBranchAreToldApart has an environment that got the branch of one which is pushed, and is gone from
// the definition.
func TestTwoEnvironmentsOfOneBranchAreToldApart(t *testing.T) {
	t.Parallel()
	r := begin(t, start{pushed: true}, archives(t), awstest.Options{})
	stack := r.stackName("dev")
	r.edit(func(b *model.Backend) error {
		return errors.Join(edit.Remove(b, model.Ref{Kind: model.KindEnvironment, Name: "dev"}, true), edit.AddEnvironment(b, &model.Environment{Name: "copy", Provider: model.AWS, Account: awsAccount, Branch: "dev"}))
	})
	if r.stackName("copy") != stack {
		t.Fatal("the stacks have other names")
	}
	p := r.open()
	_, err := r.aws.Look(t.Context(), p, p.Backend.Environment("copy"))
	want := "environment copy: has the branch dev, whose stack " + stack + " is the environment dev; give it another branch with: gatewright update env copy --branch NAME"
	if !errors.Is(err, aws.ErrForeignStack) || err.Error() != want {
		t.Errorf("the other environment sees\n%v\nwant\n%s", err, want)
	}
}

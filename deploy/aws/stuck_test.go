package aws_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/test/depth"
)

func TestAStackThatStaysStuckSaysWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	r := begin(t, startOf(t, "other code"), archives(t), awstest.Options{})
	r.fake.FailResource("AWS::Lambda::Function", "no room")
	r.fake.FailRollback("AWS::Lambda::Function", "it is gone")
	if err := r.push(pushOptions{}).err; err == nil || !strings.Contains(err.Error(), "the stack could not roll back") {
		t.Fatalf("the push that gets stuck ends with %v", err)
	}
	r.fake.FailRollback("AWS::Lambda::Function", "it is still gone")
	o := r.push(pushOptions{})
	want := "environment dev: its stack " + r.stackName("dev") + " still cannot roll back: the function items: it is still gone; fix that in AWS, and push again; or skip the resource with: aws cloudformation continue-update-rollback --resources-to-skip"
	if fmt.Sprint(o.err) != want || len(o.asked) != 1 || !strings.Contains(o.asked[0], "could not roll back after a failed push") {
		t.Errorf("it asks %q and ends with\n%v\nwant\n%s", o.asked, o.err, want)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
}

func TestWhatIsLeftOfAFirstPushIsRemovedBeforeTheNext(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	r.fake.FailResource("AWS::Lambda::Function", "no room")
	if err := r.push(pushOptions{}).err; !errors.Is(err, aws.ErrPushFailed) {
		t.Fatalf("the first push ends with %v", err)
	}
	name := r.stackName("dev")
	left, _ := r.fake.Stack(name)
	deploytest.Must(t, r.client().Protect(t.Context(), left.ID, true))
	r.fake.SetStatus(left.ID, "DELETE_FAILED")
	if err := r.push(pushOptions{}).err; err == nil || !strings.HasPrefix(err.Error(), "environment dev: the stack "+name+" could not be removed") {
		t.Errorf("over what could not be removed the push ends with %v", err)
	}
	r.fake.SetStatus(left.ID, "ROLLBACK_COMPLETE")
	o := r.push(pushOptions{})
	if o.err != nil || !slices.Contains(o.texts, "the first push of dev failed; its remains are being removed") {
		t.Errorf("the next push tells %q and ends with %v", o.texts, o.err)
	}
	if now, _ := r.fake.Stack(name); now.ID == left.ID || now.Status != "CREATE_COMPLETE" || now.Protected {
		t.Errorf("the stack was %s and is %s, %s", left.ID, now.ID, now.Status)
	}
}

// TestAFailureBetweenTwoUpdatesGoesBackToTheFirstState has the update fail that comes after another one.
func TestAFailureBetweenTwoUpdatesGoesBackToTheFirstState(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	index := func(name string) model.Index {
		return model.Index{Name: name, PartitionKey: model.Key{Name: name, Type: model.StringKey}}
	}
	table := *b.Table("books")
	table.Indexes = []model.Index{index("byA"), index("byB"), index("byC")}
	deploytest.Must(t, edit.UpdateTable(b, &table))
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	deploytest.Must(t, r.push(pushOptions{}).err)
	name := r.stackName("dev")
	before := r.fake.Templates(name)
	r.edit(func(b *model.Backend) error {
		table.Indexes = nil
		return edit.UpdateTable(b, &table)
	})
	o := r.push(pushOptions{listen: func(p contract.Progress) {
		if strings.HasPrefix(p.Text, "update 2 of 3 ") {
			r.fake.FailResource("AWS::DynamoDB::Table", "no more changes")
		}
	}})
	if o.err == nil || o.err.Error() != "table books: could not be changed: no more changes; everything is as before; fix it and push again" {
		t.Errorf("it ends with %v", o.err)
	}
	after := r.fake.Templates(name)
	if want := []string{"update 2 of 3 ", "something failed; everything is being rolled back", "restoring what the updates removed"}; len(o.texts) < 3 ||
		!strings.HasPrefix(o.texts[len(o.texts)-3], want[0]) || !slices.Equal(o.texts[len(o.texts)-2:], want[1:]) || string(after[len(after)-1]) != string(before[len(before)-1]) {
		t.Errorf("it tells %q and leaves another template than the first", o.texts)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
}

func TestAPushAfterTheGuardIsGoneMayLoseWhatIsAllowed(t *testing.T) {
	t.Parallel()
	r := begin(t, start{pushed: true}, archives(t), awstest.Options{})
	r.guard(true)
	deploytest.Must(t, r.push(pushOptions{}).err)
	guarded := r.policy()
	r.guard(false)
	startOf(t, "a table less").change(r)
	deploytest.Must(t, r.push(pushOptions{allow: []string{"books"}}).err)
	if open := r.policy(); !strings.Contains(guarded, "Deny") || strings.Contains(open, "Deny") {
		t.Errorf("the policy was\n%s\nand is\n%s", guarded, open)
	}
}

// TestALargeProjectIsPushedInNestedStacks has more resources than a stack may have.
func TestALargeProjectIsPushedInNestedStacks(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	b := cloudShop(t)
	for _, label := range []string{"large", "other"} {
		api := &access.API{Label: label}
		for n := range 52 {
			api.Paths = append(api.Paths, deploytest.SignedIn(fmt.Sprintf("/%s%02d", label, n), "items"))
		}
		deploytest.Must(t, edit.AddAPI(b, api))
	}
	r := roomInCloud(t, b, archives(t), awstest.Options{EventsPerPage: 100, StacksPerPage: 100, ChangesPerPage: 1000, Speed: 1000})
	r.fake.ServeInForce()
	o := r.push(pushOptions{})
	deploytest.Must(t, o.err)
	var nested []awstest.Stack
	for _, s := range r.fake.Stacks() {
		if s.Parent != "" {
			nested = append(nested, s)
		}
	}
	if len(nested) == 0 {
		t.Fatal("nothing is nested")
	}
	r.mustBeAtRest(o)
	one := nested[len(nested)-1]
	templates := r.fake.Templates(one.ID)
	body := string(templates[len(templates)-1])
	at := slices.IndexFunc(one.Resources, func(x awstest.Resource) bool { return x.Type == "AWS::ApiGateway::Resource" })
	r.fake.Drift(one.Resources[at].LogicalID, "/PathPart", "elsewhere")
	r.update(one.ID, strings.Replace(body, `"AuthorizationType":"AWS_IAM"`, `"AuthorizationType":"NONE"`, 1))
	d, lines := r.drift()
	if want := []string{
		"the resource /items of the API shop: part of the path items in the stack, elsewhere in the cloud",
		"ANY /orders/{id} of the API shop: access: callers need credentials in the definition, need not sign in in the stack",
		"DELETE, GET, HEAD, PATCH, POST, PUT /orders/1: anyone unsigned may; in the last push callers have to sign in or act as a guest",
	}; !slices.Equal(lines, want) || d.Compared < 500 {
		t.Errorf("%d were compared; there differ\n%q, want\n%q", d.Compared, lines, want)
	}
}

// threeUpdates is a room whose next push takes three updates: a table loses three indexes.
func threeUpdates(t *testing.T) *cloudRoom {
	t.Helper()
	b := cloudShop(t)
	table := *b.Table("books")
	for _, name := range []string{"byA", "byB", "byC"} {
		table.Indexes = append(table.Indexes, model.Index{Name: name, PartitionKey: model.Key{Name: name, Type: model.StringKey}})
	}
	deploytest.Must(t, edit.UpdateTable(b, &table))
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	deploytest.Must(t, r.push(pushOptions{}).err)
	r.edit(func(b *model.Backend) error {
		table.Indexes = nil
		return edit.UpdateTable(b, &table)
	})
	return r
}

// leave pushes, and leaves the push at the first resource. It stands still from then on.
func (r *cloudRoom) leave(options pushOptions) {
	r.t.Helper()
	ctx, leave := context.WithCancel(r.t.Context())
	options.ctx, options.listen = ctx, func(p contract.Progress) {
		if p.Resource != nil {
			r.fake.Speed(0)
			leave()
		}
	}
	if o := r.push(options); !errors.Is(o.err, aws.ErrDetached) {
		r.t.Fatalf("whoever leaves is told %v", o.err)
	}
}

// left leaves a push, and attaches to it, which goes on then.
func (r *cloudRoom) left(options pushOptions) *aws.Watch {
	r.t.Helper()
	r.leave(options)
	p := r.open()
	w, err := r.aws.Attach(r.t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(r.t, err)
	r.fake.Speed(3)
	return w
}

func TestWhoeverFollowsOneOfSeveralUpdatesIsToldOfTheRest(t *testing.T) {
	t.Parallel()
	r := threeUpdates(t)
	w := r.left(pushOptions{})
	if w.Step != 1 || w.Steps != 3 || !w.Running {
		t.Errorf("what goes on is update %d of %d, running %t", w.Step, w.Steps, w.Running)
	}
	record, err := w.Follow(t.Context(), nil, nil)
	if want := "environment dev: update 1 of 3 is done, and nobody is continuing the push; push again: gatewright push --env dev"; err == nil || err.Error() != want || record.Environment != "dev" {
		t.Errorf("following ends with %q and\n%v\nwant\n%s", record.Environment, err, want)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
}

// TestWhoeverIsOvertakenBetweenTwoUpdatesTakesNothingBack has somebody else change the stack before the second update.
func TestWhoeverIsOvertakenBetweenTwoUpdatesTakesNothingBack(t *testing.T) {
	t.Parallel()
	r := threeUpdates(t)
	made := 0
	o := r.push(pushOptions{listen: func(p contract.Progress) {
		if strings.HasPrefix(p.Text, "update 2 of 3 ") {
			made = len(r.fake.Templates(r.stackName("dev")))
			r.fake.Fail("ExecuteChangeSet", "InvalidChangeSetStatus", "it is obsolete", 1)
		}
	}})
	if want := "environment dev: somebody else changed its stack in between; only part of this push was done; push again"; !errors.Is(o.err, aws.ErrStackBusy) || o.err.Error() != want {
		t.Errorf("it ends with\n%v\nwant\n%s", o.err, want)
	}
	if after := len(r.fake.Templates(r.stackName("dev"))); after != made || slices.Contains(o.texts, "restoring what the updates removed") {
		t.Errorf("of %d templates there are %d, and it tells %q", made, after, o.texts)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
}

func TestAPushThatSomebodyElseCameBeforeHasDoneNothing(t *testing.T) {
	t.Parallel()
	r := begin(t, startOf(t, "another access"), archives(t), awstest.Options{})
	r.fake.Fail("ExecuteChangeSet", "InvalidChangeSetStatus", "it is obsolete", 1)
	before := len(r.fake.Templates(r.stackName("dev")))
	o := r.push(pushOptions{})
	if want := "environment dev: somebody else changed its stack in between; this push changed nothing; push again"; !errors.Is(o.err, aws.ErrStackBusy) || o.err.Error() != want {
		t.Errorf("it ends with\n%v\nwant\n%s", o.err, want)
	}
	if after := len(r.fake.Templates(r.stackName("dev"))); after != before {
		t.Errorf("of %d templates there are %d", before, after)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
}

// TestAnAccountIsWrittenDownByAPushWithNothingToDo has an environment whose file lost the account.
func TestAnAccountIsWrittenDownByAPushWithNothingToDo(t *testing.T) {
	t.Parallel()
	r := begin(t, start{pushed: true}, archives(t), awstest.Options{})
	r.edit(func(b *model.Backend) error {
		env := *b.Environment("dev")
		env.Account = ""
		return edit.UpdateEnvironment(b, &env)
	})
	o := r.push(pushOptions{})
	deploytest.Must(t, o.err)
	if o.prepared.Changed() || len(o.asked) != 1 || r.open().Backend.Environment("dev").Account != awsAccount {
		t.Errorf("it changes something: %v, asks %q, and the account is %q", o.prepared.Changed(), o.asked, r.open().Backend.Environment("dev").Account)
	}
}

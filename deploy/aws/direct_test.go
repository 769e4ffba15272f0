package aws_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy"
	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/deploy/refuse"
	"gatewright/deploy/secretfile"
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/status"
	"gatewright/test/depth"
)

// actions are the actions of the calls after the first n.
func (r *cloudRoom) actions(n int) []string {
	var all []string
	for _, c := range r.fake.Calls()[n:] {
		all = append(all, c.Action)
	}
	return all
}

// untouched checks that nothing was made in the cloud, and this machine has its files as they
// were.
func (r *cloudRoom) untouched(before moment) {
	r.t.Helper()
	if stacks, buckets := r.fake.Stacks(), r.fake.Buckets(); len(stacks) > 0 || len(buckets) > 0 {
		r.t.Errorf("there are the stacks %v and the buckets %q", stacks, buckets)
	}
	r.mustBeAsBefore(before)
	if account := r.open().Backend.Environment("dev").Account; account != "" {
		r.t.Errorf("the environment has the account %s", account)
	}
}

func (r *cloudRoom) guard(guarded bool) {
	r.t.Helper()
	r.edit(func(b *model.Backend) error {
		env := *b.Environment("dev")
		env.Guarded = guarded
		return edit.UpdateEnvironment(b, &env)
	})
}

func TestAnotherAccountIsRefusedBeforeAnyOtherCall(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), t.TempDir(), awstest.Options{})
	r.edit(func(b *model.Backend) error {
		env := *b.Environment("dev")
		env.Account = "210987654321"
		return edit.UpdateEnvironment(b, &env)
	})
	o := r.push(pushOptions{})
	oneLine(t, o.err)
	if !errors.Is(o.err, aws.ErrOtherAccount) || !strings.Contains(o.err.Error(), awsAccount) || !strings.Contains(o.err.Error(), "210987654321") {
		t.Errorf("the push ends with %v", o.err)
	}
	if a := r.actions(0); !slices.Equal(a, []string{"GetCallerIdentity"}) {
		t.Errorf("the calls are %q", a)
	}
}

func TestTheFirstPushAsksWhoseAccountItIs(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), t.TempDir(), awstest.Options{})
	before := r.now()
	o := r.push(pushOptions{deny: true})
	if !errors.Is(o.err, errDenied) || len(o.asked) != 1 || !strings.Contains(o.asked[0], awsAccount) {
		t.Errorf("the push asks %q and ends with %v", o.asked, o.err)
	}
	r.untouched(before)
	p := r.open()
	x, err := r.aws.Prepare(t.Context(), deploytest.Target(p, "dev"), aws.PushOptions{DryRun: true}, nil)
	deploytest.Must(t, err)
	if !x.First() || x.Updates != 1 || len(x.Changes) == 0 {
		t.Errorf("the dry run finds %d changes in %d updates", len(x.Changes), x.Updates)
	}
	r.untouched(before)
	if _, err := r.aws.Prepare(t.Context(), deploytest.Target(p, "dev"), aws.PushOptions{}, nil); err == nil || !strings.Contains(err.Error(), "no terminal to ask") {
		t.Errorf("without anybody to ask the push ends with %v", err)
	}
	r.untouched(before)
	// A push that is discarded after the preview leaves no stack, and no account in the file.
	x, err = r.aws.Prepare(t.Context(), deploytest.Target(p, "dev"), aws.PushOptions{Allow: func(string) error { return nil }}, nil)
	deploytest.Must(t, err)
	deploytest.Must(t, x.Discard(t.Context()))
	if s, ok := r.fake.Stack(r.stackName("dev")); ok && s.Status != "DELETE_COMPLETE" {
		t.Errorf("a discarded first push leaves a stack that is %s", s.Status)
	}
	if account := r.open().Backend.Environment("dev").Account; account != "" {
		t.Errorf("a discarded first push leaves the account %s", account)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
	if account := r.open().Backend.Environment("dev").Account; account != awsAccount {
		t.Errorf("after the push the environment has the account %q", account)
	}
	if o := r.push(pushOptions{}); o.err != nil || len(o.asked) > 0 {
		t.Errorf("the second push asks %q and ends with %v", o.asked, o.err)
	}
}

func TestADryRunLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	r := begin(t, startOf(t, "a path less"), t.TempDir(), awstest.Options{})
	r.source("exports.handler = async () => ({ statusCode: 204 })\n")
	before, objects := r.now(), r.fake.Objects(awsBucket)
	x, err := r.aws.Prepare(t.Context(), deploytest.Target(r.open(), "dev"), aws.PushOptions{DryRun: true}, nil)
	deploytest.Must(t, err)
	if x.Updates != 2 {
		t.Errorf("it takes %d updates", x.Updates)
	}
	r.mustBeAsBefore(before)
	for _, set := range r.fake.ChangeSets(r.stackName("dev")) {
		if strings.Contains(set, "-p-") {
			t.Errorf("the dry run leaves the change set %s", set)
		}
	}
	for key := range r.fake.Objects(awsBucket) {
		if _, there := objects[key]; !there && !strings.HasPrefix(key, "templates/") {
			t.Errorf("the dry run uploads %s", key)
		}
	}
	if n := r.fake.Executed(r.stackName("dev")); n != 1 {
		t.Errorf("the dry run carries something out: %d", n)
	}
}

func TestAPushWithoutChangesUploadsNothing(t *testing.T) {
	t.Parallel()
	r := begin(t, startOf(t, "the same"), t.TempDir(), awstest.Options{})
	n := len(r.fake.Calls())
	deploytest.Must(t, os.RemoveAll(filepath.Join(r.dir, ".gatewright/deployed")))
	o := r.push(pushOptions{})
	if o.err != nil || o.prepared.Changed() || o.prepared.Updates != 0 {
		t.Errorf("the push ends with %v after %d updates", o.err, o.prepared.Updates)
	}
	for _, a := range r.actions(n) {
		if a == "PutObject" || a == "ExecuteChangeSet" || a == "CreateBucket" {
			t.Errorf("the push calls %s", a)
		}
	}
	r.mustBeAtRest(o)
}

func TestDataAreLostOnlyIfThatIsAllowed(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	cache := t.TempDir()
	gone := startOf(t, "a table less")
	attributes := start{name: "names", pushed: true, updates: 1, allow: []string{"auth"}, change: editing(func(b *model.Backend) error {
		return edit.SetAuth(b, &model.Auth{UsernameAttributes: []string{"email"}})
	})}
	for _, s := range []start{gone, attributes} {
		for _, guarded := range []bool{false, true} {
			r := begin(t, start{pushed: true}, cache, awstest.Options{})
			if guarded {
				r.guard(true)
				deploytest.Must(t, r.push(pushOptions{}).err)
			}
			s.change(r)
			before := r.now()
			// What refuses the push is said before it, from what this machine kept of the last one.
			here := r.open()
			status, err := status.Of(here, "dev")
			deploytest.Must(t, err)
			said := deploy.WouldRefuse(deploytest.Target(here, "dev"), status.Was)
			o := r.push(pushOptions{})
			sayTheSame(t, said, o.err)
			oneLine(t, o.err)
			if !errors.Is(o.err, aws.ErrDestroys) || !strings.Contains(o.err.Error(), "--allow-destroy "+s.allow[0]) {
				t.Errorf("%s: the push ends with %v", s.name, o.err)
			}
			r.mustBeAsBefore(before)
			if n := r.fake.Executed(r.stackName("dev")); n != before.executed {
				t.Errorf("%s: the refused push carries something out", s.name)
			}
			policy := r.policy()
			r.fake.FailResource("AWS::CloudFormation::WaitConditionHandle", "It failed")
			if o := r.push(pushOptions{allow: s.allow}); !errors.Is(o.err, aws.ErrPushFailed) {
				t.Errorf("%s: the push that fails ends with %v", s.name, o.err)
			}
			if guarded && !strings.Contains(policy, "Deny") || guarded && r.policy() != policy {
				t.Errorf("%s: after a push that failed the policy is\n%s\nand was\n%s", s.name, r.policy(), policy)
			}
			o = r.push(pushOptions{allow: s.allow})
			if o.err != nil {
				t.Errorf("%s: the push that is allowed ends with %v", s.name, o.err)
				continue
			}
			for _, l := range o.prepared.Losses {
				if l.Kept != (guarded || l.Name == "auth") || !l.Allowed {
					t.Errorf("%s: the loss is %+v", s.name, l)
				}
			}
			if kept := r.fake.Kept(); (len(kept) > 0) != (guarded || s.name == "names") {
				t.Errorf("%s: what is kept is %+v", s.name, kept)
			}
		}
	}
}

// policy is the policy that was set last.
func (r *cloudRoom) policy() (policy string) {
	for _, c := range r.fake.Calls() {
		if c.Action == "SetStackPolicy" && c.Handled {
			policy = c.Parameters["StackPolicyBody"]
		}
	}
	return policy
}

func TestAGuardedEnvironmentIsProtected(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	env := *b.Environment("dev")
	env.Guarded = true
	deploytest.Must(t, edit.UpdateEnvironment(b, &env))
	r := roomInCloud(t, b, t.TempDir(), awstest.Options{})
	deploytest.Must(t, r.push(pushOptions{}).err)
	s, _ := r.fake.Stack(r.stackName("dev"))
	if !s.Protected {
		t.Error("the stack can be deleted")
	}
	policy, err := cfn.Parse("policy", []byte(r.policy()))
	deploytest.Must(t, err)
	deny := policy.Root.Get("Statement").Items[1]
	var protected []string
	for _, n := range deny.Get("Resource").Items {
		protected = append(protected, n.Text)
	}
	var want []string
	for _, res := range s.Resources {
		if slices.Contains([]string{"AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::Cognito::IdentityPool"}, res.Type) {
			want = append(want, "LogicalResourceId/"+res.LogicalID)
		}
	}
	slices.Sort(protected)
	slices.Sort(want)
	if !slices.Equal(protected, want) || string(deny.Get("Action").Minified()) != `["Update:Replace","Update:Delete"]` {
		t.Errorf("the policy denies %s for %q, want %q", deny.Get("Action").Minified(), protected, want)
	}
	// Who follows the push from elsewhere protects it, too.
	r.edit(func(b *model.Backend) error {
		return edit.UpdatePath(b, "shop", "/items", deploytest.SignedIn("/items", "items"))
	})
	deploytest.Must(t, r.push(pushOptions{}).err)
	strict := r.policy()
	deploytest.Must(t, r.client().SetPolicy(t.Context(), s.ID, `{"Statement":[{"Effect":"Allow","Principal":"*","Action":"Update:*","Resource":"*"}]}`))
	deploytest.Must(t, r.client().Protect(t.Context(), s.ID, false))
	p := r.open()
	w, err := r.aws.Attach(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	if w.Running {
		t.Error("the push goes on")
	}
	_, err = w.Follow(t.Context(), nil, nil)
	deploytest.Must(t, err)
	if s, _ = r.fake.Stack(s.ID); !s.Protected || r.policy() != strict {
		t.Errorf("after it was followed the stack is protected: %t, by the policy\n%s\nwant\n%s", s.Protected, r.policy(), strict)
	}
}

func TestSecretsAreSentOnceAndThenStay(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	f := *b.Function("items")
	f.Secrets = []string{"PAYMENT_KEY"}
	deploytest.Must(t, edit.UpdateFunction(b, &f))
	r := roomInCloud(t, b, t.TempDir(), awstest.Options{})
	before := r.now()
	o := r.push(pushOptions{})
	oneLine(t, o.err)
	if !errors.Is(o.err, refuse.ErrNoSecret) || !strings.Contains(o.err.Error(), "PAYMENT_KEY") {
		t.Fatalf("without the secret the push ends with %v", o.err)
	}
	if len(r.fake.Stacks()) > 0 {
		t.Error("there is a stack")
	}
	r.mustBeAsBefore(before)
	file := filepath.Join(r.dir, filepath.FromSlash(secretfile.Name("dev")))
	deploytest.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	deploytest.Must(t, os.WriteFile(file, []byte(`{"PAYMENT_KEY": "hunter2-hunter2"}`), 0o600))
	deploytest.Must(t, r.push(pushOptions{}).err)
	value := func() string {
		s, _ := r.fake.Stack(r.stackName("dev"))
		for _, v := range s.Parameters {
			return v
		}
		return ""
	}
	if value() != "hunter2-hunter2" {
		t.Errorf("the stack has the value %q", value())
	}
	deploytest.Must(t, os.Remove(file))
	r.source("exports.handler = async () => ({ statusCode: 204 })\n")
	deploytest.Must(t, r.push(pushOptions{}).err)
	if value() != "hunter2-hunter2" {
		t.Errorf("after a push without the file the stack has the value %q", value())
	}
	for name, text := range r.local() {
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s has the secret", name)
		}
	}
	for key, body := range r.fake.Objects(awsBucket) {
		if strings.HasPrefix(key, "templates/") && strings.Contains(string(body), "hunter2") {
			t.Errorf("%s has the secret", key)
		}
	}
}

func TestARemovalTellsWhatItKeepsEvenIfItIsInterrupted(t *testing.T) {
	t.Parallel()
	for _, cut := range []bool{false, true} {
		r := begin(t, start{pushed: true}, t.TempDir(), awstest.Options{Speed: 1})
		r.guard(true)
		deploytest.Must(t, r.push(pushOptions{}).err)
		p := r.open()
		removal, err := r.aws.PrepareRemoval(t.Context(), p, p.Backend.Environment("dev"))
		deploytest.Must(t, err)
		if len(removal.Kept) == 0 || len(removal.Lost) > 1 {
			t.Errorf("the removal keeps %q and loses %q", removal.Kept, removal.Lost)
		}
		if cut {
			r.fake.CutFrom(len(r.fake.Calls()) + 20)
			if _, err := removal.Apply(t.Context(), nil); err == nil {
				t.Fatal("the removal is not interrupted")
			} else {
				oneLine(t, err)
			}
			r.fake.CutFrom(0)
			removal, err = r.aws.PrepareRemoval(t.Context(), p, p.Backend.Environment("dev"))
			deploytest.Must(t, err)
		}
		kept, err := removal.Apply(t.Context(), nil)
		deploytest.Must(t, err)
		var ids, want []string
		for _, k := range kept {
			ids = append(ids, k.ID)
		}
		for _, k := range r.fake.Kept() {
			want = append(want, k.PhysicalID)
		}
		if !slices.Equal(ids, want) || len(want) < 3 {
			t.Errorf("the removal (interrupted %v) told to keep %q, want %q", cut, ids, want)
		}
		again, err := r.aws.PrepareRemoval(t.Context(), p, p.Backend.Environment("dev"))
		if err != nil || again.Stack != "" {
			t.Errorf("after the removal there is %+v, %v", again, err)
		}
	}
}

func TestAnotherMachineReadsTheDeployment(t *testing.T) {
	t.Parallel()
	r := begin(t, start{pushed: true}, t.TempDir(), awstest.Options{})
	other := &cloudRoom{t: t, fake: r.fake, dir: filepath.Join(t.TempDir(), "other"), aws: r.aws}
	deploytest.Must(t, os.MkdirAll(other.dir, 0o755))
	deploytest.Made(t, other.dir, r.open().Backend)
	state, err := other.look()
	deploytest.Must(t, err)
	if state.Deployment == nil || state.Note != "" {
		t.Fatalf("another machine sees %+v", state)
	}
	if _, err := project.ReadRecord(other.dir, "dev"); err == nil {
		t.Error("looking writes a record")
	}
	p := other.open()
	_, err = other.aws.Refresh(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	mine, err := project.ReadRecord(r.dir, "dev")
	deploytest.Must(t, err)
	others, err := project.ReadRecord(other.dir, "dev")
	deploytest.Must(t, err)
	if model.Canonical(map[string]any(mine.Values)) != model.Canonical(map[string]any(others.Values)) || !mine.Deployed.Equal(others.Deployed) || mine.Stack != others.Stack {
		t.Errorf("the machines have the records %+v and %+v", mine, others)
	}
	record, err := r.aws.Record(t.Context(), r.stackName("dev"))
	if err != nil || record.Stack != mine.Stack {
		t.Errorf("the record of the stack is %+v, %v", record, err)
	}
	if _, err := r.aws.Record(t.Context(), "nothing-here"); !errors.Is(err, index.ErrNoStack) {
		t.Errorf("the record of a stack that is not there: %v", err)
	}
	r.fake.SetStatus("somebody-elses", "CREATE_COMPLETE")
	if _, err := r.aws.Record(t.Context(), "somebody-elses"); !errors.Is(err, aws.ErrForeignStack) {
		t.Errorf("the record of a stack of somebody else: %v", err)
	} else {
		oneLine(t, err)
	}
}

func TestTwoEnvironmentsAreInTwoAccounts(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), t.TempDir(), awstest.Options{})
	deploytest.Must(t, r.push(pushOptions{}).err)
	r.edit(func(b *model.Backend) error {
		return edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.AWS, Branch: "main"})
	})
	r.env["AWS_ACCESS_KEY_ID"] = "210987654321"
	p := r.open()
	_, err := r.aws.Push(t.Context(), deploytest.Target(p, "prod"), nil)
	deploytest.Must(t, err)
	if account := r.open().Backend.Environment("prod").Account; account != "210987654321" {
		t.Errorf("prod has the account %s", account)
	}
	if o := r.push(pushOptions{}); !errors.Is(o.err, aws.ErrOtherAccount) {
		t.Errorf("dev is pushed into the account of prod: %v", o.err)
	}
	if want := []string{awsBucket, "gatewright-assets-210987654321-" + awsRegion}; !slices.Equal(r.fake.Buckets(), want) {
		t.Errorf("the buckets are %q", r.fake.Buckets())
	}
}

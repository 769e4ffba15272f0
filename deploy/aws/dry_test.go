package aws_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/stack"
	"gatewright/project/status"
	"gatewright/test/depth"
)

// everything is all that an account has and all files of the project.
type everything struct {
	Files             map[string]string
	Stacks            []awstest.Stack
	Data              map[string]awstest.Data
	Templates         map[string][][]byte
	Policy            string
	Buckets, Archives []string
	// sets are the change sets; old ones may go.
	sets map[string][]string
}

// everything leaves out templates in the bucket: without them CloudFormation says of nothing what it
// would change.
func (r *cloudRoom) everything() everything {
	r.t.Helper()
	all := everything{
		Files: deploytest.Tree(r.t, r.dir), Stacks: r.fake.Stacks(), Data: r.fake.Data(), Templates: make(map[string][][]byte), Policy: r.policy(),
		Buckets: r.fake.Buckets(), sets: make(map[string][]string),
	}
	for _, s := range all.Stacks {
		all.Templates[s.ID], all.sets[s.ID] = r.fake.Templates(s.ID), r.fake.ChangeSets(s.ID)
	}
	for key := range r.fake.Objects(awsBucket) {
		if !strings.HasPrefix(key, "templates/") {
			all.Archives = append(all.Archives, key)
		}
	}
	slices.Sort(all.Archives)
	return all
}

// mustLeave checks that everything is as it was.
func (r *cloudRoom) mustLeave(what string, before everything) {
	r.t.Helper()
	now := r.everything()
	if diff := cmp.Diff(before, now, cmpopts.IgnoreUnexported(everything{})); diff != "" {
		r.t.Errorf("%s leaves something behind (-before +now):\n%s", what, diff)
	}
	for id, sets := range now.sets {
		for _, set := range sets {
			if !slices.Contains(before.sets[id], set) {
				r.t.Errorf("%s leaves the change set %s", what, set)
			}
		}
	}
}

// dryRun prepares a push that is not carried out.
func (r *cloudRoom) dryRun(options aws.PushOptions) (*aws.Push, error) {
	r.t.Helper()
	options.DryRun = true
	return r.aws.Prepare(r.t.Context(), deploytest.Target(r.open(), "dev"), options, nil)
}

func TestADryRunOfAnyPushLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	cache := archives(t)
	for i := range some(len(starts), depth.Rounds(2, 1, 1), 0) {
		s := starts[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			r := begin(t, s, cache, awstest.Options{})
			before := r.everything()
			x, err := r.dryRun(aws.PushOptions{Allow: func(question string) error {
				t.Errorf("it asks %q", question)
				return nil
			}})
			deploytest.Must(t, err)
			if x.Updates != s.updates || x.Changed() != (s.updates > 0) || x.First() == s.pushed {
				t.Errorf("it takes %d updates, not %d; first is %v", x.Updates, s.updates, x.First())
			}
			if (x.Refusal() != nil) != (len(s.allow) > 0) {
				t.Errorf("the push would be refused: %v", x.Refusal())
			}
			r.mustLeave("the dry run", before)
			if s.pushed {
				x, err = r.aws.Prepare(t.Context(), deploytest.Target(r.open(), "dev"), aws.PushOptions{}, nil)
				deploytest.Must(t, err)
				deploytest.Must(t, x.Discard(t.Context()))
				before.Archives = r.everything().Archives // they are there for the next push
				r.mustLeave("a push that was discarded", before)
			}
		})
	}
}

func TestADryRunOfAnAdoptionTakesOverNothing(t *testing.T) {
	t.Parallel()
	r := removed(t, awstest.Options{})
	before := r.everything()
	x, err := r.dryRun(aws.PushOptions{Adopt: true})
	deploytest.Must(t, err)
	counts := make(map[contract.EventKind]int)
	for _, c := range x.Changes {
		counts[c.Kind]++
	}
	if counts[contract.Adopted] != 5 || counts[contract.Created] == 0 || x.Updates != 2 {
		t.Errorf("in %d updates it counts %v", x.Updates, counts)
	}
	r.mustLeave("the dry run", before)
}

func TestADryRunMendsNothing(t *testing.T) {
	t.Parallel()
	for status, says := range map[string]string{
		"ROLLBACK_COMPLETE":      "the next push removes its remains and creates the stack again",
		"UPDATE_ROLLBACK_FAILED": "fix it with: gatewright push --env dev", "DELETE_FAILED": "try again with: gatewright remove env dev",
		"UPDATE_IN_PROGRESS": "follow it with: gatewright push --watch --env dev",
	} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
			if unmade := stack.Status(status).Unmade(); unmade {
				r.fake.FailResource("AWS::Lambda::Function", "It failed")
				if r.push(pushOptions{}).err == nil {
					t.Fatal("the first push succeeds")
				}
				r.fake.Clear()
			} else {
				deploytest.Must(t, r.push(pushOptions{}).err)
			}
			r.fake.SetStatus(r.stackName("dev"), status)
			before := r.everything()
			x, err := r.dryRun(aws.PushOptions{})
			said := fmt.Sprint(err)
			if stack.Status(status).Unmade() {
				deploytest.Must(t, err)
				said = strings.Join(x.Notes, "\n")
				if !x.First() {
					t.Error("it is not a first push")
				}
			}
			if !strings.Contains(said, says) {
				t.Errorf("it says %s", said)
			}
			r.mustLeave("the dry run", before)
		})
	}
}

// TestAFailedPushLeavesFilesAndDataAsTheyWere lets the cloud refuse or fail at each place where a push
// can end.
func TestAFailedPushLeavesFilesAndDataAsTheyWere(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start string
		fail  func(f *awstest.Server)
		// at is the text of the progress at which it begins to fail; "" is before the push, and
		// "resource" the first step of a resource.
		at, said string
	}{
		"the change set is refused": {start: "another access", fail: func(f *awstest.Server) {
			f.Fail("CreateChangeSet", "ValidationError", "Template error: instance of Ref", 1)
		}, said: "AWS does not accept it: "},
		"the change set of the last update is refused": {start: "a path less", at: "resource", fail: func(f *awstest.Server) {
			f.Fail("CreateChangeSet", "ValidationError", "Template error: instance of Ref", 1)
		}, said: "AWS does not accept it: "},
		"the first update fails": {start: "a path less", fail: func(f *awstest.Server) { f.FailResource("AWS::ApiGateway::Deployment", "It failed") }, said: "It failed"},
		"the last update fails":  {start: "a path less", at: "update 2 of 2", fail: func(f *awstest.Server) { f.FailResource("AWS::ApiGateway::Deployment", "It failed") }, said: "It failed"},
		"nobody may upload":      {start: "other code", fail: func(f *awstest.Server) { f.Fail("PutObject", "AccessDenied", "Access Denied", 100) }, said: "may not do S3:PutObject"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := begin(t, startOf(t, tt.start), archives(t), awstest.Options{})
			files, data := deploytest.Tree(t, r.dir), r.fake.Data()
			if tt.at == "" {
				tt.fail(r.fake)
			}
			before, failing := r.fake.ChangeSets(r.stackName("dev")), false
			o := r.push(pushOptions{listen: func(p contract.Progress) {
				if !failing && tt.at != "" && (strings.HasPrefix(p.Text, tt.at) || tt.at == "resource" && p.Resource != nil) {
					failing = true
					tt.fail(r.fake)
				}
			}})
			oneLine(t, o.err)
			if o.err == nil || !strings.Contains(strings.ToLower(o.err.Error()), strings.ToLower(tt.said)) {
				t.Errorf("the push ends with %v", o.err)
			}
			if diff := cmp.Diff(files, deploytest.Tree(t, r.dir)); diff != "" {
				t.Errorf("the files of this machine are others (-before +now):\n%s", diff)
			}
			if diff := cmp.Diff(data, r.fake.Data()); diff != "" {
				t.Errorf("the data are others (-before +now):\n%s", diff)
			}
			for _, set := range r.fake.ChangeSets(r.stackName("dev")) {
				if strings.Contains(set, "-p-") && !slices.Contains(before, set) {
					t.Errorf("the change set %s is left", set)
				}
			}
			if s, _ := r.fake.Stack(r.stackName("dev")); !stack.Status(s.Status).Settled() {
				t.Errorf("the stack is %s", s.Status)
			}
		})
	}
}

func TestAFirstPushThatIsRefusedLeavesNoStackAndNoAccount(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	files := deploytest.Tree(t, r.dir)
	r.fake.Fail("CreateChangeSet", "ValidationError", "Template error: instance of Ref", 1)
	o := r.push(pushOptions{})
	if oneLine(t, o.err); o.err == nil || !strings.Contains(o.err.Error(), "nothing has changed") {
		t.Errorf("the push ends with %v", o.err)
	}
	for _, s := range r.fake.Stacks() {
		if s.Status != "DELETE_COMPLETE" {
			t.Errorf("there is a stack that is %s", s.Status)
		}
	}
	if diff := cmp.Diff(files, deploytest.Tree(t, r.dir)); diff != "" {
		t.Errorf("the files of this machine are others (-before +now):\n%s", diff)
	}
	// One that fails in the cloud has an account, and nothing that is deployed.
	r.fake.FailResource("AWS::Lambda::Function", "It failed")
	if o = r.push(pushOptions{}); o.err == nil {
		t.Fatal("the push succeeds")
	}
	if r.local()[".gatewright/deployed/dev/record.json"] != "" || r.open().Backend.Environment("dev").Account != awsAccount {
		t.Errorf("a first push that failed leaves %v, and the account %q", r.local(), r.open().Backend.Environment("dev").Account)
	}
	status, err := status.Of(r.open(), "dev")
	if err != nil || status.Deployed != nil || status.Was != nil || len(status.Resources) == 0 {
		t.Errorf("its status is %+v, %v", status, err)
	}
}

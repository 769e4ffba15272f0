package aws_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/render/openapi"
)

func TestWhatRunsInTheCloudIsReachedByTheNamesOfTheDefinition(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	p := r.open()
	if _, err := r.aws.Reach(t.Context(), p, p.Backend.Environment("dev")); !errors.Is(err, project.ErrNeverDeployed) {
		t.Fatalf("before the first push: %v", err)
	}
	r.push(pushOptions{})
	// What was added since the push does not run there.
	r.edit(func(b *model.Backend) error { return edit.AddFunction(b, deploytest.Function("new")) })
	p = r.open()
	reached, err := r.aws.Reach(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	if name, err := reached.Function("items"); name != "items-dev" || err != nil {
		t.Errorf("the function is %q, %v", name, err)
	}
	if name, err := reached.Table("books"); name != "books-dev" || err != nil {
		t.Errorf("the table is %q, %v", name, err)
	}
	if id, err := reached.API("shop"); id == "" || err != nil {
		t.Errorf("the API is %q, %v", id, err)
	}
	out := reached.Stack.Outputs
	if pool, client, identities := reached.Pools(); pool == "" || pool != out["UserPoolId"] || client == "" || client != out["UserPoolClientId"] || identities == "" || identities != out["IdentityPoolId"] {
		t.Errorf("the pools are %q, %q, %q of %v", pool, client, identities, out)
	}
	if _, err := reached.Function("new"); !errors.Is(err, aws.ErrNotDeployed) {
		t.Errorf("a function that was not pushed: %v", err)
	}
	if reached.Backend().Function("items") == nil || reached.Backend().Function("new") != nil {
		t.Error("the backend is not the one that was pushed")
	}
}

// TestWhatIsReachedIsKeptOnThisMachine refreshes before the first push, on a machine that has forgotten it, and after the end.
func TestWhatIsReachedIsKeptOnThisMachine(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	p := r.open()
	state, reached, err := r.aws.RefreshReached(t.Context(), p, p.Backend.Environment("dev"))
	if err != nil || reached != nil || state.Deployment != nil || state.Stack != nil || state.Account != awsAccount || state.Region != awsRegion {
		t.Errorf("before the first push: %+v, %v, %v", state, reached, err)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
	p = r.open()
	known, err := project.ReadRecord(r.dir, "dev")
	deploytest.Must(t, err)
	deploytest.Must(t, p.Undeploy("dev"))
	state, reached, err = r.aws.RefreshReached(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	if name, err := reached.Table("books"); name != "books-dev" || err != nil || state.Stack != reached.Stack || state.Note != "" {
		t.Errorf("after it the table is %q, %v, and the note %q", name, err, state.Note)
	}
	again, err := project.ReadRecord(r.dir, "dev")
	if err != nil || !cmp.Equal(known.APIs, again.APIs) || again.Stack != known.Stack || !again.Deployed.Equal(known.Deployed) {
		t.Errorf("kept is %+v, %v, and was %+v", again, err, known)
	}
	r.fake.Fail("ListStackResources", "AccessDenied", "no", 1)
	if _, _, err = r.aws.RefreshReached(t.Context(), p, p.Backend.Environment("dev")); err == nil {
		t.Error("what cannot be read is reached")
	}
}

// TestADocumentHasTheAddressOfADeployment has an environment before and after its push, and one of this machine.
func TestADocumentHasTheAddressOfADeployment(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	deploytest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "here", Provider: model.Local}))
	deploytest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "odd", Provider: model.AWS, Region: "cn-north-1"}))
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	servers := func(env string) []openapi.Server {
		p := r.open()
		all, err := outputs.ServersOf(p, p.Backend.API("shop"), p.Backend.Environment(env))
		deploytest.Must(t, err)
		return all
	}
	id := []openapi.Variable{{Name: "api", Default: "api-id"}}
	before := openapi.Server{URL: "https://{api}.execute-api.eu-central-1.amazonaws.com/dev", Description: "Environment dev; api is the id that the API has there", Variables: id}
	odd := openapi.Server{URL: "https://{api}.execute-api.cn-north-1.amazonaws.com.cn/odd", Description: "Environment odd; api is the id that the API has there", Variables: id}
	if diff := cmp.Diff([][]openapi.Server{{before}, {odd}}, [][]openapi.Server{servers("dev"), servers("odd")}); diff != "" {
		t.Error(diff)
	}
	here := servers("here")
	if len(here) != 1 || here[0].Description != "Environment here, on the machine of its developer" || !strings.HasPrefix(here[0].URL, "http://127.0.0.1:") || here[0].Variables != nil {
		t.Errorf("on this machine it is at %+v", here)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
	state, err := r.look()
	deploytest.Must(t, err)
	after := openapi.Server{URL: state.Deployment.APIs[0].URL, Description: "Environment dev"}
	if diff := cmp.Diff([]openapi.Server{after}, servers("dev")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]openapi.Server{before, here[0], odd}, servers("none")); diff != "" {
		t.Error(diff)
	}
}

// TestARefreshKeepsTheTimeOfTheLastPushThatWorked refreshes while another push goes on, and after one that failed.
func TestARefreshKeepsTheTimeOfTheLastPushThatWorked(t *testing.T) {
	t.Parallel()
	r := begin(t, startOf(t, "other code"), archives(t), awstest.Options{Speed: 1})
	known := r.local()
	refresh := func(when string) {
		p := r.open()
		state, err := r.aws.Refresh(t.Context(), p, p.Backend.Environment("dev"))
		deploytest.Must(t, err)
		if diff := cmp.Diff(known, r.local()); diff != "" || state.Deployment == nil {
			t.Errorf("%s the stack is %s, and what is kept differs:\n%s", when, state.Stack.Status, diff)
		}
	}
	r.fake.FailResource("AWS::Lambda::Function", "no room")
	r.leave(pushOptions{})
	refresh("while a push goes on")
	r.fake.Speed(3)
	r.settle()
	refresh("after it failed")
	if s, _ := r.fake.Stack(r.stackName("dev")); s.Status != "UPDATE_ROLLBACK_COMPLETE" {
		t.Errorf("the stack is %s", s.Status)
	}
}

// TestAnAccountIsOpenedWithTheProfileThatTheProjectKeeps has one of the command, one of the project, and both.
func TestAnAccountIsOpenedWithTheProfileThatTheProjectKeeps(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	deploytest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "far", Provider: model.AWS, Region: "us-west-2", Account: awsAccount}))
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	p := r.open()
	for _, row := range []struct{ given, kept, want string }{{"", "", ""}, {"command", "", "command"}, {"", "project", "project"}, {"command", "project", "project"}} {
		deploytest.Must(t, p.SetProfile("dev", row.kept))
		provider := aws.Provider{Profile: row.given, Region: "eu-north-1"}
		dev, far := provider.Options(p, p.Backend.Environment("dev")), provider.Options(p, p.Backend.Environment("far"))
		if dev.Profile != row.want || dev.Environment != "dev" || dev.Region != awsRegion || dev.Want != "" || far.Profile != row.given || far.Region != "us-west-2" || far.Want != awsAccount {
			t.Errorf("with %q given and %q kept, dev is opened with %+v, and far with %+v", row.given, row.kept, dev, far)
		}
	}
}

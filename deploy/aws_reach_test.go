package deploy_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy"
	"gatewright/deploy/awstest"
	"gatewright/model"
	"gatewright/project"
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
	r.edit(func(b *model.Backend) error { return b.AddFunction(function("new")) })
	p = r.open()
	reached, err := r.aws.Reach(t.Context(), p, p.Backend.Environment("dev"))
	must(t, err)
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
	if _, err := reached.Function("new"); !errors.Is(err, deploy.ErrNotDeployed) {
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
	must(t, r.push(pushOptions{}).err)
	p = r.open()
	known, err := project.ReadRecord(r.dir, "dev")
	must(t, err)
	must(t, p.Undeploy("dev"))
	state, reached, err = r.aws.RefreshReached(t.Context(), p, p.Backend.Environment("dev"))
	must(t, err)
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

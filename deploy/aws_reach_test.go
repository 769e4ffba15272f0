package deploy_test

import (
	"errors"
	"testing"

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
	if pool, client, identities := reached.Pools(); pool == "" || client == "" || identities == "" {
		t.Errorf("the pools are %q, %q, %q", pool, client, identities)
	}
	if _, err := reached.Function("new"); !errors.Is(err, deploy.ErrNotDeployed) {
		t.Errorf("a function that was not pushed: %v", err)
	}
	if reached.Backend().Function("items") == nil || reached.Backend().Function("new") != nil {
		t.Error("the backend is not the one that was pushed")
	}
}

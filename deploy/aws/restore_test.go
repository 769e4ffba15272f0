package aws_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/stack"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project/plan"
)

// inCloud pushes the environment dev of a project to a fake of AWS.
func inCloud(t *testing.T, fake *awstest.Server, dir string, options aws.PushOptions) (told []string, err error) {
	t.Helper()
	p := deploytest.Opened(t, dir)
	provider := aws.Provider{Cache: dir + "-cache", Getenv: fake.Getenv, Pace: stack.Pace{Poll: time.Nanosecond}}
	x, err := provider.Prepare(t.Context(), contract.Target{Project: p, Environment: p.Backend.Environment("dev"), Now: time.Now()}, options, nil)
	if err != nil {
		return nil, err
	}
	_, err = x.Apply(t.Context(), func(p contract.Progress) {
		if p.Text != "" {
			told = append(told, p.Text)
		}
	}, nil)
	return told, err
}

// TestAFailedPushOfSeveralUpdatesGoesBackOneByOne: a table gets or loses one index in an
// update, on the way back too.
func TestAFailedPushOfSeveralUpdatesGoesBackOneByOne(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	b := deploytest.Shop(t)
	dev := *b.Environment("dev")
	dev.Provider, dev.Account = model.AWS, "123456789012"
	deploytest.Must(t, edit.UpdateEnvironment(b, &dev))
	index := func(name string) model.Index {
		return model.Index{Name: name, PartitionKey: model.Key{Name: name, Type: model.StringKey}}
	}
	table := &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Indexes: []model.Index{index("byA"), index("byB"), index("byC")}}
	deploytest.Must(t, edit.AddTable(b, table))
	dir := filepath.Join(t.TempDir(), "shop")
	deploytest.Must(t, os.Mkdir(dir, 0o755))
	p := deploytest.Made(t, dir, b)
	if _, err := inCloud(t, fake, dir, aws.PushOptions{}); err != nil {
		t.Fatal(err)
	}
	first := fake.Stacks()[0]
	was := fake.Templates(first.Name)

	next, err := p.Backend.Edit(func(b *model.Backend) error {
		changed := *table
		changed.Indexes = nil
		return errors.Join(edit.UpdateTable(b, &changed), edit.Remove(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, true), edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{deploytest.Open("/goods", "items")}}))
	})
	deploytest.Must(t, err)
	plan, err := plan.Of(p, next)
	deploytest.Must(t, err)
	deploytest.Must(t, plan.Commit())
	fake.FailResource("AWS::ApiGateway::Deployment", "Rate exceeded")
	told, err := inCloud(t, fake, dir, aws.PushOptions{})
	if !errors.Is(err, aws.ErrPushFailed) || strings.Contains(err.Error(), "could not be restored") {
		t.Fatalf("the push says %v after %q", err, told)
	}
	all := fake.Templates(first.Name)
	var counts []int
	for _, body := range all {
		counts = append(counts, strings.Count(string(body), `"IndexName"`))
	}
	// The last update of the push, the one to no index, failed, so nothing is left of it.
	if want := []int{3, 3, 2, 1, 0, 2, 3, 3}; !slices.Equal(counts, want) {
		t.Errorf("the indexes in the updates are %v, want %v", counts, want)
	}
	if string(all[len(all)-1]) != string(was[0]) {
		t.Errorf("the last template is not the first one; the indexes are %v", counts)
	}
	// The next push goes on from there.
	if told, err := inCloud(t, fake, dir, aws.PushOptions{}); err != nil {
		t.Errorf("the next push says %v after %q", err, told)
	}
}

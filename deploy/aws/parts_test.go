package aws_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/test/depth"
)

// TestAnAPIThatNoStackTakesIsPushedInParts is pushed for the first time in several updates, loses routes
// and gets others, and is removed. The order of several updates has the usual depth elsewhere: their
// division in render/template, and their pushes with the tables of threeUpdates.
func TestAnAPIThatNoStackTakesIsPushedInParts(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	large := func(from, to int) *access.API {
		api := &access.API{Label: "large"}
		for n := from; n < to; n++ {
			api.Paths = append(api.Paths, deploytest.SignedIn(fmt.Sprintf("/a%d/b%d", n%40, n), "items"))
		}
		return api
	}
	b := cloudShop(t)
	deploytest.Must(t, edit.AddAPI(b, large(0, 430)))
	dev := *b.Environment("dev")
	dev.APIResources = 2000
	deploytest.Must(t, edit.UpdateEnvironment(b, &dev))
	r := roomInCloud(t, b, archives(t), awstest.Options{StacksPerPage: 100, ChangesPerPage: 5000, Speed: 5000})
	o := r.push(pushOptions{})
	deploytest.Must(t, o.err)
	if said := strings.Join(o.prepared.Remarks(), "\n"); !strings.Contains(said, "in 2 updates, one after the other: update 1 creates a part of the new resources; update 2 creates the new resources") {
		t.Errorf("it says before: %s", said)
	}
	routes := func() map[string]string {
		at := make(map[string]string)
		for _, s := range r.fake.Stacks() {
			for _, x := range s.Resources {
				if x.Type == "AWS::ApiGateway::Resource" || x.Type == "AWS::ApiGateway::Method" {
					at[x.LogicalID] = s.Name + " " + x.PhysicalID
				}
			}
		}
		return at
	}
	before := routes()
	r.edit(func(b *model.Backend) error { return edit.UpdateAPI(b, large(100, 500)) })
	deploytest.Must(t, r.push(pushOptions{}).err)
	if again := r.push(pushOptions{}); again.err != nil || again.prepared.Changed() {
		t.Errorf("a push of the same changes something: %v", again.err)
	}
	after := routes()
	for id, at := range after {
		if before[id] != "" && before[id] != at {
			t.Errorf("%s was %s and is %s", id, before[id], at)
		}
	}
	if len(after) < 2000 || len(after) == len(before) {
		t.Errorf("there were %d routes, and are %d", len(before), len(after))
	}
	removal, err := r.removal()
	deploytest.Must(t, err)
	_, err = removal.Apply(t.Context(), nil)
	deploytest.Must(t, err)
	if left := routes(); len(left) > 0 {
		t.Errorf("%d routes are left", len(left))
	}
}

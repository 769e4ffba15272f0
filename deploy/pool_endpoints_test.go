package deploy_test

import (
	"testing"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
)

func TestADeploymentTellsWhereItsPoolsAre(t *testing.T) {
	const user, identity = "http://127.0.0.1:4999/_user-pool", "http://127.0.0.1:4999/_identity-pool"
	b := shop(t)
	settled := b.Project
	settled.SandboxPort = 4999
	must(t, b.SetProject(settled))
	p := made(t, t.TempDir(), b)
	index := deploy.OpenIndex(t.TempDir())
	record, _ := push(t, index, p, "dev")
	if u, i := deploy.PoolEndpoints(record); u != "" || i != "" {
		t.Errorf("without a user pool its endpoints are %q and %q", u, i)
	}
	p = edited(t, p, func(b *model.Backend) error { return b.AddGroup("Admins") })
	push(t, index, p, "dev")
	kept, err := project.ReadRecord(p.Root, "dev")
	must(t, err)
	if u, i := deploy.PoolEndpoints(kept); u != user || i != identity || kept.UserPoolEndpoint != user || kept.IdentityPoolEndpoint != identity {
		t.Errorf("the record has %q and %q, and they are %q and %q", kept.UserPoolEndpoint, kept.IdentityPoolEndpoint, u, i)
	}

	// A record from before it told of them.
	old := kept
	old.UserPoolEndpoint, old.IdentityPoolEndpoint = "", ""
	if u, i := deploy.PoolEndpoints(old); u != user || i != identity {
		t.Errorf("those of an older record are %q and %q", u, i)
	}
	for name, change := range map[string]func(*project.Record){
		"in the cloud":     func(r *project.Record) { r.Provider = model.AWS },
		"without an API":   func(r *project.Record) { r.APIs = nil },
		"without a pool":   func(r *project.Record) { r.Outputs = nil },
		"with an odd URL":  func(r *project.Record) { r.APIs = []project.Endpoint{{URL: "http://127.0.0.1:port/x"}} },
		"with a part only": func(r *project.Record) { r.APIs = []project.Endpoint{{URL: "/x"}} },
	} {
		changed := old
		change(&changed)
		if u, i := deploy.PoolEndpoints(changed); u != "" || i != "" {
			t.Errorf("%s they are %q and %q", name, u, i)
		}
	}
}

package outputs_test

import (
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/deploy/outputs"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
)

func TestADeploymentHasTheEndpointsOfItsPools(t *testing.T) {
	t.Parallel()
	const user, identity = "http://127.0.0.1:4999/_user-pool", "http://127.0.0.1:4999/_identity-pool"
	b := deploytest.Shop(t)
	settled := b.Project
	settled.SandboxPort = 4999
	deploytest.Must(t, edit.SetProject(b, settled))
	p := deploytest.Made(t, t.TempDir(), b)
	index := index.Open(t.TempDir())
	record, _ := deploytest.Pushed(t, index, p, "dev")
	if u, i := outputs.PoolEndpoints(record); u != "" || i != "" {
		t.Errorf("without a user pool its endpoints are %q and %q", u, i)
	}
	p = deploytest.Edited(t, p, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") })
	deploytest.Pushed(t, index, p, "dev")
	kept, err := project.ReadRecord(p.Root, "dev")
	deploytest.Must(t, err)
	if u, i := outputs.PoolEndpoints(kept); u != user || i != identity || kept.UserPoolEndpoint != user || kept.IdentityPoolEndpoint != identity {
		t.Errorf("the record has %q and %q, and they are %q and %q", kept.UserPoolEndpoint, kept.IdentityPoolEndpoint, u, i)
	}

	// An old record does not have the endpoints.
	old := kept
	old.UserPoolEndpoint, old.IdentityPoolEndpoint = "", ""
	if u, i := outputs.PoolEndpoints(old); u != user || i != identity {
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
		if u, i := outputs.PoolEndpoints(changed); u != "" || i != "" {
			t.Errorf("%s they are %q and %q", name, u, i)
		}
	}
}

func TestAClientConfigurationFileLeadsToItsPools(t *testing.T) {
	t.Parallel()
	with := func(endpoints ...string) model.Outputs {
		apis := make(map[string]any)
		for i, endpoint := range endpoints {
			apis[string(rune('a'+i))] = map[string]any{"endpoint": endpoint}
		}
		return model.Outputs{"auth": map[string]any{}, "custom": map[string]any{"API": apis}}
	}
	for endpoint, address := range map[string]string{
		"http://127.0.0.1:4999/m8vdsm9ji3/dev":                         "http://127.0.0.1:4999",
		"http://localhost:4280/m8vdsm9ji3/dev/":                        "http://localhost:4280",
		"http://[::1]:4280/m8vdsm9ji3/dev":                             "http://[::1]:4280",
		"https://m8vdsm9ji3.execute-api.eu-west-1.amazonaws.com/dev":   "",
		"http://m8vdsm9ji3.execute-api.localhost.example.com:4566/dev": "",
		"http://127.0.0.1.example.com/m8vdsm9ji3/dev":                  "",
		"https://127.0.0.1:4280/m8vdsm9ji3/dev":                        "",
		"http://127.0.0.1:3000/api":                                    "",
		"http://127.0.0.1:4566/restapis/m8vdsm9ji3/dev/_user_request_": "",
		"http://127.0.0.1:4280/m8vdsm9ji3":                             "",
		"http://127.0.0.1:port/m8vdsm9ji3/dev":                         "",
		"http://user@127.0.0.1:4280/m8vdsm9ji3/dev":                    "",
		"//127.0.0.1:4280/m8vdsm9ji3/dev":                              "",
		"":                                                             "",
	} {
		user, identity := outputs.PoolEndpointsIn(with("https://elsewhere.example.com/dev", endpoint))
		if address == "" && user+identity != "" || address != "" && (user != address+"/_user-pool" || identity != address+"/_identity-pool") {
			t.Errorf("the pools of a file with %s are at %q and %q", endpoint, user, identity)
		}
	}
	for name, values := range map[string]model.Outputs{
		"no section auth": {"custom": with("http://127.0.0.1:4999/m8vdsm9ji3/dev")["custom"]}, "no API": {"auth": map[string]any{}},
		"odd values": {"auth": true, "custom": map[string]any{"API": map[string]any{"a": 1, "b": map[string]any{"endpoint": 2}}}}, "nothing": nil,
	} {
		if user, identity := outputs.PoolEndpointsIn(values); user+identity != "" {
			t.Errorf("%s: %q and %q", name, user, identity)
		}
	}
}

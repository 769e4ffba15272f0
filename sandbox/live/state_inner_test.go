package live

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/index"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
)

func TestTheStateOfTheSandboxIsAFolderThatGitIgnores(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for range 2 {
		state, err := MakeState(root)
		if err != nil || state != filepath.Join(root, ".gatewright", "sandbox") {
			t.Fatalf("it is %s, %v", state, err)
		}
		if text, err := os.ReadFile(filepath.Join(root, ".gatewright", ".gitignore")); err != nil || string(text) != "*\n" {
			t.Errorf("git ignores %q, %v", text, err)
		}
	}
	writeAt(t, root, ".gatewright/.gitignore", "own\n", 0o644)
	if _, err := MakeState(root); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(filepath.Join(root, ".gatewright", ".gitignore")); string(text) != "own\n" {
		t.Errorf("what somebody wrote there is %q", text)
	}
	for _, at := range []string{".gatewright", ".gatewright/sandbox"} {
		root := t.TempDir()
		writeAt(t, root, at, "", 0o644)
		_, err := MakeState(root)
		if want := "making the sandbox's state: " + at + " must be a folder, not a link; move it away"; fmt.Sprint(err) != want {
			t.Errorf("with a file in its place: %v, want %s", err, want)
		}
	}
}

func TestTheEnvironmentOfASandboxIsChosenAsTheLayoutAllows(t *testing.T) {
	t.Parallel()
	environments := func(names ...string) (all []*model.Environment) {
		for _, name := range names {
			all = append(all, &model.Environment{Name: name, Provider: model.Local})
		}
		return all
	}
	for _, tt := range []struct {
		layout project.Layout
		has    []*model.Environment
		name   string
		want   string
	}{
		{project.Amplify, environments("main", "dev"), "", "dev"},
		{project.Amplify, environments("main", "test"), "", "main"},
		{project.Amplify, environments("main", "test"), "test", "test"},
		{project.Native, environments("main"), "", "main"},
		{project.Native, environments("main", "dev"), "", "environment: none is chosen; the project has main, dev; give --env NAME, or choose one with: gatewright env use NAME"},
	} {
		root := t.TempDir()
		writeAt(t, root, "backend/project.json", `{"version": 1, "name": "shop", "applicationId": "a"}`, 0o644)
		p, err := project.Open(root)
		if err != nil {
			t.Fatal(err)
		}
		if p.Layout, p.Backend = tt.layout, (&model.Backend{Environments: tt.has}); tt.layout == project.Amplify {
			p.Backend.Layout = tt.layout
		}
		env, err := EnvironmentOf(p, tt.name)
		_ = p.Close()
		got := fmt.Sprint(err)
		if err == nil {
			got = env.Name
		}
		if got != tt.want || err != nil && !errors.Is(err, index.ErrRequest) {
			t.Errorf("%v with %d and %q: %s, want %s", tt.layout, len(tt.has), tt.name, got, tt.want)
		}
	}
}

func TestAFunctionIsLedToThePoolsUnlessItGoesElsewhere(t *testing.T) {
	t.Parallel()
	const here, users, identities = "http://127.0.0.1:1", "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", "AWS_ENDPOINT_URL_COGNITO_IDENTITY"
	p := &pool.Pool{UserPoolID: "eu-west-3_x", ClientID: "c", IdentityPoolID: "i", AccountID: "123456789012"}
	for _, tt := range []struct {
		pool        *pool.Pool
		address     string
		given, want map[string]string
	}{
		{nil, here, map[string]string{}, map[string]string{}},
		{p, "", map[string]string{}, map[string]string{}},
		{p, here, map[string]string{}, map[string]string{users: here, identities: here}},
		{p, here, map[string]string{users: "own"}, map[string]string{users: "own", identities: here}},
		{p, here, map[string]string{"AWS_ENDPOINT_URL": "own"}, map[string]string{"AWS_ENDPOINT_URL": "own"}},
	} {
		x := specMaker{environment: sandbox.Environment{Pool: tt.pool}, address: tt.address}
		x.reachPools(tt.given)
		if diff := cmp.Diff(tt.want, tt.given); diff != "" {
			t.Errorf("it is given otherwise (-want +got):\n%s", diff)
		}
	}
	x := specMaker{environment: sandbox.Environment{Pool: p}}
	if diff := cmp.Diff(map[string]string{
		"USER_POOL_ID": "eu-west-3_x", "USER_POOL_CLIENT_ID": "c", "IDENTITY_POOL_ID": "i", "USER_POOL_ARN": "arn:aws:cognito-idp:eu-west-3:123456789012:userpool/eu-west-3_x",
	}, x.pools()); diff != "" {
		t.Errorf("values may refer to other things (-want +got):\n%s", diff)
	}
}

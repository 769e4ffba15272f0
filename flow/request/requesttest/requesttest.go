// Package requesttest makes a small project for tests that send requests.
package requesttest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
)

// echo is a handler that answers with its event and writes a log line. The query can
// make it wait, fail, or answer something else.
const echo = `exports.handler = async (event) => {
  const query = event.queryStringParameters || {};
  console.log("served", event.httpMethod, event.path);
  if (query.wait) await new Promise((done) => setTimeout(done, Number(query.wait)));
  if (query.fail) throw new Error("on purpose");
  if (query.plain) return { statusCode: 200, headers: { "Content-Type": "text/plain" }, body: "plain\ttext\n" };
  const { accessKey, sourceIp, userAgent, ...identity } = event.requestContext.identity;
  const { Authorization, "X-Amz-Date": date, "X-Amz-Security-Token": token, ...headers } = event.headers || {};
  for (const name of Object.keys(headers)) {
    if (/^(user-agent|accept|accept-encoding|content-length|x-amzn-trace-id|x-amz-content-sha256|authorization|x-amz-date|x-amz-security-token)$/i.test(name)) delete headers[name];
  }
  return {
    statusCode: Number(query.status || 200),
    headers: { "Content-Type": "application/json", "X-Served-By": "echo" },
    multiValueHeaders: { "Set-Cookie": ["a=1", "b=2"] },
    body: JSON.stringify({
      method: event.httpMethod, path: event.path, parameters: event.pathParameters,
      query: event.multiValueQueryStringParameters, headers, identity, body: event.body, binary: event.isBase64Encoded,
    }),
  };
};
`

// Shop returns a backend with an open path, one for signed-in users and guests, and one
// for a group. Its environments are dev and prod; prod is guarded.
func Shop(t testing.TB) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	must(t, edit.SetProject(b,
		model.Project{Name: "shop", ApplicationID: "app1", Region: "eu-west-1", Dialect: model.Neutral}))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	must(t, edit.AddFunction(b, &model.Function{
		Name: "echo", Runtime: model.NodeJS, Template: model.Plain,
		Handler: "index.handler",
	}))
	must(t, edit.AddGroup(b, "Editors"))
	grant := func(kind access.PrincipalKind, group string, actions ...access.Action) access.Grant {
		return access.Grant{To: access.Principal{Kind: kind, Group: group}, Actions: access.ActionSet(actions...)}
	}
	must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{
		{Name: "/open", Function: "echo", Access: access.Access{Setting: access.Open}},
		{Name: "/books/{isbn}", Function: "echo", Access: access.Access{Setting: access.Protected, Grants: []access.Grant{
			grant(access.Authenticated, "", access.Read, access.Create), grant(access.Guest, "", access.Read),
			grant(access.Group, "Editors", access.Read, access.Update, access.Delete),
		}}},
		{
			Name: "/staff", Function: "echo",
			Access: access.Access{Setting: access.Private, Grants: []access.Grant{grant(access.Group, "Editors", access.Read)}},
		},
	}}))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.Local, Branch: "main", Guarded: true}))
	return b
}

// WriteProject writes a backend as a project into a new folder named bookshop.
func WriteProject(t testing.TB, b *model.Backend) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bookshop")
	must(t, os.Mkdir(dir, 0o755))
	deploytest.Write(t, dir, b)
	if b.Function("echo") != nil {
		must(t, os.WriteFile(filepath.Join(dir, "backend", "function", "echo", "src", "index.js"), []byte(echo), 0o644))
	}
	p, err := project.Open(dir)
	must(t, err)
	plan, err := plan.Use(p, "dev")
	must(t, err)
	must(t, plan.Commit())
	must(t, p.Close())
	return dir
}

// Push deploys an environment.
func Push(t testing.TB, dir, env string) {
	t.Helper()
	deploytest.Push(t, dir, env, time.Now())
}

// AddUser adds a user of dev, who can sign in, to some groups.
func AddUser(t testing.TB, dir, name string, groups ...string) {
	t.Helper()
	ctx := context.Background()
	held := OpenUsers(t, dir)
	must(t, sandbox.Ask(ctx, held, "AdminCreateUser",
		map[string]any{
			"Username": name, "MessageAction": "SUPPRESS",
			"UserAttributes": []map[string]string{{"Name": "email", "Value": name + "@example.com"}},
		}, nil))
	must(t, sandbox.Ask(ctx, held, "AdminSetUserPassword",
		map[string]any{"Username": name, "Password": "Correct-horse-7", "Permanent": true}, nil))
	for _, group := range groups {
		must(t, sandbox.Ask(ctx, held, "AdminAddUserToGroup", map[string]any{"Username": name, "GroupName": group}, nil))
	}
	must(t, held.Close())
}

// OpenUsers opens the users of dev in the sandbox that serves a project. The caller closes them.
func OpenUsers(t testing.TB, dir string) *sandbox.HeldUsers {
	t.Helper()
	ctx := context.Background()
	p, err := project.Open(dir)
	must(t, err)
	defer func() { _ = p.Close() }()
	dev := p.Backend.Environment("dev")
	pool, err := outputs.PoolOf(p.Backend.For(dev), dev)
	must(t, err)
	client, err := sandbox.Connect(live.State(dir))
	must(t, err)
	status, err := client.Status(ctx)
	must(t, err)
	held, err := sandbox.OpenUsers(ctx, live.State(dir), *pool, status.Address, nil)
	must(t, err)
	return held
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

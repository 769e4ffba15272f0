//go:build unix

package cloud

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/standin"
)

// shop makes a project with a path of each kind of access, and a table behind one of them.
// Both environments are for an account of their own.
const shop = `
	init --name shop --app-id d1shop --region eu-central-1
	add group Admins
	add function items --template plain
	add function news --template plain
	add function drafts --template plain
	add api shop --path /items --function items --auth all --guest read
	add path shop /news --function news --open
	add path shop /drafts --function drafts --group Admins=all
	add table items --partition-key id --deletion delete
	update env dev --provider aws --account 123456789012
	add env prod --provider aws --account 222222222222 --region eu-west-1
	env use prod --profile profile-of-prod
	env use dev --profile profile-of-dev
`

// secretValue is the value of a secret of the function news.
const secretValue = "value-of-the-secret"

func TestTwoEnvironmentsAreDeployedToTheirAccounts(t *testing.T) {
	m := newMachine(t)
	m.must(strings.Replace(shop, "add table items --partition-key id --deletion delete", "", 1))
	m.must(`
		remove path shop /items
		remove function items
		add function items --template crud --table items --partition-key id
		add path shop /items --function items --auth all --guest read
		update function news --secret MAIL_KEY
		update env prod --guarded
	`)
	for _, env := range []string{"dev", "prod"} {
		m.write(filepath.Join(m.dir, ".gatewright", "secrets", env+".json"), `{"MAIL_KEY": "`+secretValue+`"}`)
	}
	m.installPackages()
	m.take()

	// The credentials of another account are refused before anything is asked there.
	m.must("env use prod --profile " + devProfile)
	_, refusal := m.run(1, "push", "--env", "prod", "--confirm", "prod")
	oneLine(t, refusal, "environment prod", prodAccount, devAccount)
	if calls := m.take(); !slices.Equal(standin.Services(calls), []string{"sts"}) {
		t.Errorf("a push with the credentials of another account called %v", standin.Services(calls))
	}
	m.must("env use prod --profile " + prodProfile)

	// A push needs consent: of a guarded environment by its name.
	m.run(2, "push", "--env", "dev")
	m.run(2, "push", "--env", "prod", "--yes")
	if calls := m.take(); len(calls) > 0 {
		t.Errorf("without consent %v were called", standin.Services(calls))
	}

	for _, env := range []struct{ name, account, region string }{{"dev", devAccount, "eu-central-1"}, {"prod", prodAccount, "eu-west-1"}} {
		t.Run(env.name, func(t *testing.T) {
			m := m.of(t)
			m.must("env use " + env.name)
			out, _ := m.run(0, "push", "--yes", "--confirm", env.name)
			for _, want := range []string{"account " + env.account, ".execute-api." + env.region + ".amazonaws.com/" + env.name + "/items"} {
				if !strings.Contains(out, want) {
					t.Errorf("the push does not say %q:\n%s", want, out)
				}
			}
			pushed := m.take()
			for _, c := range pushed {
				if c.KeyID != env.account {
					t.Errorf("%s of %s was called by the account %s", c.Action, c.Service, c.KeyID)
				}
			}
			protected := slices.Contains(standin.Actions(pushed, "cloudformation"), "UpdateTerminationProtection")
			if guarded := env.name == "prod"; protected != guarded {
				t.Errorf("the stack is protected from removal: %v, and should be: %v", protected, guarded)
			}

			m.answersAsCanSays(env.account)
			m.keepsItems(env.account)

			out, _ = m.run(0, "push", "--yes", "--confirm", env.name)
			if !strings.Contains(out, "AWS is up to date") {
				t.Errorf("a second push says:\n%s", out)
			}
			again := m.take()
			for _, action := range standin.Actions(again, "s3") {
				if strings.HasPrefix(action, "PUT ") {
					t.Errorf("a second push uploads again: %s", action)
				}
			}
			if slices.Contains(standin.Actions(again, "cloudformation"), "ExecuteChangeSet") {
				t.Error("a second push deploys again")
			}
		})
	}
	m.keepsSecrets()
}

// installPackages makes the archives once outside of the trap, since packages come from their
// registry. Nothing is deployed by it.
func (m *machine) installPackages() {
	m.t.Helper()
	open := []string{"HTTP_PROXY=", "HTTPS_PROXY=", "http_proxy=", "https_proxy="}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "npm_config_registry", "NPM_CONFIG_USERCONFIG"} {
		if value := os.Getenv(name); value != "" {
			open = append(open, name+"="+value)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		open = append(open, "HOME="+home)
	}
	_, out, code := m.with(open...).try("push", "--dry-run")
	switch {
	case code != 0 && os.Getenv("CI") != "true" && strings.Contains(out, "npm"):
		depth.Lacks(m.t, "packages of npm", "the template crud needs some: "+out)
	case code != 0:
		m.t.Fatalf("a dry run fails: %s", out)
	}
	for _, c := range m.take() {
		if c.Service == "s3" && !strings.HasPrefix(c.Action, "HEAD ") || c.Service == "cloudformation" && c.Action != "DescribeStacks" {
			m.t.Errorf("a dry run of a first push called %s of %s", c.Action, c.Service)
		}
	}
}

// answersAsCanSays sends requests of all kinds of callers, and compares the answers with what
// the program says of the definition.
func (m *machine) answersAsCanSays(account string, paths ...string) {
	m.t.Helper()
	if len(paths) == 0 {
		paths = []string{"/items", "/items/1", "/news/today", "/drafts", "/drafts/1", "/nothing"}
	}
	who := []string{"guest", "user", "member"}
	if account == standin.Account {
		// The stand-in does not find other accounts without a signature.
		who = append(who, "nobody")
	}
	var requests []request
	for _, path := range paths {
		for _, method := range []string{"GET", "POST"} {
			for _, who := range who {
				requests = append(requests, request{Who: who, Method: method, Path: path})
			}
		}
	}
	for i, got := range m.send(account, requests...) {
		// What a function answers to a request without a body is its own affair.
		if r := requests[i]; (got.Status != 403) != m.can(r) || got.Status >= 500 {
			m.t.Errorf("%s %s %s is answered with %d %s; may: %v", r.Who, r.Method, r.Path, got.Status, got.Body, m.can(r))
		}
	}
}

// keepsItems writes, reads and deletes an item of the deployed table.
func (m *machine) keepsItems(account string) {
	m.t.Helper()
	steps := []struct {
		request
		want answer
	}{
		{request{"user", "PUT", "/items", `{"id":"7","title":"Emma"}`}, answer{200, `{"success":"put call succeed!","url":"/items","data":{}}`}},
		{request{"guest", "GET", "/items/7", ""}, answer{200, `[{"id":"7","title":"Emma"}]`}},
		{request{"guest", "GET", "/items/object/7", ""}, answer{200, `{"id":"7","title":"Emma"}`}},
		{request{"user", "DELETE", "/items/object/7", ""}, answer{200, `{"success":"delete call succeed!","url":"/items/object/7","data":{}}`}},
		{request{"guest", "GET", "/items/7", ""}, answer{200, `[]`}},
	}
	var requests []request
	for _, s := range steps {
		requests = append(requests, s.request)
	}
	for i, got := range m.send(account, requests...) {
		if want := steps[i].want; got.Status != want.Status || !sameJSON(got.Body, want.Body) {
			m.t.Errorf("%v is answered with %v, want %v", steps[i].request, got, want)
		}
	}
}

// keepsSecrets looks for secrets and names of profiles in all that was written, uploaded and
// printed.
func (m *machine) keepsSecrets() {
	m.t.Helper()
	places := map[string]string{"the output": m.said.String()}
	for _, root := range []string{m.dir, m.state} {
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			if at, _ := filepath.Rel(m.dir, name); at == ".gatewright/profiles.json" || strings.HasPrefix(at, ".gatewright/secrets/") {
				return nil
			}
			text, err := os.ReadFile(name)
			places[name] = string(text)
			return err
		})
		if err != nil {
			m.t.Fatal(err)
		}
	}
	hidden := 0
	for i, c := range *m.seen {
		if c.Action == "CreateChangeSet" {
			// Values of secrets go to AWS as parameters, which it does not show.
			hidden += strings.Count(c.Form.Encode(), secretValue)
			continue
		}
		places[fmt.Sprintf("the call %d, %s", i, c.Action)] = string(c.Body)
	}
	for place, text := range places {
		for _, word := range []string{devProfile, prodProfile, devKey, prodKey, secretValue} {
			if strings.Contains(text, word) {
				m.t.Errorf("%q is in %s", word, place)
			}
		}
	}
	if hidden == 0 {
		m.t.Error("the value of the secret was never sent")
	}
}

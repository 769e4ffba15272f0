package project_test

import (
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/status"
	"gatewright/project/validate"
)

// withData returns a shop whose data API differs between dev and prod, and takes a key.
func withData(t *testing.T, fsys afero.Fs) *project.Project {
	t.Helper()
	edited(t, shop(t, fsys), func(b *model.Backend) error {
		for _, env := range b.Environments {
			e := *env
			e.Data = &model.Data{URL: "https://" + e.Name + ".example/graphql"}
			if err := edit.UpdateEnvironment(b, &e); err != nil {
				return err
			}
		}
		return edit.SetData(b, &model.Data{Region: "eu-west-1", URL: "https://any.example", DefaultAuthorizationType: "API_KEY", AuthorizationTypes: []string{}})
	})
	return load(t, fsys, project.Native)
}

// push does what a push does to the files of a project.
func push(t *testing.T, fsys afero.Fs, env, address string) {
	t.Helper()
	p := load(t, fsys, project.Native)
	record := recordOf(env, address)
	content, err := clientfile.Of(p.Backend, p.Backend.Environment(env), record.Outputs)
	must(t, err)
	record.Values = content.Values
	must(t, p.Deploy(record))
	plan, err := plan.ClientFile(p, env, record.Values)
	must(t, err)
	must(t, plan.Commit())
}

func use(t *testing.T, fsys afero.Fs, env string) {
	t.Helper()
	plan, err := plan.Use(load(t, fsys, project.Native), env)
	must(t, err)
	must(t, plan.Commit())
}

func TestTheClientFileThatAPushWroteIsUpToDate(t *testing.T) {
	t.Parallel()
	for _, dialect := range model.Dialects {
		t.Run(string(dialect), func(t *testing.T) {
			fsys := disk.Memory()
			inDialect(t, withData(t, fsys), fsys, dialect)
			upToDate := func(when string) {
				t.Helper()
				if got := lines(notOpen(validate.Project(load(t, fsys, project.Native)))); got != "" {
					t.Errorf("%s problems are\n%s", when, got)
				}
			}
			upToDate("before the first push")
			push(t, fsys, "dev", "http://127.0.0.1:1/a/dev")
			upToDate("after a push of dev")
			push(t, fsys, "prod", "http://127.0.0.1:1/b/prod")
			upToDate("after a push of prod, while dev is chosen,")
			use(t, fsys, "dev")
			upToDate("with dev in use")
			use(t, fsys, "prod")
			upToDate("with prod in use")
			edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
				return edit.AddOutput(b, model.Outputs{"custom": map[string]any{"list": []any{1.0, "x"}}})
			})
			upToDate("after an edit")
			must(t, load(t, fsys, project.Native).Undeploy("prod"))
			upToDate("with what a deployment wrote that is forgotten")
		})
	}
}

func TestTheAddressesOfASandboxStayInTheClientFile(t *testing.T) {
	t.Parallel()
	const address = "http://127.0.0.1:1/a/dev"
	fsys := disk.Memory()
	p := shop(t, fsys)
	record := recordOf("dev", address)
	content, err := clientfile.Of(p.Backend, p.Backend.Environment("dev"), record.Outputs)
	must(t, err)
	record.Values = content.Values
	plan, err := plan.ClientFileOfRecord(p, record)
	must(t, err)
	must(t, plan.Commit())
	served := get(t, fsys, neutralFile)
	if !strings.Contains(served, address) {
		t.Fatalf("a sandbox writes %s", served)
	}
	for _, edit := range []func(b *model.Backend) error{
		func(b *model.Backend) error { return edit.AddGroup(b, "Admins") },
		func(b *model.Backend) error { return edit.AddGroup(b, "Editors") },
	} {
		edited(t, load(t, fsys, project.Native), edit)
		if got := get(t, fsys, neutralFile); got != served {
			t.Fatalf("after an edit the file is %s", got)
		}
	}
	use(t, fsys, "dev")
	if got := get(t, fsys, neutralFile); got != served {
		t.Fatalf("after the environment was chosen the file is %s", got)
	}
	put(t, fsys, "backend/outputs/other.json", `{"custom": {"API": {"shop": {"endpoint": "https://elsewhere.example"}}}}`)
	edited(t, load(t, fsys, project.Native), func(b *model.Backend) error { return edit.AddGroup(b, "Guests") })
	if got := get(t, fsys, neutralFile); strings.Contains(got, address) || !strings.Contains(got, "https://elsewhere.example") {
		t.Errorf("after an output of the project that contradicts it the file is %s", got)
	}
	must(t, fsys.Remove("backend/outputs/other.json"))
	push(t, fsys, "prod", "http://127.0.0.1:1/b/prod")
	if got := get(t, fsys, ".gatewright/client.json"); strings.Contains(got, `"outputs"`) {
		t.Errorf("after a push, which has a record, the state is %s", got)
	}
}

func TestValidateWarnsOfAClientFileThatDiffersFromTheLastPush(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	withData(t, fsys)
	push(t, fsys, "prod", "http://127.0.0.1:1/b/prod")
	whole := get(t, fsys, neutralFile)
	for change, want := range map[[2]string]string{
		{"http://127.0.0.1:1/b/prod", "http://127.0.0.1:2"}:           "differs from the definitions and the last push (at /custom/API/shop/endpoint)",
		{`"apiName": "shop",`, ""}:                                    "is missing, and follows from the definitions and the last push (at /custom/API/shop/apiName)",
		{"https://prod.example/graphql", "https://dev.example/other"}: "differs from the definitions and the last push (at /data/url)",
	} {
		text := strings.Replace(whole, change[0], change[1], 1)
		put(t, fsys, neutralFile, text)
		got := lines(notOpen(validate.Project(load(t, fsys, project.Native))))
		if text == whole || !strings.Contains(got, want) || !strings.HasPrefix(got, "warning: client_config.json:") {
			t.Errorf("without %s problems are %s", change[0], got)
		}
	}
}

func TestAnOutputThatContradictsTheLastPushIsAWarning(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	shop(t, fsys)
	push(t, fsys, "dev", "http://127.0.0.1:1/a/dev")
	put(t, fsys, "backend/outputs/other.json", `{"custom": {"API": {"shop": {"endpoint": "https://elsewhere.example", "region": "eu-west-1"}}}}`)
	got := lines(notOpen(validate.Project(load(t, fsys, project.Native))))
	want := `warning: backend/outputs/other.json:1:30: output other: /custom/API/shop/endpoint is "http://127.0.0.1:1/a/dev" (generated) and "https://elsewhere.example" (output other) (at /custom/API/shop/endpoint); give it once, or the same value` + "\n"
	if got != want {
		t.Errorf("problems are %s", got)
	}
	use(t, fsys, "prod")
	if got := lines(notOpen(validate.Project(load(t, fsys, project.Native)))); got != "" {
		t.Errorf("in the other environment problems are %s", got)
	}
}

func TestTheClientFileStaysIfTheRecordCannotBeRead(t *testing.T) {
	t.Parallel()
	const address = "http://127.0.0.1:1/a/dev"
	for text, words := range map[string]string{
		`{"version": 2, "apis": {"shop": 1}}`: "has the version 2, but this gatewright reads version 1; use the gatewright that wrote it, or push again",
		`{"version": 1, "apis": {"shop": 1}}`: "cannot be read",
		`{"version": 1,`:                      "cannot be read",
		``:                                    "cannot be read",
	} {
		fsys := disk.Memory()
		shop(t, fsys)
		push(t, fsys, "dev", address)
		put(t, fsys, ".gatewright/deployed/dev/record.json", text)
		p := load(t, fsys, project.Native)
		if _, err := status.Of(p, "dev"); err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the status is %v", text, err)
		}
		if _, err := plan.Use(p, "dev"); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: choosing the environment says %v", text, err)
		}
		plan := edited(t, p, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") })
		if got := get(t, fsys, neutralFile); !strings.Contains(got, address) {
			t.Errorf("%s: after an edit the client configuration file is %s", text, got)
		}
		if notes := strings.Join(plan.Notes, "\n"); !strings.Contains(notes, "client_config.json stays as it is: .gatewright/deployed/dev/record.json") || !strings.Contains(notes, words) {
			t.Errorf("%s: the plan notes %q", text, notes)
		}
		if got := lines(notOpen(validate.Project(load(t, fsys, project.Native)))); got != "" {
			t.Errorf("%s: problems are %s", text, got)
		}
		push(t, fsys, "dev", address)
		if got := statusOf(t, load(t, fsys, project.Native), "dev"); got.Changed() {
			t.Errorf("%s: after another push the status is %s", text, statusLines(got))
		}
	}
}

func TestAMissingSnapshotIsNamedAndTheNextPushRepairsIt(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := shop(t, fsys)
	push(t, fsys, "dev", "http://127.0.0.1:1/a/dev")
	d, err := p.Deployed("dev")
	must(t, err)
	must(t, fsys.RemoveAll(".gatewright/deployed/dev/"+d.Snapshot))
	want := ".gatewright/deployed/dev/" + d.Snapshot + ": is missing, although .gatewright/deployed/dev/record.json names it; push again"
	if _, err := status.Of(p, "dev"); err == nil || err.Error() != want {
		t.Errorf("the status is %v", err)
	}
	push(t, fsys, "dev", "http://127.0.0.1:1/a/dev")
	if got := statusOf(t, p, "dev"); got.Changed() {
		t.Errorf("after another push the status is %s", statusLines(got))
	}
}

func TestAKeyInTheClientFileStaysInItsEnvironment(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	withData(t, fsys)
	use(t, fsys, "dev")
	put(t, fsys, neutralFile, strings.Replace(get(t, fsys, neutralFile), model.APIKeyPlaceholder, "da2-dev", 1))
	if got := lines(notOpen(validate.Project(load(t, fsys, project.Native)))); got != "" {
		t.Errorf("problems are %s", got)
	}
	push(t, fsys, "dev", "http://127.0.0.1:1/a/dev")
	edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
		return edit.AddOutput(b, model.Outputs{"custom": map[string]any{"x": true}})
	})
	if got := get(t, fsys, neutralFile); !strings.Contains(got, "da2-dev") || !strings.Contains(got, `"x": true`) {
		t.Errorf("after a push and an edit the file is %s", got)
	}
	use(t, fsys, "prod")
	if got := get(t, fsys, neutralFile); strings.Contains(got, "da2-dev") || !strings.Contains(got, model.APIKeyPlaceholder) {
		t.Errorf("the file of prod is %s", got)
	}
}

func TestTheSpellingOfANumberDoesNotMatter(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	edited(t, shop(t, fsys), func(b *model.Backend) error {
		return edit.AddOutput(b, model.Outputs{"custom": map[string]any{"x": 1, "list": []any{10, 2}}})
	})
	text := `{"version": "1", "custom": {"list": [2.0, 1e1], "x": 1.0}}`
	put(t, fsys, neutralFile, text)
	if got := lines(notOpen(validate.Project(load(t, fsys, project.Native)))); got != "" {
		t.Errorf("problems are %s", got)
	}
	edited(t, load(t, fsys, project.Native), func(b *model.Backend) error { return edit.AddGroup(b, "Admins") })
	if got := get(t, fsys, neutralFile); got != text {
		t.Errorf("after an edit the file is %s", got)
	}
}

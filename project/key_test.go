package project_test

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/plan"
	"gatewright/project/status"
	"gatewright/project/validate"
)

// keyed returns an output's file with a key of the data API.
func keyed(key string) string {
	return `{"data": {"cloud_region": "r", "url": "https://a.example", "api_key": "` + key + `", "default_authorization_type": "API_KEY", "authorization_types": []}}`
}

func TestNoReportShowsAKeyOfTheDataAPI(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	shop(t, fsys)
	put(t, fsys, "backend/outputs/data.json", keyed("da2-first"))
	p := load(t, fsys, project.Native)
	deploy(t, p, "dev", "http://127.0.0.1:1/a/dev")
	put(t, fsys, "backend/outputs/data.json", keyed("da2-second"))
	put(t, fsys, "backend/outputs/other.json", keyed("da2-third"))
	put(t, fsys, neutralFile, `{"version": "1", "data": {"api_key": "da2-fourth"}}`)
	p = load(t, fsys, project.Native)

	var said strings.Builder
	_, planError := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") }))
	if planError == nil || !strings.Contains(planError.Error(), "/data/api_key") {
		t.Errorf("two outputs with two keys: %v", planError)
	}
	said.WriteString(planError.Error())
	said.WriteString(lines(validate.Project(p)))
	if _, err := status.Of(p, "dev"); err != nil {
		said.WriteString(err.Error())
	}
	must(t, fsys.Remove("backend/outputs/other.json"))
	p = load(t, fsys, project.Native)
	for _, r := range statusOf(t, p, "dev").Resources {
		said.WriteString(strings.Join(r.Reasons, "\n"))
		said.WriteString(r.Diff())
	}
	plan, err := plan.Of(p, mustEdit(t, p.Backend, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") }))
	must(t, err)
	said.WriteString(plan.Diff())
	if strings.Contains(said.String(), "da2-") {
		t.Errorf("reports say\n%s", &said)
	}
	for _, want := range []string{"/data/api_key changed its value", `-` + keyed(model.Redacted), "+" + keyed(model.Redacted)} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("reports lack %s:\n%s", want, &said)
		}
	}
}

func TestADiffShowsNoKeyHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"api_key": "s3cret"}`:                     `{"api_key": "<redacted>"}`,
		`{"api_key":"s3\"c\\"}`:                     `{"api_key":"<redacted>"}`,
		`{"a": "b", "graphqlApiKey" : "s3cret"}`:    `{"a": "b", "graphqlApiKey" : "<redacted>"}`,
		`{"X-API-Key": "s3cret", "api_keys": "b"}`:  `{"X-API-Key": "<redacted>", "api_keys": "b"}`,
		"{\"api_key\":\n  \"s3cret\"}":              "{\"api_key\":\n+  \"<redacted>\"}",
		`{"api_key": "<API_KEY>", "b": "api_key:"}`: `{"api_key": "<API_KEY>", "b": "api_key:"}`,
		`{"API__KE-Y_": "s3cret"}`:                  `{"API__KE-Y_": "<redacted>"}`,
		`{"api_key": "", "api_key_id": "b"}`:        `{"api_key": "", "api_key_id": "b"}`,
	} {
		got := project.Diff(journal.Change{Path: "client_config.json", New: []byte(text + "\n")})
		if !strings.HasSuffix(got, "+"+want+"\n") {
			t.Errorf("%s: the diff is\n%s", text, got)
		}
	}
	// Files of a function are shown as they are.
	event := project.Diff(journal.Change{Path: "backend/function/f/src/event.json", New: []byte(`{"apiKey": "test"}` + "\n")})
	if !strings.Contains(event, `"test"`) {
		t.Errorf("the diff of a source is\n%s", event)
	}
}

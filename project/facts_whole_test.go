package project_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/project/plan"
)

// factLines are facts, a line each.
func factLines(facts []project.Fact) []string {
	var lines []string
	for _, f := range facts {
		lines = append(lines, f.Name+": "+f.Value+" ("+f.Shown+")")
	}
	return lines
}

func TestTheFactsOfAnEnvironmentAreAllThatItSays(t *testing.T) {
	t.Parallel()
	region := "eu-west-1"
	b := &model.Backend{
		Project: model.Project{Region: region}, APIs: []*access.API{{Label: "two"}, {Label: "one"}},
		Environments: []*model.Environment{{Name: "other"}},
	}
	e := &model.Environment{
		Name: "prod", Provider: model.AWS, Account: "123456789012", Branch: "main", Guarded: true, APIs: []string{"one"},
		Parameters: []model.Variable{{Name: "Size", Value: "2"}, {Name: "Api_Key", Value: "s3cret"}},
		Variables:  []model.FunctionVariables{{Function: "z", Values: []model.Variable{{Name: "B", Value: "1"}, {Name: "A", Value: "2"}}}, {Function: "a", Values: []model.Variable{{Name: "C", Value: "3"}}}},
		Data:       &model.Data{URL: "https://a"}, Storage: &model.Storage{BucketName: "files"},
	}
	facts, err := project.EnvironmentFacts(b, e)
	must(t, err)
	want := []string{
		"provider: aws (aws)", "region: eu-west-1 (eu-west-1)", "account: 123456789012 (123456789012)", "branch: main (main)", "guarded: yes (yes)", "apis: listed (listed)",
		"API two: no (no)", "API one: yes (yes)", "parameter Api_Key: s3cret (<redacted>)", "parameter Size: 2 (2)",
		"variable a.C: 3 (3)", "variable z.A: 2 (2)", "variable z.B: 1 (1)", `data url: "https://a" (https://a)`, `storage bucket_name: "files" (files)`,
	}
	if diff := cmp.Diff(want, factLines(facts)); diff != "" {
		t.Error(diff)
	}
	facts, err = project.EnvironmentFacts(&model.Backend{Layout: amplify.Layout, Project: b.Project}, &model.Environment{Name: "dev", Provider: model.Local})
	must(t, err)
	if diff := cmp.Diff([]string{"provider: local (local)", "branch: dev (dev)", "guarded: no (no)", "apis: all, later ones too (all, later ones too)"}, factLines(facts)); diff != "" {
		t.Errorf("of the Amplify CLI: %s", diff)
	}
	last := project.Record{Stack: "s", Provider: model.AWS, Account: "123456789012", Region: region, APIs: []project.Endpoint{{API: "two", URL: "https://2"}, {API: "one", URL: "https://1"}}}
	endpoints := []string{"endpoint one: https://1 (https://1)", "endpoint two: https://2 (https://2)"}
	for _, tt := range []struct {
		change func(r *project.Record)
		want   []string
	}{
		{func(*project.Record) {}, append([]string{"stack: s (s)"}, endpoints...)},
		{func(r *project.Record) { r.Account = "210987654321" }, append([]string{"stack: s (s)", "pushed to: aws, account 210987654321, eu-west-1 (aws, account 210987654321, eu-west-1)"}, endpoints...)},
		{func(r *project.Record) { r.Region = "us-east-1" }, append([]string{"stack: s (s)", "pushed to: aws, account 123456789012, us-east-1 (aws, account 123456789012, us-east-1)"}, endpoints...)},
		{func(r *project.Record) { r.Stack = "" }, nil},
	} {
		record := last
		tt.change(&record)
		if diff := cmp.Diff(tt.want, factLines(project.DeploymentFacts(b, e, record))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAccessTestsAreReadWithTheirPlacesAndAddedOnce(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, &model.Backend{}, nil)
	if tests, err := load(t, fsys, project.Native).AccessTests(); tests != nil || err != nil {
		t.Errorf("without a file: %v, %v", tests, err)
	}
	add := func(texts ...string) []journal.Change {
		plan, err := plan.AccessTests(load(t, fsys, project.Native), texts...)
		must(t, err)
		must(t, plan.Commit())
		return plan.Changes
	}
	if changes := add("guests never DELETE", "group:A may GET", "guests never DELETE"); len(changes) != 1 || changes[0].Existed || changes[0].Path != project.AccessTestFile {
		t.Errorf("the first tests change %+v", changes)
	}
	put(t, fsys, project.AccessTestFile, strings.Replace(get(t, fsys, project.AccessTestFile), "{", "{\n  \"note\": 1,", 1))
	if changes := add("group:A may GET"); len(changes) != 0 {
		t.Errorf("a test that is there changes %+v", changes)
	}
	add("group:A may GET", "guests never POST")
	tests, err := load(t, fsys, project.Native).AccessTests()
	must(t, err)
	if got := strings.Join(project.Texts(tests), "|"); got != "guests never DELETE|group:A may GET|guests never POST" || !strings.Contains(get(t, fsys, project.AccessTestFile), `"note": 1`) {
		t.Errorf("the tests are %s:\n%s", got, get(t, fsys, project.AccessTestFile))
	}
	lines := strings.Split(get(t, fsys, project.AccessTestFile), "\n")
	for _, test := range tests {
		if !strings.HasPrefix(lines[test.Line-1][test.Column-1:], `"`+test.Text+`"`) {
			t.Errorf("%s is not at %d:%d", test.Text, test.Line, test.Column)
		}
	}
	for text, want := range map[string]string{
		`{"version": 1}`:                             `access.test.json:1:1: has no list of tests; write "tests": [...]`,
		`{"version": 1, "tests": {}}`:                `access.test.json:1:1: has no list of tests; write "tests": [...]`,
		`{"version": 1, "tests": ["guests may", 1]}`: `access.test.json:1:40: expected a string, found a number (at /tests/1); write a sentence such as "guests never DELETE"`,
	} {
		put(t, fsys, project.AccessTestFile, text)
		if _, err := load(t, fsys, project.Native).AccessTests(); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

func TestFilesAreTakenOverWithTheirModesAndAddedOnlyWhereNoneIs(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	for _, name := range []string{"old/src/index.js", "old/src/run.sh", "old/src/node_modules/x.js", "old/notes.txt"} {
		put(t, fsys, name, "text of "+name)
	}
	must(t, fsys.Chmod("old/src/run.sh", 0o755))
	files, wrong, err := p.Copied("old", "new/place", func(name string) bool { return name == "notes.txt" })
	must(t, err)
	want := []journal.Change{
		{Path: "new/place/src/index.js", New: []byte("text of old/src/index.js")},
		{Path: "new/place/src/run.sh", New: []byte("text of old/src/run.sh"), Mode: 0o755},
	}
	if diff := cmp.Diff(want, files); diff != "" || len(wrong) > 0 {
		t.Errorf("wrong are %v, and\n%s", wrong, diff)
	}
	if got := strings.Join(p.Files("old"), " "); got != "notes.txt src/index.js src/run.sh" {
		t.Errorf("the files are %s", got)
	}
	if !p.HasFile("old/notes.txt") || p.HasFile("old/src") || p.HasFile("none") {
		t.Error("what is a file is not told from what is none")
	}
	if got := strings.Join(p.Folders("old"), " "); got != "src" {
		t.Errorf("the folders are %s", got)
	}
	plan, err := plan.AccessTests(p)
	must(t, err)
	must(t, plan.Add(files))
	if err := plan.Add(files[:1]); err == nil || err.Error() != "new/place/src/index.js: exists already; move it away" {
		t.Errorf("a file that the plan has: %v", err)
	}
	if err := plan.Add([]journal.Change{{Path: "old/notes.txt"}}); err == nil || err.Error() != "old/notes.txt: exists already; move it away" {
		t.Errorf("a file that exists: %v", err)
	}
	must(t, plan.Commit())
	if text, err := afero.ReadFile(fsys, "new/place/src/run.sh"); err != nil || string(text) != "text of old/src/run.sh" {
		t.Errorf("the file has %q, %v", text, err)
	}
}

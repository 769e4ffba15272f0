package aws_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// moment is what is deployed and what this machine has of it at one moment.
type moment struct {
	status   string
	template []byte
	outputs  map[string]string
	physical map[string]string
	local    map[string]string
	events   int
	executed int
	calls    int
}

// now reads the moment from the fake, not by the provider.
func (r *cloudRoom) now() moment {
	r.t.Helper()
	m := moment{local: r.local(), physical: make(map[string]string), calls: len(r.fake.Calls())}
	s, ok := r.fake.Stack(r.stackName("dev"))
	if !ok || s.Status == "DELETE_COMPLETE" {
		return m
	}
	m.status, m.outputs, m.events, m.executed = s.Status, s.Outputs, len(s.Events), r.fake.Executed(s.ID)
	m.template = r.deployed()
	for _, res := range s.Resources {
		m.physical[res.LogicalID] = res.PhysicalID
	}
	return m
}

// deployed is the template that the stack has: the last one whose operation succeeded.
func (r *cloudRoom) deployed() []byte {
	s, ok := r.fake.Stack(r.stackName("dev"))
	if !ok {
		return nil
	}
	var last []byte
	for _, x := range completed(s.Name, s.Events, r.fake.Templates(s.ID)) {
		last = x
	}
	return last
}

// completed are the templates whose operations succeeded, in order.
func completed(stack string, events []string, begun [][]byte) [][]byte {
	var all [][]byte
	i, goes := -1, false
	for _, e := range events {
		id, status, _ := strings.Cut(e, " ")
		if id != stack {
			continue
		}
		switch status {
		case "CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "IMPORT_IN_PROGRESS":
			i, goes = i+1, true
		case "CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE":
			// The state of others, which a test has set, began with no template.
			if i < len(begun) && goes {
				all = append(all, begun[i])
			}
			goes = false
		case "UPDATE_ROLLBACK_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "IMPORT_ROLLBACK_IN_PROGRESS":
			goes = false
		}
	}
	return all
}

// mustBeAtRest checks that the cloud and this machine have what the project defines, each thing
// once, and nothing else.
func (r *cloudRoom) mustBeAtRest(o *outcome) {
	t := r.t
	t.Helper()
	name := r.stackName("dev")
	s, ok := r.fake.Stack(name)
	if !ok || s.Status != "CREATE_COMPLETE" && s.Status != "UPDATE_COMPLETE" && !(s.Status == "UPDATE_ROLLBACK_COMPLETE" && !o.prepared.Changed()) {
		t.Fatalf("the stack is %q: %s", s.Status, s.StatusReason)
	}
	r.mustHaveTheDefinition(s.Tags)
	r.mustBeHere(o, s.Outputs)
	r.mustHaveNothingTwice()
	r.mustHaveThePrivateBucket()
	if x := r.fake.ChangeSets(name); len(x) > o.prepared.Updates {
		t.Errorf("change sets are left behind: %q", x)
	}
	for _, other := range r.fake.Stacks() {
		if other.Status == "REVIEW_IN_PROGRESS" {
			t.Errorf("an empty stack is left behind: %s", other.ID)
		}
	}
}

// mustHaveTheDefinition checks that the stack has the template and the definition of the project.
func (r *cloudRoom) mustHaveTheDefinition(tags map[string]string) {
	t := r.t
	t.Helper()
	p, made := r.open(), r.rendered()
	has := r.deployed()
	if !bytes.Equal(has, made.Body) {
		t.Errorf("the stack has another template than the project (-project +stack):\n%s", cmp.Diff(indented(made.Body), indented(has)))
	}
	want := map[string]string{"gatewright:application": "app1", "gatewright:branch": "dev", "gatewright:environment": "dev"}
	if diff := cmp.Diff(want, tags); diff != "" {
		t.Errorf("the stack has other tags:\n%s", diff)
	}
	read, err := cfn.Parse("the stack", has)
	deploytest.Must(t, err)
	definition, err := template.ReadDefinition(read.Root.Get("Resources", template.DefinitionID, "Metadata").Minified())
	deploytest.Must(t, err)
	d, err := project.DeploymentOf(project.Record{Environment: "dev"}, definition.Files)
	deploytest.Must(t, err)
	then, now := d.Project.Backend, p.Backend
	if diff := cmp.Diff(now.For(now.Environment("dev")), then.For(then.Environment("dev"))); diff != "" {
		t.Errorf("the stack has another definition than the project:\n%s", diff)
	}
	if now.Environment("dev").Account != awsAccount {
		t.Errorf("the environment has the account %q", now.Environment("dev").Account)
	}
}

// minified is a template in the form in which it is written here.
func minified(t testing.TB, text []byte) []byte {
	t.Helper()
	read, err := cfn.Parse("the stack", text)
	deploytest.Must(t, err)
	return read.Root.Minified()
}

// indented is a template with a line for each value.
func indented(text []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, text, "", " ") != nil {
		return string(text)
	}
	return b.String()
}

// mustBeHere checks that this machine has the copy of what is deployed, and the client
// configuration file.
func (r *cloudRoom) mustBeHere(o *outcome, outputs map[string]string) {
	t := r.t
	t.Helper()
	p := r.open()
	record, err := project.ReadRecord(r.dir, "dev")
	deploytest.Must(t, err)
	if record.Stack != r.stackName("dev") || record.Account != awsAccount || record.Region != awsRegion || record.Environment != "dev" || record.Provider != model.AWS {
		t.Errorf("this machine's record is %+v", record)
	}
	if o.record.Stack != record.Stack || model.Canonical(map[string]any(o.record.Values)) != model.Canonical(map[string]any(record.Values)) {
		t.Errorf("the push returned %+v, and this machine has %+v", o.record, record)
	}
	d, err := p.Deployed("dev")
	deploytest.Must(t, err)
	then, now := d.Project.Backend, p.Backend
	if diff := cmp.Diff(now.For(now.Environment("dev")), then.For(then.Environment("dev"))); diff != "" {
		t.Errorf("this machine's copy of the definition is another one:\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "client_config.json"))
	deploytest.Must(t, err)
	for key, value := range outputs {
		if key != "Region" && !strings.Contains(string(text), value) && !strings.Contains(key, "ApiId") {
			t.Errorf("the client configuration file does not have the output %s, %s:\n%s", key, value, text)
		}
	}
}

// mustHaveNothingTwice checks that no template was carried out twice in a row, no resource was
// made twice, and no object was uploaded twice.
func (r *cloudRoom) mustHaveNothingTwice() {
	t := r.t
	t.Helper()
	for _, s := range r.fake.Stacks() {
		var last []byte
		for _, text := range completed(s.Name, s.Events, r.fake.Templates(s.ID)) {
			if bytes.Equal(text, last) {
				t.Errorf("the stack %s had the same update twice", s.ID)
			}
			last = text
		}
		made := make(map[string]bool)
		for _, e := range s.Events {
			id, status, _ := strings.Cut(e, " ")
			switch {
			case status == "CREATE_COMPLETE" && made[id]:
				t.Errorf("%s was made twice", id)
			case status == "CREATE_COMPLETE":
				made[id] = true
			case strings.HasPrefix(status, "DELETE_"):
				delete(made, id)
			}
		}
	}
	puts, cut := make(map[string]int), 0
	for _, c := range r.fake.Calls() {
		if c.Action == "PutObject" && c.Handled {
			puts[c.Parameters["Key"]]++
			if c.Code == "cut" {
				cut++
			}
		}
	}
	for key, n := range puts {
		if n > 1+cut {
			t.Errorf("%s was uploaded %d times", key, n)
		}
	}
}

// mustHaveThePrivateBucket checks all settings of the bucket.
func (r *cloudRoom) mustHaveThePrivateBucket() {
	t := r.t
	t.Helper()
	for setting, want := range map[string][]string{
		"publicAccessBlock": {"<BlockPublicAcls>true", "<BlockPublicPolicy>true", "<IgnorePublicAcls>true", "<RestrictPublicBuckets>true"},
		"encryption":        {"<SSEAlgorithm>AES256"},
		"versioning":        {"<Status>Enabled"},
		"policy":            {`"Effect":"Deny"`, `"aws:SecureTransport":"false"`, `"Principal":"*"`},
	} {
		has := string(r.fake.BucketSetting(awsBucket, setting))
		for _, text := range want {
			if !strings.Contains(has, text) {
				t.Errorf("the bucket's %s lacks %s: %s", setting, text, has)
			}
		}
	}
}

// mustBeAsBefore checks that a push that failed left everything as it was.
func (r *cloudRoom) mustBeAsBefore(m moment) {
	t := r.t
	t.Helper()
	now := r.now()
	if !bytes.Equal(m.template, now.template) {
		t.Errorf("the stack has another template than before the failed push:\n%s", cmp.Diff(indented(m.template), indented(now.template)))
	}
	if diff := cmp.Diff(m.outputs, now.outputs); len(m.template) > 0 && diff != "" {
		t.Errorf("the stack has other outputs than before the failed push:\n%s", diff)
	}
	if diff := cmp.Diff(m.local, now.local); diff != "" {
		t.Errorf("this machine has other files than before the failed push:\n%s", diff)
	}
}

// mustKeepData checks that no table and no pool was removed, and the API has its address.
func (r *cloudRoom) mustKeepData(m moment, allowed []string) {
	t := r.t
	t.Helper()
	if len(allowed) > 0 || len(m.template) == 0 {
		return
	}
	s, _ := r.fake.Stack(r.stackName("dev"))
	kinds := []string{"AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::Cognito::IdentityPool", "AWS::ApiGateway::RestApi"}
	for _, res := range s.Resources {
		if slices.Contains(kinds, res.Type) && m.physical[res.LogicalID] != "" && m.physical[res.LogicalID] != res.PhysicalID {
			t.Errorf("%s was replaced", res.LogicalID)
		}
	}
	for _, e := range s.Events[m.events:] {
		id, status, _ := strings.Cut(e, " ")
		if strings.HasPrefix(status, "DELETE") && m.physical[id] != "" && slices.ContainsFunc(s.Resources, func(x awstest.Resource) bool { return x.LogicalID == id && slices.Contains(kinds, x.Type) }) {
			t.Errorf("%s was removed", id)
		}
	}
}

// mustHaveBeenTold checks that the steps of resources were told each once and in order, in
// words.
func (r *cloudRoom) mustHaveBeenTold(o *outcome, m moment, whole bool) {
	t := r.t
	t.Helper()
	var happened []string
	for _, s := range r.fake.Stacks() {
		events := s.Events
		if s.Name == r.stackName("dev") && m.status != "" && m.events <= len(events) {
			events = events[m.events:]
		}
		for _, e := range events {
			if id, _, _ := strings.Cut(e, " "); id != s.Name {
				happened = append(happened, e)
			}
		}
	}
	var told []string
	for _, p := range o.told {
		told = append(told, p.ID+" "+string(p.Status))
		if p.Name == "" || strings.Contains(p.Name, p.ID) && p.ID != "UserPool" || strings.ContainsAny(p.Name, "\n") {
			t.Errorf("a step is told as %q, with the logical id %s", p.Name, p.ID)
		}
	}
	if !whole && len(told) < len(happened) {
		happened = happened[:len(told)]
	}
	if diff := cmp.Diff(happened, told); diff != "" {
		t.Errorf("the steps that were told are not those that happened (-happened +told):\n%s", diff)
	}
}

// look reads what is deployed from another machine.
func (r *cloudRoom) look() (aws.State, error) {
	r.t.Helper()
	p := r.open()
	return r.aws.Look(context.Background(), p, p.Backend.Environment("dev"))
}

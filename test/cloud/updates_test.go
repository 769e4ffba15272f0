//go:build unix

package cloud

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatewright/render/template"
	"gatewright/test/standin"
)

// TestAChangeIsDeployedWithTheUpdatesThatItNeeds pushes one change after the other, and reads
// the template of each update.
func TestAChangeIsDeployedWithTheUpdatesThatItNeeds(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		add function orders --template plain
		add path shop /orders/{id} --function orders --auth read
		push --yes
	`)
	before := m.only(m.executed())
	for _, tt := range []struct {
		name string
		// change changes the project by commands, edit otherwise.
		change string
		edit   func(m *machine)
		// updates is how many updates it takes: two if routes go or change their names.
		updates int
		// changed, added and removed are the kinds of resources in which the last update
		// differs from what was deployed before.
		changed, added, removed []string
		// asked are paths that are requested afterwards.
		asked []string
	}{
		{
			name: "access", change: "update path shop /items --guest read,create",
			changed: []string{"IAM::Policy"}, asked: []string{"/items"},
		},
		{
			name:    "code alone",
			edit:    func(m *machine) { m.edit("backend/function/news/src/index.js", "get call succeed!", "the new code") },
			changed: []string{"Lambda::Function"}, asked: []string{"/news"},
		},
		{
			name: "a path is added", change: "add path shop /books --function news --auth all",
			changed: []string{"ApiGateway::Stage", "IAM::Policy", "IAM::Policy"}, added: append([]string{"ApiGateway::Deployment"}, aPath...), removed: []string{"ApiGateway::Deployment"},
			asked: []string{"/books", "/books/1"},
		},
		{
			name: "a path is removed", change: "remove path shop /books", updates: 2,
			changed: []string{"ApiGateway::Stage", "IAM::Policy", "IAM::Policy"}, added: []string{"ApiGateway::Deployment"}, removed: append([]string{"ApiGateway::Deployment"}, aPath...),
			asked: []string{"/books", "/items"},
		},
		{
			name: "a variable is renamed", change: "rename path shop /orders/{id} /orders/{order}", updates: 2,
			changed: []string{"ApiGateway::Stage"}, added: append([]string{"ApiGateway::Deployment"}, aPath...), removed: append([]string{"ApiGateway::Deployment"}, aPath...),
			asked: []string{"/orders/1", "/orders/1/lines", "/orders"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := m.of(t)
			m.must(tt.change)
			if tt.edit != nil {
				tt.edit(m)
			}
			m.run(0, "push", "--yes")
			updates := m.executed()
			if len(updates) != max(1, tt.updates) {
				t.Fatalf("%d updates were executed, want %d", len(updates), max(1, tt.updates))
			}
			last := updates[len(updates)-1]
			if len(updates) > 1 {
				takesAwayOnly(t, before, updates[0], last)
			}
			changed, added, removed := differences(before, last)
			for what, pair := range map[string][2][]string{"changed": {changed, tt.changed}, "added": {added, tt.added}, "removed": {removed, tt.removed}} {
				slices.Sort(pair[1])
				if !slices.Equal(pair[0], pair[1]) {
					t.Errorf("%s are %v, want %v", what, pair[0], pair[1])
				}
			}
			out, _ := m.run(0, "template", "--minify")
			if got, want := withoutArchives(t, last), withoutArchives(t, parsed(t, out)); !reflect.DeepEqual(got, want) {
				t.Errorf("the last update is not what `gatewright template` prints")
			}
			m.answersAsCanSays(devAccount, tt.asked...)
			if tt.edit != nil {
				if got := m.send(devAccount, request{Who: "nobody", Method: "GET", Path: "/news"}); !strings.Contains(got[0].Body, "the new code") {
					t.Errorf("the function still answers %v", got[0])
				}
			}
			before = last
		})
	}
}

// aPath are the resources of a path: itself and what is below it.
var aPath = []string{"ApiGateway::Method", "ApiGateway::Method", "ApiGateway::Method", "ApiGateway::Method", "ApiGateway::Resource", "ApiGateway::Resource"}

// resources are the resources of a template, by logical id.
type resources map[string]map[string]any

func parsed(t *testing.T, text string) resources {
	t.Helper()
	var template struct{ Resources resources }
	if err := json.Unmarshal([]byte(text), &template); err != nil {
		t.Fatal(err)
	}
	return template.Resources
}

// executed are the templates of the updates since calls were last taken, in order.
func (m *machine) executed() []resources {
	m.t.Helper()
	calls := m.take()
	var all []resources
	for _, c := range calls {
		if c.Action != "ExecuteChangeSet" {
			continue
		}
		url := changeSet(calls, c).Get("TemplateURL")
		all = append(all, parsed(m.t, m.template(url)))
	}
	return all
}

// changeSet is the call that made the change set that a call executes.
func changeSet(calls []standin.Call, executed standin.Call) (form interface{ Get(string) string }) {
	for _, c := range calls {
		if name := c.Form.Get("ChangeSetName"); c.Action == "CreateChangeSet" && (executed.Form.Get("ChangeSetName") == name || strings.Contains(executed.Form.Get("ChangeSetName"), "/"+name+"/")) {
			return c.Form
		}
	}
	return executed.Form
}

func (m *machine) only(updates []resources) resources {
	m.t.Helper()
	if len(updates) != 1 {
		m.t.Fatalf("%d updates were executed, want 1", len(updates))
	}
	return updates[0]
}

func kind(resource map[string]any) string {
	name, _ := resource["Type"].(string)
	return strings.TrimPrefix(name, "AWS::")
}

// differences are the kinds of the resources in which templates differ, except the definition.
func differences(before, after resources) (changed, added, removed []string) {
	for id, r := range after {
		switch old, has := before[id]; {
		case id == template.DefinitionID:
		case !has:
			added = append(added, kind(r))
		case !reflect.DeepEqual(old, r):
			changed = append(changed, kind(r))
		}
	}
	for id, r := range before {
		if after[id] == nil {
			removed = append(removed, kind(r))
		}
	}
	slices.Sort(changed)
	slices.Sort(added)
	slices.Sort(removed)
	return changed, added, removed
}

// takesAwayOnly checks the first of two updates: it is what was deployed before without the
// resources of the API that the last one does not have. The deployment, which is what the API
// answers with, stays.
func takesAwayOnly(t *testing.T, before, first, last resources) {
	t.Helper()
	want := make(resources)
	for id, r := range before {
		if kind := kind(r); last[id] != nil || kind != "ApiGateway::Resource" && kind != "ApiGateway::Method" {
			want[id] = r
		}
	}
	got := maps.Clone(first)
	for id, r := range got {
		if kind(r) == "ApiGateway::Deployment" && want[id] != nil {
			// It depends on all methods, and so no longer on those that go.
			got[id], want[id] = maps.Clone(r), maps.Clone(want[id])
			delete(got[id], "DependsOn")
			delete(want[id], "DependsOn")
		}
	}
	if !reflect.DeepEqual(got, want) {
		changed, added, removed := differences(want, got)
		t.Errorf("the first update changes %v, makes %v and takes away %v too", changed, added, removed)
	}
	if len(want) == len(before) {
		t.Error("the first update takes nothing away")
	}
}

// withoutArchives leaves out what a template that is printed without the sources cannot have:
// the names of archives, and the fingerprints of sources.
func withoutArchives(t *testing.T, all resources) resources {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Resources": all})
	if err != nil {
		t.Fatal(err)
	}
	all = parsed(t, string(text))
	for id, r := range all {
		if properties, _ := r["Properties"].(map[string]any); kind(r) == "Lambda::Function" {
			delete(properties, "Code")
		}
		if id == template.DefinitionID {
			delete(all, id)
		}
	}
	return all
}

// edit changes a text of a file of the project.
func (m *machine) edit(name, from, to string) {
	m.t.Helper()
	text := m.read(name)
	if !strings.Contains(text, from) {
		m.t.Fatalf("%s has no %q", name, from)
	}
	m.write(filepath.Join(m.dir, name), strings.ReplaceAll(text, from, to))
}

//go:build unix

package cloud

import (
	"slices"
	"strings"
	"testing"

	"gatewright/test/standin"
)

// TestATableIsLostOnlyIfThatIsAllowed changes and removes a table that has items.
func TestATableIsLostOnlyIfThatIsAllowed(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		push --yes
	`)
	for _, tt := range []struct {
		name, loss string
		change     func(m *machine)
	}{
		{
			name: "another partition key", loss: "is replaced by a new one: all its items are lost",
			change: func(m *machine) { m.edit("backend/table/items/table.json", `"name": "id"`, `"name": "isbn"`) },
		},
		{
			name: "removed", loss: "is removed: all its items are lost",
			change: func(m *machine) { m.run(0, "remove", "table", "items") },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := m.of(t)
			tt.change(m)
			m.take()
			for _, allowed := range [][]string{nil, {"--allow-destroy", "drafts"}} {
				out, refusal := m.run(1, append([]string{"push", "--yes"}, allowed...)...)
				oneLine(t, refusal, "table items", tt.loss, "--allow-destroy items")
				if !strings.Contains(out, "LOSS: the table items "+tt.loss) {
					t.Errorf("the preview does not say what is lost:\n%s", out)
				}
			}
			if actions := standin.Actions(m.take(), "cloudformation"); slices.Contains(actions, "ExecuteChangeSet") {
				t.Error("a push that was refused changes something")
			}
			m.run(0, "push", "--yes", "--allow-destroy", "items")
			updates := m.executed()
			tables := 0
			for _, r := range updates[len(updates)-1] {
				if kind(r) == "DynamoDB::Table" {
					tables++
				}
			}
			if want := map[bool]int{true: 0, false: 1}[tt.name == "removed"]; tables != want {
				t.Errorf("the last update has %d tables, want %d", tables, want)
			}
		})
	}
}

// TestAnotherMachineReadsWhatIsDeployed uses a copy of the project in which nothing was pushed.
func TestAnotherMachineReadsWhatIsDeployed(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		push --yes
		push --yes --env prod
	`)
	m.must("env use dev")
	status, _ := m.run(0, "status")
	written := m.read("client_config.json")
	stack := m.stack()

	other := m.another()
	other.must("env use prod --profile " + prodProfile + "\n env use dev --profile " + devProfile)
	if got, _ := other.run(0, "status"); got != status {
		t.Errorf("status is\n%s\nand there\n%s", got, status)
	}
	if out, _ := other.run(0, "push", "--yes"); !strings.Contains(out, "AWS is up to date") {
		t.Errorf("a push from another machine says:\n%s", out)
	}
	if got := other.read("client_config.json"); got != written {
		t.Errorf("the client configuration file is\n%s\nand there\n%s", got, written)
	}

	third := m.another()
	third.must("env use prod --profile " + prodProfile + "\n env use dev --profile " + devProfile)
	diff, _ := third.run(0, "env", "diff", "dev", "prod")
	for _, want := range []string{".execute-api.eu-central-1.amazonaws.com/dev", ".execute-api.eu-west-1.amazonaws.com/prod"} {
		if !strings.Contains(diff, want) {
			t.Errorf("env diff has no endpoint %s:\n%s", want, diff)
		}
	}
	for _, place := range [][]string{{"--stack", stack}, {"--app-id", "d1shop", "--branch", "dev"}} {
		// A front end has no project.
		front := m.another()
		front.dir = t.TempDir()
		got, _ := front.run(0, append([]string{"generate", "outputs", "--stdout", "--region", "eu-central-1", "--profile", devProfile}, place...)...)
		if got != written {
			t.Errorf("generate outputs %v prints\n%s\nwant\n%s", place, got, written)
		}
		_, refusal := front.run(1, append([]string{"generate", "outputs", "--stdout", "--region", "eu-west-1", "--profile", devProfile}, place...)...)
		oneLine(t, refusal, devAccount, "eu-west-1")
	}
}

// stack is the name of the stack of the last push.
func (m *machine) stack() string {
	m.t.Helper()
	_, after, _ := strings.Cut(m.read(".gatewright/deployed/dev/record.json"), `"stack": "`)
	name, _, found := strings.Cut(after, `"`)
	if !found {
		m.t.Fatal("the record has no stack")
	}
	return name
}

// TestARemovedEnvironmentLeavesOnlyWhatItListed removes environments with their stacks.
func TestARemovedEnvironmentLeavesOnlyWhatItListed(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		update env prod --guarded
		push --yes
		push --env prod --confirm prod
	`)
	m.take()
	_, refusal := m.run(2, "remove", "env", "prod")
	oneLine(t, refusal, "--confirm prod")
	if actions := standin.Actions(m.take(), "cloudformation"); slices.Contains(actions, "DeleteStack") {
		t.Error("a stack was removed without consent")
	}
	for _, env := range []struct {
		name string
		kept []string
	}{
		{"prod", []string{"items-prod", "eu-west-1_"}},
		{"dev", nil},
	} {
		t.Run(env.name, func(t *testing.T) {
			m := m.of(t)
			m.must("add env rest-of-" + env.name)
			out, notes := m.run(0, "remove", "env", env.name, "--confirm", env.name)
			for _, id := range env.kept {
				if !strings.Contains(out+notes, id) {
					t.Errorf("what is kept is not listed with the id %s:\n%s\n%s", id, out, notes)
				}
			}
			if actions := standin.Actions(m.take(), "cloudformation"); !slices.Contains(actions, "DeleteStack") {
				t.Errorf("no stack was removed: %v", actions)
			}
		})
	}
}

package cli_test

import (
	"os"
	"strings"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/flow"
	"gatewright/flow/matrix"
	"gatewright/flow/session"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
)

// TestTheCommandsOfTheWizardMakeTheSameInAnotherProject runs the commands that the wizard
// prints in a copy of the project that it began with, and compares the two backends.
func TestTheCommandsOfTheWizardMakeTheSameInAnotherProject(t *testing.T) {
	t.Parallel()
	set := func(f *flow.Flow, path int, edit func(m matrix.Matrix) (matrix.Matrix, error)) {
		m, err := edit(f.Matrix(path))
		if err != nil {
			t.Fatal(err)
		}
		f.SetMatrix(path, m)
	}
	answer := func(f *flow.Flow, path int, kind flow.Kind, field, value string) {
		f.Set(flow.ID{Kind: kind, Path: path}, field, value, nil)
	}
	admins := access.Principal{Kind: access.Group, Group: "Admins"}
	for name, test := range map[string]struct {
		task    flow.Task
		answers func(f *flow.Flow)
	}{
		"the first API": {flow.Task{}, func(f *flow.Flow) {
			answer(f, 0, "path", "path", "/a")
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) { return m.WithMode(access.Protected), nil })
		}},
		"groups in another order": {flow.Task{API: "shop"}, func(f *flow.Flow) {
			answer(f, 0, "path", "path", "/a")
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) {
				m, _, err := m.AddGroups("Buyers")
				return m, err
			})
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) { return m.Move("Buyers", -1) })
		}},
		"a new API": {flow.Task{}, func(f *flow.Flow) {
			answer(f, 0, "api", "label", "more")
			answer(f, 0, "path", "path", "/a/{id}")
			answer(f, 0, "function", "template", "crud")
			answer(f, 0, "table", "partition", "customer")
			answer(f, 0, "table", "sort", "order")
			answer(f, 0, "table", "sortKey", "number")
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) {
				m, _, err := m.AddGroups("Buyers, Admins2")
				return m, err
			})
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) { return m.ToggleRow(admins) })
			answer(f, 0, "another", "another", "yes")
			answer(f, 1, "path", "path", "/b")
			answer(f, 1, "function", "advanced", "yes")
			answer(f, 1, "advanced", "timeout", "30")
			answer(f, 1, "advanced", "environment", "A=x y, B=it's")
			answer(f, 1, "advanced", "secrets", "KEY")
			answer(f, 1, "advanced", "schedule", "rate(5 minutes)")
			set(f, 1, func(m matrix.Matrix) (matrix.Matrix, error) { return m.WithMode(access.Open), nil })
			answer(f, 0, "environments", "new", "qa, prod")
		}},
		"another path": {flow.Task{API: "shop"}, func(f *flow.Flow) {
			answer(f, 0, "path", "path", "/news/{id}")
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) { return m.Toggle(admins, access.Delete) })
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) { return m.WithMode(access.Protected), nil })
		}},
		"a changed path": {flow.Task{API: "shop", Path: "/items"}, func(f *flow.Flow) {
			answer(f, 0, "path", "path", "/things")
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) {
				return m.WithoutEntry("Admins").WithMode(access.Private), nil
			})
			set(f, 0, func(m matrix.Matrix) (matrix.Matrix, error) { return m.Toggle(access.Principal{}, access.Update) })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := clitest.New(t)
			before := []string{
				"init --name shop --app-id a --env dev", "add group Admins", "add function items --template express",
				"add api shop --path /items --function items --auth create,read --guest read --group Admins=all",
			}
			if name == "the first API" {
				before = before[:1]
			}
			for _, line := range before {
				s.Run(0, strings.Fields(line)...)
			}
			other := &clitest.Session{T: t, Dir: t.TempDir()}
			if err := os.CopyFS(other.Dir, os.DirFS(s.Dir)); err != nil {
				t.Fatal(err)
			}
			p, err := project.Open(s.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = p.Close() }()
			f := flow.New(p.Backend, test.task, "")
			test.answers(f)
			next, plan, err := session.Plan(p, f)
			if err == nil {
				err = plan.Commit()
			}
			if err != nil {
				t.Fatal(err)
			}
			commands := f.Commands()
			for _, command := range commands {
				other.Run(0, words(command)[1:]...)
			}
			made, err := project.Open(other.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = made.Close() }()
			for _, d := range diff.Backends(next, made.Backend) {
				if d.Operation != diff.NoChange {
					t.Errorf("%s %s: %v\nafter %s", d.Operation, d.Of, d.Reasons, strings.Join(commands, "\n"))
				}
			}
			if differences, complete := access.Compare(next.Gate(), made.Backend.Gate()); len(differences) > 0 || !complete {
				t.Errorf("the access differs: %v", differences)
			}
		})
	}
}

// words divides a command line as a shell does, as far as model.ShellWord quotes.
func words(line string) []string {
	var all []string
	word, quoted, any := "", false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted, any = !quoted, true
		case c == '\\' && !quoted && i+1 < len(line):
			i++
			word += string(line[i])
		case c == ' ' && !quoted:
			if any || word != "" {
				all = append(all, word)
			}
			word, any = "", false
		default:
			word += string(c)
		}
	}
	return append(all, word)
}

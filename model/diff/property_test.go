package diff_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

// drawDeployed returns a random backend as one of its environments deploys it.
func drawDeployed(t *rapid.T) *model.Backend {
	b := modeltest.Draw(t)
	if len(b.Environments) == 0 {
		return b.For(nil)
	}
	return b.For(rapid.SampledFrom(b.Environments).Draw(t, "environment"))
}

// readAgain returns a deep copy of a backend, like one that was written and loaded.
func readAgain(t *rapid.T, b *model.Backend) *model.Backend {
	var again model.Backend
	modeltest.NoError(t, json.Unmarshal([]byte(modeltest.Dump(t, b)), &again))
	return &again
}

// operations returns the operations by resource.
func operations(t *rapid.T, was, now *model.Backend) map[model.Ref]diff.Operation {
	all := make(map[model.Ref]diff.Operation)
	for _, d := range diff.Backends(was, now) {
		if _, twice := all[d.Of]; twice {
			t.Fatalf("%s is listed twice", d.Of)
		}
		all[d.Of] = d.Operation
	}
	return all
}

func TestNothingChangesBetweenABackendAndItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawDeployed(t)
		for _, other := range []*model.Backend{b, readAgain(t, b)} {
			for _, d := range diff.Backends(b, other) {
				if d.Operation != diff.NoChange {
					t.Fatalf("%s: %s %q", d.Of, d.Operation, d.Reasons)
				}
			}
		}
	})
}

// TestEditsThatAreUndoneAreNoChange undoes a random sequence of edits by other edits.
func TestEditsThatAreUndoneAreNoChange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := modeltest.Draw(t)
		next := *b
		for range rapid.IntRange(1, 20).Draw(t, "more edits") {
			trial := next
			if modeltest.DrawEdit(t, &trial) == nil {
				next = trial
			}
		}
		undo(t, &next, readAgain(t, b))
		for _, d := range diff.Backends(b, &next) {
			if d.Operation != diff.NoChange {
				t.Fatalf("%s: %s %q\nbefore %s\nafter  %s", d.Of, d.Operation, d.Reasons, modeltest.Dump(t, b), modeltest.Dump(t, &next))
			}
		}
	})
}

// undo makes b equal to an earlier backend: it updates the APIs that still exist, and removes
// and adds other things again.
func undo(t *rapid.T, b, was *model.Backend) {
	modeltest.NoError(t, edit.SetAuth(b, nil))
	modeltest.NoError(t, edit.SetData(b, nil))
	modeltest.NoError(t, edit.SetStorage(b, nil))
	remove := func(kind model.Kind, name string) {
		modeltest.NoError(t, edit.Remove(b, model.Ref{Kind: kind, Name: name}, true))
	}
	for _, o := range b.Outputs {
		remove(model.KindOutput, o.Name)
	}
	for _, e := range b.Environments {
		remove(model.KindEnvironment, e.Name)
	}
	for _, table := range b.Tables {
		remove(model.KindTable, table.Name)
	}
	// A function may have lost its table, and AddFunction would refuse it.
	b.Functions, b.Groups, b.Tables = was.Functions, was.Groups, was.Tables
	for _, api := range b.APIs {
		if was.API(api.Label) == nil {
			remove(model.KindAPI, api.Label)
		}
	}
	for _, api := range was.APIs {
		shuffled := &access.API{Label: api.Label, BinaryMediaTypes: api.BinaryMediaTypes, Paths: rapid.Permutation(api.Paths).Draw(t, "order of paths")}
		if b.API(api.Label) == nil {
			modeltest.NoError(t, edit.AddAPI(b, shuffled))
			continue
		}
		modeltest.NoError(t, edit.UpdateAPI(b, shuffled))
	}
	modeltest.NoError(t, edit.SetAuth(b, was.Auth))
	modeltest.NoError(t, edit.SetData(b, was.Data))
	modeltest.NoError(t, edit.SetStorage(b, was.Storage))
	for _, o := range was.Outputs {
		modeltest.NoError(t, edit.AddNamedOutput(b, o.Name, o.Values))
	}
	for _, e := range was.Environments {
		modeltest.NoError(t, edit.AddEnvironment(b, e))
	}
}

func TestTheReverseOfACreationIsADeletion(t *testing.T) {
	t.Parallel()
	back := map[diff.Operation]diff.Operation{
		diff.NoChange: diff.NoChange, diff.ToUpdate: diff.ToUpdate, diff.ToCreate: diff.ToDelete, diff.ToDelete: diff.ToCreate,
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDeployed(t), drawDeployed(t)
		there, here := operations(t, a, b), operations(t, b, a)
		if len(there) != len(here) {
			t.Fatalf("there %v, back %v", there, here)
		}
		for of, operation := range there {
			if here[of] != back[operation] {
				t.Fatalf("%s: %s, and back %s", of, operation, here[of])
			}
		}
	})
}

func TestEveryUpdateHasAReasonThatIsOneLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var last model.Ref
		for _, d := range diff.Backends(drawDeployed(t), drawDeployed(t)) {
			if d.Operation == diff.ToUpdate && len(d.Reasons) == 0 || d.Operation == diff.NoChange && d.Reasons != nil {
				t.Fatalf("%s: %s %q", d.Of, d.Operation, d.Reasons)
			}
			for _, reason := range d.Reasons {
				if reason == "" || strings.ContainsFunc(reason, func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Fatalf("%s: %q", d.Of, reason)
				}
			}
			if last.Kind == d.Of.Kind && last.Name >= d.Of.Name {
				t.Fatalf("%s stands after %s", d.Of, last)
			}
			last = d.Of
		}
	})
}

// TestDiffReportsEveryChangeOfADecision compares the reasons of Diff for an API with the
// decisions of Decide for callers of every kind.
func TestDiffReportsEveryChangeOfADecision(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was := accesstest.API(t)
		now := &access.API{Label: was.Label}
		for _, p := range was.Paths {
			next := *p
			if rapid.Bool().Draw(t, "changed") {
				next.Access = accesstest.Access(t)
			}
			now.Paths = append(now.Paths, &next)
		}
		groups := rapid.Permutation([]string{"A", "B", "C"}).Draw(t, "order")
		before, after := &model.Backend{Groups: groups, APIs: []*access.API{was}}, &model.Backend{Groups: groups, APIs: []*access.API{now}}
		method, raw := accesstest.Request(t)
		caller := accesstest.Caller(t)
		had, has := before.Router("shop").Decide(caller, method, raw), after.Router("shop").Decide(caller, method, raw)
		if had.Allowed == has.Allowed {
			return
		}
		verb, path := " lose ", phrase.Quote(has.Route.Path.Name)+": "
		if has.Allowed {
			verb = " gain "
		}
		reasons := diff.Backends(before, after)[0].Reasons
		said := slices.ContainsFunc(reasons, func(reason string) bool {
			switch reason {
			case path + "is open to everybody now":
				return true
			case path + "is no longer open to everybody":
				// Diff has no reasons for strangers.
				return caller.Stranger && had.Allowed
			}
			return strings.HasPrefix(reason, path) && strings.Contains(reason, verb) && strings.Contains(reason, has.Action.String())
		})
		if !said {
			t.Fatalf("%+v %s %s: %v, then %v; the reasons are %q", caller, method, raw, had.Reason(), has.Reason(), reasons)
		}
	})
}

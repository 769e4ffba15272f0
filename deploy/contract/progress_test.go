package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"pgregory.net/rapid"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/model"
)

func TestEachStatusOfTheServiceHasWords(t *testing.T) {
	t.Parallel()
	var all []string
	for _, s := range types.ResourceStatus("").Values() {
		all = append(all, string(s))
	}
	for _, s := range types.StackStatus("").Values() {
		all = append(all, string(s))
	}
	for _, status := range all {
		r := contract.ResourceProgress{Status: stack.Status(status)}
		words := r.Words()
		undone := strings.Contains(status, "ROLLBACK")
		switch {
		case status == "REVIEW_IN_PROGRESS":
			continue
		case words == "" || strings.Contains(words, "_") || strings.Contains(strings.ToLower(status), strings.ReplaceAll(words, " ", "_")):
			t.Errorf("%s is %q", status, words)
		case strings.HasSuffix(status, "_FAILED") != strings.HasPrefix(words, "could not"):
			t.Errorf("%s is %q: has it failed?", status, words)
		case r.Going() != (strings.HasPrefix(words, "being ") || words == "going back"):
			t.Errorf("%s is %q: does it go on?", status, words)
		case undone != strings.Contains(words, "back") || undone != r.Undone():
			t.Errorf("%s is %q: is it undone?", status, words)
		}
	}
	for status, want := range map[stack.Status]string{
		"DELETE_SKIPPED": "kept", "IMPORT_ROLLBACK_COMPLETE": "rolled back", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS": "going back",
		"UPDATE_COMPLETE_CLEANUP_IN_PROGRESS": "being changed", "ROLLBACK_FAILED": "could not roll back", "CREATE_COMPLETE": "made", "SOMETHING_NEW": "something new",
	} {
		if got := (&contract.ResourceProgress{Status: status}).Words(); got != want {
			t.Errorf("%s is %q, want %q", status, got, want)
		}
	}
}

func step(id, of string, status stack.Status, reason string) contract.ResourceProgress {
	return contract.ResourceProgress{
		ID: id, Of: model.Ref{Kind: model.KindFunction, Name: of}, Status: status, Reason: reason, Failed: strings.HasSuffix(string(status), "_FAILED"),
	}
}

func branchesOf(tree *contract.Tree) string {
	var all []string
	for _, b := range tree.Branches() {
		all = append(all, fmt.Sprintf("%s %d/%d", b.Of.Name, b.Done(), len(b.Resources)))
	}
	return strings.Join(all, ", ")
}

func TestFailuresComeFirstAndStayWhenEverythingGoesBack(t *testing.T) {
	t.Parallel()
	tree := contract.NewTree(5)
	check := func(want string, wantDone, wantTotal int) {
		t.Helper()
		done, total := tree.Count()
		if got := branchesOf(tree); got != want || done != wantDone || total != wantTotal {
			t.Errorf("the branches are %s with %d of %d, want %s with %d of %d", got, done, total, want, wantDone, wantTotal)
		}
	}
	check("", 0, 5)
	tree.Add(step("1", "a", "CREATE_IN_PROGRESS", ""))
	tree.Add(step("2", "b", "CREATE_IN_PROGRESS", ""))
	tree.Add(step("3", "b", "CREATE_IN_PROGRESS", ""))
	check("a 0/1, b 0/2", 0, 5)
	tree.Add(step("1", "a", "CREATE_COMPLETE", ""))
	check("b 0/2, a 1/1", 1, 5)
	tree.Add(step("4", "c", "CREATE_IN_PROGRESS", ""))
	tree.Add(step("4", "c", "CREATE_FAILED", "no more of them"))
	check("c 1/1, b 0/2, a 1/1", 2, 5)
	for _, status := range []stack.Status{"DELETE_IN_PROGRESS", "DELETE_COMPLETE"} {
		tree.Add(step("4", "c", status, ""))
		b := tree.Branches()[0]
		if !b.Failed() || b.Resources[0].Reason != "no more of them" || b.Resources[0].Status != status {
			t.Errorf("while it goes back, the failure is %+v", b.Resources[0])
		}
	}
	check("c 1/1, b 0/2, a 1/1", 2, 5)
	for _, id := range []string{"5", "6", "7"} {
		tree.Add(contract.ResourceProgress{ID: id, Status: "UPDATE_COMPLETE"})
	}
	if name := tree.Branches()[3].Name(); name != "other resources" {
		t.Errorf("what belongs to nothing is called %s", name)
	}
	check("c 1/1, b 0/2, a 1/1,  3/3", 5, 7)
}

// TestTheCountsOfATreeAreThoseOfItsResources whatever comes in whatever order.
func TestTheCountsOfATreeAreThoseOfItsResources(t *testing.T) {
	t.Parallel()
	statuses := types.ResourceStatus("").Values()
	rapid.Check(t, func(t *rapid.T) {
		expected := rapid.IntRange(0, 20).Draw(t, "expected")
		tree := contract.NewTree(expected)
		last, ended := make(map[string]contract.ResourceProgress), make(map[string]bool)
		var order []string
		before := 0
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			n := rapid.IntRange(0, 15).Draw(t, "resource")
			r := step(fmt.Sprint(n), fmt.Sprint(n%4), stack.Status(rapid.SampledFrom(statuses).Draw(t, "status")), "")
			tree.Add(r)
			ended[r.ID] = ended[r.ID] || !r.Going()
			r.Failed = r.Failed || last[r.ID].Failed
			last[r.ID] = r
			if !slices.Contains(order, r.Of.Name) {
				order = append(order, r.Of.Name)
			}
			done, total := tree.Count()
			want := 0
			for _, e := range ended {
				if e {
					want++
				}
			}
			if done != want || done < before || total != max(expected, len(last)) || done > total {
				t.Fatalf("%d of %d, want %d of %d", done, total, want, max(expected, len(last)))
			}
			before = done
		}
		rank, at, resources := 0, -1, 0
		for _, b := range tree.Branches() {
			now := 2
			if b.Going() {
				now = 1
			}
			if b.Failed() {
				now = 0
			}
			place := slices.Index(order, b.Of.Name)
			if now < rank || now == rank && place < at {
				t.Errorf("the branches are in the order %s", branchesOf(tree))
			}
			rank, at = now, place
			resources += len(b.Resources)
			for _, r := range b.Resources {
				if r.Status != last[r.ID].Status || r.Failed != last[r.ID].Failed {
					t.Errorf("%s is %s, failed %t; want %s, failed %t", r.ID, r.Status, r.Failed, last[r.ID].Status, last[r.ID].Failed)
				}
			}
		}
		if resources != len(last) || len(tree.Branches()) != len(order) {
			t.Errorf("%d resources in %d branches, want %d in %d", resources, len(tree.Branches()), len(last), len(order))
		}
	})
}

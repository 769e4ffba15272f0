package edit_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/check"
	"gatewright/model/clientfile"
	"gatewright/model/modeltest"
	_ "gatewright/test/depth" // says how often a property is tried
)

// TestEditsLeaveEarlierBackendsAsTheyWere applies random edits and checks that no earlier
// state has changed, since undo keeps pointers to them.
func TestEditsLeaveEarlierBackendsAsTheyWere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := &model.Backend{}
		states, dumps := []*model.Backend{b}, []string{modeltest.Dump(t, b)}
		for range rapid.IntRange(1, 25).Draw(t, "edits") {
			next, err := b.Edit(func(b *model.Backend) error { return modeltest.DrawEdit(t, b) })
			if err != nil {
				continue
			}
			b = next
			states, dumps = append(states, b), append(dumps, modeltest.Dump(t, b))
		}
		for i, state := range states {
			if modeltest.Dump(t, state) != dumps[i] {
				t.Fatalf("a later edit changed state %d of %d", i, len(states))
			}
		}
	})
}

// TestAnAcceptedEditAddsNoErrorToCheck applies random edits, many of them wrong. Only
// incomplete things and the results of a cascading removal may have errors.
func TestAnAcceptedEditAddsNoErrorToCheck(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := &model.Backend{}
		for range rapid.IntRange(1, 40).Draw(t, "edits") {
			next, err := b.Edit(func(b *model.Backend) error { return modeltest.DrawEdit(t, b) })
			if err != nil {
				continue
			}
			for _, p := range check.Backend(next) {
				if p.Level == model.Error && !errors.Is(p, check.ErrIncomplete) {
					t.Fatalf("the edit was accepted, and Check says: %v\nbefore %s\nafter  %s", p, modeltest.Dump(t, b), modeltest.Dump(t, next))
				}
			}
			if _, err := clientfile.Of(next, nil, nil); err != nil {
				t.Fatalf("the edit was accepted, and there is no client configuration file: %v", err)
			}
			b = next
		}
	})
}

package flow

import "slices"

// entry is one change of the answers: where it was made, and the answers on its other side,
// which are those before it in the list of undo, and those after it in the list of redo.
type entry struct {
	answers Answers
	at      ID
	field   string
}

// Done says what Undo took back, or Redo did again.
type Done struct {
	// At and Field are where it shows.
	At    ID
	Field string
	// Text is the change in words: "guests may read under /items".
	Text string
}

// Set stores an answer without checking it. Undo takes back one Set.
func (f *Flow) Set(at ID, field, value string, chosen []string) {
	f.change(at, field, func() { f.store(at, field, value, chosen) })
}

// Amend changes the answer that Set stored last: each further character of a text
// belongs to the same answer, and one Undo takes all of them back.
func (f *Flow) Amend(at ID, field, value string, chosen []string) {
	f.now = f.now.clone()
	f.store(at, field, value, chosen)
	f.growPaths()
}

// change makes one change that Undo takes back.
func (f *Flow) change(at ID, field string, do func()) {
	f.redo = nil
	f.undo = append(f.undo, entry{f.now, at, field})
	f.now = f.now.clone()
	do()
	f.growPaths()
}

func (f *Flow) store(at ID, field, value string, chosen []string) {
	if answered, ok := f.Ask(at).Field(field); ok && answered.store != nil {
		answered.store(value, chosen)
	}
}

// growPaths adds the answers about one more path if one is wanted. After a "no" the answers
// about further paths stay in the list, so that a "yes" brings them back.
func (f *Flow) growPaths() {
	if n := len(f.now.Paths); f.now.Paths[n-1].Another == Yes {
		f.now.Paths = append(f.now.Paths, f.defaultPath())
	}
}

// Undo takes back the last Set; false if there is none.
func (f *Flow) Undo() (Done, bool) {
	return f.step(&f.undo, &f.redo, func(now, then Answers, of entry) string { return f.describe(then, now, of) })
}

// Redo restores what the last Undo took back; false if there is nothing.
func (f *Flow) Redo() (Done, bool) { return f.step(&f.redo, &f.undo, f.describe) }

// step takes the answers of the last entry of a list, and puts an entry with those of now into another list.
func (f *Flow) step(from, to *[]entry, describe func(now, then Answers, of entry) string) (Done, bool) {
	n := len(*from) - 1
	if n < 0 {
		return Done{}, false
	}
	last := (*from)[n]
	*from, *to = (*from)[:n], append(*to, entry{f.now, last.at, last.field})
	done := Done{last.at, last.field, describe(f.now, last.answers, last)}
	answered := f.now.Answered // nobody unsees a question
	f.now = last.answers
	f.now.Answered, f.now.Typed = answered, ""
	return done, true
}

// Type notes the names of groups that are being typed, for the draft; "" when they are added or given up.
func (f *Flow) Type(names string) { f.now.Typed = names }

// Typed returns the names of groups that were being typed when the draft was saved.
func (f *Flow) Typed() string { return f.now.Typed }

// Pass notes that the person has answered a step and goes on from it.
func (f *Flow) Pass(at ID) {
	if !slices.Contains(f.now.Answered, at) {
		f.now.Answered = append(slices.Clip(f.now.Answered), at)
	}
}

// Passed reports whether the person has gone on from a step.
func (f *Flow) Passed(at ID) bool { return slices.Contains(f.now.Answered, at) }

// Unanswered returns the first step that the person has not gone on from, or whose answer
// is not valid (any more). It is the review if there is none.
func (f *Flow) Unanswered() ID {
	for _, at := range f.Steps() {
		if !f.Passed(at) || f.Check(at) != nil {
			return at
		}
	}
	return ID{Kind: Review}
}

// Package merge lays what others changed under what a person did: it merges three states of a
// value, as it was read, as the files have it now, and as the person left it.
package merge

// Conflict is a value that a person and somebody else changed to different ones, in words.
type Conflict struct {
	// Of names the value, such as "signed-in users under /books".
	Of string
	// Yours is the person's value, Outside that of the files.
	Yours, Outside string
}

// Merge merges values. The zero value has no decisions yet.
type Merge struct {
	// Open are the conflicts that nobody has decided.
	Open []Conflict
	// yours says which decided values stay as the person left them. An earlier state of the
	// person's work goes the same way, so what it had does not matter.
	yours map[[2]string]bool
}

// Decide settles a conflict.
func (m *Merge) Decide(c Conflict, yours bool) {
	if m.yours == nil {
		m.yours = make(map[[2]string]bool)
	}
	m.yours[[2]string{c.Of, c.Outside}] = yours
}

// Again is a merge with the same decisions, and nothing open.
func (m *Merge) Again() *Merge { return &Merge{yours: m.yours} }

// Value merges the three states of a value. An open conflict gives mine. words says a state.
func Value[T any](m *Merge, of string, was, now, mine T, same func(a, b T) bool, words func(T) string) T {
	switch {
	case same(mine, was):
		return now
	case same(now, was), same(now, mine):
		return mine
	}
	c := Conflict{of, words(mine), words(now)}
	yours, decided := m.yours[[2]string{of, c.Outside}]
	switch {
	case !decided:
		m.Open = append(m.Open, c)
	case !yours:
		return now
	}
	return mine
}

package model

import "slices"

// SetTrigger sets the function that the user pool calls at a moment; "" removes it. One of
// the two moments before tokens are made replaces the other.
func (b *Backend) SetTrigger(at Moment, function string) error {
	next := *b
	next.Triggers = slices.DeleteFunc(slices.Clone(b.Triggers), func(t Trigger) bool {
		return t.At == at || function != "" && t.At != at && t.At.Title() == at.Title()
	})
	if function != "" {
		next.Triggers = append(next.Triggers, Trigger{At: at, Function: function})
	}
	SortTriggers(next.Triggers)
	judge := func(b *Backend) []*Problem {
		c := b.checker()
		problems := c.checkTriggers()
		if f := b.Function(function); f != nil {
			problems = append(problems, c.checkReferences(f)...)
		}
		for _, e := range b.Environments {
			problems = append(problems, c.checkReferencesIn(e)...)
		}
		return problems
	}
	if err := refusal(judge(&next), func() []*Problem { return judge(b) }); err != nil {
		return err
	}
	if len(next.Triggers) == 0 {
		next.Triggers = nil
	}
	*b = next
	return nil
}

// SetBinaryMediaTypes replaces the binary media types of an API; none makes every body text. The
// order alone is no difference.
func (b *Backend) SetBinaryMediaTypes(label string, types []string) error {
	have, err := b.api(label)
	if err != nil {
		return err
	}
	if sameMediaTypes(types, have.BinaryMediaTypes) {
		return nil
	}
	changed := *have
	changed.BinaryMediaTypes = append([]string(nil), types...)
	err = refusal(checkBinaryMediaTypes(&changed), func() []*Problem { return checkBinaryMediaTypes(have) })
	if err == nil {
		b.APIs = swapped(b.APIs, label, &changed)
	}
	return err
}

package model

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// userPoolChanges are the reasons why the user pool changes: its definition, then
// its groups. A pool that nothing defines has the settings of an empty definition.
func userPoolChanges(was, now *Backend) []string {
	if !was.UsesUserPool() || !now.UsesUserPool() {
		return nil
	}
	// The specification names the fields of a section with dots.
	c := comparison{place: func(pointer string) string {
		return Quote(strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", "."))
	}}
	if was.Auth != now.Auth {
		c.members("", jsonOf(was.Auth.orEmpty()), jsonOf(now.Auth.orEmpty()))
	}
	reasons := nameChanges(c.reasons, "group", was.Groups, now.Groups)
	return orderChange(reasons, "groups", was.Groups, now.Groups)
}

func (a *Auth) orEmpty() Auth {
	if a == nil {
		a = &Auth{}
	}
	return a.settled()
}

// definitionChanges are the reasons why the data API or the bucket changes.
func definitionChanges[T any](was, now *T) []string {
	if was == now || was == nil || now == nil {
		return nil
	}
	c := comparison{place: Quote}
	c.members("", jsonOf(was), jsonOf(now))
	return c.reasons
}

// outputChanges are the reasons why what an addOutput call gave changes.
func outputChanges(was, now *Output) []string {
	if was == now || was == nil || now == nil {
		return nil
	}
	c := comparison{place: Quote}
	c.members("", jsonOf(was.Values), jsonOf(now.Values))
	return c.reasons
}

// jsonOf is a value as a JSON object. What is none is empty: Check says so.
func jsonOf(value any) Outputs {
	values, err := OutputsOf(value)
	if err != nil {
		return nil
	}
	return values
}

// comparison finds where two JSON values differ. place says a pointer, fit for a
// line of text.
type comparison struct {
	place   func(pointer string) string
	reasons []string
}

func (c *comparison) say(pointer, text string) {
	c.reasons = append(c.reasons, c.place(pointer)+text)
}

func (c *comparison) members(at string, was, now map[string]any) {
	both := maps.Clone(was)
	if both == nil {
		both = make(map[string]any, len(now))
	}
	maps.Copy(both, now)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		pointer := at + "/" + PointerToken(name)
		w, had := was[name]
		n, has := now[name]
		switch {
		case !had:
			c.say(pointer, " is new: "+brief(pointer, n))
		case !has:
			c.say(pointer, " is gone")
		default:
			c.value(pointer, w, n)
		}
	}
}

func (c *comparison) value(pointer string, was, now any) {
	switch w := was.(type) {
	case map[string]any:
		if n, both := now.(map[string]any); both {
			c.members(pointer, w, n)
			return
		}
	case []any:
		if n, both := now.([]any); both {
			c.items(pointer, w, n)
			return
		}
	}
	if !SameValue(was, now) {
		c.arrow(pointer, was, now)
	}
}

func (c *comparison) arrow(pointer string, was, now any) {
	from, to := brief(pointer, was), brief(pointer, now)
	if from == to {
		c.reasons = append(c.reasons, anotherValue(c.place(pointer)))
		return
	}
	c.say(pointer, ": "+from+" -> "+to)
}

// items compares arrays: of words and numbers what is new in them and what is
// gone, of others place by place.
func (c *comparison) items(pointer string, was, now []any) {
	if slices.ContainsFunc(was, composite) || slices.ContainsFunc(now, composite) {
		for i := range max(len(was), len(now)) {
			at := pointer + "/" + strconv.Itoa(i)
			switch {
			case i >= len(was):
				c.say(at, " is new: "+brief(at, now[i]))
			case i >= len(now):
				c.say(at, " is gone")
			default:
				c.value(at, was[i], now[i])
			}
		}
		return
	}
	// A canonical form is no text for people: each leads back to its item.
	shown := make(map[string]any, len(was)+len(now))
	forms := func(items []any) []string {
		all := make([]string, len(items))
		for i, item := range items {
			all[i] = Canonical(item)
			shown[all[i]] = item
		}
		return all
	}
	before, after := forms(was), forms(now)
	if slices.Equal(before, after) {
		return
	}
	said := len(c.reasons)
	c.only(pointer, after, before, shown, " is new")
	c.only(pointer, before, after, shown, " is gone")
	if len(c.reasons) == said {
		c.arrow(pointer, was, now)
	}
}

// only says the items of one list that the other lacks, each once.
func (c *comparison) only(pointer string, list, other []string, shown map[string]any, text string) {
	has := make(map[string]bool, len(other)+len(list))
	for _, form := range other {
		has[form] = true
	}
	for _, form := range list {
		if !has[form] {
			has[form] = true
			c.say(pointer, ": "+brief(pointer, shown[form])+text)
		}
	}
}

func composite(item any) bool {
	switch item.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

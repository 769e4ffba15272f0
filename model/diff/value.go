package diff

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/clientfile"
)

// userPoolChanges returns the reasons why the user pool changes: its definition, then its
// groups and its triggers. Without a definition a pool has the settings of an empty one.
func userPoolChanges(was, now *model.Backend) []string {
	if !was.UsesUserPool() || !now.UsesUserPool() {
		return nil
	}
	// Nested fields are written with dots, as in password_policy.min_length.
	c := comparison{place: func(pointer string) string {
		return phrase.Quote(strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", "."))
	}}
	if was.Auth != now.Auth {
		c.members("", jsonOf(orEmpty(was.Auth)), jsonOf(orEmpty(now.Auth)))
	}
	reasons := nameChanges(c.reasons, "group", was.Groups, now.Groups)
	return triggerChanges(orderChange(reasons, "groups", was.Groups, now.Groups), was.Triggers, now.Triggers)
}

func orEmpty(a *model.Auth) model.Auth {
	if a == nil {
		a = &model.Auth{}
	}
	return a.WithDefaults()
}

// definitionChanges returns the reasons why the data API or the bucket changes.
func definitionChanges[T any](was, now *T) []string {
	if was == now || was == nil || now == nil {
		return nil
	}
	c := comparison{place: phrase.Quote}
	c.members("", jsonOf(was), jsonOf(now))
	return c.reasons
}

// outputChanges returns the reasons why an output changes.
func outputChanges(was, now *model.Output) []string {
	if was == now || was == nil || now == nil {
		return nil
	}
	c := comparison{place: phrase.Quote}
	c.members("", jsonOf(was.Values), jsonOf(now.Values))
	return c.reasons
}

// jsonOf returns a value as a JSON object; nil if it is not one, which Check reports.
func jsonOf(value any) model.Outputs {
	values, err := model.OutputsOf(value)
	if err != nil {
		return nil
	}
	return values
}

// comparison finds where two JSON values differ. place makes a printable text of a pointer.
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
		pointer := at + "/" + model.PointerSegment(name)
		w, had := was[name]
		n, has := now[name]
		switch {
		case !had:
			c.say(pointer, " is new: "+clientfile.Brief(pointer, n))
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
	if !model.SameValue(was, now) {
		c.arrow(pointer, was, now)
	}
}

func (c *comparison) arrow(pointer string, was, now any) {
	from, to := clientfile.Brief(pointer, was), clientfile.Brief(pointer, now)
	if from == to {
		c.reasons = append(c.reasons, anotherValue(c.place(pointer)))
		return
	}
	c.say(pointer, ": "+from+" -> "+to)
}

// items compares arrays. Arrays of strings and numbers are compared as sets, others item by item.
func (c *comparison) items(pointer string, was, now []any) {
	if slices.ContainsFunc(was, composite) || slices.ContainsFunc(now, composite) {
		for i := range max(len(was), len(now)) {
			at := pointer + "/" + strconv.Itoa(i)
			switch {
			case i >= len(was):
				c.say(at, " is new: "+clientfile.Brief(at, now[i]))
			case i >= len(now):
				c.say(at, " is gone")
			default:
				c.value(at, was[i], now[i])
			}
		}
		return
	}
	// shown maps each canonical form, which is not for people, to its item.
	shown := make(map[string]any, len(was)+len(now))
	forms := func(items []any) []string {
		all := make([]string, len(items))
		for i, item := range items {
			all[i] = model.Canonical(item)
			shown[all[i]] = item
		}
		return all
	}
	before, after := forms(was), forms(now)
	if slices.Equal(before, after) {
		return
	}
	reported := len(c.reasons)
	c.only(pointer, after, before, shown, " is new")
	c.only(pointer, before, after, shown, " is gone")
	if len(c.reasons) == reported {
		c.arrow(pointer, was, now)
	}
}

// only reports the items of one list that the other lacks, each once.
func (c *comparison) only(pointer string, list, other []string, shown map[string]any, text string) {
	has := make(map[string]bool, len(other)+len(list))
	for _, form := range other {
		has[form] = true
	}
	for _, form := range list {
		if !has[form] {
			has[form] = true
			c.say(pointer, ": "+clientfile.Brief(pointer, shown[form])+text)
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

package cfn

import (
	"cmp"
	"slices"
	"strings"
)

// Exact returns a text that two values have only if they come to the same in every deployment:
// the value, and of one with an unknown part also how it is written, with the definitions that
// this names. It is for comparing and not for people: it may have what is secret in a template.
func (t *Template) Exact(v Value) string {
	text := string(appendJSON(nil, sorted(v), maxMade))
	if v.Known() {
		return text
	}
	for _, u := range v.Unknown {
		text += "\n" + u.What
	}
	if v.node == nil {
		return text
	}
	written := string(v.node.Minified())
	return text + "\n" + written + t.Definitions(written)
}

// Definitions returns the parameters, mappings and conditions that a text names, and those that
// these name, as they are written. It may return more than are meant.
func (t *Template) Definitions(text string) string {
	var rest []Member
	for _, section := range []string{"Parameters", "Mappings", "Conditions"} {
		rest = append(rest, t.Root.Get(section).members()...)
	}
	var found strings.Builder
	for look := text; look != ""; {
		var next strings.Builder
		rest = slices.DeleteFunc(rest, func(m Member) bool {
			named := m.Name != "" && strings.Contains(look, m.Name)
			if named {
				next.WriteString("\n" + m.Name + "=" + string(m.Value.Minified()))
			}
			return named
		})
		look = next.String()
		found.WriteString(look)
	}
	return found.String()
}

// sorted returns a value with the members of its maps in the order of their names, in which
// they mean the same.
func sorted(v Value) Value {
	if len(v.Members) > 0 {
		v.Members = slices.Clone(v.Members)
		for i, m := range v.Members {
			v.Members[i].Value = sorted(m.Value)
		}
		slices.SortStableFunc(v.Members, func(a, b NamedValue) int { return cmp.Compare(a.Name, b.Name) })
	}
	if len(v.List) > 0 {
		v.List = slices.Clone(v.List)
		for i, item := range v.List {
			v.List[i] = sorted(item)
		}
	}
	return v
}

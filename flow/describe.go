package flow

import (
	"slices"
	"strings"

	"gatewright/model"
)

// describe says in words what differs between two states of the answers: in access first,
// else in the field that was changed.
func (f *Flow) describe(from, to Answers, of entry) string {
	was, now := f.at(from), f.at(to)
	var parts []string
	for i := range min(len(was.paths()), len(now.paths())) {
		parts = append(parts, accessChanges(now.Matrix(i).Path, was.Matrix(i).Access, now.Matrix(i).Access)...)
	}
	parts = append(parts, groupChanges(was.Groups(), now.Groups())...)
	if len(parts) == 0 {
		return now.fieldText(of)
	}
	return model.List(parts)
}

// at returns a flow with other answers.
func (f *Flow) at(answers Answers) *Flow {
	return &Flow{Base: f.Base, Task: f.Task, NewProject: f.NewProject, now: answers}
}

// accessChanges says what changes under a path.
func accessChanges(path string, was, now model.Access) []string {
	under := ""
	if path != "" {
		under = " under " + model.Quote(path)
	}
	if now.Setting == model.Open && was.Setting != model.Open {
		return []string{"everybody may do everything" + under}
	}
	var parts []string
	if was.Setting == model.Open && now.Setting != model.Open {
		parts = append(parts, model.Quote(path)+" is restricted")
	}
	for _, c := range model.Changes(was, now) {
		if c.Gained != 0 {
			parts = append(parts, c.Who.String()+" may "+c.Gained.Verb()+under)
		}
		if c.Lost != 0 {
			parts = append(parts, c.Who.String()+" may no longer "+c.Lost.String()+under)
		}
	}
	if len(parts) == 0 {
		for _, g := range now.Grants {
			if _, had := was.Grant(g.To); !had {
				parts = append(parts, g.To.String()+" have an entry of their own"+under)
			}
		}
		for _, g := range was.Grants {
			if _, has := now.Grant(g.To); !has {
				parts = append(parts, g.To.String()+" have no entry of their own"+under)
			}
		}
	}
	return parts
}

// groupChanges says which groups are new, gone or in another order.
func groupChanges(was, now []string) []string {
	added := slices.DeleteFunc(slices.Clone(now), func(g string) bool { return slices.Contains(was, g) })
	gone := slices.DeleteFunc(slices.Clone(was), func(g string) bool { return slices.Contains(now, g) })
	noun := func(names []string) string {
		if len(names) == 1 {
			return "the group " + model.QuoteList(names)
		}
		return "the groups " + model.QuoteList(names)
	}
	var parts []string
	if len(added) > 0 {
		parts = append(parts, noun(added)+" added")
	}
	if len(gone) > 0 {
		parts = append(parts, noun(gone)+" removed")
	}
	if len(parts) == 0 && !slices.Equal(was, now) {
		parts = append(parts, "the order of the groups is "+model.QuoteList(now))
	}
	return parts
}

// fieldText says what a field holds.
func (f *Flow) fieldText(of entry) string {
	if of.at.Path >= len(f.now.Paths) {
		return f.Name(of.at)
	}
	field, ok := f.Ask(of.at).Field(of.field)
	if !ok {
		return f.Name(of.at)
	}
	label := field.Label
	if label == "" {
		label = f.Name(of.at)
	}
	return strings.ToLower(label[:1]) + label[1:] + " " + field.Shown()
}

// Shown returns the answer of a field in a few words.
func (f Field) Shown() string {
	switch f.Kind {
	case Text:
		switch {
		case f.Value != "":
			return model.Quote(f.Value)
		case f.Placeholder != "":
			return f.Placeholder
		}
		return "empty"
	case Choice, Several:
		var titles []string
		for _, o := range f.Options {
			if f.Has(o) {
				titles = append(titles, o.Title)
			}
		}
		if len(titles) > 0 {
			return model.List(titles)
		}
	}
	return "none"
}

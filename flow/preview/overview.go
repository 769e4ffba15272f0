package preview

import (
	"slices"
	"strings"

	"gatewright/flow/matrix"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
)

// Path is a path that comes into being or changes.
type Path struct {
	API  string
	Name string
	// Was is its name before; "" for a new path, and Name if it keeps it.
	Was string
	// Served says in words which function serves it: "new function books, Express".
	Served string
	// Access is its access, compared with the access before.
	Access matrix.Matrix
}

// Overview is what a change of a backend comes to, in the words of its author.
type Overview struct {
	Paths []Path
	// Things are the tables, groups, environments and so on that come into being, a line each.
	Things []string
	// Access is what differs in access for requests that the API serves already, the more open first.
	Access []access.Difference
	// MoreAccess says that Access leaves some out (see access.Compare).
	MoreAccess bool
	// Warnings are the problems that the change brings, a line each.
	Warnings []string
}

// OverviewOf compares two backends. renamed is the name that the only path of an API that
// is gone has now; "" for none.
func OverviewOf(was, next *model.Backend, renamed string) Overview {
	var o Overview
	for _, api := range next.APIs {
		old := was.API(api.Label)
		if old == api {
			continue
		}
		for _, p := range api.Paths {
			if old != nil && slices.Contains(old.Paths, p) {
				continue
			}
			o.Paths = append(o.Paths, pathOf(was, next, old, api, p, renamed))
		}
	}
	o.Things = things(was, next)
	rules, complete := access.Compare(was.Gate(), next.Gate())
	o.Access, o.MoreAccess = access.OfServed(rules, was.Gate()), !complete
	for _, problem := range NewProblems(was, next) {
		o.Warnings = append(o.Warnings, problem.Error())
	}
	return o
}

func pathOf(was, next *model.Backend, old, api *access.API, p *access.Path, renamed string) Path {
	made := Path{API: api.Label, Name: p.Name, Served: served(was, next, p.Function)}
	made.Access = matrix.Matrix{
		Path: p.Name, Access: p.Access, Groups: next.Groups, Terms: next.Terms(),
		CreateNote: next.CreateNote(p.Function),
	}
	if old == nil {
		return made
	}
	before := old.Path(p.Name)
	if before == nil && renamed != "" && api.Path(renamed) == nil {
		before = old.Path(renamed)
	}
	if before != nil {
		made.Was, made.Access.Before = before.Name, &before.Access
	}
	return made
}

// served describes the function of a path.
func served(was, next *model.Backend, name string) string {
	fn := next.Function(name)
	switch {
	case fn == nil:
		return "function " + phrase.Quote(name)
	case was.Function(name) != nil:
		return "function " + phrase.Quote(name) + ", which exists"
	}
	text := "new function " + phrase.Quote(name)
	if title := fn.Template.Title(); title != "" {
		text += ", " + title
	}
	if fn.Table != "" {
		text += ", on the table " + phrase.Quote(fn.Table)
	}
	return text
}

// things describes what comes into being besides paths and functions.
func things(was, next *model.Backend) []string {
	var lines []string
	if was.Project.Name == "" && next.Project.Name != "" {
		lines = append(lines, "project "+phrase.Quote(next.Project.Name)+", region "+next.Region(nil))
	}
	for _, api := range next.APIs {
		if change := diff.BinaryMediaTypeChange(was.API(api.Label), api); change != "" {
			lines = append(lines, model.Ref{Kind: model.KindAPI, Name: api.Label}.String()+" "+change)
		}
	}
	for _, t := range next.Tables {
		if was.Table(t.Name) == nil {
			lines = append(lines, "table "+phrase.Quote(t.Name)+": "+keys(t))
		}
	}
	if was.Auth == nil && next.Auth != nil {
		text := "user pool: people sign in with their email address"
		if next.Auth.GuestsEnabled() {
			text += "; guests get an identity"
		}
		lines = append(lines, text)
	} else if was.Auth != nil && next.Auth != nil && next.Auth.GuestsEnabled() && !was.Auth.GuestsEnabled() {
		lines = append(lines, "user pool: guests now get an identity")
	}
	if added := missing(next.Groups, was.Groups); len(added) > 0 {
		lines = append(lines, noun("group", added)+" "+strings.Join(quoted(added), ", "))
	}
	if kept := missing(next.Groups, missing(next.Groups, was.Groups)); len(kept) > 0 && !slices.Equal(kept, was.Groups) {
		lines = append(lines, "order of the groups: "+strings.Join(quoted(next.Groups), ", "))
	}
	if added := missing(next.Names(model.KindEnvironment), was.Names(model.KindEnvironment)); len(added) > 0 {
		lines = append(lines, noun("environment", added)+" "+strings.Join(quoted(added), ", "))
	}
	return lines
}

func keys(t *model.Table) string {
	text := "partition key " + phrase.Quote(t.PartitionKey.Name) + " (" + string(t.PartitionKey.Type) + ")"
	if t.HasSortKey() {
		text += ", sort key " + phrase.Quote(t.SortKey.Name) + " (" + string(t.SortKey.Type) + ")"
	}
	return text
}

// missing returns the names that a list has and another has not.
func missing(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(other, name) })
}

func noun(word string, names []string) string {
	if len(names) == 1 {
		return word
	}
	return word + "s"
}

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = phrase.Quote(name)
	}
	return all
}

// Lines is the overview in plain lines.
func (o Overview) Lines() []prose.Line {
	var lines []prose.Line
	for _, p := range o.Paths {
		lines = append(lines, prose.Line{Tone: prose.Strong, Text: p.Title()})
		for _, line := range p.Access.Sentences() {
			line.Text = "  " + line.Text
			lines = append(lines, line)
		}
	}
	lines = append(lines, prose.InTone(prose.Plain, o.Things...)...)
	return append(lines, o.AccessLines()...)
}

// AccessLines says what differs in access, a line each; what is more open has the sign ▲.
func (o Overview) AccessLines() []prose.Line {
	var lines []prose.Line
	for _, d := range o.Access {
		sign, tone := "▼ ", prose.Plain
		if d.Gained {
			sign, tone = "▲ ", prose.Wider
		}
		lines = append(lines, prose.Line{Tone: tone, Text: sign + d.Words()})
	}
	if o.MoreAccess {
		lines = append(lines, prose.Line{Tone: prose.Warning, Text: access.More})
	}
	return lines
}

// Title names the path and its function.
func (p Path) Title() string {
	text := phrase.Quote(p.Name)
	if p.Was != "" && p.Was != p.Name {
		text = phrase.Quote(p.Was) + " becomes " + text
	}
	return text + ": " + p.Served
}

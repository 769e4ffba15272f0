package diff

import (
	"cmp"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// manyPaths is the number of paths above which a new or removed API also counts them.
const manyPaths = 12

// apiChanges returns the reasons why an API changes, in terms of routes and permissions. A
// new or removed API lists each of its paths.
func apiChanges(was, now *access.API, terms access.Terms) []string {
	if was == now {
		return nil
	}
	var before, after []*access.Path
	if was != nil {
		before = was.Paths
	}
	if now != nil {
		after = now.Paths
	}
	var reasons []string
	if n := len(before) + len(after); (was == nil || now == nil) && n > manyPaths {
		reasons = append(reasons, phrase.Count(n, "path"))
	}
	if reason := BinaryMediaTypeChange(was, now); reason != "" {
		reasons = append(reasons, reason)
	}
	reasons = append(reasons, CORSChanges(was, now)...)
	for w, n := range access.Pairs(before, after, func(p *access.Path) string { return p.Name }) {
		switch {
		case w == n:
		case w == nil:
			reasons = append(reasons, phrase.Quote(n.Name)+" is new"+servedBy(n)+" ("+n.Access.String()+")")
		case n == nil:
			reasons = append(reasons, phrase.Quote(w.Name)+" is gone")
		default:
			reasons = append(reasons, PathChanges(w, n, terms)...)
		}
	}
	return reasons
}

func servedBy(p *access.Path) string {
	if p.Function == "" {
		return ""
	}
	return ", served by " + phrase.Quote(p.Function)
}

// PathChanges returns the reasons of Diff for one path; nil if it is the same.
func PathChanges(was, now *access.Path, terms access.Terms) []string {
	var reasons []string
	say := func(reason string) { reasons = append(reasons, phrase.Quote(now.Name)+": "+reason) }
	if was.Function != now.Function {
		say("served by " + phrase.Quote(now.Function) + " instead of " + phrase.Quote(was.Function))
	}
	if was.Access.Same(now.Access) {
		return reasons
	}
	opened, closed := now.Access.Setting == access.Open, was.Access.Setting == access.Open
	if opened && !closed {
		say("is open to everybody now")
		return reasons
	}
	if closed && !opened {
		say("is no longer open to everybody")
	}
	changes := access.Changes(was.Access, now.Access, terms)
	for _, c := range changes {
		if c.Gained != 0 {
			say(c.Who.String() + " gain " + c.Gained.String())
		}
		if c.Lost != 0 {
			say(c.Who.String() + " lose " + c.Lost.String())
		}
	}
	if len(changes) == 0 && opened == closed {
		say("is written differently; access stays the same")
	}
	return reasons
}

// CORSChanges says what changes of the pages that may use an API. was is nil for a new API, now for one that is gone.
func CORSChanges(was, now *access.API) (reasons []string) {
	if now == nil {
		return nil
	}
	if was == nil {
		was = &access.API{}
	}
	reasons = fieldChanges(nil, "", &was.CORS, &now.CORS, true)
	for w, n := range access.Pairs(was.CORS.Environments, now.CORS.Environments,
		func(in access.OriginsIn) string { return in.Environment }) {
		name := phrase.Quote(cmp.Or(n.Environment, w.Environment))
		reasons = nameChanges(reasons, "CORS origin in "+name+":", w.Origins, n.Origins)
	}
	return reasons
}

// BinaryMediaTypeChange says how the binary media types of an API change, as a predicate of
// the API; "" if they do not. was is nil for a new API, now for one that is gone.
func BinaryMediaTypeChange(was, now *access.API) string {
	switch {
	case now == nil || was == nil && len(now.BinaryMediaTypes) == 0:
		return ""
	case was == nil:
		return "has the " + now.BinaryWords()
	case model.SameMediaTypes(was.BinaryMediaTypes, now.BinaryMediaTypes):
		return ""
	case len(now.BinaryMediaTypes) == 0:
		return "has no binary media types now, and had " + phrase.QuoteList(was.BinaryMediaTypes) + ": every body is text"
	case len(was.BinaryMediaTypes) == 0:
		return "has the " + now.BinaryWords() + ", and had none"
	}
	return "has the " + now.BinaryWords() + " instead of " + phrase.QuoteList(was.BinaryMediaTypes)
}

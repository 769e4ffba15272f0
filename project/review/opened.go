package review

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
)

// Opening is something that opens access next to who may send which requests to an API.
type Opening struct {
	// Kind is users, function, environment or origins: what lets more happen.
	Kind string
	// Text is a sentence.
	Text  string
	Place Place
}

// The kinds of openings.
const (
	OpensUsers       = "users"
	OpensFunction    = "function"
	OpensEnvironment = "environment"
	OpensOrigins     = "origins"
)

// adder adds what opens access, as a sentence with its arguments.
type adder func(kind string, at Place, text string, args ...any)

// opened adds what opens access and is no difference of requests: who becomes a user, what
// functions may do with resources, and which environments serve an API.
func (r *Review) opened(at places, base, head State) {
	var add adder = func(kind string, place Place, text string, args ...any) {
		r.Opened = append(r.Opened, Opening{Kind: kind, Place: place, Text: fmt.Sprintf(text, args...)})
	}
	r.openedUsers(add, at, base.project(), head.project())
	for _, f := range r.head.Functions {
		was := r.base.Function(f.Name)
		for _, gained := range gainedAccess(was, f) {
			add(OpensFunction, at.locate(false, model.Ref{Kind: model.KindFunction, Name: f.Name}, "/access"),
				"function %s may now %s %s", phrase.Quote(f.Name), gained.Actions, diff.ResourceWords(gained.Resource))
		}
		for _, s := range gainedPolicies(was, f) {
			add(OpensFunction, at.locate(false, model.Ref{Kind: model.KindFunction, Name: f.Name}, "/policies"),
				"function %s %s", phrase.Quote(f.Name), s)
		}
		for _, name := range f.Secrets {
			if was == nil || !slices.Contains(was.Secrets, name) {
				add(OpensFunction, at.locate(false, model.Ref{Kind: model.KindFunction, Name: f.Name}, "/secrets"),
					"function %s may now read the secret %s", phrase.Quote(f.Name), phrase.Quote(name))
			}
		}
		for _, text := range openedFunction(base.project(), head.project(), f.Name, r.Environment) {
			add(OpensFunction, at.locate(false, model.Ref{Kind: model.KindFunction, Name: f.Name}, ""), "function %s %s",
				phrase.Quote(f.Name), text)
		}
	}
	for _, api := range r.head.APIs {
		if was := r.base.API(api.Label); was != nil {
			here := model.Ref{Kind: model.KindSettings, Name: api.Label}
			for _, text := range openedOrigins(was.CORS, api.CORS) {
				add(OpensOrigins, at.locate(false, here, "/cors"), "API %s %s", phrase.Quote(api.Label), text)
			}
		}
	}
	r.openedFacts(add, base, head)
	r.openedEnvironments(add, at, base.project(), head.project())
}

// openedEnvironments adds the environments that a push changes now without asking for their name, and
// the APIs that an environment serves now and left out before.
func (r *Review) openedEnvironments(add adder, at places, base, head *project.Project) {
	if base == nil || head == nil {
		return
	}
	for _, e := range head.Backend.Environments {
		was := base.Backend.Environment(e.Name)
		if was == nil || r.Environment != "" && r.Environment != e.Name {
			continue
		}
		here := model.Ref{Kind: model.KindEnvironment, Name: e.Name}
		if was.Guarded && !e.Guarded {
			add(OpensEnvironment, at.locate(false, here, "/guarded"),
				"environment %s is no longer guarded: it can be changed without typing its name", phrase.Quote(e.Name))
		}
		if r.Environment != "" {
			// What it serves is in the differences of requests.
			continue
		}
		for _, api := range head.Backend.APIs {
			if base.Backend.API(api.Label) != nil && e.Has(api.Label) && !was.Has(api.Label) {
				add(OpensEnvironment, at.locate(false, here, "/apis"),
					"environment %s now includes API %s", phrase.Quote(e.Name), phrase.Quote(api.Label))
			}
		}
	}
}

// openedOrigins says which pages may use an API now and not before, and how.
func openedOrigins(was, now access.CORS) (texts []string) {
	had, has := pagesOf(was), pagesOf(now)
	every := func(pages []string) bool {
		return slices.ContainsFunc(pages, func(p string) bool { return strings.HasPrefix(p, access.AllOrigins) })
	}
	more := slices.DeleteFunc(has, func(page string) bool { return slices.Contains(had, page) })
	switch {
	case every(had) || len(more) == 0:
	case every(more):
		texts = append(texts, "now allows pages of every origin")
	default:
		texts = append(texts, "now allows pages of "+phrase.QuoteList(more))
	}
	if now.Credentials && !was.Credentials {
		texts = append(texts, "now accepts credentials of pages, such as cookies")
	}
	if now.Handler && !was.Handler {
		texts = append(texts, "now sends OPTIONS to its functions, for anyone and without a signature")
	}
	return texts
}

// pagesOf are the origins of pages that may use an API, * for all; those of environments name theirs.
func pagesOf(c access.CORS) []string {
	all := slices.Clone(c.Origins)
	if len(all) == 0 {
		all = []string{access.AllOrigins}
	}
	for _, in := range c.Environments {
		for _, origin := range in.Origins {
			all = append(all, origin+" in "+in.Environment)
		}
	}
	return all
}

// gainedPolicies says what the policies of a function may allow now and not before; was may be nil.
func gainedPolicies(was, now *model.Function) (gained []string) {
	if was == nil {
		was = &model.Function{}
	}
	has := func(f *model.Function, s model.Statement) bool { return slices.ContainsFunc(f.Policies, s.Equal) }
	for _, s := range now.Policies {
		if s.Effect == model.Allow && !has(was, s) {
			gained = append(gained, "may now "+phrase.Quote(s.String()))
		}
	}
	for _, s := range was.Policies {
		if s.Effect == model.Deny && !has(now, s) {
			gained = append(gained, "is no longer denied "+phrase.Quote(strings.TrimPrefix(s.String(), "deny ")))
		}
	}
	return gained
}

// gainedAccess lists what a function may do with resources now and not before; was may be nil.
func gainedAccess(was, now *model.Function) []model.ResourceAccess {
	had := make(map[string]access.Actions)
	for _, a := range allAccess(was) {
		had[a.Resource] |= a.Actions
	}
	var gained []model.ResourceAccess
	for _, a := range allAccess(now) {
		if more := a.Actions.Without(had[a.Resource]); more != 0 {
			gained = append(gained, model.ResourceAccess{Resource: a.Resource, Actions: more})
			had[a.Resource] |= more
		}
	}
	return gained
}

// allAccess is what a function may do with resources, with all of the table that it keeps.
func allAccess(f *model.Function) []model.ResourceAccess {
	switch {
	case f == nil:
		return nil
	case f.Table == "":
		return f.Access
	}
	return append(slices.Clone(f.Access),
		model.ResourceAccess{Resource: string(model.KindTable) + "/" + f.Table, Actions: access.EveryAction})
}

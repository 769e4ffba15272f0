package review

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
)

// Opening is something that opens access beside who may send which requests to an API.
type Opening struct {
	// Kind is users, function or environment: what lets more happen.
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
)

// opened adds what opens access and is no difference of requests: who becomes a user, what
// functions may do with resources, and which environments serve an API.
func (r *Review) opened(at places, base, head State) {
	add := func(kind string, place Place, text string, args ...any) {
		r.Opened = append(r.Opened, Opening{Kind: kind, Place: place, Text: fmt.Sprintf(text, args...)})
	}
	auth := model.Ref{Kind: model.KindAuth}
	if r.base.UsesUserPool() && r.head.UsesUserPool() {
		for _, check := range []struct {
			at   model.Moment
			what string
		}{{model.PreSignUp, "signs up"}, {model.PreAuthentication, "signs in"}} {
			if gone := r.base.TriggerAt(check.at); gone != "" && r.head.TriggerAt(check.at) == "" {
				add(OpensUsers, at.locate(false, auth, "/triggers"),
					"the user pool asks no function any more before somebody %s: the trigger %s was %s", check.what, check.at,
					phrase.Quote(gone))
			}
		}
		if was, now := factors(r.base.Auth), factors(r.head.Auth); was > now {
			add(OpensUsers, at.locate(false, auth, "/mfa_configuration"), "a second factor to sign in is %s now, and was %s",
				factorWords[now], factorWords[was])
		}
	}
	could, known := signsUpAlone(base.project())
	if can, _ := signsUpAlone(head.project()); can && known && !could {
		add(OpensUsers, at.guests(),
			"anybody may sign up to the user pool now, and only administrators could make users before")
	}
	for _, f := range r.head.Functions {
		was := r.base.Function(f.Name)
		for _, gained := range gainedAccess(was, f) {
			add(OpensFunction, at.locate(false, model.Ref{Kind: model.KindFunction, Name: f.Name}, "/access"),
				"function %s may now %s %s", phrase.Quote(f.Name), gained.Actions, diff.ResourceWords(gained.Resource))
		}
		for _, text := range openedFunction(base.project(), head.project(), f.Name, r.Environment) {
			add(OpensFunction, at.locate(false, model.Ref{Kind: model.KindFunction, Name: f.Name}, ""), "function %s %s",
				phrase.Quote(f.Name), text)
		}
	}
	if r.Environment == "" {
		r.openedEnvironments(add, at, base.project(), head.project())
	}
}

// openedEnvironments adds the APIs that an environment serves now and left out before.
func (r *Review) openedEnvironments(add func(string, Place, string, ...any), at places, base, head *project.Project) {
	if base == nil || head == nil {
		return
	}
	for _, e := range head.Backend.Environments {
		was := base.Backend.Environment(e.Name)
		if was == nil {
			continue
		}
		for _, api := range head.Backend.APIs {
			if base.Backend.API(api.Label) != nil && e.Has(api.Label) && !was.Has(api.Label) {
				add(OpensEnvironment, at.locate(false, model.Ref{Kind: model.KindEnvironment, Name: e.Name}, "/apis"),
					"environment %s serves API %s now, and left it out before", phrase.Quote(e.Name), phrase.Quote(api.Label))
			}
		}
	}
}

// factors is how strictly a second factor is asked for.
func factors(a *model.Auth) int {
	if a == nil {
		return 0
	}
	switch strings.ToUpper(a.MFAConfiguration) {
	case "REQUIRED", "ON":
		return 2
	case "OPTIONAL":
		return 1
	}
	return 0
}

var factorWords = []string{"not asked for", "optional", "required"}

// gainedAccess lists what a function may do with resources now and not before; was may be nil.
func gainedAccess(was, now *model.Function) []model.ResourceAccess {
	had := make(map[string]access.Actions)
	if was != nil {
		for _, a := range was.Access {
			had[a.Resource] |= a.Actions
		}
	}
	var gained []model.ResourceAccess
	for _, a := range now.Access {
		if more := a.Actions.Without(had[a.Resource]); more != 0 {
			gained = append(gained, model.ResourceAccess{Resource: a.Resource, Actions: more})
			had[a.Resource] |= more
		}
	}
	return gained
}

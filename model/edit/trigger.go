package edit

import (
	"reflect"
	"slices"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
)

// SetTrigger sets the function that the user pool calls at a moment; "" removes it. One of
// the two moments before tokens are made replaces the other.
func SetTrigger(b *model.Backend, at model.Moment, function string) error {
	next := *b
	next.Triggers = slices.DeleteFunc(slices.Clone(b.Triggers), func(t model.Trigger) bool {
		return t.At == at || function != "" && t.At != at && t.At.Title() == at.Title()
	})
	if function != "" {
		next.Triggers = append(next.Triggers, model.Trigger{At: at, Function: function})
	}
	model.SortTriggers(next.Triggers)
	judge := func(b *model.Backend) []*model.Problem {
		c := check.New(b)
		problems := c.CheckTriggers()
		if f := b.Function(function); f != nil {
			problems = append(problems, c.CheckReferences(f)...)
		}
		for _, e := range b.Environments {
			problems = append(problems, c.CheckReferencesIn(e)...)
		}
		return problems
	}
	if err := check.Refusal(judge(&next), func() []*model.Problem { return judge(b) }); err != nil {
		return err
	}
	if len(next.Triggers) == 0 {
		next.Triggers = nil
	}
	*b = next
	return nil
}

// SetCORS replaces which pages of other origins may use an API.
func SetCORS(b *model.Backend, label string, cors access.CORS) error {
	have, err := apiOf(b, label)
	switch {
	case err != nil || reflect.DeepEqual(cors, have.CORS):
		return err
	case !b.HasMediaTypes():
		return &model.Problem{
			Of: model.Ref{Kind: model.KindAPI, Name: label}, Text: "gets its CORS headers from the template of the Amplify CLI",
			Fix: "change them with: amplify override api",
		}
	}
	changed := *have
	changed.CORS = model.Copied(cors)
	judge := func(api *access.API) []*model.Problem { return check.New(b).CheckCORS(api) }
	if err = check.Refusal(judge(&changed), func() []*model.Problem { return judge(have) }); err == nil {
		b.APIs = swapped(b.APIs, label, &changed)
	}
	return err
}

// SetBinaryMediaTypes replaces the binary media types of an API; none makes every body text. The
// order alone is no difference.
func SetBinaryMediaTypes(b *model.Backend, label string, types []string) error {
	have, err := apiOf(b, label)
	if err != nil {
		return err
	}
	if model.SameMediaTypes(types, have.BinaryMediaTypes) {
		return nil
	}
	changed := *have
	changed.BinaryMediaTypes = append([]string(nil), types...)
	err = check.Refusal(check.BinaryMediaTypes(&changed), func() []*model.Problem { return check.BinaryMediaTypes(have) })
	if err == nil {
		b.APIs = swapped(b.APIs, label, &changed)
	}
	return err
}

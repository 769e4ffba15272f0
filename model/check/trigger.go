package check

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// CheckTriggers checks the triggers of the user pool.
func (c *Checker) CheckTriggers() []*model.Problem {
	found := findings{of: model.Ref{Kind: model.KindAuth}}
	for _, t := range c.Triggers {
		pointer := "/triggers/" + model.PointerSegment(string(t.At))
		if !slices.Contains(model.Moments, t.At) {
			// The schema says which there are.
			continue
		}
		found.add(c.reference(found.of, pointer, model.KindFunction, t.Function)...)
	}
	if c.TriggerAt(model.PreTokenGeneration) != "" && c.TriggerAt(model.PreTokenGenerationV2) != "" {
		found.say("/triggers/"+string(model.PreTokenGenerationV2), "remove preTokenGeneration or preTokenGenerationV2",
			"a user pool calls only one function before it creates tokens, but two are set")
	}
	if define := c.TriggerAt(model.DefineAuthChallenge); define == "" {
		for _, at := range []model.Moment{model.CreateAuthChallenge, model.VerifyAuthChallengeResponse} {
			if c.TriggerAt(at) != "" {
				found.sayAt(model.Warning, "/triggers/"+string(at), "add defineAuthChallenge, or leave it out",
					"is never called, because no function defines the sign-in challenges")
			}
		}
	}
	if auth := c.Auth; len(c.Triggers) > 0 && auth != nil && auth.UserPoolID != "" && c.Defines(model.KindAuth) {
		found.sayAt(model.Warning, "/triggers", "set them where the pool is defined, or leave out user_pool_id",
			"are called only by the sandbox: the user pool already exists, and a push does not change it")
	}
	return found.problems
}

// checkTableTriggers checks the stream of a table and the functions that it calls.
func (c *Checker) checkTableTriggers(t *model.Table) []*model.Problem {
	of := model.Ref{Kind: model.KindTable, Name: t.Name}
	found := findings{of: of}
	if t.StreamView != "" && !slices.Contains(model.StreamViews, t.StreamView) {
		found.say("/streamView", "use "+strings.Join(model.StreamViews, ", "), "%s is not a stream view type",
			phrase.Quote(t.StreamView))
	}
	seen := make(map[string]bool)
	for i, trigger := range t.Triggers {
		pointer := fmt.Sprintf("/triggers/%d", i)
		if seen[trigger.Function] {
			found.say(pointer+"/function", "list it once", "the function %s is listed twice", phrase.Quote(trigger.Function))
		}
		seen[trigger.Function] = true
		found.add(c.reference(of, pointer+"/function", model.KindFunction, trigger.Function)...)
		if trigger.From != "" && !slices.Contains(model.StreamPositions, trigger.From) {
			found.say(pointer+"/startingPosition", "use "+phrase.Either(model.StreamPositions),
				"%s is not a position in a stream",
				phrase.Quote(trigger.From))
		}
		for _, row := range trigger.Fields() {
			if n, ok := row.Value.(*int); ok && !row.Range.Allows(*n) {
				found.say(pointer+"/"+row.Name, fmt.Sprintf("use 1 to %d, or leave it out", row.Range.Max),
					"the %s is %d", row.Noun, *n)
			}
		}
	}
	if len(t.Triggers) > model.MostReaders {
		found.sayAt(model.Warning, "/triggers", "call the others from one of them",
			"has %d functions, but DynamoDB throttles a stream with more than %d readers", len(t.Triggers), model.MostReaders)
	}
	return found.problems
}

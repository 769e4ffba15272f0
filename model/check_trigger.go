package model

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// checkTriggers checks the triggers of the user pool.
func (c *checker) checkTriggers() []*Problem {
	found := findings{of: Ref{Kind: KindAuth}}
	for _, t := range c.Triggers {
		pointer := "/triggers/" + PointerSegment(string(t.At))
		if !slices.Contains(Moments, t.At) {
			// The schema says which there are.
			continue
		}
		found.add(c.reference(found.of, pointer, KindFunction, t.Function)...)
	}
	if c.TriggerAt(PreTokenGeneration) != "" && c.TriggerAt(PreTokenGenerationV2) != "" {
		found.say("/triggers/"+string(PreTokenGenerationV2), "keep one of preTokenGeneration and preTokenGenerationV2",
			"a user pool calls one function before it makes tokens, and there are two")
	}
	if define := c.TriggerAt(DefineAuthChallenge); define == "" {
		for _, at := range []Moment{CreateAuthChallenge, VerifyAuthChallengeResponse} {
			if c.TriggerAt(at) != "" {
				found.sayAt(Warning, "/triggers/"+string(at), "add defineAuthChallenge, or leave it out",
					"is never called, since no function defines the challenges of a sign-in")
			}
		}
	}
	if auth := c.Auth; len(c.Triggers) > 0 && auth != nil && auth.UserPoolID != "" && c.Defines(KindAuth) {
		found.sayAt(Warning, "/triggers", "set them where the pool is defined, or leave out user_pool_id",
			"are called by the sandbox only: the user pool exists already, and a push does not change it")
	}
	return found.problems
}

// checkTableTriggers checks the stream of a table and the functions that it calls.
func (c *checker) checkTableTriggers(t *Table) []*Problem {
	of := Ref{Kind: KindTable, Name: t.Name}
	found := findings{of: of}
	if t.StreamView != "" && !slices.Contains(StreamViews, t.StreamView) {
		found.say("/streamView", "use "+strings.Join(StreamViews, ", "), "%s is not what a stream can have",
			phrase.Quote(t.StreamView))
	}
	seen := make(map[string]bool)
	for i, trigger := range t.Triggers {
		pointer := fmt.Sprintf("/triggers/%d", i)
		if seen[trigger.Function] {
			found.say(pointer+"/function", "list it once", "the function %s is listed twice", phrase.Quote(trigger.Function))
		}
		seen[trigger.Function] = true
		found.add(c.reference(of, pointer+"/function", KindFunction, trigger.Function)...)
		if trigger.From != "" && !slices.Contains(StreamPositions, trigger.From) {
			found.say(pointer+"/startingPosition", "use "+phrase.Either(StreamPositions), "%s is not a position in a stream",
				phrase.Quote(trigger.From))
		}
		for _, row := range trigger.Fields() {
			if n, ok := row.Value.(*int); ok && !row.Range.Allows(*n) {
				found.say(pointer+"/"+row.Name, fmt.Sprintf("use 1 to %d, or leave it out", row.Range.Max), "the %s is %d",
					row.Noun, *n)
			}
		}
	}
	if len(t.Triggers) > mostReaders {
		found.sayAt(Warning, "/triggers", "call the others from one of them",
			"has %d functions, and DynamoDB slows down a stream that more than %d read", len(t.Triggers), mostReaders)
	}
	return found.problems
}

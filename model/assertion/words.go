package assertion

import (
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// Sentence says of a test that does not hold why: by its first counterexample, or why it cannot be
// decided. It is "" for a test that holds.
func (o Outcome) Sentence() string {
	switch {
	case o.Err != nil:
		return "cannot be decided: " + o.Err.Error()
	case o.Counted != "":
		return "there " + map[bool]string{true: "is ", false: "are "}[strings.HasPrefix(o.Counted, "1 ")] + o.Counted
	case len(o.Broken) > 0:
		return o.Broken[0].Sentence()
	}
	return ""
}

// Sentence says how the request is decided: "DELETE /books as a guest is allowed: guests may delete under /books".
func (c Counterexample) Sentence() string {
	verb := " is refused: "
	if c.Decision.Allowed {
		verb = " is allowed: "
	}
	return c.Method + " " + phrase.Quote(c.Raw) + " as " + c.who() + verb + c.Decision.Reason()
}

func (c Counterexample) who() string {
	switch c.Who.Kind {
	case access.Guest:
		return "a guest"
	case access.Group:
		if c.Groups != nil {
			return "a member of " + phrase.QuoteList(c.Groups)
		}
		return "a member of " + phrase.Quote(c.Who.Group)
	}
	return "a signed-in user in no group"
}

package adopt

import (
	"cmp"
	"fmt"
	"slices"

	"gatewright/internal/openapi"
)

// Rule is the kind of a Loss.
type Rule string

// The rules, in the order in which a report has them: who may do what first.
const (
	// NoSecurity is a document without security: everybody may send everything.
	NoSecurity Rule = "no-security"
	// Closed is an access that is less than the document's, because requests of a stricter
	// operation go to the same path.
	Closed Rule = "closed"
	// Unread is a path item or an operation of which a part is in another document.
	Unread Rule = "unread"
	// Restriction is a policy or a network that restricts the API as a whole.
	Restriction Rule = "restriction"
	// Scheme is a scheme that is not checked as the document says, such as a key.
	Scheme Rule = "scheme"
	// Scopes are scopes that are not checked.
	Scopes Rule = "scopes"
	// Guests is a path whose public requests must be signed as a guest.
	Guests Rule = "guests"
	// Below is a path that stands for several of the document.
	Below Rule = "below"
	// Pair is a method that is allowed with another one: HEAD with GET, PATCH with PUT.
	Pair Rule = "pair"
	// Method is an operation whose method no path serves.
	Method Rule = "method"
	// Preflight is an operation for the CORS preflight, which is built in.
	Preflight Rule = "preflight"
	// Segment is a path of which only the beginning can be a path of an API.
	Segment Rule = "segment"
	// Variable is a variable that has another name.
	Variable Rule = "variable"
	// Function is an operation that a function cannot answer as the document says.
	Function Rule = "function"
	// Extension is something that gatewright wrote and that does not fit any more.
	Extension Rule = "extension"
	// Kept is what only the kept document has.
	Kept Rule = "kept"
)

// Loss is something of a document that the API does not have.
type Loss struct {
	Rule Rule
	openapi.Place
	// Text says what is lost, and Fix what to do; "" for nothing.
	Text, Fix string
}

// order has the position of each rule in a report.
var order = map[Rule]int{
	NoSecurity: 0, Closed: 1, Unread: 2, Restriction: 3, Scheme: 4, Scopes: 5, Guests: 6, Below: 7, Pair: 8,
	Method: 9, Preflight: 10, Segment: 11, Variable: 12, Function: 13, Extension: 14, Kept: 15,
}

// lose notes a loss.
func (a *adoption) lose(rule Rule, at openapi.Place, fix, text string, arguments ...any) {
	a.losses = append(a.losses, Loss{Rule: rule, Place: at, Text: fmt.Sprintf(text, arguments...), Fix: fix})
}

// sortLosses sorts losses by rule, then by place.
func sortLosses(losses []Loss) {
	slices.SortStableFunc(losses, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(order[a.Rule], order[b.Rule]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

package review

import (
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/answer"
)

// Access is who may send which requests on one side only, and the place that does it.
type Access struct {
	access.Difference
	Place Place
}

// Refused is the answer to a request that is refused.
const Refused = "403"

// Before and After are the answers to the example: "403", or "served by books".
func (a Access) Before() string { return a.side(!a.Gained) }

// After is the answer in Head.
func (a Access) After() string { return a.side(a.Gained) }

func (a Access) side(served bool) string {
	switch {
	case !served:
		return Refused
	case a.Function == "":
		return "served"
	}
	return "served by " + phrase.Quote(a.Function)
}

// As is the caller of the example for the flag --as of the command call; "" for a caller without credentials.
func (a Access) As() string {
	switch {
	case a.Anybody:
		return ""
	case a.Who.Kind == access.Guest:
		return answer.GuestWord
	case a.Who.Kind == access.Authenticated:
		return answer.AuthenticatedWord
	}
	return answer.GroupPrefix + strings.Join(a.Caller().Groups, ",")
}

// Method is the method of the example.
func (a Access) Method() string {
	if len(a.Methods) == 0 {
		return ""
	}
	return a.Methods[0]
}

// Command is the shell command that shows the answer: it sends the example to the sandbox. For
// members of two groups, for whom no request can be signed, it asks for the decision.
func (a Access) Command() string {
	method := a.Method()
	words := []string{"gatewright", "call", method, model.ShellWord(a.Raw), "--api", model.ShellWord(a.API)}
	switch as := a.As(); {
	case a.AlsoIn != "":
		words = []string{
			"gatewright", "can", model.ShellWord(as), method, model.ShellWord(a.Raw), "--api",
			model.ShellWord(a.API),
		}
	case as != "":
		words = append(words, "--as", model.ShellWord(as))
	}
	return strings.Join(words, " ")
}

package index

import (
	"strings"

	"gatewright/deploy/amplifystack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// The parts of a stack's name, and its limit.
const (
	stackPrefix = "gatewright"
	branchStack = "branch"

	longestStack = 128
)

// StackName returns the name of the stack of an application's branch. The rule is the one
// for Amplify's stacks, with another prefix. The name is valid for any arguments.
func StackName(applicationID, branch string) string {
	return amplifystack.NameOf(stackPrefix, applicationID, branch, branchStack)
}

// StackOf returns the name of the stack that a push of an environment makes; "" if the
// project has no application ID yet.
func StackOf(b *model.Backend, e *model.Environment) string {
	if b.Project.ApplicationID == "" {
		return ""
	}
	return StackName(b.Project.ApplicationID, e.BranchName())
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

// IsPlain reports whether a character is one of A-Z, a-z and 0-9.
func IsPlain(r rune) bool { return isLetter(r) || r >= '0' && r <= '9' }

// ValidStack checks the name of a stack: 1 to 128 letters, digits and dashes, a letter first. The error is a
// *model.Problem with Field "stack" and the cause ErrRequest.
func ValidStack(name string) error {
	odd := func(r rune) bool { return !IsPlain(r) && r != '-' }
	if name == "" || len(name) > longestStack || !isLetter(rune(name[0])) || strings.ContainsFunc(name, odd) {
		return &model.Problem{
			Field: "stack", Text: phrase.Quote(name) + " is not the name of a stack",
			Fix: "use 1 to 128 of A-Z a-z 0-9 -, a letter first", Cause: ErrRequest,
		}
	}
	return nil
}

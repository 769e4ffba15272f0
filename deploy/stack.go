package deploy

import (
	"crypto/sha512"
	"encoding/hex"
	"strings"

	"gatewright/model"
)

// The parts of a stack's name, and their limits.
const (
	stackPrefix = "gatewright"
	branchStack = "branch"

	longestStack = 128
	// longestStackBranch leaves room for the application id.
	longestStackBranch = 50
	stackHash          = 10
)

// StackName returns the name of the stack of an application's branch: readable parts of
// both, and a hash of both, which keeps apart names with the same readable parts. The rule
// is the one for Amplify's stacks, with another prefix
// (https://github.com/aws-amplify/amplify-backend/blob/main/packages/platform-core/src/backend_identifier_conversions.ts).
// The name is valid for any arguments.
func StackName(applicationID, branch string) string {
	return stackName(stackPrefix, applicationID, branch, branchStack)
}

// StackOf returns the name of the stack that a push of an environment makes; "" if the
// project has no application ID yet.
func StackOf(b *model.Backend, e *model.Environment) string {
	if b.Project.ApplicationID == "" {
		return ""
	}
	return StackName(b.Project.ApplicationID, e.BranchName())
}

func stackName(prefix, namespace, name, kind string) string {
	sum := sha512.Sum512([]byte(namespace + name))
	hash := hex.EncodeToString(sum[:])[:stackHash]
	name = cut(plain(name), longestStackBranch)
	const dashes = 4
	// One character less than would fit, as Amplify does it.
	room := longestStack - len(prefix) - len(kind) - len(name) - dashes - stackHash - 1
	return strings.Join([]string{prefix, cut(plain(namespace), room), name, kind, hash}, "-")
}

func cut(text string, length int) string { return text[:min(len(text), length)] }

// plain returns a text without the characters that a stack's name must not have.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if !isPlain(r) {
			return -1
		}
		return r
	}, text)
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

func isPlain(r rune) bool { return isLetter(r) || r >= '0' && r <= '9' }

// ValidStack checks the name of a stack: 1 to 128 letters, digits and dashes, a
// letter first. The error is a *model.Problem with Field "stack" and the cause
// ErrRequest.
func ValidStack(name string) error {
	odd := func(r rune) bool { return !isPlain(r) && r != '-' }
	if name == "" || len(name) > longestStack || !isLetter(rune(name[0])) || strings.ContainsFunc(name, odd) {
		return &model.Problem{
			Field: "stack", Text: model.Quote(name) + " is not the name of a stack",
			Fix: "use 1 to 128 of A-Z a-z 0-9 -, a letter first", Cause: ErrRequest,
		}
	}
	return nil
}

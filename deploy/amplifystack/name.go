package amplifystack

import (
	"crypto/sha512"
	"encoding/hex"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// The parts of the name of a stack, and their limits.
const (
	namePrefix = "amplify"
	branchKind = "branch"

	longestName = 128
	// longestPart leaves room for the namespace.
	longestPart = 50
	hashLength  = 10
)

// StackName returns the name of the stack that Amplify's second generation deploys for a
// branch of an application. The name is valid for any arguments.
func StackName(applicationID, branch string) string {
	return NameOf(namePrefix, applicationID, branch, branchKind)
}

// NameOf returns the name of a stack by Amplify's rule, for any tool: readable parts of the
// namespace and the name, and a hash of both, which keeps apart names with the same readable
// parts. It is valid for any namespace and name; tool and kind are short words.
// https://github.com/aws-amplify/amplify-backend/blob/main/packages/platform-core/src/backend_identifier_conversions.ts
func NameOf(tool, namespace, name, kind string) string {
	sum := sha512.Sum512([]byte(namespace + name))
	hash := hex.EncodeToString(sum[:])[:hashLength]
	name = plain(name, longestPart)
	const dashes = 4
	// One character less than would fit, as Amplify does it.
	room := longestName - len(tool) - len(kind) - len(name) - dashes - hashLength - 1
	return strings.Join([]string{tool, plain(namespace, room), name, kind, hash}, "-")
}

// plain returns the letters and digits of a text, up to a length.
func plain(text string, length int) string {
	text = strings.Map(func(r rune) rune {
		if r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
	return text[:min(len(text), length)]
}

// StackOfBranch finds the stack of an application's branch by the tags of stacks. A deleted
// stack does not count, nor one within another, which has the same tags. The error matches ErrNoStack or ErrSeveral.
func StackOfBranch(stacks []Stack, applicationID, branch string) (Stack, error) {
	var found []Stack
	var names []string
	for _, s := range stacks {
		if s.Tags[applicationTag] == applicationID && s.Tags[branchTag] == branch && s.Status != "DELETE_COMPLETE" &&
			s.Parent == "" {
			found, names = append(found, s), append(names, s.Name)
		}
	}
	of := "branch " + phrase.Quote(branch) + " of the application " + phrase.Quote(applicationID)
	switch len(found) {
	case 0:
		return Stack{},
			&model.Problem{Text: of + " has no stack", Fix: "check both, the region and the account", Cause: ErrNoStack}
	case 1:
		return found[0], nil
	}
	return Stack{},
		&model.Problem{
			Text: of + " has several stacks: " + phrase.QuoteList(names), Fix: "name one of them with --stack",
			Cause: ErrSeveral,
		}
}

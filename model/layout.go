package model

import (
	"strings"

	"gatewright/model/access"
)

// Layout is what a backend means in the layout of its project.
type Layout interface {
	// Defines reports whether the project defines the things of a kind: edits change them, and all of
	// them are known. Another tool keeps the others, so that a reference to one of them may be right
	// although nothing of its name is found, and what it holds means what that tool says.
	Defines(kind Kind) bool
	// HasMediaTypes reports whether the definition of an API has its binary media types and settings.
	HasMediaTypes() bool
	// Terms returns what the rules of paths mean, except for guests, who are the user pool's.
	Terms() access.Terms
}

// Defines reports whether the backend's project defines the things of a kind (see Layout).
func (b *Backend) Defines(kind Kind) bool { return b.Layout == nil || b.Layout.Defines(kind) }

// HasMediaTypes reports whether the definition of an API has its binary media types and settings.
func (b *Backend) HasMediaTypes() bool { return b.Layout == nil || b.Layout.HasMediaTypes() }

// Adding returns the command that adds a thing of a kind to the backend's project: an environment, a
// group, or for the user pool the identities of guests.
func (b *Backend) Adding(kind Kind) string {
	return b.Command(map[Kind]string{
		KindEnvironment: "gatewright add env NAME", KindGroup: "gatewright add group NAME",
		KindAuth: "gatewright update auth --unauthenticated-identities-enabled",
	}[kind])
}

// keptCommands are the commands of the Amplify CLI for what it keeps, by the word after add, update or
// remove in one of this program (https://docs.amplify.aws/gen1/javascript/tools/cli/commands/).
var keptCommands = map[string]struct {
	kind    Kind
	instead string
}{
	"env": {KindEnvironment, "amplify env VERB"}, "function": {KindFunction, "amplify VERB function"},
	"table": {KindTable, "amplify VERB storage"}, "storage": {KindStorage, "amplify VERB storage"},
	"group": {KindGroup, "amplify update auth"}, "auth": {KindAuth, "amplify update auth"},
}

// Command returns what to run for a command of this program that changes a definition, in this kind of project: that
// command, or one of the tool that keeps what it changes. Whatever is proposed to people goes through it.
func (b *Backend) Command(command string) string {
	words := append(strings.Fields(command), "", "", "")
	kept, known := keptCommands[words[2]]
	switch {
	case !known || b.Defines(kept.kind):
		return command
	case (kept.kind == KindAuth || kept.kind == KindGroup) && b.Auth == nil && len(b.Groups) == 0:
		return "amplify add auth"
	}
	return strings.Replace(kept.instead, "VERB", words[1], 1)
}

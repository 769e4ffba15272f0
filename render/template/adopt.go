package template

import (
	"slices"

	"gatewright/internal/cfn"
)

// Existing is a resource that exists in the account and is taken over into a stack.
type Existing struct {
	// ID is its logical id, Type its type.
	ID, Type string
	// Properties are what the template says of it until the next update: how it is, as far as
	// that update has to know.
	Properties *cfn.Node
}

// Adoption is the template with which a stack takes over resources that exist. It has only them
// and what the stack has already, and no outputs, because an import makes and changes nothing
// else (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources.html).
// Every resource stays in the account whatever becomes of the stack, until a push says
// otherwise. before is the template of such a stack; nil for a new one.
func Adoption(before *cfn.Node, application, environment string, all []Existing) *cfn.Node {
	resources := cfn.MapNode(slices.Clone(members(before.Get("Resources")))...)
	for _, e := range all {
		n := cfn.MapNode().WithText("Type", e.Type).WithText("DeletionPolicy",
			"Retain").WithText("UpdateReplacePolicy", "Retain")
		resources.With(e.ID, n.With("Properties", e.Properties))
	}
	return cfn.MapNode().
		WithText("AWSTemplateFormatVersion", formatVersion).
		WithText("Description", "What the environment "+environment+" takes over, by gatewright.").
		With("Metadata",
			cfn.MapNode().With(definitionKey,
				cfn.MapNode().WithText("application", application).WithText("environment", environment))).
		With("Resources", resources)
}

// AdoptedFor returns the application and the environment of a template of Adoption; "" for any other one.
func AdoptedFor(root *cfn.Node) (application, environment string) {
	marks := root.Get("Metadata", definitionKey)
	if marks.Get("application") == nil || marks.Get("environment") == nil {
		return "", ""
	}
	return marks.Get("application").Text, marks.Get("environment").Text
}

// KeepingGroups returns a deployed template whose groups stay with the user pool when the stack is removed, and so
// who is in them. changed is false if there is nothing to do: no pool that stays has a group. A policy of deletion
// alone is no change of a resource, so each group gets a description, too.
func KeepingGroups(root *cfn.Node, description string) (next *cfn.Node, changed bool) {
	if pool := root.Get("Resources", userPoolID, "DeletionPolicy"); pool == nil || pool.Text == "Delete" {
		return root, false
	}
	for _, m := range members(root.Get("Resources")) {
		if typeOf(m.Value) != "AWS::Cognito::UserPoolGroup" {
			continue
		}
		if policy := m.Value.Get("DeletionPolicy"); policy != nil && policy.Text == "Retain" {
			continue
		}
		group := replaced(m.Value, cfn.TextNode("Retain"), "DeletionPolicy")
		group = replaced(group, cfn.TextNode(description), "Properties", "Description")
		root, changed = replaced(root, group, "Resources", m.Name), true
	}
	return root, changed
}

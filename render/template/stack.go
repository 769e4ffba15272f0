package template

import (
	"crypto/sha256"
	"encoding/hex"

	"gatewright/internal/cfn"
	"gatewright/model"
)

// formatVersion is the only version of templates
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/format-version-structure.html).
const formatVersion = "2010-09-09"

// resource is an entry of the section Resources.
type resource struct {
	id, kind   string
	dependsOn  []string
	metadata   *cfn.Node
	properties *cfn.Node
	// kept says that the resource has data that stay in the account when it leaves the stack.
	kept bool
	// retained says that what it was before a change stays: others may use it.
	retained bool
	// of is the part of the backend that it belongs to, is names it for people.
	of model.Ref
	is string
}

// stack is a template that is being made.
type stack struct {
	description                    string
	parameters, resources, outputs *cfn.Node
	words                          map[string]string
	of                             map[string]model.Ref
}

func newStack(description string) *stack {
	return &stack{
		description: description,
		parameters:  cfn.MapNode(), resources: cfn.MapNode(), outputs: cfn.MapNode(), words: make(map[string]string),
		of: make(map[string]model.Ref),
	}
}

// add adds a resource and returns its entry.
func (s *stack) add(r resource) *cfn.Node {
	n := cfn.MapNode().WithText("Type", r.kind)
	if len(r.dependsOn) > 0 {
		n.WithTexts("DependsOn", r.dependsOn...)
	}
	if r.kept {
		// Retain alone would also keep what a first push that failed has made, and that
		// stands in the way of the next one
		// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html).
		n.WithText("DeletionPolicy", "RetainExceptOnCreate").WithText("UpdateReplacePolicy", "Retain")
	}
	if r.retained {
		n.WithText("DeletionPolicy", "RetainExceptOnCreate").WithText("UpdateReplacePolicy", "Retain")
	}
	n.With("Metadata", r.metadata)
	if r.properties != nil && len(r.properties.Members) > 0 {
		n.With("Properties", r.properties)
	}
	s.resources.With(r.id, n)
	s.words[r.id], s.of[r.id] = r.is, r.of
	return n
}

// output adds an output. Its name is unique in the stack.
func (s *stack) output(name, description string, value *cfn.Node) {
	s.outputs.With(name, cfn.MapNode().WithText("Description", description).With("Value", value))
}

// parameter adds a parameter, which is a text.
func (s *stack) parameter(name, description string, secret bool) {
	p := cfn.MapNode().WithText("Type", "String").WithText("Description", description)
	if secret {
		p.WithBool("NoEcho", true)
	}
	s.parameters.With(name, p)
}

// node returns the whole template.
func (s *stack) node() *cfn.Node {
	n := cfn.MapNode().WithText("AWSTemplateFormatVersion", formatVersion).WithText("Description", s.description)
	if len(s.parameters.Members) > 0 {
		n.With("Parameters", s.parameters)
	}
	n.With("Resources", s.resources)
	if len(s.outputs.Members) > 0 {
		n.With("Outputs", s.outputs)
	}
	return n
}

// templateKey is the key in the bucket of assets under which a template is uploaded.
func templateKey(minified []byte) string {
	sum := sha256.Sum256(minified)
	return "templates/" + hex.EncodeToString(sum[:]) + ".json"
}

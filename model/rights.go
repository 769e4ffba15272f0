package model

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"gatewright/model/access"
	"gatewright/model/field"
)

// Statement is a statement of an IAM policy, for the role of a function. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
type Statement struct {
	Sid, Effect string
	Action      Patterns
	// Resource are patterns of ARNs, in which ${table/items}, ${pool}, ${AWS::Region} and others stand
	// for what a deployment has (package rights).
	Resource Patterns
	// Condition is the condition as compact JSON; "" for none.
	Condition JSON
}

// Patterns are texts of which a file has one alone, or a list.
type Patterns []string

// JSON is a value of a file that is kept as it is, in compact form.
type JSON string

// The effects of a statement.
const (
	Allow = "Allow"
	Deny  = "Deny"
)

// Fields are the fields of a statement of a function's policies.
func (s *Statement) Fields() []field.Row {
	return []field.Row{
		{Name: "Sid", Value: &s.Sid},
		{Name: "Effect", Value: &s.Effect, Written: true, Words: []string{Allow, Deny}},
		{Name: "Action", Value: &s.Action, Written: true},
		{Name: "Resource", Value: &s.Resource, Written: true},
		{Name: "Condition", Value: &s.Condition},
	}
}

// Equal reports whether two statements say the same in the same words.
func (s Statement) Equal(other Statement) bool {
	return s.Sid == other.Sid && s.Effect == other.Effect && s.Condition == other.Condition &&
		slices.Equal(s.Action, other.Action) && slices.Equal(s.Resource, other.Resource)
}

// What a function may get access to that is no thing of a project: the users of the pool, a parameter
// of Systems Manager, a secret of Secrets Manager, and mail.
const (
	KindPool      Kind = "pool"
	KindParameter Kind = "parameter"
	KindSecret    Kind = "secret"
	KindMail      Kind = "mail"
)

// ResourceKinds are the kinds of resources that a function may get access to.
var ResourceKinds = []Kind{
	KindTable, KindAPI, KindFunction, KindStorage, KindPool, KindParameter, KindSecret, KindMail,
}

// ResourceOf divides what a function may get access to. actions are what can be done with it; 0 if
// there is no such resource.
func ResourceOf(resource string) (kind Kind, name string, actions access.Actions) {
	of, name, named := strings.Cut(resource, "/")
	switch kind = Kind(of); kind {
	case KindTable, KindAPI, KindFunction, KindStorage:
		actions = access.EveryAction
	case KindParameter, KindSecret:
		actions = access.ActionSet(access.Read)
	case KindPool:
		actions, named = access.EveryAction, !named
	case KindMail:
		actions, named = access.ActionSet(access.Create), !named
	}
	if named == (name == "" && kind != KindPool && kind != KindMail) {
		actions = 0
	}
	return kind, name, actions
}

// Version is the version of a function's file: 2 with rights that a gatewright of the files of
// version 1 would leave out.
func (f *Function) Version() int {
	more := func(a ResourceAccess) bool {
		kind, _, _ := ResourceOf(a.Resource)
		return slices.Index(ResourceKinds, kind) >= slices.Index(ResourceKinds, KindPool)
	}
	if len(f.Policies) > 0 || slices.ContainsFunc(f.Access, more) {
		return 2
	}
	return 1
}

// String returns the statement as people write it: "[deny ]ACTION,... on RESOURCE,...".
func (s Statement) String() string {
	text := strings.Join(s.Action, ",") + " on " + strings.Join(s.Resource, ",")
	if s.Effect == Deny {
		text = "deny " + text
	}
	if s.Condition != "" {
		text += " if " + string(s.Condition)
	}
	return text
}

// Line is the statement as a person gives it in one line: String, or all of it as JSON if that leaves
// something out.
func (s Statement) Line() string {
	if s.Sid == "" && s.Condition == "" {
		return s.String()
	}
	raw := map[string]any{"Effect": s.Effect, "Action": s.Action, "Resource": s.Resource}
	if s.Sid != "" {
		raw["Sid"] = s.Sid
	}
	if s.Condition != "" {
		raw["Condition"] = json.RawMessage(s.Condition)
	}
	text, _ := json.Marshal(raw)
	return string(text)
}

// CompactJSON is a value of a file without its white space; what is no JSON stays.
func CompactJSON(raw []byte) JSON {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return JSON(raw)
	}
	return JSON(compact.String())
}

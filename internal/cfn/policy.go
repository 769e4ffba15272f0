package cfn

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Statement is a statement of an IAM policy. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
type Statement struct {
	// Effect is Allow or Deny, or "*" if it is unknown.
	Effect string
	// Actions and Resources are patterns with * and ?; an unknown part is a *.
	Actions, Resources []string
	// NotAction says that Actions are those of NotAction: it is about all other actions.
	// NotResource is the same for Resources.
	NotAction, NotResource bool
	// Conditional says that there is a Condition, which is not read.
	Conditional bool
	// Line, Column and Pointer are the place, as in Node.
	Line, Column int
	Pointer      string
	// Partly says that something in it is unknown; it may then mean less than it seems to.
	Partly bool
	// Value is what it was read from; zero if a caller made it.
	Value Value
	// Condition is the name of a condition of the template without which there is no such
	// statement; "" if there is one in any case. Statements does not know it.
	Condition string
}

// Statements reads a policy document, which has one statement or a list. What is no
// statement is left out; one that is unknown as a whole is there, without actions.
func Statements(v Value) []Statement {
	if v.Kind != Map {
		return unknownStatement(v)
	}
	all, _ := v.Get("Statement")
	return StatementList(all)
}

// StatementList reads what the element Statement of a policy document has: one statement or a
// list. See Statements.
func StatementList(all Value) []Statement {
	if all.Kind != List {
		return statement(all)
	}
	var statements []Statement
	for _, s := range all.List {
		statements = append(statements, statement(s)...)
	}
	return statements
}

func unknownStatement(v Value) []Statement {
	if v.Known() {
		return nil
	}
	return []Statement{{Effect: "*", Line: v.Line, Column: v.Column, Pointer: v.Pointer, Partly: true, Value: v}}
}

func statement(v Value) []Statement {
	if v.Kind != Map {
		return unknownStatement(v)
	}
	s := Statement{Line: v.Line, Column: v.Column, Pointer: v.Pointer, Partly: !v.Known(), Value: v}
	if effect, ok := v.Get("Effect"); ok {
		s.Effect = effect.Pattern()
	}
	s.Actions, s.NotAction = patterns(v, "Action")
	s.Resources, s.NotResource = patterns(v, "Resource")
	_, s.Conditional = v.Get("Condition")
	return []Statement{s}
}

// patterns returns what an element has, or the element with Not before its name.
func patterns(v Value, name string) (patterns []string, not bool) {
	element, ok := v.Get(name)
	if !ok {
		element, not = v.Get("Not" + name)
		if !not {
			return nil, false
		}
	}
	if element.Kind != List {
		return []string{element.Pattern()}, not
	}
	for _, item := range element.List {
		patterns = append(patterns, item.Pattern())
	}
	return patterns, not
}

// Running are the managed policies of AWS with what a function needs to run: its log, its network, its
// traces (https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html).
var Running = []string{
	"arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
	"arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole",
	"arn:aws:iam::aws:policy/AWSXRayDaemonWriteAccess",
}

// Permission is what statements say of an action.
type Permission uint8

// Absent means that no statement allows it, Denied that one forbids it.
const (
	Absent Permission = iota
	Denied
	Granted
)

// Judge returns what statements say of an action on what has an ARN: a statement that denies it counts
// before those that allow it
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html). certain
// says that no part that is unknown, and no condition, could change that: what only such a statement
// allows is granted, and what only such a statement denies is not denied.
func Judge(statements []Statement, action, arn string) (p Permission, certain bool) {
	doubt, allowed := false, false
	for _, s := range statements {
		open := s.Partly || s.Conditional || s.Condition != ""
		switch {
		case !s.About(action, arn):
		case s.Effect == "Deny" && !open:
			return Denied, true
		case s.Effect == "Deny":
			doubt = true
		case s.Effect == "Allow":
			p, allowed = Granted, allowed || !open
		}
	}
	return p, p == Absent || allowed && !doubt
}

// About reports whether a statement is about an action on what has an ARN. What it excludes by a part
// that is unknown it may be about.
func (s Statement) About(action, arn string) bool {
	about := func(patterns []string, not bool, match func(string) bool) bool {
		return slices.ContainsFunc(patterns, match) != not || not && s.Partly
	}
	return about(s.Actions, s.NotAction, func(pattern string) bool { return MatchAction(pattern, action) }) &&
		about(s.Resources, s.NotResource, func(pattern string) bool { return MatchResource(pattern, arn) })
}

// Speaks reports whether statements allow anything of a service, such as dynamodb.
func Speaks(statements []Statement, service string) bool {
	return slices.ContainsFunc(statements, func(s Statement) bool {
		return s.Effect == "Allow" && slices.ContainsFunc(s.Actions, func(action string) bool {
			of, _, _ := strings.Cut(action, ":")
			if s.NotAction {
				return MatchAction(action, service+":")
			}
			return MatchAction(of, service)
		}) != s.NotAction
	})
}

// MatchAction reports whether an action, such as dynamodb:GetItem, is one of a pattern. Letter case does not
// count. See https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_action.html
func MatchAction(pattern, action string) bool {
	return match(strings.ToLower(pattern), strings.ToLower(action))
}

// MatchResource reports whether an ARN is one of a pattern. Letter case counts. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
func MatchResource(pattern, arn string) bool {
	return match(pattern, arn)
}

// match goes back only to the last *, because what the ones before it took can stay: the
// time is the product of the lengths at most.
func match(pattern, text string) bool {
	p, t := 0, 0
	star, from := -1, 0
	for t < len(text) {
		_, width := utf8.DecodeRuneInString(text[t:])
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
		case p < len(pattern) && pattern[p] == '?':
			p++
			t += width
		case p < len(pattern) && strings.HasPrefix(pattern[p:], text[t:t+width]):
			p += width
			t += width
		case star >= 0:
			_, width = utf8.DecodeRuneInString(text[from:])
			from += width
			p, t = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

package cfn_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatewright/internal/cfn"
)

func TestStatementsOfPolicies(t *testing.T) {
	t.Parallel()
	tests := []struct{ document, want string }{
		{
			`{Version: 2012-10-17, Statement: {Effect: Allow, Action: "s3:*", Resource: "*"}}`,
			`Allow [s3:*] [*]`,
		},
		{
			`{Statement: [{Effect: Deny, NotAction: [a:B, c:D], NotResource: x, Condition: {Bool: {}}}]}`,
			`Deny not[a:B c:D] not[x] conditional`,
		},
		{
			`{Statement: [{Effect: Allow, Action: [a:B], Resource: !Sub "arn:${Table.Arn}/${empty}/index/*"}]}`,
			`Allow [a:B] [arn:Table/Arn/*/index/*] partly`,
		},
		{
			`{Statement: [{Effect: Allow, Action: [!Ref empty, a:B], Resource: [!GetAtt Table.Arn, !GetAtt Queue.Arn]}]}`,
			`Allow [* a:B] [Table/Arn *] partly`,
		},
		{`{Statement: [!If [IsEmpty, {Effect: Allow}, {Effect: Deny}], {Effect: Deny}]}`, `* [] [] partly|Deny [] []`},
		{`{Statement: [{Effect: !Ref empty, Action: a:B, Resource: {odd: map}}]}`, `* [a:B] [*] partly`},
		{`{Statement: [text, [list], {Effect: Allow}]}`, `Allow [] []`},
		{`!If [IsEmpty, a, b]`, `* [] [] partly`},
		{`{Version: x}`, ``},
		{`text`, ``},
		{`[a]`, ``},
	}
	for _, tt := range tests {
		statements := cfn.Statements(resolved(t, sections+"Outputs:\n  Tested:\n    Value: "+tt.document, given))
		var got []string
		for _, s := range statements {
			text := fmt.Sprintf("%s %s%v %s%v", s.Effect, not(s.NotAction), s.Actions, not(s.NotResource), s.Resources)
			if s.Conditional {
				text += " conditional"
			}
			if s.Partly {
				text += " partly"
			}
			got = append(got, text)
			if s.Line == 0 || s.Column == 0 || !strings.HasPrefix(s.Pointer, "/Outputs/Tested/Value") {
				t.Errorf("%s: the place is %d:%d %s", tt.document, s.Line, s.Column, s.Pointer)
			}
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.document, strings.Join(got, "|"), tt.want)
		}
	}
}

func not(is bool) string {
	if is {
		return "not"
	}
	return ""
}

func TestPatternsOfPolicies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, text    string
		action, resource bool
	}{
		{"dynamodb:GetItem", "dynamodb:GetItem", true, true},
		{"DynamoDB:getitem", "dynamodb:GetItem", true, false},
		{"dynamodb:*", "dynamodb:GetItem", true, true},
		{"dynamodb:*Item", "dynamodb:BatchGetItem", true, true},
		{"dynamodb:*Item", "dynamodb:Query", false, false},
		{"dynamodb:Get?tem", "dynamodb:GetItem", true, true},
		{"dynamodb:GetItem?", "dynamodb:GetItem", false, false},
		{"*", "a:b", true, true},
		{"**", "", true, true},
		{"", "", true, true},
		{"", "a", false, false},
		{"?", "", false, false},
		{"a*b*c", "aXbYbZc", true, true},
		{"a*b*c", "aXbYbZ", false, false},
		{"arn:*:table/x/*", "arn:aws:dynamodb:r:1:table/x/index/y", true, true},
		{"a?c", "aéc", true, true},
		{"*é?", "xéüéz", true, true},
		{"a??c", "aéc", false, false},
	}
	for _, tt := range tests {
		if got := cfn.MatchAction(tt.pattern, tt.text); got != tt.action {
			t.Errorf("action %q %q: got %t", tt.pattern, tt.text, got)
		}
		if got := cfn.MatchResource(tt.pattern, tt.text); got != tt.resource {
			t.Errorf("resource %q %q: got %t", tt.pattern, tt.text, got)
		}
	}
}

func TestManyStarsTakeNoLongTime(t *testing.T) {
	t.Parallel()
	start := time.Now()
	if cfn.MatchResource(strings.Repeat("a*", 2000)+"b", strings.Repeat("a", 20_000)) {
		t.Error("a text without b matches")
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestStatementsAreJudgedAsIAMDoes(t *testing.T) {
	t.Parallel()
	const arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/notes-dev"
	one := func(effect, action, resource string) cfn.Statement {
		return cfn.Statement{Effect: effect, Actions: []string{action}, Resources: []string{resource}}
	}
	with := func(s cfn.Statement, change func(*cfn.Statement)) cfn.Statement {
		change(&s)
		return s
	}
	unknown := func(s *cfn.Statement) { s.Partly = true }
	every, deny := one("Allow", "*", "*"), one("Deny", "dynamodb:Get*", arn)
	for _, row := range []struct {
		name    string
		all     []cfn.Statement
		want    cfn.Permission
		certain bool
	}{
		{"nothing", nil, cfn.Absent, true},
		{"the action", []cfn.Statement{one("Allow", "dynamodb:getitem", arn)}, cfn.Granted, true},
		{"another case of the resource", []cfn.Statement{one("Allow", "dynamodb:GetItem", strings.ToUpper(arn))}, cfn.Absent, true},
		{"patterns", []cfn.Statement{one("Allow", "dynamodb:Get????", "arn:*:table/notes-*")}, cfn.Granted, true},
		{"another action", []cfn.Statement{one("Allow", "dynamodb:PutItem", arn)}, cfn.Absent, true},
		{"a refusal comes first", []cfn.Statement{deny, every}, cfn.Denied, true},
		{"a refusal of another", []cfn.Statement{every, one("Deny", "dynamodb:GetItem", arn+"s")}, cfn.Granted, true},
		{"perhaps refused", []cfn.Statement{every, with(deny, unknown)}, cfn.Granted, false},
		{"refused if", []cfn.Statement{every, with(deny, func(s *cfn.Statement) { s.Conditional = true })}, cfn.Granted, false},
		{"perhaps", []cfn.Statement{with(every, unknown)}, cfn.Granted, false},
		{"perhaps and for certain", []cfn.Statement{with(every, unknown), every}, cfn.Granted, true},
		{"if", []cfn.Statement{with(every, func(s *cfn.Statement) { s.Conditional = true })}, cfn.Granted, false},
		{"in some deployments", []cfn.Statement{with(every, func(s *cfn.Statement) { s.Condition = "IsProd" })}, cfn.Granted, false},
		{"all but another", []cfn.Statement{with(one("Allow", "s3:*", "*"), func(s *cfn.Statement) { s.NotAction = true })}, cfn.Granted, true},
		{"all but this", []cfn.Statement{with(one("Allow", "dynamodb:*", "*"), func(s *cfn.Statement) { s.NotAction = true })}, cfn.Absent, true},
		{"all but this, refused", []cfn.Statement{every, with(one("Deny", "*", arn), func(s *cfn.Statement) { s.NotResource = true })}, cfn.Granted, true},
		{"all but others, refused", []cfn.Statement{every, with(one("Deny", "*", arn+"s"), func(s *cfn.Statement) { s.NotResource = true })}, cfn.Denied, true},
		{"all but what is unknown", []cfn.Statement{with(one("Allow", "*", "*"), func(s *cfn.Statement) { s.NotAction, s.Partly = true, true })}, cfn.Granted, false},
		{"unknown", []cfn.Statement{{Effect: "*", Partly: true}}, cfn.Absent, true},
	} {
		if got, certain := cfn.Judge(row.all, "dynamodb:GetItem", arn); got != row.want || certain != row.certain {
			t.Errorf("%s: %d, certain %t", row.name, got, certain)
		}
	}
	for service, all := range map[string][]cfn.Statement{
		"dynamodb": {deny, one("Allow", "d*:Get*", "*")}, "ssm": {with(one("Allow", "s3:*", "*"), func(s *cfn.Statement) { s.NotAction = true })}, "lambda": {every},
		"": {deny, with(one("Allow", ":*", "*"), func(s *cfn.Statement) { s.NotAction = true })},
	} {
		if cfn.Speaks(all, service) != (service != "") {
			t.Errorf("they speak of %q: %v", service, service == "")
		}
	}
}

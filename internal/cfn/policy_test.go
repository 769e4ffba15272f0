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

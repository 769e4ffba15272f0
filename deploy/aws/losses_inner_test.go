package aws

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/render/template"
)

// losing is a push of a stack with a table or a pool for each way of losing its data.
func losing(t *testing.T) *Push {
	t.Helper()
	const key = `"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]`
	const otherKey = `"AttributeDefinitions": [{"AttributeName": "at", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "at", "KeyType": "HASH"}]`
	const otherType = `"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]`
	table := func(more string) string { return `{"Type": "AWS::DynamoDB::Table", ` + more + `}` }
	old := `{"Resources": {
		"Same": ` + table(`"Properties": {"TableName": "same", `+key+`}`) + `,
		"Gone": ` + table(`"UpdateReplacePolicy": "Retain", "Properties": {"TableName": "gone", `+key+`}`) + `,
		"Stays": ` + table(`"DeletionPolicy": "RetainExceptOnCreate", "Properties": {"TableName": "stays", `+key+`}`) + `,
		"Key": ` + table(`"DeletionPolicy": "Retain", "Properties": {"TableName": "key", `+key+`}`) + `,
		"KeyKept": ` + table(`"UpdateReplacePolicy": "Retain", "Properties": {"TableName": "kept", `+key+`}`) + `,
		"Expiring": ` + table(`"Properties": {"TableName": "ttl", "TimeToLiveSpecification": {"AttributeName": "until"}, `+key+`}`) + `,
		"Type": ` + table(`"Properties": {"TableName": "type", `+key+`}`) + `,
		"Named": ` + table(`"UpdateReplacePolicy": "Retain", "Properties": {"TableName": "named", `+key+`}`) + `,
		"Set": ` + table(`"Properties": {"TableName": "set", `+key+`}`) + `,
		"SetGone": ` + table(`"Properties": {"TableName": "setgone", `+key+`}`) + `,
		"Users": {"Type": "AWS::Cognito::UserPool", "Properties": {"UsernameAttributes": ["email"]}},
		"Ids": {"Type": "AWS::Cognito::IdentityPool", "DeletionPolicy": "Delete", "Properties": {}},
		"Untyped": {}, "Function": {"Type": "AWS::Lambda::Function"}}}`
	next := `{"Resources": {
		"Same": ` + table(`"Properties": {"TableName": "same", `+key+`, "BillingMode": "PAY_PER_REQUEST"}`) + `,
		"Key": ` + table(`"Properties": {"TableName": "key", `+otherKey+`}`) + `,
		"KeyKept": ` + table(`"Properties": {"TableName": "kept", `+otherKey+`}`) + `,
		"Expiring": ` + table(`"Properties": {"TableName": "ttl", "TimeToLiveSpecification": {"AttributeName": "expires"}, `+key+`}`) + `,
		"Type": ` + table(`"Properties": {"TableName": "type", `+otherType+`}`) + `,
		"Named": ` + table(`"Properties": {"TableName": "other", `+otherKey+`}`) + `,
		"Set": ` + table(`"Properties": {"TableName": "set", `+key+`}`) + `,
		"SetGone": ` + table(`"Properties": {"TableName": "setgone", `+key+`}`) + `,
		"New": ` + table(`"Properties": {"TableName": "new", `+key+`}`) + `,
		"Users": {"Type": "AWS::Cognito::UserPool", "Properties": {"UsernameAttributes": ["phone_number"]}}}}`
	read := func(text string) *cfn.Node {
		made, err := cfn.Parse("template", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return made.Root
	}
	x := &Push{set: &stack.ChangeSet{Changes: []stack.Change{{Logical: "Set", Action: stack.Modify, Replaced: true}, {Logical: "SetGone", Action: stack.Remove}, {Logical: "Same", Action: stack.Modify, Perhaps: true}}}}
	x.Environment, x.words = &model.Environment{Name: "dev"}, words{names: make(map[string]string), of: make(map[string]model.Ref)}
	x.base, x.made = template.Deployed{Root: read(old)}, &template.Template{Root: read(next)}
	for id, name := range map[string]string{
		"Same": "same", "Gone": "gone", "Stays": "stays", "Key": "key", "KeyKept": "kept", "Expiring": "ttl", "Type": "type", "Named": "named", "Set": "set", "SetGone": "setgone", "New": "new",
	} {
		x.words.of[id], x.words.names[id] = model.Ref{Kind: model.KindTable, Name: name}, "the table "+name
	}
	x.words.of["Users"], x.words.names["Users"] = model.Ref{Kind: model.KindAuth}, "the user pool"
	x.words.of["Ids"], x.words.names["Ids"] = model.Ref{Kind: model.KindAuth}, "the identity pool"
	return x
}

func TestEachLossSaysWhatIsLostAndWhatStays(t *testing.T) {
	t.Parallel()
	x := losing(t)
	x.Losses = lossesOf(x.base.Root, x.made.Root, x.set.Changes, x.words, []string{"key", "auth"})
	var got []string
	for _, l := range x.Losses {
		got = append(got, fmt.Sprintf("%s: %s (kept %v, allowed %v, cannot %v)", l.Name, l.Text, l.Kept, l.Allowed, l.Cannot != nil))
	}
	if diff := cmp.Diff([]string{
		"gone: the table gone is removed: all its items are lost (kept false, allowed false, cannot false)",
		"stays: the table stays leaves the stack, but stays in the account with all its items (kept true, allowed false, cannot false)",
		"key: the table key is replaced by a new one: all its items are lost (kept false, allowed true, cannot false)",
		"kept: the table kept is replaced by a new one; the old one stays in the account with all its items, outside the stack (kept true, allowed false, cannot true)",
		"ttl: the table ttl expires its items by expires instead of until: items that have expired by then are lost (kept false, allowed false, cannot true)",
		"type: the table type is replaced by a new one: all its items are lost (kept false, allowed false, cannot false)",
		"named: the table named is replaced by a new one; the old one stays in the account with all its items, outside the stack (kept true, allowed false, cannot false)",
		"set: the table set is replaced by a new one: all its items are lost (kept false, allowed false, cannot false)",
		"setgone: the table setgone is removed: all its items are lost (kept false, allowed false, cannot false)",
		"auth: the user pool is replaced by a new one: all its users are lost (kept false, allowed true, cannot false)",
		"auth: the identity pool is removed: the identities of its users are lost (kept false, allowed true, cannot false)",
	}, got); diff != "" {
		t.Errorf("the losses are others (-want +got):\n%s", diff)
	}
	got = nil
	for _, err := range RefusedLosses(x.Losses) {
		got = append(got, err.Error())
	}
	if diff := cmp.Diff([]string{
		"table gone: the table gone is removed: all its items are lost; keep it, or allow the loss with: --allow-destroy gone",
		"table stays: the table stays leaves the stack, but stays in the account with all its items; keep it, or allow the loss with: --allow-destroy stays",
		"table kept: its key changes, but the old table stays in the account under the name of the new one; keep the key, and add a table with another name; or, unless its environment is guarded, delete the old one: push it with its old key after gatewright update table kept --deletion delete, then change the key",
		"table ttl: its items expire by until, and AWS takes another attribute only an hour after that is turned off; first push it without one, with gatewright update table ttl --ttl=, and the new one later",
		"table type: the table type is replaced by a new one: all its items are lost; keep it, or allow the loss with: --allow-destroy type",
		"table named: the table named is replaced by a new one; the old one stays in the account with all its items, outside the stack; keep it, or allow the loss with: --allow-destroy named",
		"table set: the table set is replaced by a new one: all its items are lost; keep it, or allow the loss with: --allow-destroy set",
		"table setgone: the table setgone is removed: all its items are lost; keep it, or allow the loss with: --allow-destroy setgone",
	}, got); diff != "" {
		t.Errorf("it is refused for other reasons (-want +got):\n%s", diff)
	}
	x.Losses = x.Losses[2:3]
	if err := x.Refusal(); err != nil {
		t.Errorf("what is allowed is refused: %v", err)
	}
}

func TestTheStackOfAGuardedEnvironmentRefusesTheLossOfAllButWhatIsAllowed(t *testing.T) {
	t.Parallel()
	x := losing(t)
	const open = `{"Statement":[{"Effect":"Allow","Principal":"*","Action":["Update:*"],"Resource":"*"}`
	if got := x.policy(nil); got != open+`]}` {
		t.Errorf("without a guard it is %s", got)
	}
	x.Environment = &model.Environment{Name: "dev", Guarded: true}
	const want = open + `,{"Effect":"Deny","Principal":"*","Action":["Update:Replace","Update:Delete"],"Resource":["LogicalResourceId/Same","LogicalResourceId/Gone",` +
		`"LogicalResourceId/Stays","LogicalResourceId/KeyKept","LogicalResourceId/Expiring","LogicalResourceId/Type","LogicalResourceId/Named","LogicalResourceId/Set","LogicalResourceId/SetGone",` +
		`"LogicalResourceId/New"]}]}`
	if diff := cmp.Diff(want, x.policy([]Loss{{Name: "key"}, {Name: "auth"}})); diff != "" {
		t.Errorf("it is otherwise (-want +got):\n%s", diff)
	}
	x.base.Root, x.made.Root = nil, nil
	if got := x.policy(nil); got != open+`]}` {
		t.Errorf("with nothing to lose it is %s", got)
	}
}

func TestAPoolIsTakenOverIfNoUpdateWouldHaveToChangeIt(t *testing.T) {
	t.Parallel()
	for want, of := range map[string]struct{ pool, wanted string }{
		"": {
			`{"UsernameAttributes": ["phone_number", "email"], "UsernameConfiguration": {"CaseSensitive": false}, "SchemaAttributes": [{"Name": "sub", "Required": true}, {"Name": "name"}, {"Name": "locale", "Required": true}]}`,
			`{"UsernameAttributes": ["email", "phone_number"], "Schema": [{"Name": "locale", "Required": true}]}`,
		},
		"its users sign in with phone_number, in the definition with phone_number, email, which a pool cannot change": {
			`{"UsernameAttributes": ["phone_number"]}`, `{"UsernameAttributes": ["phone_number", "email"]}`,
		},
		"its users sign in with a name, in the definition with email, which a pool cannot change":          {`{}`, `{"UsernameAttributes": ["email"]}`},
		"its users may also sign in with email, in the definition with a name, which a pool cannot change": {`{"AliasAttributes": ["email"]}`, `{}`},
		"its user names are case-sensitive, which a definition cannot express":                             {`{"UsernameConfiguration": {"CaseSensitive": true}}`, `{}`},
		"its users have the custom attributes plan=string:..20, in the definition none, which a pool cannot change": {
			`{"UsernameConfiguration": {"CaseSensitive": false}, "SchemaAttributes": [{"Name": "custom:plan", "AttributeDataType": "String", "Mutable": true, "StringAttributeConstraints": {"MaxLength": "20"}}]}`, `{}`,
		},
		"its users have the custom attributes plan=number, in the definition plan=number:fixed, which a pool cannot change": {
			`{"UsernameConfiguration": {"CaseSensitive": false}, "SchemaAttributes": [{"Name": "custom:plan", "AttributeDataType": "Number", "Mutable": true}]}`,
			`{"Schema": [{"Name": "plan", "AttributeDataType": "Number"}]}`,
		},
		"it requires nothing of users, the definition email, name, which a pool cannot change": {
			`{"UsernameConfiguration": {"CaseSensitive": false}, "SchemaAttributes": [{"Name": "sub", "Required": true}, {"Name": "email"}]}`, `{"Schema": [{"Name": "name", "Required": true}, {"Name": "email", "Required": true}]}`,
		},
	} {
		var p describedPool
		if err := json.Unmarshal([]byte(of.pool), &p); err != nil {
			t.Fatal(err)
		}
		wanted, err := cfn.Parse("wanted", []byte(`{"Properties": `+of.wanted+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := p.differs(wanted.Root); got != want {
			t.Errorf("%s and %s: %q, want %q", of.pool, of.wanted, got, want)
		}
	}
	if got := (describedPool{}).differs(cfn.MapNode()); got != "its user names are case-sensitive, which a definition cannot express" {
		t.Errorf("a pool that does not say so: %q", got)
	}
}

func TestAPushWouldHaveToChangeNoAttributeOfAPool(t *testing.T) {
	t.Parallel()
	plan := `{"Name": "plan", "AttributeDataType": "String", "Mutable": true, "StringAttributeConstraints": {"MaxLength": "20"}}`
	const kept = ", but a user pool in AWS cannot change its attributes"
	for _, of := range []struct{ was, now, want string }{
		{plan, plan, ""},
		{"", plan, ""},
		{plan, plan + `, {"Name": "score", "AttributeDataType": "Number"}`, ""},
		{plan, "", "the attribute plan would go" + kept},
		{plan, strings.Replace(plan, "20", "30", 1), "the attribute plan would change from string:..20 to string:..30" + kept},
		{plan, strings.Replace(plan, "true", "false", 1), "the attribute plan would change from string:..20 to string:..20:fixed" + kept},
		{`{"Name": "name", "Required": true}`, `{"Name": "name", "Required": true}, {"Name": "email", "Required": true}`, "the attribute email would become required" + kept},
	} {
		pool := func(schema string) *cfn.Node {
			parsed, err := cfn.Parse("pool", []byte(`{"Resources": {"UserPool": {"Type": "AWS::Cognito::UserPool", "Properties": {"Schema": [`+schema+`]}}}}`))
			if err != nil {
				t.Fatal(err)
			}
			return parsed.Root
		}
		var got string
		for _, err := range RefusedLosses(lossesOf(pool(of.was), pool(of.now), nil, words{}, []string{"auth"})) {
			var problem *model.Problem
			if !errors.As(err, &problem) || problem.Fix == "" {
				t.Errorf("%s -> %s: %v", of.was, of.now, err)
				continue
			}
			got += problem.Text
		}
		if got != of.want {
			t.Errorf("%s -> %s: %q, want %q", of.was, of.now, got, of.want)
		}
	}
}

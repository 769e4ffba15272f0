package sandbox

import (
	"strings"
	"testing"

	"gatewright/model/access"
	"gatewright/sandbox/invoke"
)

func TestGrantsWithPatternsAllowWhatPoliciesAllow(t *testing.T) {
	t.Parallel()
	const arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/notes-dev"
	of := func(grants ...Grant) caller {
		return caller{Function: invoke.Function{Region: "eu-west-1", Account: "123456789012"}, grants: grants}
	}
	read := Grant{Operations: []string{"dynamodb:Get*", "dynamodb:Query"}, Resources: []string{arn, arn + "/index/*"}}
	every := Grant{Operations: []string{"*"}, Resources: []string{"*"}}
	for _, test := range []struct {
		name             string
		c                caller
		u                use
		allowed, assumed bool
	}{
		{"an operation of a pattern", of(read), use{"GetItem", "GetItem", "notes-dev", access.Read}, true, false},
		{"another operation", of(read), use{"PutItem", "PutItem", "notes-dev", access.Create}, false, false},
		{"another table", of(read), use{"GetItem", "GetItem", "others-dev", access.Read}, false, false},
		{"a transaction by its parts", of(read), use{"TransactGetItems", "GetItem", "notes-dev", access.Read}, true, false},
		{"a batch by its own name", of(read), use{"BatchGetItem", "GetItem", "notes-dev", access.Read}, false, false},
		{"everything", of(every), use{"DeleteTable", "DeleteTable", "any", access.Delete}, true, false},
		{"a refusal comes first", of(every, Grant{Operations: []string{"dynamodb:Delete*"}, Resources: []string{arn}, Denied: true}), use{"DeleteItem", "DeleteItem", "notes-dev", access.Delete}, false, false},
		{"a refusal of another table", of(every, Grant{Operations: []string{"dynamodb:*"}, Resources: []string{arn}, Denied: true}), use{"DeleteItem", "DeleteItem", "others-dev", access.Delete}, true, false},
		{"only a refusal", of(Grant{Operations: []string{"dynamodb:*"}, Resources: []string{"*"}, Denied: true}), use{"GetItem", "GetItem", "notes-dev", access.Read}, false, false},
		{"assumed", of(Grant{Table: "notes-dev", Actions: access.EveryAction, Assumed: true}), use{"PutItem", "PutItem", "notes-dev", access.Create}, true, true},
		{"nothing", of(), use{"GetItem", "GetItem", "notes-dev", access.Read}, false, false},
	} {
		permission, assumed := test.c.may(test.u)
		if allowed := permission == invoke.Granted; allowed != test.allowed || assumed != test.assumed {
			t.Errorf("%s: allowed %t, assumed %t", test.name, allowed, assumed)
		}
	}
}

func TestAnExplicitDenyIsToldAsSuch(t *testing.T) {
	t.Parallel()
	c := caller{
		Function:      invoke.Function{Name: "notes", Deployed: "notes-dev", Region: "eu-west-1", Account: "123456789012"},
		grants:        []Grant{{Operations: []string{"*"}, Resources: []string{"*"}}, {Operations: []string{"dynamodb:Delete*"}, Resources: []string{"*"}, Denied: true}},
		fromTemplates: true,
	}
	u := use{"DeleteItem", "DeleteItem", "notes-dev", access.Delete}
	permission, _ := c.may(u)
	const want = "User: arn:aws:sts::123456789012:assumed-role/notes-dev/notes-dev is not authorized to perform: dynamodb:DeleteItem on resource: arn:aws:dynamodb:eu-west-1:123456789012:table/notes-dev with an explicit deny in an identity-based policy"
	if text := string(c.refusal(u, permission)); !strings.Contains(text, want) {
		t.Errorf("the refusal is %s", text)
	}
	if got := c.advice(permission, u.needs(), ""); got != "one of its policies denies the action dynamodb:DeleteItem: remove that statement" {
		t.Errorf("the advice is %s", got)
	}
}

func TestWhatIsAllowedForCertainIsNotAssumed(t *testing.T) {
	t.Parallel()
	certain, assumed, denied, other := Grant{Table: "a"}, Grant{Table: "a", Assumed: true}, Grant{Table: "a", Denied: true}, Grant{Table: "b"}
	for _, row := range []struct {
		grants     []Grant
		permission invoke.Permission
		assumed    bool
	}{
		{nil, invoke.Absent, false},
		{[]Grant{other}, invoke.Absent, false},
		{[]Grant{certain}, invoke.Granted, false},
		{[]Grant{assumed, other}, invoke.Granted, true},
		{[]Grant{assumed, certain}, invoke.Granted, false},
		{[]Grant{certain, assumed}, invoke.Granted, false},
		{[]Grant{assumed, denied}, invoke.Denied, false},
		{[]Grant{denied, certain}, invoke.Denied, false},
	} {
		permission, is := judge(row.grants, func(g Grant) bool { return g.Table == "a" })
		if permission != row.permission || is != row.assumed {
			t.Errorf("of %+v: %v, assumed %v", row.grants, permission, is)
		}
	}
	keys := map[string]bool{}
	for _, of := range [][2]string{{"dev", "items"}, {"devi", "tems"}, {"items", "dev"}, {"dev", "item"}} {
		key := AccessKey(of[0], of[1])
		if len(key) != 20 || !strings.HasPrefix(key, "ASIA") || keys[key] || key != AccessKey(of[0], of[1]) {
			t.Errorf("the access key of %q is %s", of, key)
		}
		keys[key] = true
	}
}

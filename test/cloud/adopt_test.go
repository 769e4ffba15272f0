//go:build unix

package cloud

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gatewright/test/standin"
)

// asOwner is the beginning of scripts that look into the account of prod, or change it.
const asOwner = `
tables, users, identities, logs = (client(s) for s in ('dynamodb', 'cognito-idp', 'cognito-identity', 'logs'))
`

// fill writes items, users with a group, and a line into a log.
const fill = asOwner + `
pool = users.list_user_pools(MaxResults=60)['UserPools'][0]['Id']
for i in range(30):
    tables.put_item(TableName='items-prod', Item={'id': {'S': str(i)}, 'title': {'S': 'Emma %d' % i}})
for name in 'ann', 'ben':
    users.admin_create_user(UserPoolId=pool, Username=name, MessageAction='SUPPRESS')
users.admin_add_user_to_group(UserPoolId=pool, Username='ann', GroupName='Admins')
logs.create_log_stream(logGroupName='/aws/lambda/items-prod', logStreamName='one')
logs.put_log_events(logGroupName='/aws/lambda/items-prod', logStreamName='one', logEvents=[{'timestamp': 1, 'message': 'kept'}])
`

// read prints what the account holds, as the stand-in has it.
const read = asOwner + `
def pools():
    for p in users.list_user_pools(MaxResults=60)['UserPools']:
        everybody = [(u['Username'], [a['Value'] for a in u['Attributes'] if a['Name'] == 'sub']) for u in users.list_users(UserPoolId=p['Id'])['Users']]
        groups = {g['GroupName']: [u['Username'] for u in users.list_users_in_group(UserPoolId=p['Id'], GroupName=g['GroupName'])['Users']]
            for g in users.list_groups(UserPoolId=p['Id'])['Groups']}
        yield {'id': p['Id'], 'users': sorted(everybody), 'groups': groups}
print(json.dumps({
    'tables': {t: sorted(i['id']['S'] for i in tables.scan(TableName=t)['Items'] if 'id' in i) for t in tables.list_tables()['TableNames']},
    'made': {t: str(tables.describe_table(TableName=t)['Table']['CreationDateTime']) for t in tables.list_tables()['TableNames']},
    'pools': sorted(pools(), key=lambda p: p['id']),
    'identities': sorted(p['IdentityPoolId'] for p in identities.list_identity_pools(MaxResults=60)['IdentityPools']),
    'logs': {g['logGroupName']: len(logs.describe_log_streams(logGroupName=g['logGroupName'])['logStreams']) for g in logs.describe_log_groups()['logGroups']},
}, sort_keys=True))
`

// TestWhatARemovalKeptIsTakenOverAgain pushes a guarded environment, removes it, and pushes it
// again with what was kept.
func TestWhatARemovalKeptIsTakenOverAgain(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		update env prod --guarded
		env use prod
		push --confirm prod
	`)
	m.python(prodAccount, "eu-west-1", fill)
	before := m.python(prodAccount, "eu-west-1", read)
	m.must("add env rest")
	m.run(0, "remove", "env", "prod", "--confirm", "prod")
	if kept := m.python(prodAccount, "eu-west-1", read); kept != before {
		t.Fatalf("the removal does not keep everything:\n%s\nwant\n%s", kept, before)
	}
	m.must(`
		add env prod --provider aws --account 222222222222 --region eu-west-1 --guarded
		env use prod --profile ` + prodProfile + `
		env use prod
	`)
	m.take()

	// Without consent nothing happens, and everything is named.
	for _, args := range [][]string{{"--confirm", "prod"}, {"--dry-run"}} {
		_, refusal := m.run(1, append([]string{"push", "--env", "prod"}, args...)...)
		oneLine(t, refusal, "environment prod would be created", "the table items", "the user pool", "gatewright push --env prod --adopt")
		for _, want := range []string{"in the way: the table items, items-prod: 30 items, made ", "2 users, made ", "in the way: the log group of the function items, /aws/lambda/items-prod"} {
			if !strings.Contains(refusal, want) {
				t.Errorf("the refusal does not say %q:\n%s", want, refusal)
			}
		}
	}
	if actions := standin.Actions(m.take(), "cloudformation"); slices.Contains(actions, "CreateChangeSet") {
		t.Errorf("a push that is refused calls %v", actions)
	}
	out, _ := m.run(0, "push", "--env", "prod", "--adopt", "--dry-run")
	if !strings.Contains(out, "adopts the table items, items-prod: 30 items") || !strings.Contains(out, " to adopt, ") {
		t.Errorf("a dry run says:\n%s", out)
	}
	if after := m.python(prodAccount, "eu-west-1", read); after != before {
		t.Errorf("a dry run changes what is there:\n%s\nwant\n%s", after, before)
	}

	out, _ = m.run(0, "push", "--env", "prod", "--adopt", "--confirm", "prod")
	if !strings.Contains(out, "the user pool gets a new client") {
		t.Errorf("the preview does not tell of the new client:\n%s", out)
	}
	if after := m.python(prodAccount, "eu-west-1", read); after != before {
		t.Fatalf("after the adoption there is\n%s\nwant\n%s", after, before)
	}
	m.answersAsCanSays(prodAccount)
	if out, _ := m.run(0, "push", "--env", "prod", "--confirm", "prod"); !strings.Contains(out, "AWS is up to date") {
		t.Errorf("the push after that says:\n%s", out)
	}
	if out, _ := m.run(0, "status", "--env", "prod"); strings.Contains(out, "to update") {
		t.Errorf("status says:\n%s", out)
	}
	m.run(0, "remove", "env", "prod", "--confirm", "prod")
	// The calls of the test added users and lines of logs.
	if had, has := held(t, before), held(t, m.python(prodAccount, "eu-west-1", read)); had != has {
		t.Errorf("the second removal keeps\n%s\nwant\n%s", has, had)
	}
}

// held is what the account holds, without what calls add to.
func held(t *testing.T, text string) string {
	t.Helper()
	var all struct {
		Made, Tables any
		Identities   []string
		Pools        []struct{ ID string }
		Logs         map[string]any
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	for name := range all.Logs {
		all.Logs[name] = nil
	}
	short, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(short)
}

// TestWhatCannotBeTakenOverIsToldBefore meets tables and pools that are not what the definition
// needs, and those of somebody else.
func TestWhatCannotBeTakenOverIsToldBefore(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		update env prod --guarded
		env use prod
	`)
	const table = asOwner + `
tables.create_table(TableName='items-prod', BillingMode='PAY_PER_REQUEST', AttributeDefinitions=[{'AttributeName': KEY, 'AttributeType': 'S'}],
    KeySchema=[{'AttributeName': KEY, 'KeyType': 'HASH'}])
`
	// Two pools of the environment and a table with another key.
	m.python(prodAccount, "eu-west-1", strings.ReplaceAll(table, "KEY", "'isbn'")+`
for _ in range(2):
    users.create_user_pool(PoolName='shop-prod', UsernameConfiguration={'CaseSensitive': False}, UserPoolTags={'gatewright:application': 'd1shop', 'gatewright:environment': 'prod'})
`)
	for _, args := range [][]string{{"--confirm", "prod"}, {"--confirm", "prod", "--adopt"}} {
		_, refusal := m.run(1, append([]string{"push"}, args...)...)
		oneLine(t, refusal, "the table items, items-prod", "its key is isbn (S), the key in the definition is id (S)")
		if !strings.Contains(refusal, "2 user pools match; choose one with --adopt-pool ID") {
			t.Errorf("the refusal does not name the pools:\n%s", refusal)
		}
	}
	m.python(prodAccount, "eu-west-1", asOwner+`
tables.delete_table(TableName='items-prod')
users.delete_user_pool(UserPoolId=users.list_user_pools(MaxResults=60)['UserPools'][0]['Id'])
`+strings.TrimPrefix(strings.ReplaceAll(table, "KEY", "'id'"), asOwner))
	// A table of the name that nobody's stack has is somebody's all the same.
	_, refusal := m.run(1, "push", "--confirm", "prod")
	oneLine(t, refusal, "the table items", "the user pool", "--adopt")
	if actions := standin.Actions(m.take(), "cloudformation"); slices.Contains(actions, "CreateChangeSet") {
		t.Errorf("a push that is refused calls %v", actions)
	}
	// The definition has an index and a group more than what is there.
	m.must("update table items --index byTitle:title:string")
	m.run(0, "push", "--confirm", "prod", "--adopt")
	indexes := m.python(prodAccount, "eu-west-1", asOwner+`
print(tables.describe_table(TableName='items-prod')['Table'].get('GlobalSecondaryIndexes', [{}])[0].get('IndexName'))
print(len(users.list_user_pools(MaxResults=60)['UserPools']), [g['GroupName'] for g in users.list_groups(UserPoolId=users.list_user_pools(MaxResults=60)['UserPools'][0]['Id'])['Groups']])
`)
	if indexes != "byTitle\n1 ['Admins']" {
		t.Errorf("after the adoption there are the index, pools and groups %q", indexes)
	}
}

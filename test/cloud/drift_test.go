//go:build unix

package cloud

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// byHand changes what is in an account as somebody does in the console, with boto3.
const byHand = `
import boto3, io, json, sys, zipfile

def client(service): return boto3.client(service, endpoint_url=sys.argv[1], region_name='eu-central-1',
    aws_access_key_id='123456789012', aws_secret_access_key='key-of-dev')

functions, logs, roles, apis = client('lambda'), client('logs'), client('iam'), client('apigateway')

def guests(): return next(r['RoleName'] for r in roles.list_roles()['Roles'] if 'RoleGuests' in r['RoleName'] or 'GuestsRole' in r['RoleName'])

def memory(): functions.update_function_configuration(FunctionName='items-dev', MemorySize=512)

def secret(): functions.update_function_configuration(FunctionName='news-dev', Environment={'Variables': {'MAIL_KEY': 'value-by-hand'}})

def log(): logs.delete_log_group(logGroupName='/aws/lambda/drafts-dev')

def code():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, 'w') as z: z.writestr('index.js', 'exports.handler = async () => ({statusCode: 200, body: "by hand"})')
    functions.update_function_code(FunctionName='drafts-dev', ZipFile=archive.getvalue())

def access():
    role = guests()
    name = roles.list_role_policies(RoleName=role)['PolicyNames'][0]
    document = roles.get_role_policy(RoleName=role, PolicyName=name)['PolicyDocument']
    api = next(a['id'] for a in apis.get_rest_apis()['items'] if a['name'].startswith('shop'))
    document['Statement'].append({'Effect': 'Allow', 'Action': 'execute-api:Invoke',
        'Resource': ['arn:aws:execute-api:eu-central-1:123456789012:%s/dev/DELETE/items' % api, 'arn:aws:execute-api:eu-central-1:123456789012:%s/dev/DELETE/items/*' % api]})
    roles.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(document))

def opened():
    api = next(a['id'] for a in apis.get_rest_apis()['items'] if a['name'].startswith('shop'))
    resource = next(r['id'] for r in apis.get_resources(restApiId=api, limit=500)['items'] if r['path'] == '/drafts')
    apis.update_method(restApiId=api, resourceId=resource, httpMethod='ANY', patchOperations=[{'op': 'replace', 'path': '/authorizationType', 'value': 'NONE'}])

users, identities = client('cognito-idp'), client('cognito-identity')
stranger = json.dumps({'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Principal': {'AWS': 'arn:aws:iam::999999999999:root'}, 'Action': 'sts:AssumeRole'}]})

def pool(): return next(p['Id'] for p in users.list_user_pools(MaxResults=60)['UserPools'] if p['Name'].endswith('-dev'))

def identity(): return next(p['IdentityPoolId'] for p in identities.list_identity_pools(MaxResults=60)['IdentityPools'] if p['IdentityPoolName'].endswith('-dev'))

def alias():
    version = functions.publish_version(FunctionName='items-dev')['Version']
    functions.create_alias(FunctionName='items-dev', Name='live', FunctionVersion=version)
    functions.add_permission(FunctionName='items-dev', Qualifier='live', StatementId='hand', Action='lambda:InvokeFunction', Principal='999999999999')

def trusted():
    news = functions.get_function_configuration(FunctionName='news-dev')['Role'].split('/')[-1]
    for name in [guests(), news]: roles.update_assume_role_policy(RoleName=name, PolicyDocument=stranger)

def rights():
    role = identities.get_identity_pool_roles(IdentityPoolId=identity())['Roles']['authenticated'].split('/')[-1]
    roles.put_role_policy(RoleName=role, PolicyName='hand', PolicyDocument=json.dumps({'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': 'dynamodb:*', 'Resource': '*'}]}))

def basic():
    now = identities.describe_identity_pool(IdentityPoolId=identity())
    now = {key: value for key, value in now.items() if value and key != 'ResponseMetadata'}
    identities.update_identity_pool(**{**now, 'AllowClassicFlow': True, 'SupportedLoginProviders': {'accounts.google.com': 'hand'}})

def client_of_hand(): users.create_user_pool_client(UserPoolId=pool(), ClientName='hand')

def closed(): users.update_user_pool(UserPoolId=pool(), AdminCreateUserConfig={'AllowAdminCreateUserOnly': True}, LambdaConfig={'PreTokenGeneration': 'arn:aws:lambda:eu-central-1:123456789012:function:hand'})

def stage():
    api = next(a['id'] for a in apis.get_rest_apis()['items'] if a['name'].startswith('shop'))
    apis.create_deployment(restApiId=api, stageName='hand')

for what in sys.argv[2:]: globals()[what]()
`

// byHand changes things in the account.
func (m *machine) byHand(what ...string) {
	m.t.Helper()
	script := filepath.Join(m.home, "by_hand.py")
	m.write(script, byHand)
	out, err := exec.Command(m.server.Python, append([]string{script, m.server.URL}, what...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
}

// driftFound is what `status --drift --json` reports.
type driftFound struct {
	Drift struct {
		Differs         bool
		Compared        int
		Cloud, Template []struct {
			Kind, Name, Part string
			Texts            []string
		}
		Access []struct {
			Who, Direction, Path, Resource string
			Methods                        []string
		}
		Doors            []struct{ Of, Who, By, Why string }
		Undecided, Notes []string
	}
}

// drift asks for the drift of an environment.
func (m *machine) drift(code int) (found driftFound) {
	m.t.Helper()
	out, _ := m.run(code, "status", "--env", "dev", "--drift", "--exit-code", "--json")
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
	return found
}

func TestWhatSomebodyChangedInTheCloudIsTold(t *testing.T) {
	m := newMachine(t)
	m.must(shop)
	m.must("update function news --secret MAIL_KEY")
	m.write(filepath.Join(m.dir, ".gatewright", "secrets", "dev.json"), `{"MAIL_KEY": "`+secretValue+`"}`)
	m.must("push --env dev --yes")
	m.take()

	before := m.drift(0)
	if d := before.Drift; d.Differs || d.Compared == 0 || len(d.Cloud)+len(d.Template)+len(d.Access)+len(d.Undecided) > 0 {
		t.Fatalf("right after a push there is drift: %+v", d)
	}
	reads := []string{"GET ", "Get", "List", "Describe", "DetectStackDrift"}
	for _, c := range m.take() {
		// The recorder does not read the operations of Amazon Cognito.
		cognito := strings.HasPrefix(c.Service, "cognito-")
		if !cognito && !slices.ContainsFunc(reads, func(verb string) bool { return strings.HasPrefix(c.Action, verb) }) {
			t.Errorf("to compare, it calls %s of %s", c.Action, c.Service)
		}
	}
	m.run(1, "can", "guest", "DELETE", "/items/1", "--env", "dev", "--live")
	out, _ := m.run(0, "can", "guest", "GET", "/items/1", "--env", "dev", "--live")
	if !strings.Contains(out, "AWS decides as the last push says") {
		t.Errorf("nothing differs, and it says:\n%s", out)
	}

	m.byHand("memory", "secret", "log", "code", "access", "opened")
	found := m.drift(3).Drift
	var told []string
	for _, part := range found.Cloud {
		for _, text := range part.Texts {
			told = append(told, part.Part+": "+text)
		}
	}
	slices.Sort(told)
	want := []string{
		"the function drafts: its code differs from the last push",
		"the function items: memory 128 MB in the stack, 512 MB in the cloud",
		"the function news: variable ENV, only in the stack",
		"the function news: variable MAIL_KEY, another in the cloud than in the stack",
		"the function news: variable REGION, only in the stack",
		"the log group of the function drafts: is gone",
	}
	if !slices.Equal(told, want) {
		t.Errorf("in the cloud differ\n%s\nand should\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	if len(found.Template) > 0 || len(found.Undecided) > 0 {
		t.Errorf("of the template differ %v, not known is %v", found.Template, found.Undecided)
	}
	var access []string
	for _, a := range found.Access {
		access = append(access, a.Direction+" "+a.Who+" "+strings.Join(a.Methods, ",")+" "+a.Resource)
	}
	slices.Sort(access)
	if want := []string{"more anyone unsigned DELETE,GET,HEAD,PATCH,POST,PUT /drafts", "more guests DELETE /items", "more guests DELETE /items/{proxy+}"}; !slices.Equal(access, want) {
		t.Errorf("of access differ %q, and should %q", access, want)
	}
	for _, value := range []string{secretValue, "value-by-hand"} {
		if strings.Contains(m.said.String(), value) {
			t.Errorf("the value %s is shown", value)
		}
	}

	// The emulator decides as the command says.
	out, _ = m.run(3, "can", "guest", "DELETE", "/items/1", "--env", "dev", "--live")
	if !strings.HasPrefix(out, "yes: guests may send DELETE /items/1 in AWS: a policy of their role allows it") || !strings.Contains(out, "▲ DELETE /items: guests may; the last push refuses it") {
		t.Errorf("asked for what a policy allows by hand, it says:\n%s", out)
	}
	m.must("env use dev")
	answers := m.send(devAccount, request{Who: "guest", Method: "DELETE", Path: "/items/1"}, request{Who: "guest", Method: "PUT", Path: "/items/1"}, request{Who: "nobody", Method: "GET", Path: "/drafts"})
	for i, status := range []int{200, 403, 200} {
		if answers[i].Status != status {
			t.Errorf("request %d is answered with %d, and should with %d", i, answers[i].Status, status)
		}
	}
	out, _ = m.run(3, "status", "--env", "dev", "--drift", "--exit-code")
	if !strings.Contains(out, "drift: 4 parts in the cloud, 3 differences in access; compared were ") || !strings.Contains(out, "not compared: ") || !strings.Contains(out, "methods of APIs (") {
		t.Errorf("for people it says:\n%s", out)
	}
}

// TestWhatSomebodyOpenedInTheCloudIsTold has doors that CloudFormation does not compare, each made in the console.
func TestWhatSomebodyOpenedInTheCloudIsTold(t *testing.T) {
	m := newMachine(t)
	m.must(shop)
	m.must("push --env dev --yes")
	m.byHand("alias", "trusted", "rights", "basic", "client_of_hand", "closed", "stage")
	found := m.drift(3).Drift
	told := slices.Clone(found.Undecided)
	for _, part := range found.Cloud {
		for _, text := range part.Texts {
			told = append(told, part.Part+": "+text)
		}
	}
	for _, door := range found.Doors {
		told = append(told, strings.Join([]string{door.Of, door.Who, door.By, door.Why}, "; "))
	}
	told = append(told, found.Notes...)
	text := strings.Join(told, "\n")
	for _, want := range []string{
		"the stage hand of the API shop is not compared: it may serve something else",
		"the user pool: it has the client hand in the cloud, which no push set",
		"the user pool: it calls a function at PreTokenGeneration in the cloud, which no push set",
		"the user pool: only administrators may add users in the cloud, which no push set",
		"; the account 999999999999; its trust policy; it names them",
		"guests do not get the role gatewright-",
		"the role of the function news: access: who may take the role, only in the cloud",
		"signed-in users; ; ; the identity pool accepts users of accounts.google.com, which no push set",
		"signed-in users; ; ; they may choose among the roles that trust them (AllowClassicFlow), which no push set",
		"signed-in users; ; ; their role has the policy hand, which no push attached",
		"the function items; the account 999999999999; the permission hand of items-dev:live; it names them",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told; it says\n%s", want, text)
		}
	}
}

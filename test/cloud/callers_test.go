//go:build unix

package cloud

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gatewright/test/program"
	"gatewright/test/standin"
)

func TestMain(m *testing.M) { program.Main(m) }

// session is what the script below does: it calls a deployed API. With a template, it deploys
// that first.
type session struct {
	Endpoint, Region, Account string
	// Routed says that calls without a signature have one for their account, by which the
	// stand-in finds it.
	Routed bool
	// Template is deployed with Archives, the keys of archives of a function that answers 200.
	Template string
	Archives []string
	// API, Pool, Client and Identities are the ids of what is called.
	API, Pool, Client, Identities string
	Stage, Group                  string
	Requests                      []request
}

// request is one request, with who sends it: nobody, guest, user or member.
type request struct{ Who, Method, Path, Body string }

// answer is the answer to a request.
type answer struct {
	Status int
	Body   string
}

// callers signs in with the SDK of AWS for Python, sends the requests, and prints the answers.
const callers = `
import io, json, sys, time, urllib.error, urllib.request, zipfile
import boto3
from botocore import UNSIGNED
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from pycognito.aws_srp import AWSSRP

job = json.load(open(sys.argv[1]))
place = dict(endpoint_url=job['Endpoint'], region_name=job['Region'])
owner = dict(aws_access_key_id=job['Account'], aws_secret_access_key='x', **place)
unsigned = owner if job['Routed'] else dict(config=Config(signature_version=UNSIGNED), **place)

def deploy():
    s3, cloudformation = (boto3.client(s, **owner) for s in ('s3', 'cloudformation'))
    bucket = 'gatewright-assets-%s-%s' % (job['Account'], job['Region'])
    s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={'LocationConstraint': job['Region']})
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, 'w') as z:
        z.writestr('index.js', "exports.handler = async () => ({statusCode: 200, body: 'ran'})")
    for key in job['Archives']:
        s3.put_object(Bucket=bucket, Key=key, Body=archive.getvalue())
    cloudformation.create_stack(StackName='test', TemplateBody=job['Template'], Capabilities=['CAPABILITY_IAM'])
    for _ in range(120):
        stack = cloudformation.describe_stacks(StackName='test')['Stacks'][0]
        if not stack['StackStatus'].endswith('IN_PROGRESS'):
            break
        time.sleep(0.25)
    assert stack['StackStatus'] == 'CREATE_COMPLETE', stack
    out = {o['OutputKey']: o['OutputValue'] for o in stack['Outputs']}
    job.update(API=next(v for k, v in out.items() if 'ApiId' in k), Pool=out['UserPoolId'], Client=out['UserPoolClientId'], Identities=out['IdentityPoolId'])

if job['Template']:
    deploy()
pool = boto3.client('cognito-idp', **owner)
identity, sign_in, sts = (boto3.client(s, **unsigned) for s in ('cognito-identity', 'cognito-idp', 'sts'))
if job['Routed']:
    for client, calls in (identity, ('GetId', 'GetOpenIdToken', 'GetCredentialsForIdentity')), (sign_in, ('InitiateAuth', 'RespondToAuthChallenge')), (sts, ('AssumeRoleWithWebIdentity',)):
        for call in calls:
            event = 'choose-signer.%s.%s' % (client.meta.service_model.service_id.hyphenize(), call)
            client.meta.events.register_first(event, lambda **_: 'v4')

def credentials(k):
    return Credentials(k['AccessKeyId'], k.get('SecretKey') or k['SecretAccessKey'], k['SessionToken'])

def signed_in(name, group):
    try:
        pool.admin_create_user(UserPoolId=job['Pool'], Username=name, MessageAction='SUPPRESS')
    except pool.exceptions.UsernameExistsException:
        pass
    pool.admin_set_user_password(UserPoolId=job['Pool'], Username=name, Password='Passw0rd!', Permanent=True)
    if group:
        pool.admin_add_user_to_group(UserPoolId=job['Pool'], Username=name, GroupName=group)
    srp = AWSSRP(name, 'Passw0rd!', job['Pool'], job['Client'], client=sign_in)
    token = srp.authenticate_user()['AuthenticationResult']['IdToken']
    logins = {'cognito-idp.%s.amazonaws.com/%s' % (job['Region'], job['Pool']): token}
    me = identity.get_id(IdentityPoolId=job['Identities'], Logins=logins)['IdentityId']
    if not group:
        return credentials(identity.get_credentials_for_identity(IdentityId=me, Logins=logins)['Credentials'])
    # The role mapping of the pool gives this role; the stand-in does not know mappings.
    role = pool.get_group(UserPoolId=job['Pool'], GroupName=group)['Group']['RoleArn']
    token = identity.get_open_id_token(IdentityId=me, Logins=logins)['Token']
    return credentials(sts.assume_role_with_web_identity(RoleArn=role, RoleSessionName='member', WebIdentityToken=token)['Credentials'])

def guest():
    me = identity.get_id(IdentityPoolId=job['Identities'])['IdentityId']
    return credentials(identity.get_credentials_for_identity(IdentityId=me)['Credentials'])

ways = {'nobody': lambda: None, 'guest': guest, 'user': lambda: signed_in('ann', None), 'member': lambda: signed_in('bea', job['Group'])}
who = {name: ways[name]() for name in {r['Who'] for r in job['Requests']}}
port = job['Endpoint'].rsplit(':', 1)[1]
answers = []
for r in job['Requests']:
    ask = AWSRequest(method=r['Method'], url=job['Endpoint'] + '/' + job['Stage'] + r['Path'], data=r['Body'].encode() or None,
        headers={'Host': '%s.execute-api.localhost:%s' % (job['API'], port), 'Content-Type': 'application/json'})
    if who[r['Who']]:
        SigV4Auth(who[r['Who']], 'execute-api', job['Region']).add_auth(ask)
    try:
        with urllib.request.urlopen(urllib.request.Request(ask.url, data=ask.data, method=r['Method'], headers=dict(ask.headers)), timeout=60) as a:
            answers.append({'Status': a.status, 'Body': a.read().decode()})
    except urllib.error.HTTPError as e:
        answers.append({'Status': e.code, 'Body': e.read().decode()})
print(json.dumps(answers))
`

// send runs the script.
func (s session) send(t *testing.T, server standin.Server) []answer {
	t.Helper()
	folder := t.TempDir()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"callers.py": []byte(callers), "session.json": data} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(server.Python, filepath.Join(folder, "callers.py"), filepath.Join(folder, "session.json"))
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problem.String())
	}
	var answers []answer
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(s.Requests) {
		t.Fatalf("%d answers to %d requests: %v", len(answers), len(s.Requests), err)
	}
	return answers
}

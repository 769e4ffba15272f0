//go:build unix

package cloud

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/render/template"
)

// deployment is what the script below deploys, and the requests that it sends.
type deployment struct {
	Endpoint, Region, Template string
	Archives                   []string
	Group                      string
	Requests                   []request
}

// request is one request, with who sends it: nobody, guest, user or member.
type request struct{ Who, Method, Path string }

// deployer deploys with the SDK of AWS for Python, signs in, and prints the status of each
// answer.
const deployer = `
import io, json, sys, time, urllib.error, urllib.request, zipfile
import boto3
from botocore import UNSIGNED
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

job = json.load(open(sys.argv[1]))
place = dict(endpoint_url=job['Endpoint'], region_name=job['Region'])
owner = dict(aws_access_key_id='123456789012', aws_secret_access_key='x', **place)
unsigned = dict(config=Config(signature_version=UNSIGNED), **place)
s3, cloudformation, pool = (boto3.client(s, **owner) for s in ('s3', 'cloudformation', 'cognito-idp'))
bucket = 'gatewright-assets-123456789012-' + job['Region']
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
identity, sign_in, sts = (boto3.client(s, **unsigned) for s in ('cognito-identity', 'cognito-idp', 'sts'))

def credentials(k):
    return Credentials(k['AccessKeyId'], k.get('SecretKey') or k['SecretAccessKey'], k['SessionToken'])

def signed_in(name, group):
    users = out['UserPoolId']
    pool.admin_create_user(UserPoolId=users, Username=name, MessageAction='SUPPRESS')
    pool.admin_set_user_password(UserPoolId=users, Username=name, Password='Passw0rd!', Permanent=True)
    if group:
        pool.admin_add_user_to_group(UserPoolId=users, Username=name, GroupName=group)
    token = sign_in.initiate_auth(AuthFlow='USER_PASSWORD_AUTH', ClientId=out['UserPoolClientId'],
        AuthParameters={'USERNAME': name, 'PASSWORD': 'Passw0rd!'})['AuthenticationResult']['IdToken']
    logins = {'cognito-idp.%s.amazonaws.com/%s' % (job['Region'], users): token}
    me = identity.get_id(IdentityPoolId=out['IdentityPoolId'], Logins=logins)['IdentityId']
    if not group:
        return credentials(identity.get_credentials_for_identity(IdentityId=me, Logins=logins)['Credentials'])
    # The role mapping of the pool gives this role; the stand-in does not know mappings.
    role = pool.get_group(UserPoolId=users, GroupName=group)['Group']['RoleArn']
    token = identity.get_open_id_token(IdentityId=me, Logins=logins)['Token']
    return credentials(sts.assume_role_with_web_identity(RoleArn=role, RoleSessionName='member', WebIdentityToken=token)['Credentials'])

guest = identity.get_id(IdentityPoolId=out['IdentityPoolId'])['IdentityId']
who = {'nobody': None, 'guest': credentials(identity.get_credentials_for_identity(IdentityId=guest)['Credentials']),
    'user': signed_in('ann', None), 'member': signed_in('bea', job['Group'])}
api = next(v for k, v in out.items() if 'ApiId' in k)
port = job['Endpoint'].rsplit(':', 1)[1]
answers = []
for r in job['Requests']:
    ask = AWSRequest(method=r['Method'], url=job['Endpoint'] + '/dev' + r['Path'], headers={'Host': '%s.execute-api.localhost:%s' % (api, port)})
    if who[r['Who']]:
        SigV4Auth(who[r['Who']], 'execute-api', job['Region']).add_auth(ask)
    try:
        with urllib.request.urlopen(urllib.request.Request(ask.url, method=r['Method'], headers=dict(ask.headers)), timeout=60) as answer:
            answers.append(answer.status)
    except urllib.error.HTTPError as e:
        answers.append(e.code)
print(json.dumps(answers))
`

// startStandIn starts a program that stands for AWS, on a free port of this machine, and
// returns its address.
func startStandIn(t *testing.T, python, region string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	cmd := exec.Command(python, "-m", "ministack")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "BIND_HOST=127.0.0.1", "GATEWAY_PORT="+address[strings.LastIndexByte(address, ':')+1:], "AUTH=true",
		"IOT_MTLS_ENABLED=0", "MINISTACK_ACCOUNT_ID=123456789012", "MINISTACK_REGION="+region)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	for range 300 {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			return "http://" + address
		}
		time.Sleep(100 * time.Millisecond)
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	t.Fatalf("it did not start: %s", said.String())
	return ""
}

func TestADeployedEnvironmentAnswersAsTheModelDecides(t *testing.T) {
	python := os.Getenv("GATEWRIGHT_MINISTACK_PYTHON")
	if python == "" {
		t.Skip("GATEWRIGHT_MINISTACK_PYTHON names no Python with the packages ministack and boto3")
	}
	const region = "eu-central-1"
	grant := func(kind model.PrincipalKind, group string, actions ...model.Action) model.Grant {
		return model.Grant{To: model.Principal{Kind: kind, Group: group}, Actions: model.ActionSet(actions...)}
	}
	path := func(name string, setting model.Setting, grants ...model.Grant) *model.Path {
		return &model.Path{Name: name, Function: "books", Access: model.Access{Setting: setting, Grants: grants}}
	}
	b := &model.Backend{
		Project:   model.Project{Name: "books", ApplicationID: "a1", Region: region},
		Functions: []*model.Function{{Name: "books", Runtime: model.NodeJS, Handler: "index.handler"}},
		Groups:    []string{"Admins"},
		APIs: []*model.API{{Label: "shop", Paths: []*model.Path{
			path("/news", model.Open),
			path("/books", model.Protected, grant(model.Guest, "", model.Read), grant(model.Authenticated, "", model.Create, model.Read)),
			path("/books/drafts", model.Private, grant(model.Group, "Admins", model.AllActions...)),
			path("/orders/{id}", model.Private, grant(model.Authenticated, "", model.Read), grant(model.Group, "Admins", model.Read, model.Delete)),
		}}},
	}
	env := &model.Environment{Name: "dev"}
	made, err := template.Render(b, env, template.Options{})
	if err != nil {
		t.Fatal(err)
	}
	job := deployment{Endpoint: startStandIn(t, python, region), Region: region, Template: string(made.Body), Archives: []string{template.ArchiveKey(b.Functions[0])}, Group: "Admins"}
	callers := map[string]model.Caller{"nobody": {Stranger: true}, "guest": {}, "user": {SignedIn: true}, "member": {SignedIn: true, Groups: []string{"Admins"}}}
	router := b.Router("shop")
	var want []int
	for _, raw := range []string{"/news", "/news/today", "/books", "/books/1", "/books/drafts", "/books/drafts/1", "/orders/7", "/orders/7/lines", "/nothing"} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
			for _, who := range []string{"nobody", "guest", "user", "member"} {
				job.Requests = append(job.Requests, request{who, method, raw})
				status := 403
				if router.Decide(callers[who], method, raw).Allowed {
					status = 200
				}
				want = append(want, status)
			}
		}
	}
	folder := t.TempDir()
	data, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"deploy.py": []byte(deployer), "job.json": data} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python, filepath.Join(folder, "deploy.py"), filepath.Join(folder, "job.json"))
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problem.String())
	}
	var got []int
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(want) {
		t.Fatalf("%d answers to %d requests: %v", len(got), len(want), err)
	}
	var wrong []string
	for i, r := range job.Requests {
		if got[i] != want[i] {
			wrong = append(wrong, fmt.Sprintf("%s %s %s is answered with %d, and should be with %d", r.Who, r.Method, r.Path, got[i], want[i]))
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%d of %d:\n%s", len(wrong), len(want), strings.Join(wrong, "\n"))
	}
	t.Logf("%d requests are answered as the model decides", len(want)-len(wrong))
}

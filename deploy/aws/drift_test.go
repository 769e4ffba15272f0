package aws_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// inForce is a pushed environment with everything that is read to compare it.
func inForce(t *testing.T, o awstest.Options) (*cloudRoom, *awstest.InForce) {
	r := roomInCloud(t, cloudShop(t), archives(t), o)
	f := r.fake.ServeInForce()
	r.push(pushOptions{})
	return r, f
}

func (r *cloudRoom) reach() *aws.Reached {
	r.t.Helper()
	p := r.open()
	reached, err := r.aws.Reach(r.t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(r.t, err)
	return reached
}

// drift returns what differs, in lines.
func (r *cloudRoom) drift() (d *aws.Drift, lines []string) {
	r.t.Helper()
	d, err := r.reach().Drift(r.t.Context(), nil)
	deploytest.Must(r.t, err)
	for _, list := range [][]aws.Drifted{d.Cloud, d.Template} {
		for _, one := range list {
			lines = append(lines, one.String())
		}
	}
	for _, one := range d.Access.Differences {
		lines = append(lines, one.String())
	}
	for _, one := range d.Access.Doors {
		lines = append(lines, one.String())
	}
	return d, append(lines, append(slices.Clone(d.Access.Undecided), append(d.Unread, d.Access.Notices...)...)...)
}

// logical finds a resource of the stack by its type and what its logical id begins with.
func (r *cloudRoom) logical(kind, begins string) awstest.Resource {
	r.t.Helper()
	s, _ := r.fake.Stack(r.stackName("dev"))
	i := slices.IndexFunc(s.Resources, func(x awstest.Resource) bool { return x.Type == kind && strings.HasPrefix(x.LogicalID, begins) })
	if i < 0 {
		r.t.Fatalf("there is no %s %s", kind, begins)
	}
	return s.Resources[i]
}

func TestRightAfterAPushNothingDiffersInTheCloud(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{StacksPerPage: 3})
	if d, lines := r.drift(); d.Differs() || len(lines) > 0 || d.Compared < 10 || d.Access.Decisions == 0 || d.SkippedText() == "" {
		t.Errorf("%d were compared, not %q; there differ %q", d.Compared, d.SkippedText(), lines)
	}
}

func TestEachChangeByHandIsTold(t *testing.T) {
	t.Parallel()
	signed := func(r *cloudRoom) string { return r.logical("AWS::IAM::Role", "SignedInUsers").PhysicalID }
	trusted := func(r *cloudRoom, aud string) string {
		return `{"Sid": "x", "Effect": "Allow", "Principal": {"Federated": "cognito-identity.amazonaws.com"}, "Action": ["sts:AssumeRoleWithWebIdentity"], "Condition": {"StringEquals": {"cognito-identity.amazonaws.com:` +
			aud + `": "` + r.logical("AWS::Cognito::IdentityPool", "").PhysicalID + `"}, "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"}}}`
	}
	const items, policyOf = "arn:aws:lambda:eu-central-1:123456789012:function:items-dev", "GET /2015-03-31/functions/items-dev/policy"
	// instead are answers in the place of those of the stacks, by the call.
	instead := make(map[string]any)
	type byHand struct {
		change func(r *cloudRoom, f *awstest.InForce)
		want   []string
	}
	all := map[string]byHand{
		"a property": {func(r *cloudRoom, _ *awstest.InForce) {
			r.fake.Drift(r.logical("AWS::Lambda::Function", "Items").LogicalID, "/Timeout", "3")
		}, []string{"the function items: timeout 25 s in the stack, 3 s in the cloud"}},
		"a resource": {func(r *cloudRoom, _ *awstest.InForce) {
			r.fake.Vanish(r.logical("AWS::DynamoDB::Table", "Books").LogicalID)
		}, []string{"the table books is gone"}},
		"a function": {func(r *cloudRoom, _ *awstest.InForce) {
			r.fake.Vanish(r.logical("AWS::Lambda::Function", "Items").LogicalID)
		}, []string{"the function items is gone"}},
		"code": {func(_ *cloudRoom, f *awstest.InForce) { f.Code["items-dev"] = []byte("other") }, []string{"the function items: its code differs from the last push"}},
		"a denial": {func(r *cloudRoom, f *awstest.InForce) {
			f.Policies[signed(r)] = map[string]string{"hand": `{"Statement": {"Effect": "Deny", "Action": "execute-api:*", "Resource": "arn:aws:execute-api:eu-*:*:*/dev/DELETE/*"}}`}
		}, []string{"DELETE /orders/1: signed-in users may not; the last push allows it", "DELETE /orders/1/1: signed-in users may not; the last push allows it"}},
		"a denial of another account": {func(r *cloudRoom, f *awstest.InForce) {
			f.Policies[signed(r)] = map[string]string{"hand": `{"Statement": {"Effect": "Deny", "Action": "execute-api:*", "Resource": "arn:aws:execute-api:eu-central-1:999999999999:*"}}`}
		}, nil},
		"a condition": {func(r *cloudRoom, f *awstest.InForce) {
			f.Policies[signed(r)] = map[string]string{"hand": `{"Statement": {"Effect": "Deny", "Action": "execute-api:Invoke", "Resource": "arn:aws:execute-api:*:*:*/dev/PUT/orders/?*", "Condition": {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}}}`}
		}, []string{"PUT /orders/1: whether signed-in users may is not known; a custom authorizer or a condition decides", "PUT /orders/1/1: whether signed-in users may is not known; a custom authorizer or a condition decides"}},
		"a boundary": {func(r *cloudRoom, f *awstest.InForce) { f.Boundaries[signed(r)] = "arn:aws:iam::aws:policy/x" }, []string{"the role ROLE has a permissions boundary, which is not read: it may do less"}},
		"a method":   {func(_ *cloudRoom, f *awstest.InForce) { f.Methods["/orders/{id} ANY"] = "NONE" }, []string{"DELETE, GET, HEAD, PATCH, POST, PUT /orders/1: anyone unsigned may; in the last push callers have to sign in or act as a guest"}},
		"a method that is not served": {
			func(_ *cloudRoom, f *awstest.InForce) { f.Waiting["/orders/{id} ANY"] = "NONE" },
			[]string{`methods of the API shop were changed in AWS, but the changes take effect only after its next deployment: ANY /orders/{id}`},
		},
		"a resource policy": {func(_ *cloudRoom, f *awstest.InForce) {
			f.ResourcePolicy = `{"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "*"}, {"Effect": "Deny", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "execute-api:/dev/GET/items"}]}`
		}, []string{"GET /items: anyone unsigned may not; the last push allows it"}},
		"a closed address": {func(_ *cloudRoom, f *awstest.InForce) { f.Closed = true }, []string{"the default endpoint of the API shop is disabled in AWS, and custom domains are not read"}},
		"an API": {func(r *cloudRoom, f *awstest.InForce) {
			f.Gone = []string{r.logical("AWS::ApiGateway::RestApi", "").PhysicalID}
		}, []string{"the API shop of the last push is not in AWS"}},
		"managed policies": {func(r *cloudRoom, f *awstest.InForce) {
			deny := func(path string) string {
				return `{"Statement": {"Effect": "Deny", "Action": "execute-api:Invoke", "Resource": "arn:aws:execute-api:*:*:*/dev/` + path + `"}}`
			}
			f.Attached = map[string]map[string]string{signed(r): {"arn:aws:iam::aws:policy/Odd": deny("NONE/x"), "arn:aws:iam::123456789012:policy/Hand": deny("DELETE/*")}}
		}, []string{"DELETE /orders/1: signed-in users may not; the last push allows it", "DELETE /orders/1/1: signed-in users may not; the last push allows it"}},
		"a role": {func(r *cloudRoom, f *awstest.InForce) { f.Lost = []string{signed(r)} }, []string{
			"the role ROLE no longer exists in AWS: nobody can assume it", "DELETE, GET, HEAD, PATCH, POST, PUT /orders/1: signed-in users may not; the last push allows it",
		}},
		"a stage":   {func(_ *cloudRoom, f *awstest.InForce) { f.Unstaged = true }, []string{"the stage dev of the API shop no longer exists in AWS"}},
		"the pools": {func(_ *cloudRoom, f *awstest.InForce) { f.Poolless = true }, []string{"the identity pool no longer exists in AWS: nobody gets credentials", "the user pool POOL no longer exists in AWS: nobody can sign in"}},
		"a function URL": {func(_ *cloudRoom, f *awstest.InForce) {
			f.URLs = map[string][]string{"items-dev": {"NONE"}}
			f.Permissions = map[string][]string{"items-dev": {`{"Sid": "Url", "Effect": "Allow", "Principal": "*", "Action": "lambda:InvokeFunctionUrl", "Condition": {"StringEquals": {"lambda:FunctionUrlAuthType": "NONE"}}}`}}
		}, []string{"the function items: anyone unsigned may call it by the function URL 1 of items; it asks for no sign-in"}},
		"a permission for everybody": {func(_ *cloudRoom, f *awstest.InForce) {
			f.Permissions = map[string][]string{"items-dev": {`{"Sid": "Hand", "Effect": "Allow", "Principal": "*", "Action": "lambda:InvokeFunction"}`}}
		}, []string{"the function items: anyone with an AWS account may call it by the permission Hand; it names everybody (*)"}},
		"a permission for another account": {func(_ *cloudRoom, f *awstest.InForce) {
			f.Permissions = map[string][]string{"items-dev": {`{"Sid": "Hand", "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::999999999999:root"}, "Action": "lambda:InvokeFunction"}`}}
		}, []string{"the function items: the account 999999999999 may call it by the permission Hand; it names them"}},
		"a permission for a service without a source": {func(_ *cloudRoom, f *awstest.InForce) {
			f.Permissions = map[string][]string{"items-dev": {`{"Sid": "Hand", "Effect": "Allow", "Principal": {"Service": "apigateway.amazonaws.com"}, "Action": "lambda:InvokeFunction"}`}}
		}, []string{"the function items: anyone through apigateway.amazonaws.com may call it by the permission Hand; it names no source"}},
		"a second REST API": {func(_ *cloudRoom, f *awstest.InForce) {
			f.APIs = []awstest.HandMade{{ID: "hand1", Name: "hand", Route: "GET /x", Asks: "NONE", Function: "items-dev"}}
		}, []string{"the function items: anyone unsigned may call it by the API hand; it asks for no sign-in"}},
		"an HTTP API": {func(_ *cloudRoom, f *awstest.InForce) {
			f.APIs = []awstest.HandMade{{ID: "hand2", Name: "http", Protocol: "HTTP", Route: "$default", Asks: "NONE", Function: "items-dev"}, {ID: "hand4", Name: "else", Protocol: "HTTP", Route: "$default", Asks: "NONE", Function: "items-dev2"}}
		}, []string{"the function items: anyone unsigned may call it by the API http; it asks for no sign-in"}},
		"a WebSocket API": {func(_ *cloudRoom, f *awstest.InForce) {
			f.APIs = []awstest.HandMade{{ID: "hand3", Name: "socket", Protocol: "WEBSOCKET", Route: "$connect", Asks: "AWS_IAM", Function: "items-dev"}}
		}, []string{"the function items: whether anyone who signs requests may call it by the API socket is not known; the policies of callers are not compared for it"}},
		"a role that may call the function": {func(r *cloudRoom, f *awstest.InForce) {
			f.Policies[signed(r)] = map[string]string{"hand": `{"Statement": {"Effect": "Allow", "Action": "lambda:Invoke*", "Resource": "arn:aws:lambda:*:*:function:items-*"}}`}
		}, []string{"the function items: signed-in users may call it by the role ROLE; its policies allow lambda:InvokeFunction"}},
		"administrators' rights of a function": {func(r *cloudRoom, f *awstest.InForce) {
			f.Attached = map[string]map[string]string{r.logical("AWS::IAM::Role", "FunctionItems").PhysicalID: {"arn:aws:iam::aws:policy/AdministratorAccess": `{"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}`}}
		}, []string{"the function items: its role has the policy AdministratorAccess, which no push attached", "the function items: its role may do * with every resource"}},
		"a permission of an alias": {func(*cloudRoom, *awstest.InForce) {
			instead["GET /2015-03-31/functions/items-dev/aliases"] = map[string]any{"Aliases": []any{}, "NextMarker": "2"}
			instead["GET /2015-03-31/functions/items-dev/aliases?Marker=2"] = map[string]any{"Aliases": []any{map[string]any{"AliasArn": items + ":live", "Name": "live"}}}
			instead[policyOf+"?Qualifier=live"] = map[string]any{"Policy": `{"Statement": [{"Sid": "Hand", "Effect": "Allow", "Principal": "*", "Action": "lambda:InvokeFunction"}]}`}
		}, []string{"the function items: anyone with an AWS account may call it by the permission Hand of items-dev:live; it names everybody (*)"}},
		"a permission of a version": {func(*cloudRoom, *awstest.InForce) {
			instead["GET /2015-03-31/functions/items-dev/versions"] = map[string]any{"Versions": []any{map[string]any{"FunctionArn": items + ":$LATEST", "Version": "$LATEST"}, map[string]any{"FunctionArn": items + ":7", "Version": "7"}}}
			instead[policyOf+"?Qualifier=7"] = map[string]any{"Policy": `{"Statement": [{"Sid": "Hand", "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::999999999999:root"}, "Action": "lambda:InvokeFunction"}]}`}
		}, []string{"the function items: the account 999999999999 may call it by the permission Hand of items-dev:7; it names them"}},
		"a permission with the name of another resource": {func(r *cloudRoom, f *awstest.InForce) {
			f.Permissions = map[string][]string{"items-dev": {`{"Sid": "Pool", "Effect": "Allow", "Principal": "*", "Action": "lambda:InvokeFunction"}`}}
		}, []string{"the function items: anyone with an AWS account may call it by the permission Pool of items-dev; it names everybody (*)"}},
		"a permission for everybody but a source": {func(r *cloudRoom, f *awstest.InForce) {
			f.Permissions = map[string][]string{"items-dev": {`{"Sid": "Hand", "Effect": "Allow", "Principal": "*", "Action": "lambda:InvokeFunction", "Condition": {"StringNotLike": {"AWS:SourceArn": "arn:aws:execute-api:eu-central-1:123456789012:` + r.logical("AWS::ApiGateway::RestApi", "").PhysicalID + `"}}}`}}
		}, []string{"a condition of the permission Hand is not read: AWS:SourceArn", "the function items: anyone with an AWS account may call it by the permission Hand; it names everybody (*)"}},
		"a load balancer": {func(_ *cloudRoom, f *awstest.InForce) {
			f.Permissions = map[string][]string{"items-dev": {`{"Sid": "Hand", "Effect": "Allow", "Principal": {"Service": "elasticloadbalancing.amazonaws.com"}, "Action": "lambda:InvokeFunction", "Condition": {"ArnLike": {"AWS:SourceArn": "arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/hand/1"}}}`}}
		}, []string{"the function items: whether a caller of targetgroup may call it by the permission Hand is not known; who may call that is not read"}},
		"a role that trusts another account": {func(r *cloudRoom, f *awstest.InForce) {
			f.Trust = map[string]string{signed(r): `{"Statement": [` + trusted(r, "aud") + `, {"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::999999999999:root"}, "Action": "sts:AssumeRole"}]}`}
		}, []string{"the role ROLE: the account 999999999999 may take it by its trust policy; it names them"}},
		"a role of a function that everybody may take": {func(r *cloudRoom, f *awstest.InForce) {
			f.Trust = map[string]string{r.logical("AWS::IAM::Role", "FunctionItems").PhysicalID: `{"Statement": {"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole"}}`}
		}, []string{"the role FUNCTION: anyone with an AWS account may take it by its trust policy; it names everybody (*)"}},
		"a role that any identity pool may give": {func(r *cloudRoom, f *awstest.InForce) {
			f.Trust = map[string]string{signed(r): `{"Statement": ` + trusted(r, "aux") + `}`}
		}, []string{"the role ROLE: whether signed-in users of any identity pool may take it by its trust policy is not known; its condition is not read as a whole"}},
		"a trust policy that cannot be read": {func(r *cloudRoom, f *awstest.InForce) {
			f.Trust = map[string]string{signed(r): "{"}
		}, []string{"who may assume the role ROLE is unknown"}},
		"a role that nobody may take": {func(r *cloudRoom, f *awstest.InForce) {
			f.Trust = map[string]string{signed(r): `{"Statement": {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}}`}
		}, []string{
			"signed-in users do not get the role ROLE: it does not trust them",
			"DELETE, GET, HEAD, PATCH, POST, PUT /orders/1: signed-in users may not; the last push allows it",
		}},
		"rights of callers beside APIs": {func(r *cloudRoom, f *awstest.InForce) {
			f.Policies[signed(r)] = map[string]string{"hand": `{"Statement": {"Effect": "Allow", "Action": ["execute-api:Invoke", "dynamodb:GetItem"], "Resource": "arn:aws:dynamodb:*:*:table/x"}}`}
		}, []string{"signed-in users: their role has the policy hand, which no push attached"}},
		"another role for guests": {func(r *cloudRoom, _ *awstest.InForce) {
			instead["GetIdentityPoolRoles"] = map[string]any{"Roles": map[string]any{"authenticated": "arn:aws:iam::123456789012:role/" + signed(r), "unauthenticated": "arn:aws:iam::123456789012:role/hand"}}
		}, []string{"guests: they get the role hand, which no push created", "the role hand no longer exists in AWS: nobody can assume it"}},
		"rules for roles": {func(r *cloudRoom, _ *awstest.InForce) {
			instead["GetIdentityPoolRoles"] = map[string]any{"Roles": map[string]any{"authenticated": "arn:aws:iam::123456789012:role/" + signed(r)}, "RoleMappings": map[string]any{"x": map[string]any{"Type": "Rules"}}}
		}, []string{"the role mapping x of Attachment has rules, which are not read"}},
		"whom the identity pool accepts": {func(*cloudRoom, *awstest.InForce) {
			instead["DescribeIdentityPool"] = map[string]any{
				"AllowUnauthenticatedIdentities": true, "AllowClassicFlow": true, "DeveloperProviderName": "hand", "SupportedLoginProviders": map[string]any{"accounts.google.com": "x"},
				"CognitoIdentityProviders": []any{map[string]any{"ClientId": "c1", "ProviderName": "cognito-idp.eu-central-1.amazonaws.com/eu-central-1_hand"}},
			}
		}, []string{
			"signed-in users: the identity pool accepts users of accounts.google.com, which no push set", "signed-in users: the identity pool accepts users of hand, which no push set",
			`signed-in users: the identity pool accepts users of "cognito-idp.eu-central-1.amazonaws.com/eu-central-1_hand with the client c1", which no push set`,
			"signed-in users: they may choose among the roles that trust them (AllowClassicFlow), which no push set",
		}},
		"a group": {func(r *cloudRoom, _ *awstest.InForce) {
			instead["ListGroups"] = map[string]any{"Groups": []any{map[string]any{"GroupName": "hand", "RoleArn": "arn:aws:iam::123456789012:role/" + r.logical("AWS::IAM::Role", "FunctionItems").PhysicalID}}}
		}, []string{"members of hand: their role has the policy function, which no push attached", "members of hand do not get the role FUNCTION: it does not trust them"}},
		"settings of the user pool": {func(r *cloudRoom, _ *awstest.InForce) {
			instead["DescribeUserPool"] = map[string]any{"UserPool": map[string]any{
				"AdminCreateUserConfig": map[string]any{"AllowAdminCreateUserOnly": true}, "LambdaConfig": map[string]any{"PreTokenGeneration": "arn:hand"},
				"Policies": map[string]any{"SignInPolicy": map[string]any{"AllowedFirstAuthFactors": []any{"PASSWORD", "EMAIL_OTP"}}},
			}}
			instead["DescribeUserPoolClient"] = map[string]any{"UserPoolClient": map[string]any{"CallbackURLs": []any{"https://hand.example"}, "SupportedIdentityProviders": []any{"COGNITO", "Google"}}}
			instead["ListUserPoolClients"] = map[string]any{"NextToken": "2", "UserPoolClients": []any{map[string]any{"ClientId": r.logical("AWS::Cognito::UserPoolClient", "").PhysicalID, "ClientName": "own"}, map[string]any{"ClientId": "c2", "ClientName": "hand"}}}
		}, []string{
			"the user pool: it has the client hand in the cloud, which no push set; its client redirects to https://hand.example after a sign-in in the cloud, which no push set; " +
				"its client accepts users of Google in the cloud, which no push set; a sign-in needs only EMAIL_OTP in the cloud, which no push set; " +
				"it calls a function at PreTokenGeneration in the cloud, which no push set; only administrators may add users in the cloud, which no push set",
			"the user pool has more clients than are read",
		}},
		"another stage": {func(r *cloudRoom, _ *awstest.InForce) {
			stage := func(name, deployment string) map[string]any {
				return map[string]any{"stageName": name, "deploymentId": deployment}
			}
			canary := stage("dev", "d1")
			canary["canarySettings"] = map[string]any{"deploymentId": "d2"}
			instead["GET /restapis/"+r.logical("AWS::ApiGateway::RestApi", "").PhysicalID+"/stages"] = map[string]any{"item": []any{canary, stage("hand", "d3")}}
		}, []string{"the stage hand of the API shop is not compared: it may serve something else", "the stage dev of the API shop has a canary, which is not compared: it may serve something else"}},
		"a second REST API with a resource policy": {func(r *cloudRoom, f *awstest.InForce) {
			f.APIs = []awstest.HandMade{{ID: "hand1", Name: "hand", Route: "GET /x", Asks: "NONE", Function: "items-dev"}}
			instead["GET /restapis"] = map[string]any{"item": []any{map[string]any{"id": "hand1", "name": "hand", "policy": "{}"}}}
		}, []string{"the function items: whether somebody may call it by the API hand is not known; who may use it is not read"}},
		"a key": {func(_ *cloudRoom, f *awstest.InForce) { f.Keyed["/items ANY"] = true }, []string{"methods of the API shop require an API key, but who has one is not read: ANY /items"}},
	}
	// What answers is changed and changed back; what is changed in the stack comes last.
	whole, f := inForce(t, awstest.Options{})
	for _, service := range []string{"lambda", "apigateway", "cognito-identity", "cognito-idp"} {
		var before func(awstest.Request) (any, error)
		before = whole.fake.Serve(service, func(q awstest.Request) (any, error) {
			key := q.Action
			if len(q.Query) > 0 {
				key += "?" + q.Query.Encode()
			}
			if answer, is := instead[key]; is {
				return answer, nil
			}
			return before(q)
		})
	}
	calm := *f
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r, of := whole, all[name]
		if inStack := []string{"a property", "a resource", "a function"}; slices.Contains(inStack, name) {
			var own *awstest.InForce
			r, own = inForce(t, awstest.Options{})
			of.change(r, own)
		} else {
			*f = calm
			clear(instead)
			f.Policies, f.Boundaries, f.Methods = make(map[string]map[string]string), make(map[string]string), make(map[string]string)
			f.Waiting, f.Keyed, f.Code = make(map[string]string), make(map[string]bool), make(map[string][]byte)
			of.change(r, f)
		}
		_, lines := r.drift()
		for i := range lines {
			lines[i] = strings.NewReplacer(signed(r), "ROLE", r.logical("AWS::IAM::Role", "FunctionItems").PhysicalID, "FUNCTION", r.pool(), "POOL").Replace(lines[i])
		}
		missing := slices.DeleteFunc(slices.Clone(of.want), func(line string) bool { return slices.Contains(lines, line) })
		refused := slices.ContainsFunc(lines, func(line string) bool {
			return strings.Contains(line, " do not get the role ") && !slices.Contains(of.want, line)
		})
		if len(missing) > 0 || refused || of.want == nil && len(lines) > 0 {
			t.Errorf("%s is told as\n%s\nand not as\n%s", name, strings.Join(lines, "\n"), strings.Join(missing, "\n"))
		}
	}
}

func TestATemplateChangedByHandIsTold(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{})
	name := r.stackName("dev")
	body := string(r.fake.Templates(name)[0])
	by := strings.Replace(body, `"MemorySize":128`, `"MemorySize":1024`, 1)
	if by == body {
		t.Fatalf("the template has no memory: %s", body[:200])
	}
	r.update(name, by)
	if d, lines := r.drift(); !d.Differs() || !slices.Equal(lines, []string{"the function items: memory 128 MB in the definition, 1024 MB in the stack"}) {
		t.Errorf("it is told as %q", lines)
	}
}

func TestEntriesOfATemplateThatWereAddedAndRemovedByHandAreTold(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{})
	name := r.stackName("dev")
	body, err := cfn.Parse("template", r.fake.Templates(name)[0])
	deploytest.Must(t, err)
	root := body.Root
	lost := root.Get("Outputs").Members[0].Name
	permission := r.logical("AWS::Lambda::Permission", "").LogicalID
	members := root.Get("Resources")
	members.Members = slices.DeleteFunc(members.Members, func(m cfn.Member) bool { return m.Name == permission })
	for i := range members.Members {
		if on := members.Members[i].Value.Get("DependsOn"); on != nil {
			members.Members[i].Value.Members = slices.DeleteFunc(members.Members[i].Value.Members, func(m cfn.Member) bool { return m.Name == "DependsOn" })
		}
	}
	members.Members = append(members.Members, cfn.Member{Name: "Hand", Value: cfn.MapNode().WithText("Type", "AWS::SNS::Topic")})
	outputs := root.Get("Outputs")
	outputs.Members = append(outputs.Members[1:], cfn.Member{Name: "Hand", Value: cfn.MapNode().WithText("Value", "x")})
	r.update(name, string(root.Minified()))
	want := []string{
		"the entry " + lost + " of the section Outputs: is not in the template of the stack",
		"the entry Hand of the section Outputs: is in the template of the stack, but not in the definition",
		"Hand (AWS::SNS::Topic): is in the template of the stack, but not in the definition",
		"the permission to call the function items of the API shop: is not in the template of the stack",
	}
	d, lines := r.drift()
	slices.Sort(want)
	slices.Sort(lines)
	if diff := cmp.Diff(want, lines); diff != "" || d.Count() != len(want) {
		t.Errorf("%d things differ (-want +got):\n%s", d.Count(), diff)
	}
}

func TestAComparisonThatTakesTooLongSaysSo(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{})
	r.fake.Speed(0)
	r.aws.Pace.Comparison = time.Millisecond
	_, err := r.reach().Drift(t.Context(), nil)
	if want := "environment dev: " + stack.ErrSlow.Error(); !errors.Is(err, stack.ErrSlow) || err.Error() != want {
		t.Errorf("it ends with %v, want %s", err, want)
	}
}

// update changes a stack as somebody does in the console.
func (r *cloudRoom) update(name, body string) {
	r.t.Helper()
	c := &stack.Client{API: r.reach().CloudFormation(), Pace: r.aws.Pace}
	s, _ := r.fake.Stack(name)
	set, err := c.Change(r.t.Context(), stack.Input{Stack: name, Body: body, Kept: slices.Sorted(maps.Keys(s.Parameters)), Token: "hand"})
	deploytest.Must(r.t, err)
	deploytest.Must(r.t, c.Execute(r.t.Context(), set, "hand"))
	r.fake.Settle(name)
}

func TestDriftOfAStackThatIsNotAtRestIsNotAsked(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{})
	reached := r.reach()
	reached.Stack.Status = "UPDATE_IN_PROGRESS"
	if _, err := reached.Drift(t.Context(), nil); !errors.Is(err, aws.ErrStackBusy) {
		t.Errorf("it ends with %v", err)
	}
	if n := r.fake.Count("DetectStackDrift"); n > 0 {
		t.Errorf("it was asked %d times", n)
	}
}

func TestWhatCloudFormationMayNotReadIsNotTakenForTheSame(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{})
	r.fake.FailComparisons("ann may not read it\nat all")
	d, lines := r.drift()
	want := "CloudFormation could not compare all resources of the stack " + r.stackName("dev") + ": Failed to detect drift: ann may not read it at all"
	if !d.Differs() || !d.Failed || d.Compared != 0 || !slices.Contains(lines, want) {
		t.Errorf("it differs: %v, %d resources are compared, and it says %q", d.Differs(), d.Compared, lines)
	}
	if text := d.ComparedText(); text != "0 resources, the code of 1 function, the template, who may send which request, what else calls the functions" {
		t.Errorf("compared are %s", text)
	}
}

func TestOnlyWhatWasComparedIsNamed(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{})
	r.edit(func(b *model.Backend) error {
		return edit.Remove(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, true)
	})
	deploytest.Must(t, r.push(pushOptions{allow: []string{"auth"}}).err)
	d, _ := r.drift()
	if text := d.ComparedText(); strings.Contains(text, "who may send") || !strings.HasSuffix(text, "the code of 1 function, the template, what else calls the functions") {
		t.Errorf("compared are %s", text)
	}
}

func TestWhatMayNotBeReadIsOneLine(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{})
	reached := r.reach()
	for action, want := range map[string]string{"DetectStackDrift": "", "GetRolePolicy": "access in AWS is unknown: ", "DescribeIdentityPool": "access in AWS is unknown: "} {
		r.fake.Fail(action, "AccessDenied", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: x:"+action+" on resource: y", 1)
		d, err := reached.Drift(t.Context(), nil)
		if want != "" {
			deploytest.Must(t, err)
			err = errors.New(strings.Join(d.Access.Undecided, "\n"))
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "ann may not do x:"+action) || strings.Contains(err.Error(), "\n") {
			t.Errorf("without %s: %v", action, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err := reached.Drift(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestWhatElseCallsFunctionsMayNotBeRead has AWS refuse each call that reads that.
func TestWhatElseCallsFunctionsMayNotBeRead(t *testing.T) {
	t.Parallel()
	r, _ := inForce(t, awstest.Options{})
	name := r.logical("AWS::Lambda::Function", "").PhysicalID
	for action, want := range map[string]string{
		"GET /2021-10-31/functions/" + name + "/urls":   "function URLs could not be read: environment dev: ann may not do x:y",
		"GET /2015-03-31/functions/" + name + "/policy": "the policies of functions could not be read: environment dev: ann may not do x:y",
		"GET /restapis": "which other APIs call the functions could not be read: environment dev: ann may not do x:y",
		"GET /v2/apis":  "which other APIs call the functions could not be read: environment dev: ann may not do x:y",
		"GET /2015-03-31/functions/" + name + "/aliases":  "function aliases could not be read: environment dev: ann may not do x:y",
		"GET /2015-03-31/functions/" + name + "/versions": "function versions could not be read: environment dev: ann may not do x:y",
		"DescribeUserPool":       "the settings of the user pool are unknown: environment dev: ann may not do x:y",
		"ListUserPoolClients":    "the settings of the user pool are unknown: environment dev: ann may not do x:y",
		"DescribeUserPoolClient": "the settings of the user pool are unknown: environment dev: ann may not do x:y",
	} {
		r.fake.Clear()
		r.fake.Fail(action, "AccessDeniedException", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: x:y on resource: z", 9)
		d, lines := r.drift()
		told := slices.DeleteFunc(slices.Clone(d.Access.Undecided), func(line string) bool { return !strings.HasPrefix(line, want) })
		if !d.Differs() || len(told) != 1 || len(lines) != 1 {
			t.Errorf("without %s: %q", action, lines)
		}
	}
}

func TestOneRequestIsAskedOfWhatIsInForce(t *testing.T) {
	t.Parallel()
	r, f := inForce(t, awstest.Options{})
	signed := r.logical("AWS::IAM::Role", "SignedInUsers").PhysicalID
	f.Policies[signed] = map[string]string{"hand": `{"Statement": {"Effect": "Deny", "Action": "execute-api:Invoke", "Resource": "*/dev/PUT/*"}}`}
	reached := r.reach()
	d, err := reached.LiveAccess(t.Context())
	deploytest.Must(t, err)
	user := access.Caller{SignedIn: true}
	for _, of := range []struct {
		from         access.Caller
		method, path string
		allowed      bool
		why          string
	}{
		{user, "GET", "/orders/1", true, "a policy of their role allows it"},
		{user, "PUT", "/orders/1", false, "a policy denies it"},
		{access.Caller{}, "GET", "/orders/1", false, "no policy of their role allows it"},
		{access.Caller{Stranger: true}, "GET", "/orders/1", false, "the method of /orders/{id} asks for credentials"},
		{access.Caller{Stranger: true}, "PUT", "/items", true, "the method of /items asks for no credentials"},
		{user, "GET", "/none", false, "no path serves it"},
	} {
		a, err := prove.Ask(d, reached.Backend(), "shop", of.from, of.method, of.path)
		if err != nil || a.Allowed != of.allowed || a.Why != of.why || !a.Known {
			t.Errorf("%s %s by %+v: %+v, %v; want %v because %s", of.method, of.path, of.from, a, err, of.allowed, of.why)
		}
	}
}

func TestARequestToWhatIsNotServedIsRefusedForItsReason(t *testing.T) {
	t.Parallel()
	r, f := inForce(t, awstest.Options{})
	reached := r.reach()
	for name, of := range map[string]struct {
		change func()
		from   access.Caller
		known  bool
		why    string
	}{
		"an API that is gone": {func() { f.Gone = []string{r.logical("AWS::ApiGateway::RestApi", "").PhysicalID} }, access.Caller{SignedIn: true}, true, "the API no longer exists in AWS"},
		"a closed address":    {func() { f.Closed = true }, access.Caller{SignedIn: true}, false, "the own address of the API is closed, and what leads to it is not read"},
		"a resource policy": {func() {
			f.ResourcePolicy = `{"Statement": {"Effect": "Allow", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "execute-api:/dev/GET/none"}}`
		}, access.Caller{Stranger: true}, true, "the resource policy of the API does not allow it"},
	} {
		t.Run(name, func(t *testing.T) {
			f.Gone, f.Closed, f.ResourcePolicy = nil, false, ""
			of.change()
			d, err := reached.LiveAccess(t.Context())
			deploytest.Must(t, err)
			a, err := prove.Ask(d, reached.Backend(), "shop", of.from, "GET", "/items")
			if err != nil || a.Allowed || a.Known != of.known || a.Why != of.why || a.As == "" {
				t.Errorf("the answer is %+v, %v", a, err)
			}
			if report := aws.CompareAccess(d, reached.Backend(), aws.LastPush, "shop"); report.Equal() {
				t.Error("it is taken for the same as the last push")
			}
		})
	}
}

package live

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/render/template"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/identity/pool"
)

// statement is a statement of a rendered role, for an evaluator that shares no code with the program.
type statement struct {
	Effect           string
	Action, Resource any
}

// evaluate follows
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html: what no
// statement allows is denied, and one that denies counts before all others. * and ? are wildcards, and
// the case of actions does not count.
func evaluate(role []statement, action, arn string) (allowed bool) {
	matches := func(patterns any, text, flags string) bool {
		list, several := patterns.([]any)
		if !several {
			list = []any{patterns}
		}
		return slices.ContainsFunc(list, func(pattern any) bool {
			quoted := regexp.QuoteMeta(pattern.(string))
			quoted = strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(quoted)
			return regexp.MustCompile(flags + "^" + quoted + "$").MatchString(text)
		})
	}
	for _, s := range role {
		if !matches(s.Action, action, "(?i)") || !matches(s.Resource, arn, "") {
			continue
		}
		if s.Effect == "Deny" {
			return false
		}
		allowed = true
	}
	return allowed
}

const account, region, poolID = "123456789012", "eu-west-1", "eu-west-1_abcdefghi"

// rolesOf are the statements of the roles of functions in a template, by the function's name, with the
// ARNs of a deployment.
func rolesOf(t *testing.T, body []byte) map[string][]statement {
	t.Helper()
	type resource struct {
		Type       string
		Properties map[string]any
	}
	var made struct{ Resources map[string]resource }
	if err := json.Unmarshal(body, &made); err != nil {
		t.Fatal(err)
	}
	attribute := func(id, name string) string {
		switch r := made.Resources[id]; r.Type {
		case "AWS::DynamoDB::Table":
			return "arn:aws:dynamodb:" + region + ":" + account + ":table/" + r.Properties["TableName"].(string)
		case "AWS::Cognito::UserPool":
			return "arn:aws:cognito-idp:" + region + ":" + account + ":userpool/" + poolID
		}
		return "arn:of:" + id + ":" + name
	}
	pseudo := map[string]string{"AWS::Partition": "aws", "AWS::Region": region, "AWS::AccountId": account}
	var known func(value any) any
	known = func(value any) any {
		switch v := value.(type) {
		case []any:
			for i := range v {
				v[i] = known(v[i])
			}
		case map[string]any:
			if get, is := v["Fn::GetAtt"].([]any); is {
				return attribute(get[0].(string), get[1].(string))
			}
			if text, is := v["Fn::Sub"].(string); is {
				return regexp.MustCompile(`\$\{[^}]+\}`).ReplaceAllStringFunc(text, func(name string) string {
					name = name[2 : len(name)-1]
					if id, attr, got := strings.Cut(name, "."); got {
						return attribute(id, attr)
					}
					return pseudo[name]
				})
			}
			for name := range v {
				v[name] = known(v[name])
			}
		}
		return value
	}
	documents := make(map[string][]any)
	for id, r := range made.Resources {
		for _, p := range asList(r.Properties["Policies"]) {
			documents[id] = append(documents[id], p.(map[string]any)["PolicyDocument"])
		}
		for _, role := range asList(r.Properties["Roles"]) {
			id := role.(map[string]any)["Ref"].(string)
			documents[id] = append(documents[id], r.Properties["PolicyDocument"])
		}
	}
	roles := make(map[string][]statement)
	for _, r := range made.Resources {
		if r.Type != "AWS::Lambda::Function" {
			continue
		}
		name := strings.TrimSuffix(r.Properties["FunctionName"].(string), "-dev")
		role := r.Properties["Role"].(map[string]any)["Fn::GetAtt"].([]any)[0].(string)
		for _, document := range documents[role] {
			text, _ := json.Marshal(known(document))
			var read struct{ Statement []statement }
			if err := json.Unmarshal(text, &read); err != nil {
				t.Fatal(err)
			}
			roles[name] = append(roles[name], read.Statement...)
		}
	}
	return roles
}

func asList(value any) []any {
	list, _ := value.([]any)
	return list
}

// drawRights gives a function rights by chance.
func drawRights(f *model.Function, dice *rand.Rand) {
	one := func(all ...string) string { return all[dice.IntN(len(all))] }
	for _, resource := range []string{"table/a", "table/b", "pool", "parameter/shop/${ENV}/key", "secret/pw", "mail", "function/f1", "function/f2"} {
		if dice.IntN(2) == 0 {
			_, _, may := model.ResourceOf(resource)
			actions := may & access.Actions(1+dice.IntN(int(access.EveryAction)))
			if actions == 0 {
				actions = may
			}
			f.Access = append(f.Access, model.ResourceAccess{Resource: resource, Actions: actions})
		}
	}
	for range dice.IntN(4) {
		s := model.Statement{Effect: one(model.Allow, model.Allow, model.Deny)}
		for range 1 + dice.IntN(2) {
			s.Action = append(s.Action, one("*", "dynamodb:*", "dynamodb:Get*", "dynamodb:?etItem", "DynamoDB:putitem", "cognito-idp:Admin*", "cognito-idp:ListUsers", "ssm:Get*",
				"ssm:GetParameter", "secretsmanager:*", "lambda:Invoke*", "s3:GetObject"))
			s.Resource = append(s.Resource, one("*", "${table/a}", "${table/b}/index/*", "arn:aws:dynamodb:*:*:table/b*", "${pool}", "${function/f1}", "arn:aws:lambda:*:*:function:f?-${ENV}", "arn:aws:lambda:*:*:function:f2", "arn:aws:secretsmanager:*:*:secret:p*",
				"arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter/shop/*", "arn:aws:ssm:eu-west-1:123456789012:parameter/sho?/${ENV}/key", "arn:aws:dynamodb:eu-west-1:999999999999:table/a-dev"))
		}
		f.Policies = append(f.Policies, s)
	}
}

// TestTheSandboxAnswersFunctionsAsTheirRoleInTheTemplateSays has functions with rights by chance ask the
// sandbox's services, and an evaluator of its own judge the roles of the rendered template.
func TestTheSandboxAnswersFunctionsAsTheirRoleInTheTemplateSays(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	dice := rand.New(rand.NewPCG(seed, 0))
	id := model.Key{Name: "id", Type: model.StringKey}
	b := &model.Backend{
		Project: model.Project{Name: "shop", ApplicationID: "d1", Region: region}, Groups: []string{"Admins"},
		Environments: []*model.Environment{{Name: "dev", Provider: model.AWS, Account: account}},
		Tables:       []*model.Table{{Name: "a", PartitionKey: id}, {Name: "b", PartitionKey: id, Indexes: []model.Index{{Name: "byId", PartitionKey: id}}}},
	}
	env := sandbox.Environment{
		Name: "dev", Region: region, AccountID: account, Grants: make(map[string][]cfn.Statement), Values: map[string]string{"/shop/dev/key": "1", "/other": "2", "pw": "3"},
		Pool: &pool.Pool{Environment: "dev", Region: region, AccountID: account, UserPoolID: poolID, ClientID: "c", IdentityPoolID: region + ":1", Groups: []string{"Admins"}},
	}
	for i := range 24 {
		f := &model.Function{Name: fmt.Sprintf("f%d", i), Runtime: model.NodeJS}
		drawRights(f, dice)
		b.Functions = append(b.Functions, f)
	}
	rendered, err := template.Render(b, b.Environments[0], template.Options{})
	if err != nil {
		t.Fatal(err)
	}
	roles := rolesOf(t, rendered.Body)
	s, err := sandbox.Start(sandbox.Options{State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	x := &specMaker{project: &project.Project{}, backend: b, environment: env}
	env.Tables = TablesOf(b, b.Environments[0])
	for _, f := range b.Functions {
		env.Functions = append(env.Functions, function.Spec{Environment: "dev", Name: f.Name, Runtime: model.NodeJS, Folder: t.TempDir(), Region: region, AccountID: account})
		env.Grants[f.Name] = x.grants(f)
	}
	if err := s.Apply(sandbox.Config{Environments: []sandbox.Environment{env}}); err != nil {
		t.Fatal(err)
	}
	refused, allowed := 0, 0
	for range 600 {
		f := b.Functions[dice.IntN(len(b.Functions))]
		c := drawCall(dice)
		body := c.send(t, s, sandbox.AccessKey("dev", f.Name))
		want := evaluate(roles[f.Name], c.action, c.arn)
		if want {
			allowed++
		} else {
			refused++
		}
		words := "arn:aws:sts::" + account + ":assumed-role/" + f.Name + "/" + f.Name + " is not authorized to perform: " + c.action + " on resource: "
		if strings.Contains(body, words) == want {
			t.Errorf("seed %d: %s, %s on %s: allowed %t, and the answer is %s\n%+v", seed, f.Name, c.action, c.arn, want, body, roles[f.Name])
		}
	}
	if refused < 60 || allowed < 60 {
		t.Errorf("seed %d: %d refused, %d allowed: the draw is of no use", seed, refused, allowed)
	}
}

// asked is a call of a service, with what it needs.
type asked struct{ action, arn, path, target, input string }

func drawCall(dice *rand.Rand) asked {
	one := func(all ...string) string { return all[dice.IntN(len(all))] }
	arn := func(service, resource string) string {
		return "arn:aws:" + service + ":" + region + ":" + account + ":" + resource
	}
	switch dice.IntN(5) {
	case 0:
		table := one("a-dev", "b-dev")
		operation, of := one("GetItem", "PutItem", "DeleteItem", "Scan", "Query", "ListTables"), "table/"+table
		input := map[string]any{"TableName": table, "Key": map[string]any{"id": map[string]string{"S": "1"}}}
		switch operation {
		case "Query":
			of, input["IndexName"] = of+"/index/byId", "byId"
		case "ListTables":
			of, input = "table/*", map[string]any{}
		}
		text, _ := json.Marshal(input)
		return asked{"dynamodb:" + operation, arn("dynamodb", of), "/", "DynamoDB_20120810." + operation, string(text)}
	case 1:
		name := one("f1", "f2", "f3")
		return asked{"lambda:InvokeFunction", arn("lambda", "function:"+name+"-dev"), "/2015-03-31/functions/" + name + "/invocations", "", "{}"}
	case 2:
		operation := one("AdminGetUser", "AdminAddUserToGroup", "ListUsers", "AdminDeleteUser", "AdminCreateUser", "CreateGroup")
		return asked{
			"cognito-idp:" + operation, arn("cognito-idp", "userpool/"+poolID), "/", "AWSCognitoIdentityProviderService." + operation,
			`{"UserPoolId": "` + poolID + `", "Username": "ann", "GroupName": "Admins"}`,
		}
	case 3:
		operation, name := one("GetParameter", "GetParameters", "GetParametersByPath"), one("/shop/dev/key", "/other", "/shop/dev")
		return asked{
			"ssm:" + operation, arn("ssm", "parameter"+name), "/", "AmazonSSM." + operation,
			`{"Name": "` + name + `", "Names": ["` + name + `"], "Path": "` + name + `"}`,
		}
	}
	name := one("pw", "other")
	return asked{"secretsmanager:GetSecretValue", arn("secretsmanager", "secret:"+name+"-000000"), "/", "secretsmanager.GetSecretValue", `{"SecretId": "` + name + `"}`}
}

// send asks for it where the SDK of a function would.
func (c asked) send(t *testing.T, s *sandbox.Sandbox, key string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.CloudAddress()+c.path, strings.NewReader(c.input))
	if err != nil {
		t.Fatal(err)
	}
	service, _, _ := strings.Cut(c.action, ":")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+key+"/20260101/"+region+"/"+service+"/aws4_request, SignedHeaders=host, Signature=0")
	r.Header.Set("Content-Type", "application/x-amz-json-1.1")
	r.Header.Set("X-Amz-Invocation-Type", "DryRun")
	if c.target != "" {
		r.Header.Set("X-Amz-Target", c.target)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

package prove_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/internal/prove"
)

func TestWhatAnOperationOfADocumentAsksForIsRead(t *testing.T) {
	t.Parallel()
	const schemes = `"securityDefinitions": {
		"signed": {"type": "apiKey", "x-amazon-apigateway-authtype": "AWSSIGV4"},
		"pool": {"type": "apiKey", "x-amazon-apigateway-authtype": "cognito_user_pools"},
		"authorizer": {"type": "apiKey", "x-amazon-apigateway-authorizer": {"type": "cognito_user_pools"}},
		"own": {"type": "apiKey", "x-amazon-apigateway-authtype": "custom", "x-amazon-apigateway-authorizer": {"type": "token"}},
		"unnamed": {"type": "apiKey", "x-amazon-apigateway-authorizer": {"type": "token"}},
		"imported": {"type": "apiKey", "x-amazon-apigateway-authtype": {"Fn::Transform": {"Name": "Own"}}},
		"key": {"type": "apiKey", "name": "x-api-key"}}`
	for _, c := range []struct {
		all, operation string
		want           prove.Authorization
	}{
		{``, ``, prove.Nothing},
		{``, `"security": []`, prove.Nothing},
		{``, `"security": [{"signed": []}]`, prove.Signed},
		{``, `"security": [{"pool": []}]`, prove.UserPool},
		{``, `"security": [{"authorizer": []}]`, prove.UserPool},
		{``, `"security": [{"own": []}]`, prove.Unjudged},
		{``, `"security": [{"unnamed": []}]`, prove.Unjudged},
		{``, `"security": [{"imported": []}]`, prove.Unjudged},
		{``, `"security": [{"missing": []}]`, prove.Unjudged},
		{``, `"security": [{"key": []}]`, prove.Nothing},
		{``, `"security": [{"key": [], "signed": []}]`, prove.Signed},
		{``, `"security": [{"signed": []}, {"key": []}]`, prove.Signed},
		{``, `"security": [{"signed": []}, {"signed": []}]`, prove.Signed},
		{``, `"security": [{"signed": []}, {"pool": []}]`, prove.Unjudged},
		{``, `"security": {"Fn::Transform": {"Name": "Own"}}`, prove.Unjudged},
		{`"security": [{"signed": []}], `, ``, prove.Signed},
		{`"security": [{"signed": []}], `, `"security": []`, prove.Nothing},
		{`"security": [{"signed": []}], `, `"security": [{"pool": []}]`, prove.UserPool},
		{``, `"x-amazon-apigateway-auth": {"type": "aws_iam"}`, prove.Signed},
		{``, `"x-amazon-apigateway-auth": {"type": "NONE"}, "security": [{"signed": []}]`, prove.Nothing},
		{``, `"x-amazon-apigateway-auth": {"type": "COGNITO_USER_POOLS"}`, prove.UserPool},
		{``, `"x-amazon-apigateway-auth": {"type": "CUSTOM"}`, prove.Unjudged},
		{``, `"x-amazon-apigateway-auth": {"type": {"Fn::Transform": {"Name": "Own"}}}`, prove.Unjudged},
	} {
		text := `{"Resources": {"API": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Body": {` + c.all + schemes +
			`, "paths": {"/": {"get": {` + c.operation + `}, "x-other": {}, "parameters": []}, "x-own": {}}}}}}}`
		d, err := prove.Read(parse(t, []byte(text)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		api := d.APIs[0]
		if len(api.Resources) != 1 || api.Resources[0].Path != "/" || len(api.Resources[0].Methods) != 1 {
			t.Fatalf("%s: the resources are %v", c.operation, api.Resources)
		}
		if got := api.Resources[0].Methods["GET"]; got != c.want {
			t.Errorf("%s%s asks for %q, want %q", c.all, c.operation, got, c.want)
		}
	}
}

func TestWhatADocumentLeavesOpenIsSaid(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"paths": {"Fn::Transform": {"Name": "Own"}}}`:                                "the paths of API are not in the template",
		`{"Fn::Transform": {"Name": "AWS::Include", "Parameters": {"Location": "x"}}}`: "the paths of API are not in the template",
		`{"paths": {"/": {}, "Fn::Transform": {"Name": "Own"}}}`:                       "the paths of API have Fn::Transform, which is not read",
		`{"paths": {"/": {}, "items": {"get": {}}}}`:                                   "the paths of API have items, which is not read",
		`{"paths": {"/": {"Fn::Transform": {"Name": "Own"}}}}`:                         "the methods of / of API are not in the template",
		`{"paths": {"/": {"get": {}, "Fn::Transform": {"Name": "Own"}}}}`:              "the methods of / of API are not in the template",
		`{"Ref": "Stage"}`: "the paths of API are not in the template",
		`{"openapi": "3.0.1", "Fn::Transform": {"Name": "Own"}}`:    "the paths of API are not in the template",
		`{"Fn::If": ["Prod", {"paths": {"/": {}}}, {"paths": {}}]}`: "the paths of API depend on the value of Stage",
	} {
		text := `{` + ifProd + `, "Resources": {"API": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Body": ` + body + `}}}}`
		d, err := prove.Read(parse(t, []byte(text)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(d.Unread, want) {
			t.Errorf("%s: %s", body, strings.Join(d.Unread, "; "))
		}
		// What it may have is neither missing nor equal.
		r := prove.Compare(d, votes(), prove.Options{})
		paths := strings.HasPrefix(want, "the paths")
		if said := sentences(r); r.Equal() || strings.Contains(said, "is not known; "+want) != paths || strings.Contains(said, "the template has no such") == paths {
			t.Errorf("%s: %s", body, said)
		}
	}
}

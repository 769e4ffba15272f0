package deploy_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/drift"
	"gatewright/deploy/stack"
)

func TestWhatDiffersIsToldInTheWordsOfTheModel(t *testing.T) {
	t.Parallel()
	secrets := func(variable string) bool { return variable == "MAIL" }
	for _, of := range []struct {
		kind string
		in   stack.Difference
		want string
	}{
		{"AWS::Lambda::Function", stack.Difference{Path: "/MemorySize", Want: "128", Is: "512"}, "memory 128 MB in the stack, 512 MB in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/PAGE", Want: "10", Is: "20"}, "variable PAGE 10 in the stack, 20 in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/MAIL", Want: "hush-1", Is: "hush-2"}, "variable MAIL, another in the cloud than in the stack"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/DB_PASSWORD", Want: "hush-1", Is: "hush-2"}, "variable DB_PASSWORD, another in the cloud than in the stack"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/OTHER", Is: "hush-3", Added: true}, "variable OTHER, only in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables/LINK", Want: "x", Is: "Bearer hush-eyJabc"}, "variable LINK x in the stack, <redacted> in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment/Variables", Want: `{"A":"1","B":"2"}`, Is: `{"B":"3","MAIL":"hush"}`}, "variable A, only in the stack|variable B 2 in the stack, 3 in the cloud|variable MAIL, only in the cloud"},
		{"AWS::Lambda::Function", stack.Difference{Path: "/Environment", Want: `{"Variables":{"A":"hush"}}`, Removed: true}, "variable A, only in the stack"},
		{"AWS::Logs::LogGroup", stack.Difference{Path: "/RetentionInDays", Want: "30", Is: "null", Removed: true}, "logs are kept for 30 days, only in the stack"},
		{"AWS::IAM::Role", stack.Difference{Path: "/Policies/0/PolicyDocument/Statement/0/Resource", Want: "a", Is: "b"}, "access: what the role may do, another in the cloud than in the stack"},
		{"AWS::ApiGateway::Method", stack.Difference{Path: "/AuthorizationType", Want: "AWS_IAM", Is: "NONE"}, "access: callers need credentials in the stack, need not sign in in the cloud"},
		{"AWS::Cognito::UserPoolIdentityProvider", stack.Difference{Path: "/ProviderDetails/client_secret", Want: "hush-1", Is: "hush-2"}, "setting client_secret of the provider, another in the cloud than in the stack"},
		{"AWS::New::Thing", stack.Difference{Path: "/Some/Value~1x", Want: "1", Is: "2\x1b[31m"}, `Some/Value/x 1 in the stack, "2\x1b[31m" in the cloud`},
		{"AWS::New::Thing", stack.Difference{Path: "/Token", Want: "hush-1", Is: "hush-2"}, "Token, another in the cloud than in the stack"},
	} {
		got := strings.Join(drift.Words(of.kind, []stack.Difference{of.in}, drift.CloudAgainstStack, secrets), "|")
		if got != of.want {
			t.Errorf("%v of %s is\n%s\nand should be\n%s", of.in, of.kind, got, of.want)
		}
		if strings.Contains(got, "hush") {
			t.Errorf("a secret is shown: %s", got)
		}
	}
}

func TestOneLineIsSaidOnce(t *testing.T) {
	t.Parallel()
	all := []stack.Difference{{Path: "/Policies/0/PolicyName", Want: "a", Is: "b"}, {Path: "/Policies/1/PolicyName", Want: "a", Is: "b"}}
	if got := drift.Words("AWS::IAM::Role", all, drift.CloudAgainstStack, nil); !slices.Equal(got, []string{"access: what the role may do, another in the cloud than in the stack"}) {
		t.Errorf("it is %q", got)
	}
}

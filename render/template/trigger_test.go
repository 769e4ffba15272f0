package template_test

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/accesstest"
	"gatewright/model/edit"
)

// triggered is a backend whose user pool and table call functions.
func triggered() *model.Backend {
	b := shop()
	b.Auth = &model.Auth{UsernameAttributes: []string{"email"}}
	for _, t := range []model.Trigger{
		{At: model.PreSignUp, Function: "orders"},
		{At: model.PostConfirmation, Function: "items"},
		{At: model.PreTokenGenerationV2, Function: "items"},
		{At: model.DefineAuthChallenge, Function: "items"},
	} {
		if err := edit.SetTrigger(b, t.At, t.Function); err != nil {
			panic(err)
		}
	}
	b.Tables[1].Triggers = []model.StreamTrigger{{Function: "items"}, {Function: "orders", From: model.FromOldest, BatchSize: 5, BatchWindow: 2, Attempts: 1, Bisect: true, ReportFailures: true}}
	b.Tables[0].StreamView = "KEYS_ONLY"
	return b
}

func TestAUserPoolMayCallEachOfItsFunctionsOnce(t *testing.T) {
	t.Parallel()
	made := rendered(t, triggered(), "dev")
	pools := ofType(made.Root, "AWS::Cognito::UserPool")
	calls := pools[0].node.Get("Properties", "LambdaConfig")
	if calls.Get("PreSignUp", "Fn::GetAtt") == nil || calls.Get("PreTokenGeneration") != nil || calls.Get("PreTokenGenerationConfig", "LambdaVersion").Text != "V2_0" {
		t.Errorf("the pool calls %s", calls.JSON())
	}
	allowed := 0
	for _, p := range ofType(made.Root, "AWS::Lambda::Permission") {
		if p.node.Get("Properties", "Principal").Text == "cognito-idp.amazonaws.com" {
			allowed++
		}
	}
	if allowed != 2 {
		t.Errorf("%d permissions, want one for each of two functions", allowed)
	}
	client := ofType(made.Root, "AWS::Cognito::UserPoolClient")[0]
	if !strings.Contains(string(client.node.JSON()), "ALLOW_CUSTOM_AUTH") {
		t.Errorf("the client does not allow challenges of functions: %s", client.node.JSON())
	}
}

func TestAPoolIsMadeForItsTriggersAlone(t *testing.T) {
	t.Parallel()
	b := backend(api("shop", accesstest.Open("/items", "items")))
	b.Triggers = []model.Trigger{{At: model.PreSignUp, Function: "items"}}
	if pools := ofType(rendered(t, b, "dev").Root, "AWS::Cognito::UserPool"); len(pools) != 1 {
		t.Errorf("there are %d pools", len(pools))
	}
}

func TestAttemptsAreRetriesInAWS(t *testing.T) {
	t.Parallel()
	made := rendered(t, triggered(), "dev")
	var retries []string
	for _, m := range ofType(made.Root, "AWS::Lambda::EventSourceMapping") {
		retries = append(retries, m.node.Get("Properties", "MaximumRetryAttempts").Text)
	}
	if got := strings.Join(retries, " "); got != "-1 0" {
		t.Errorf("the retries are %s, want -1 (until the changes expire) and 0", got)
	}
}

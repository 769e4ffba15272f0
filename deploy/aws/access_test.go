package aws_test

import (
	"strings"
	"testing"

	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
)

func TestPoolsThatWereThereBeforeAreAskedInTheirRegions(t *testing.T) {
	t.Parallel()
	const userPool, identities = "eu-west-1_AbCdEfGhI", "us-east-1:11111111-2222-3333-4444-555555555555"
	b := cloudShop(t)
	deploytest.Must(t, edit.RemovePath(b, "shop", "/orders/{id}"))
	deploytest.Must(t, edit.SetAuth(b, &model.Auth{Region: "eu-west-1", UserPoolID: userPool, UserPoolClientID: "client1", IdentityPoolID: identities}))
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	r.fake.ServeInForce()
	deploytest.Must(t, r.push(pushOptions{}).err)
	reached := r.reach()
	r.fake.Serve("cognito-identity", func(q awstest.Request) (any, error) {
		if q.Region != "us-east-1" {
			return nil, &awstest.Refusal{Code: "ResourceNotFoundException", Message: "IdentityPool '" + identities + "' not found."}
		}
		return map[string]any{"AllowUnauthenticatedIdentities": true}, nil
	})
	r.fake.Serve("cognito-idp", func(q awstest.Request) (any, error) {
		if q.Region != "eu-west-1" {
			return nil, &awstest.Refusal{Code: "ResourceNotFoundException", Message: "User pool " + userPool + " does not exist."}
		}
		var in struct{ NextToken string }
		if err := q.Read(&in); err != nil {
			return nil, err
		}
		if in.NextToken == "" {
			return map[string]any{"Groups": []any{map[string]any{"GroupName": "Readers"}}, "NextToken": "2"}, nil
		}
		return map[string]any{"Groups": []any{map[string]any{"GroupName": "Admins"}}}, nil
	})
	d, err := reached.LiveAccess(t.Context())
	deploytest.Must(t, err)
	if len(d.Groups) != 2 || strings.Contains(strings.Join(d.Notices, "; "), "is gone") {
		t.Errorf("it has the groups %+v and says %q", d.Groups, d.Notices)
	}
}

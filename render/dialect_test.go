package render_test

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/render"
)

// TestTheFirstWordThatOnlyOneDialectHasIsFound has files whose parts are of one dialect, and of both.
func TestTheFirstWordThatOnlyOneDialectHasIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"analytics": {"messaging_app": {}}, "storage": {"cloud_region": "r"}}`:                          "/analytics/messaging_app and ",
		`{"auth": {"aws_region": "r"}, "notifications": {"channels": ["IN_APP_MESSAGING", "APNS"]}}`:      " and /auth/aws_region",
		`{"analytics": {"amazon_pinpoint": {"cloud_region": "r"}}}`:                                       "/analytics/amazon_pinpoint/cloud_region and /analytics/amazon_pinpoint",
		`{"data": {"default_authorization_type": "AWS_IAM", "authorization_types": ["a", "CLOUD_IAM"]}}`:  "/data/authorization_types and /data/default_authorization_type",
		`{"data": {"default_authorization_type": "API_KEY"}, "custom": {"aws_region": "r"}, "geo": true}`: " and ",
		`{"notifications": {"cloud_region": "r", "amazon_pinpoint_app_id": "a"}}`:                         "/notifications/cloud_region and /notifications/amazon_pinpoint_app_id",
		`{"auth": {"oauth": {"identity_providers": ["SIGN_IN_WITH_APPLE"]}}}`:                             " and /auth/oauth/identity_providers",
		`{"storage": {"aws_region": "r", "cloud_region": "s"}, "geo": {"aws_region": "r"}}`:               "/storage/cloud_region and /geo/aws_region",
	} {
		neutral, amplify := render.DialectWords(parsed(t, text))
		if got := neutral + " and " + amplify; got != want {
			t.Errorf("%s has %s, want %s", text, got, want)
		}
	}
}

// TestEachWordHasItsOtherInEachDialect has every word that differs, in its place, and what stays as it is.
func TestEachWordHasItsOtherInEachDialect(t *testing.T) {
	t.Parallel()
	const free = `{"cloud_region": "AWS_IAM", "aws_region": ["CLOUD_IAM"]}`
	neutral := parsed(t, `{"analytics": {"messaging_app": {"cloud_region": "r", "app_id": "a"}}, "auth": {"cloud_region": "r",
		"oauth": {"identity_providers": ["PROVIDER_A", "PROVIDER_B", "LOGIN_WITH_VENDOR", "PROVIDER_D", "CLOUD_IAM"]}},
		"data": {"cloud_region": "r", "default_authorization_type": "IDENTITY_USER_POOLS", "authorization_types": ["CLOUD_IAM", "CLOUD_FUNCTION", "API_KEY"], "model_introspection": `+free+`},
		"geo": {"cloud_region": "r"}, "notifications": {"cloud_region": "r", "messaging_app_id": "a", "channels": ["PUSH_A", "PUSH_B", "SMS"]}, "storage": {"cloud_region": "cloud_region"}, "custom": `+free+`}`)
	amplify := parsed(t, `{"analytics": {"amazon_pinpoint": {"aws_region": "r", "app_id": "a"}}, "auth": {"aws_region": "r",
		"oauth": {"identity_providers": ["GOOGLE", "FACEBOOK", "LOGIN_WITH_AMAZON", "SIGN_IN_WITH_APPLE", "CLOUD_IAM"]}},
		"data": {"aws_region": "r", "default_authorization_type": "AMAZON_COGNITO_USER_POOLS", "authorization_types": ["AWS_IAM", "AWS_LAMBDA", "API_KEY"], "model_introspection": `+free+`},
		"geo": {"aws_region": "r"}, "notifications": {"aws_region": "r", "amazon_pinpoint_app_id": "a", "channels": ["FCM", "APNS", "SMS"]}, "storage": {"aws_region": "cloud_region"}, "custom": `+free+`}`)
	if changes := render.Compare(amplify, render.Translate(neutral, model.Neutral, model.Amplify)); len(changes) > 0 {
		t.Errorf("in the amplify dialect there differ %v", changes)
	}
	if changes := render.Compare(neutral, render.Translate(amplify, model.Amplify, model.Neutral)); len(changes) > 0 {
		t.Errorf("in the neutral dialect there differ %v", changes)
	}
	for place, want := range map[string]string{
		"analytics/messaging_app/cloud_region": "analytics/amazon_pinpoint/aws_region", "auth/user_pool_id": "auth/user_pool_id", "cloud_region": "cloud_region", "notifications/messaging_app_id": "notifications/amazon_pinpoint_app_id",
	} {
		there := render.TranslatePlace(strings.Split(place, "/"), model.Neutral, model.Amplify)
		back := render.TranslatePlace(there, model.Amplify, model.Neutral)
		if strings.Join(there, "/") != want || strings.Join(back, "/") != place {
			t.Errorf("%s is %q, and back %q", place, there, back)
		}
	}
}

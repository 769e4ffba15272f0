package project_test

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project/disk"
	"gatewright/project/validate"
)

func TestValidateWarnsOfWhatClientsMisread(t *testing.T) {
	t.Parallel()
	const text = `{
  "version": "1",
  "auth": {
    "aws_region": "eu-west-1",
    "user_pool_id": "us-east-1_Ab12Cd34E",
    "user_pool_client_id": "c",
    "identity_pool_id": "0000-4000",
    "password_policy": {"min_length": 8, "require_numbers": true},
    "oauth": {
      "identity_providers": [], "domain": "", "scopes": [], "response_type": "code",
      "redirect_sign_in_uri": ["https://a.example/"], "redirect_sign_out_uri": ["https://a.example/"]
    },
    "username_attributes": ["email", "username"],
    "user_verification_types": ["email", "email", "email"],
    "mfa_methods": ["SMS", "TOTP", "SMS"]
  },
  "data": {
    "aws_region": "eu-west-1", "url": "graphql", "api_key": "da2-secret",
    "default_authorization_type": "API_KEY", "authorization_types": ["AWS_IAM", "AWS_IAM"]
  },
  "geo": {
    "aws_region": "eu-west-1",
    "maps": {"items": {"streets": {}}, "default": "street"},
    "search_indices": {"items": ["places"], "default": "hills"},
    "geofence_collections": {"items": ["parks"], "default": ""}
  },
  "notifications": {"aws_region": "eu-west-1", "amazon_pinpoint_app_id": "a", "channels": ["EMAIL", "SMS"]},
  "custom": {
    "API": {
      "slash": {"endpoint": "https://a.example/dev/", "region": "eu-west-1", "apiName": "Slash"},
      "far": {"endpoint": "https://x.execute-api.us-east-1.amazonaws.com/dev", "region": "eu-west-1"},
      "near": {"endpoint": "https://x.execute-api.us-east-1.amazonaws.com/dev"},
      "none": {},
      "text": "https://a.example/dev"
    }
  }
}`
	const want = `warning: f.json:3:3: is missing: the JavaScript client then refuses guests, and the other clients let them in (at /auth/unauthenticated_identities_enabled); write true or false
warning: f.json:5:5: begins with the region us-east-1, and aws_region is eu-west-1: the JavaScript client takes the first, other clients the second (at /auth/user_pool_id); write the same region in both
warning: f.json:7:5: has no region before a :, and the JavaScript client then fails: Invalid identity pool id provided. (at /auth/identity_pool_id); write the whole id, which begins with eu-west-1:
warning: f.json:8:5: lacks require_lowercase, require_uppercase, require_symbols, and the Swift client then cannot read the file (at /auth/password_policy); write all five fields
warning: f.json:10:33: is empty, so a client opens the sign-in page at https:///oauth2/authorize (at /auth/oauth/domain); write only the domain of the sign-in pages, such as auth.example.org, or leave oauth out
warning: f.json:13:38: the Swift client does not know username, and cannot read the file (at /auth/username_attributes/1); leave it out if apps for Apple devices read the file
warning: f.json:14:42: repeats email, which is also entry 0 (at /auth/user_verification_types/1); leave one of them out
warning: f.json:15:36: repeats SMS, which is also entry 0 (at /auth/mfa_methods/2); leave one of them out
warning: f.json:18:32: is not an address that a request can be sent to (at /data/url); write it like https://host/graphql
warning: f.json:18:50: has an API key: anyone who reads this file can use the data API (at /data/api_key); write <API_KEY> in a file that is committed, or keep the file out of version control
warning: f.json:19:81: repeats AWS_IAM, which is also entry 0 (at /data/authorization_types/1); leave one of them out
warning: f.json:23:24: has no style, and the Swift client then cannot read the file (at /geo/maps/items/streets); add "style", such as "VectorEsriNavigation"
warning: f.json:23:40: is not one of the items: if client code names none, the clients ask for street, which is not configured (at /geo/maps/default); did you mean streets?
warning: f.json:24:45: is not one of the items: if client code names none, the clients ask for hills, which is not configured (at /geo/search_indices/default); add it to the items, or name one of them
warning: f.json:25:50: is not one of the items: if client code names none, the clients ask for "", which is not configured (at /geo/geofence_collections/default); add it to the items, or name one of them
warning: f.json:27:79: has only EMAIL and SMS, for which the JavaScript client sets up nothing (at /notifications/channels); add the channel that client code uses, or leave notifications out
warning: f.json:30:17: ends with /, but clients append the path of a request to it, so /items becomes //items (at /custom/API/slash/endpoint); remove the / and start each path with one
warning: f.json:30:78: is Slash, but the key is slash, and clients find the API by its key (at /custom/API/slash/apiName); use the same value in both
warning: f.json:31:80: is eu-west-1, but the endpoint is in us-east-1, for which the JavaScript client signs requests (at /custom/API/far/region); write us-east-1
note: f.json:32:7: is missing: the JavaScript client takes it from the endpoint, but client code that reads it finds none (at /custom/API/near/region); write us-east-1
warning: f.json:33:7: has no endpoint, so clients cannot send requests (at /custom/API/none); add "endpoint"
warning: f.json:34:7: is a string, but client code needs objects with an endpoint and a region (at /custom/API/text); write {"endpoint": "https://...", "region": "..."}
`
	if got := lines(validate.File("f.json", []byte(text))); got != want {
		t.Errorf("problems are\n%s", got)
	}
}

func TestValidateWarnsOfWhatClientsMisreadInTheProjectsFile(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	put(t, fsys, neutralFile, `{"version": "1", "custom": {"API": {"shop": {"endpoint": "https://a.example/dev/", "region": "r"}}}}`)
	if got := lines(validate.Project(p)); !strings.HasPrefix(got, "warning: client_config.json:1:46: ends with /") || strings.Count(got, "\n") != 1 {
		t.Errorf("problems are %s", got)
	}
}

// The program writes the key and keeps the file out of version control.
func TestTheKeyInTheClientFileOfAProjectIsAWarningUnlessTheFileIsIgnored(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	put(t, fsys, neutralFile, `{"version": "1", "data": {"cloud_region": "r", "url": "https://a.example", "api_key": "da2-secret", "default_authorization_type": "API_KEY", "authorization_types": []}}`)
	if got := lines(validate.Project(p)); got != "" {
		t.Errorf("the file is ignored, and problems are %s", got)
	}
	put(t, fsys, ".gitignore", "node_modules/\n")
	if got := lines(validate.Project(p)); !strings.HasPrefix(got, "warning: client_config.json:1:") || !strings.Contains(got, "(at /data/api_key)") {
		t.Errorf("the file is not ignored, and problems are %s", got)
	}
}

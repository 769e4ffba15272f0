package amplifystack

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"gatewright/model"
)

// with returns the outputs of an entry with one changed.
func with(key, output, value string) map[string]map[string]string {
	values := maps.Clone(backend[key])
	values[output] = value
	return map[string]map[string]string{key: values}
}

func TestEachErrorSaysInOneLineWhatIsWrongAndWhatToDo(t *testing.T) {
	t.Parallel()
	complete := func(entries map[string]map[string]string) deployed { return one(templateOf(t, entries)) }
	custom := func(text string) deployed {
		return complete(map[string]map[string]string{authKey: backend[authKey], customKey: {customOutput: text}})
	}
	first := func(change func(deployed)) deployed {
		from := firstGeneration()
		change(from)
		return from
	}
	set := func(from deployed, name, output, value string) { from[name].stack.Outputs[output] = value }
	root := func(change func(*deployedStack)) deployed {
		from := complete(backend)
		shop := from["shop"]
		change(&shop)
		from["shop"] = shop
		return from
	}
	status := func(word string) deployed { return root(func(s *deployedStack) { s.stack.Status = word }) }
	metadata := func(text string) deployed { return one(`{"Metadata":`+text+`,"Resources":{}}`, nil) }
	other := func(template string) deployed { return one(template, map[string]string{"Some": "x"}) }
	for _, tt := range []struct {
		name  string
		from  deployed
		cause error
		says  string
	}{
		{"no stack", deployed{}, ErrNoStack, "check its name, the region and the account"},
		{"deployed now", status("UPDATE_IN_PROGRESS"), ErrInProgress, "try again when that is done"},
		{"cleaning up", status("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"), ErrInProgress, "try again"},
		{"rolling back", status("UPDATE_ROLLBACK_IN_PROGRESS"), ErrInProgress, "try again"},
		{"a change set", status("REVIEW_IN_PROGRESS"), ErrFailed, "never deployed"},
		{"rolled back", status("ROLLBACK_COMPLETE"), ErrFailed, "see its events"},
		{"a failed create", status("CREATE_FAILED"), ErrFailed, "see its events"},
		{"being deleted", status("DELETE_IN_PROGRESS"), ErrDeleted, "deleted"},
		{"partly deleted", status("DELETE_FAILED"), ErrDeleted, "partly"},
		{"no status", status(""), ErrFailed, "not a known"},
		{"an odd status", status("\x1b[31mDONE"), ErrFailed, "not a known"},
		{"too large", root(func(s *deployedStack) { s.stack.Outputs["x"] = strings.Repeat("x", largest) }), ErrTooLarge, "1 MB"},
		{"no template", root(func(s *deployedStack) { s.template = "" }), ErrMalformed, "empty"},
		{"a broken template", root(func(s *deployedStack) { s.template = `{"Metadata":` }), ErrMalformed, "template"},
		{"an unknown version", metadata(`{"AWS::Amplify::Auth":{"version":"2","stackOutputs":[]}}`), ErrVersion, "update gatewright"},
		{"no version", metadata(`{"AWS::Amplify::Auth":{"stackOutputs":[]}}`), ErrMalformed, "version"},
		{"no outputs", metadata(`{"AWS::Amplify::Auth":{"version":"1"}}`), ErrMalformed, "list of outputs"},
		{"an output that is not a string", metadata(`{"AWS::Amplify::Auth":{"version":"1","stackOutputs":[{"Ref":"x"}]}}`), ErrMalformed, "not a string"},
		{"an entry that is no map", metadata(`{"AWS::Amplify::Auth":"1"}`), ErrMalformed, "version"},
		{"a missing output", metadata(`{"AWS::Amplify::Auth":{"version":"1","stackOutputs":["userPoolId"]}}`), ErrLacks, "userPoolId"},
		{"only what is for tools", complete(map[string]map[string]string{platformKey: backend[platformKey]}), ErrNothing, "would be empty"},
		{"a list that is not JSON", complete(with(authKey, "mfaTypes", `["SMS`)), ErrMalformed, "mfaTypes"},
		{"more than a list", complete(with(authKey, "mfaTypes", `["SMS"] x`)), ErrMalformed, "mfaTypes"},
		{"a list that is a map", complete(with(authKey, "oauthScope", `{}`)), ErrMalformed, "oauthScope"},
		{"a list of numbers", complete(with(authKey, "usernameAttributes", `[1]`)), ErrMalformed, "usernameAttributes"},
		{"an odd boolean", complete(with(authKey, "allowUnauthenticatedIdentities", "yes")), ErrMalformed, "true or false"},
		{"an odd number", complete(with(authKey, "passwordPolicyMinLength", "1e1")), ErrMalformed, "passwordPolicyMinLength"},
		{"a number that is too small", complete(with(authKey, "passwordPolicyMinLength", "05")), ErrInvalid, "/auth/password_policy/min_length"},
		{"an odd word", complete(with(dataKey, "awsAppsyncAuthenticationType", "MAGIC")), ErrInvalid, "default_authorization_type"},
		{"an empty output that is required", complete(with(authKey, "webClientId", "")), ErrInvalid, "user_pool_client_id"},
		{"custom outputs that are a list", custom(`[]`), ErrMalformed, customOutput},
		{"custom outputs that are no JSON", custom(`{`), ErrMalformed, customOutput},
		{"custom outputs of another version", custom(`{"version":"2"}`), ErrVersion, `2`},
		{"custom outputs without a version", custom(`{"version":null}`), ErrVersion, "null"},
		{"custom outputs of a wrong type", custom(`{"geo":[]}`), ErrInvalid, "/geo"},
		{"custom outputs that contradict", custom(`{"auth":{"user_pool_id":"eu-central-1_Other"}}`), ErrConflict, "/auth/user_pool_id"},
		{"custom outputs that are not enough", custom(`{"geo":{"aws_region":"eu-central-1","maps":{}}}`), ErrInvalid, "/geo/maps"},
		{"another region", complete(with(storageKey, "storageRegion", "us-east-1")), ErrRegions, "us-east-1"},
		{"a pool of another region", complete(with(authKey, "userPoolId", "us-east-1_AbCdEfGhI")), ErrRegions, "userPoolId"},
		{"a stack without a region", root(func(s *deployedStack) { s.stack.Region = "" }), ErrRegions, "name the region"},
		{"no region", complete(with(storageKey, "storageRegion", "moon")), ErrMalformed, "not a region"},
		{"a stack of SAM", other(`{"Transform":"AWS::Serverless-2016-10-31","Resources":{}}`), ErrNotAmplify, "AWS SAM"},
		{"a stack of SAM among others", other(`{"Transform":["Other","AWS::Serverless-2016-10-31"],"Resources":{}}`), ErrNotAmplify, "AWS SAM"},
		{"a stack of the CDK", other(`{"Resources":{"CDKMetadata":{"Type":"AWS::CDK::Metadata"}}}`), ErrNotAmplify, "AWS CDK"},
		{"another stack", other(`{"Resources":{"A":{"Type":"AWS::SNS::Topic"},"B":{"Type":"AWS::SQS::Queue"},"C":{"Type":"AWS::SQS::Queue"}}}`), ErrNotAmplify, "AWS::SQS::Queue"},
		{"a stack of the Serverless Framework", one(`{"Resources":{"A":{"Type":"AWS::SNS::Topic"}}}`, map[string]string{"ServerlessDeploymentBucketName": "x"}), ErrNotAmplify, "looks like a stack of the Serverless Framework; name the root stack of an Amplify backend"},
		{"a stack with as many of each", other(`{"Resources":{"A":{"Type":"AWS::SNS::Topic"},"B":{"Type":"AWS::SQS::Queue"}}}`), ErrNotAmplify, "with AWS::SNS::Topic; name the root stack"},
		{"a part of the second generation", other(`{"Description":"{\"stackType\":\"auth\"}","Resources":{}}`), ErrNotAmplify, "looks like a part of an Amplify backend"},
		{"an empty stack", other(`{"Resources":{}}`), ErrNotAmplify, "without resources"},
		{"a nested stack", root(func(s *deployedStack) { s.template, s.stack.Parent = `{"Resources":{}}`, "arn:root" }), ErrNotAmplify, "a part of"},
		{"a project without resources", first(func(from deployed) {
			shop := from["shop"]
			shop.nested = nil
			from["shop"] = shop
		}), ErrNotAmplify, "without auth"},
		{"two buckets", first(func(from deployed) { set(from, "arn:table", "BucketName", "two") }), ErrConflict, "storage"},
		{"two APIs of one name", first(func(from deployed) {
			set(from, "arn:data", "RootUrl", "https://x")
			set(from, "arn:data", "ApiName", "shop")
		}), ErrConflict, "shop"},
		{"a malformed sign-in page", first(func(from deployed) { set(from, "arn:auth", "OAuthMetadata", "[") }), ErrMalformed, "OAuthMetadata"},
		{"a broken template of the data API", first(func(from deployed) {
			data := from["arn:data"]
			data.template = "{"
			from["arn:data"] = data
		}), ErrMalformed, "template"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, err := Read(t.Context(), tt.from, "shop")
			if !errors.Is(err, tt.cause) {
				t.Fatalf("the error is %v, and the result %v", err, result.Values)
			}
			mustBeOneLine(t, err)
			if !strings.Contains(err.Error(), tt.says) {
				t.Errorf("it does not say %q: %v", tt.says, err)
			}
		})
	}
}

// mustBeOneLine checks that an error is a problem in one printable line with a fix.
func mustBeOneLine(t *testing.T, err error) {
	t.Helper()
	var problem *model.Problem
	if !errors.As(err, &problem) || problem.Fix == "" {
		t.Errorf("it does not say what to do: %#v", err)
	}
	if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.Errorf("it is not printable: %q", err)
	}
	if strings.Contains(err.Error(), "da2-") {
		t.Errorf("it has a key: %v", err)
	}
}

func TestErrorsOfTheSourceArePassedOn(t *testing.T) {
	t.Parallel()
	from := firstGeneration()
	delete(from, "arn:auth")
	if _, err := Read(t.Context(), from, "shop"); !errors.Is(err, ErrNoStack) {
		t.Errorf("without a nested stack it is %v", err)
	}
}

func TestAFailedUpdateIsNoted(t *testing.T) {
	t.Parallel()
	from := one(templateOf(t, backend))
	shop := from["shop"]
	shop.stack.Status = "UPDATE_ROLLBACK_FAILED"
	from["shop"] = shop
	if notes := mustRead(t, from).Notes; !strings.Contains(notes[0], "UPDATE_ROLLBACK_FAILED") {
		t.Errorf("the notes are %q", notes)
	}
}

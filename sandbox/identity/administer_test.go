package identity_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gatewright/sandbox/http1"
)

// administer sends a signed operation over HTTP, as the AWS SDK in a function does.
func (s *testService) administer(operation string, in map[string]any) (status int, out map[string]any) {
	s.t.Helper()
	in["UserPoolId"] = dev.UserPoolID
	text, err := json.Marshal(in)
	if err != nil {
		s.t.Fatal(err)
	}
	head := &http1.Head{Method: http.MethodPost, Fields: []http1.Field{
		{Name: "X-Amz-Target", Value: "AWSCognitoIdentityProviderService." + operation},
		{Name: "Content-Type", Value: "application/x-amz-json-1.1"},
		{Name: "Authorization", Value: "AWS4-HMAC-SHA256 Credential=x"},
	}}
	status, header, body := s.Root().Answer(context.Background(), head, text)
	if !slices.Contains(header, http1.Field{Name: "Content-Type", Value: "application/x-amz-json-1.1"}) {
		s.t.Errorf("%s has the headers %v", operation, header)
	}
	if err := json.Unmarshal(body, &out); err != nil {
		s.t.Fatal(operation, err)
	}
	return status, out
}

// These are the calls, and the members of the answers, that the Amplify CLI's function for
// administrators uses (https://docs.amplify.aws/gen1/javascript/build-a-backend/auth/admin-actions/).
func TestAnAdministratorsFunctionIsAnswered(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, name := range []string{"ada", "emma"} {
		if _, err := s.ask("SignUp", map[string]any{"Username": name, "Password": password, "UserAttributes": []any{}}); err != nil {
			t.Fatal(err)
		}
	}
	do := func(operation string, in map[string]any) map[string]any {
		t.Helper()
		status, out := s.administer(operation, in)
		if status != http.StatusOK {
			t.Errorf("%s %v is answered %d %v", operation, in, status, out)
		}
		return out
	}
	names := func(list any, member string) string {
		all := []string{}
		items, isList := list.([]any)
		for _, item := range items {
			object, _ := item.(map[string]any)
			name, _ := object[member].(string)
			all = append(all, name)
		}
		if !isList {
			return "no list"
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	ada := map[string]any{"Username": "ada"}
	do("AdminConfirmSignUp", ada)
	do("AdminAddUserToGroup", map[string]any{"Username": "ada", "GroupName": "Admins"})
	if out := do("AdminListGroupsForUser", map[string]any{"Username": "ada", "Limit": 25}); names(out["Groups"], "GroupName") != "Admins" {
		t.Errorf("the groups of ada are %v", out)
	}
	if out := do("ListUsersInGroup", map[string]any{"GroupName": "Admins", "Limit": 25}); names(out["Users"], "Username") != "ada" {
		t.Errorf("the members are %v", out)
	}
	if out := do("ListGroups", map[string]any{"Limit": 25}); names(out["Groups"], "GroupName") != "Admins Editors" {
		t.Errorf("the groups are %v", out)
	}
	do("AdminDisableUser", ada)
	if out := do("AdminGetUser", ada); out["Enabled"] != false || out["UserStatus"] != "CONFIRMED" || names(out["UserAttributes"], "Name") != "sub" {
		t.Errorf("ada is %v", out)
	}
	do("AdminEnableUser", ada)
	do("AdminUserGlobalSignOut", ada)
	do("AdminRemoveUserFromGroup", map[string]any{"Username": "ada", "GroupName": "Admins"})
	if out := do("AdminListGroupsForUser", ada); names(out["Groups"], "GroupName") != "" {
		t.Errorf("the groups of ada are %v", out)
	}
	first := do("ListUsers", map[string]any{"Limit": 1})
	second := do("ListUsers", map[string]any{"Limit": 1, "PaginationToken": first["PaginationToken"]})
	if both := names(first["Users"], "Username") + " " + names(second["Users"], "Username"); both != "ada emma" && both != "emma ada" {
		t.Errorf("the pages are %v and %v", first, second)
	}

	for _, refused := range []struct {
		operation string
		in        map[string]any
		want      string
	}{
		{"AdminGetUser", map[string]any{"Username": "nobody"}, "UserNotFoundException"},
		{"AdminAddUserToGroup", map[string]any{"Username": "ada", "GroupName": "Readers"}, "ResourceNotFoundException"},
		{"AdminConfirmSignUp", ada, "NotAuthorizedException"},
		// A function that passes on a text from the query: https://github.com/aws-amplify/amplify-cli/issues/12735
		{"ListUsers", map[string]any{"Limit": "20"}, "SerializationException"},
	} {
		if status, out := s.administer(refused.operation, refused.in); status != http.StatusBadRequest || out["__type"] != refused.want {
			t.Errorf("%s %v is answered %d %v", refused.operation, refused.in, status, out)
		}
	}
}

package userpool_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
)

func TestAdministratorCreatesAUser(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{PasswordPolicy: &model.PasswordPolicy{
		MinLength: pointer(20), RequireLowercase: pointer(true), RequireUppercase: pointer(true), RequireNumbers: pointer(true), RequireSymbols: pointer(true),
	}})
	out := w.do("AdminCreateUser", object{"Username": "ada", "UserAttributes": list("email=ada@example.com", "email_verified=true"), "DesiredDeliveryMediums": []string{"EMAIL"}})
	user := out["User"].(object)
	values := valuesOf(t, user["Attributes"])
	if user["Username"] != "ada" || user["UserStatus"] != "FORCE_CHANGE_PASSWORD" || user["Enabled"] != true || values["email_verified"] != "true" ||
		user["UserCreateDate"] != float64(start.Unix()) || len(values["sub"]) != 36 {
		t.Errorf("the user is %v", user)
	}
	m := w.message()
	if m.Purpose != "temporary password" || m.To != "ada@example.com" || m.Medium != "EMAIL" || len(m.Code) != 20 {
		t.Errorf("the message is %+v", m)
	}
	if challenge := w.do("InitiateAuth", byPassword("ada", m.Code)); challenge["ChallengeName"] != "NEW_PASSWORD_REQUIRED" {
		t.Errorf("the temporary password leads to %v", challenge)
	}
	w.do("AdminCreateUser", object{"Username": "bob", "MessageAction": "SUPPRESS"})
	if sent := w.messages(); len(sent) != 0 {
		t.Errorf("a suppressed message was sent: %v", sent)
	}
	w.wantRefused("AdminCreateUser", object{"Username": "nobody", "MessageAction": "RESEND"}, "UserNotFoundException", "User does not exist.")
	w.do("AdminSetUserPassword", object{"Username": "bob", "Password": "Correct-horse 7 battery", "Permanent": true})
	w.wantRefused("AdminCreateUser", object{"Username": "bob", "MessageAction": "RESEND"}, "UnsupportedUserStateException", "")
	w.wantRefused("AdminCreateUser", object{"Username": "cleo", "MessageAction": "SHOUT"}, "InvalidParameterException", "")
	w.wantRefused("AdminCreateUser", object{"Username": "cleo", "UserAttributes": list("email_verified=perhaps")}, "InvalidParameterException", "")
	w.wantRefused("AdminCreateUser", object{"Username": "cleo", "UserAttributes": list("sub=1")}, "InvalidParameterException", "")
}

func TestUserNameIsTheSubInAPoolWithoutChosenNames(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{UsernameAttributes: []string{"email"}})
	w.wantRefused("AdminCreateUser", object{"Username": "ada"}, "InvalidParameterException", "Username should be an email.")
	user := w.do("AdminCreateUser", object{"Username": "ada@example.com", "TemporaryPassword": "Temporary 1"})["User"].(object)
	values := valuesOf(t, user["Attributes"])
	if user["Username"] != values["sub"] || values["email"] != "ada@example.com" {
		t.Errorf("the user is %v", user)
	}
	w.do("AdminSetUserPassword", object{"Username": "ada@example.com", "Password": password, "Permanent": true})
	w.signIn("ada@example.com")
}

func TestAnAdministratorSetsPasswords(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addSignedUp("ada")
	w.do("AdminSetUserPassword", object{"Username": "ada", "Password": "Temporary 1"})
	if status, _ := w.adminView("ada"); status != "FORCE_CHANGE_PASSWORD" {
		t.Errorf("the user is %s", status)
	}
	if out := w.do("InitiateAuth", byPassword("ada", "Temporary 1")); out["ChallengeName"] != "NEW_PASSWORD_REQUIRED" {
		t.Errorf("the sign-in leads to %v", out)
	}
	w.do("AdminSetUserPassword", object{"Username": "ada", "Password": password, "Permanent": true})
	for range 6 {
		_, _ = w.try("InitiateAuth", byPassword("ada", "Wrong-horse 7"))
	}
	w.do("AdminSetUserPassword", object{"Username": "ada", "Password": password, "Permanent": true})
	w.signIn("ada") // Setting a password clears the failures.
	w.wantRefused("AdminSetUserPassword", object{"Username": "ada"}, "InvalidParameterException", "")
}

func TestAnAdministratorConfirmsASignUp(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addSignedUp("ada", "email=ada@example.com")
	w.do("AdminConfirmSignUp", object{"Username": "ada"})
	w.wantRefused("AdminConfirmSignUp", object{"Username": "ada"}, "NotAuthorizedException", "User cannot be confirmed. Current status is CONFIRMED")
	if status, values := w.adminView("ada"); status != "CONFIRMED" || values["email_verified"] != "false" {
		t.Errorf("the user is %s with %v", status, values)
	}
	w.signIn("ada")
}

func TestAnAdministratorChangesAttributes(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{CustomAttributes: map[string]model.CustomAttribute{"team": {Type: "string"}}})
	w.addConfirmed("ada", "email=ada@example.com", "name=Ada")
	w.do("AdminUpdateUserAttributes", object{"Username": "ada", "UserAttributes": list("email=lovelace@example.com", "email_verified=TRUE", "custom:team=blue")})
	w.do("AdminDeleteUserAttributes", object{"Username": "ada", "UserAttributeNames": []string{"name"}})
	w.restart()
	if _, values := w.adminView("ada"); values["email"] != "lovelace@example.com" || values["email_verified"] != "true" || values["custom:team"] != "blue" || values["name"] != "" {
		t.Errorf("the user has %v", values)
	}
	w.do("AdminUpdateUserAttributes", object{"Username": "ada", "UserAttributes": list("email=third@example.com")})
	if _, values := w.adminView("ada"); values["email_verified"] != "false" {
		t.Errorf("the user has %v", values)
	}
	w.wantRefused("AdminDeleteUserAttributes", object{"Username": "ada", "UserAttributeNames": []string{"email_verified"}}, "InvalidParameterException", "")
	w.wantRefused("AdminDeleteUserAttributes", object{"Username": "ada", "UserAttributeNames": []string{"sub"}}, "InvalidParameterException", "")
}

func TestUsersAreInTheGroupsOfTheProject(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "Admins", "Editors", "Évil \x1b[31m")
	w.addConfirmed("ada")
	groups := func() []string {
		user, err := w.pools.User(poolID, "ada")
		if err != nil {
			t.Fatal(err)
		}
		return user.Groups
	}
	for _, group := range []string{"Editors", "Admins", "Admins"} {
		w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": group})
	}
	w.wantRefused("AdminAddUserToGroup", object{"Username": "ada", "GroupName": "Owners"}, "ResourceNotFoundException", "Group not found.")
	w.wantRefused("AdminAddUserToGroup", object{"Username": "nobody", "GroupName": "Admins"}, "UserNotFoundException", "User does not exist.")
	w.wantRefused("AdminAddUserToGroup", object{"Username": "ada", "GroupName": "Évil \x1b[31m"}, "InvalidParameterException", "")
	if got := groups(); !reflect.DeepEqual(got, []string{"Admins", "Editors"}) {
		t.Errorf("the groups are %v", got)
	}
	listed := w.do("AdminListGroupsForUser", object{"Username": "ada"})["Groups"].([]any)
	first := listed[0].(object)
	if len(listed) != 2 || first["GroupName"] != "Admins" || first["Precedence"] != 0.0 || first["UserPoolId"] != poolID ||
		first["RoleArn"] != "arn:aws:iam::123456789012:role/"+poolID+"-AdminsGroupRole" {
		t.Errorf("the groups of the user are %v", listed)
	}
	w.changePool(func(p *pool.Pool) { p.Groups = []string{"Editors", "Admins"} })
	if got := groups(); !reflect.DeepEqual(got, []string{"Editors", "Admins"}) {
		t.Errorf("in another order they are %v", got)
	}
	w.changePool(func(p *pool.Pool) { p.Groups = []string{"Admins"} })
	if got := groups(); !reflect.DeepEqual(got, []string{"Admins"}) {
		t.Errorf("without one of them they are %v", got)
	}
	w.do("AdminRemoveUserFromGroup", object{"Username": "ada", "GroupName": "Editors"})
	w.do("AdminRemoveUserFromGroup", object{"Username": "ada", "GroupName": "Admins"})
	w.do("AdminRemoveUserFromGroup", object{"Username": "ada", "GroupName": "Admins"})
	w.wantRefused("AdminRemoveUserFromGroup", object{"Username": "ada", "GroupName": "Owners"}, "ResourceNotFoundException", "Group not found.")
	w.restart()
	if got := groups(); len(got) != 0 {
		t.Errorf("the groups are %v", got)
	}
}

func TestGroupsCannotBeChanged(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "Admins", "Editors", "Readers")
	for _, operation := range []string{"CreateGroup", "UpdateGroup", "DeleteGroup"} {
		_, err := w.try(operation, object{"GroupName": "Owners"})
		wantRefusal(t, operation, err, "InvalidParameterException", "")
		if err == nil || !strings.Contains(err.Error(), "gatewright add group NAME") {
			t.Errorf("%s says %v", operation, err)
		}
	}
	if group := w.do("GetGroup", object{"GroupName": "Editors"})["Group"].(object); group["Precedence"] != 1.0 {
		t.Errorf("the group is %v", group)
	}
	w.wantRefused("GetGroup", object{"GroupName": "Owners"}, "ResourceNotFoundException", "Group not found.")
	var names []string
	next := any(nil)
	for {
		in := object{"Limit": 2}
		if next != nil {
			in["NextToken"] = next
		}
		out := w.do("ListGroups", in)
		for _, each := range out["Groups"].([]any) {
			names = append(names, each.(object)["GroupName"].(string))
		}
		if next = out["NextToken"]; next == nil {
			break
		}
	}
	if fmt.Sprint(names) != "[Admins Editors Readers]" {
		t.Errorf("the groups are %v", names)
	}
	w.wantRefused("ListGroups", object{"NextToken": "!"}, "InvalidParameterException", "Invalid pagination token.")
	w.wantRefused("ListGroups", object{"NextToken": "LTE"}, "InvalidParameterException", "Invalid pagination token.")
}

func TestAdministratorsSeeWhichUsersDoNotExist(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL"), "Admins")
	in := object{"Username": "nobody", "GroupName": "Admins", "Password": password, "UserAttributes": list("name=x"), "UserAttributeNames": []string{"name"}}
	for _, operation := range []string{
		"AdminGetUser", "AdminDeleteUser", "AdminEnableUser", "AdminDisableUser", "AdminSetUserPassword", "AdminResetUserPassword", "AdminConfirmSignUp",
		"AdminUpdateUserAttributes", "AdminDeleteUserAttributes", "AdminUserGlobalSignOut", "AdminSetUserMFAPreference", "AdminAddUserToGroup",
		"AdminRemoveUserFromGroup", "AdminListGroupsForUser",
	} {
		w.wantRefused(operation, in, "UserNotFoundException", "User does not exist.")
		elsewhere := object{"UserPoolId": "eu-west-1_other"}
		for name, value := range in {
			elsewhere[name] = value
		}
		w.wantRefused(operation, elsewhere, "ResourceNotFoundException", "User pool eu-west-1_other does not exist.")
		elsewhere["UserPoolId"] = "x y"
		w.wantRefused(operation, elsewhere, "InvalidParameterException", "")
	}
	_, err := w.pools.User(poolID, "nobody")
	wantRefusal(t, "User", err, "UserNotFoundException", "User does not exist.")
}

func TestARequiredAttributeThatIsMissingMayStayMissing(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "nickname=Countess", "phone_number=+41791234567", "website=x")
	w.changePool(func(p *pool.Pool) {
		p.Definition = &model.Auth{StandardRequiredAttributes: []string{"name", "nickname"}}
	})
	remove := func(name string) object { return object{"Username": "ada", "UserAttributeNames": []string{name}} }
	w.do("AdminDeleteUserAttributes", remove("website"))
	w.wantRefused("AdminDeleteUserAttributes", remove("nickname"), "InvalidParameterException", "")
	w.do("AdminUpdateUserAttributes", object{"Username": "ada", "UserAttributes": list("name=Ada")})
	w.wantRefused("AdminDeleteUserAttributes", remove("name"), "InvalidParameterException", "")
	if _, got := w.adminView("ada"); got["name"] != "Ada" || got["nickname"] != "Countess" || got["website"] != "" {
		t.Errorf("the user has %v", got)
	}
}

func TestAGroupThatAUserIsAddedToTwiceIsLeftAtOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "Admins", "Editors")
	w.addConfirmed("ada")
	for _, group := range []string{"Admins", "Editors", "Admins"} {
		w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": group})
	}
	w.do("AdminRemoveUserFromGroup", object{"Username": "ada", "GroupName": "Admins"})
	user, err := w.pools.User(poolID, "ada")
	if err != nil || !reflect.DeepEqual(user.Groups, []string{"Editors"}) {
		t.Errorf("the groups are %v, %v", user.Groups, err)
	}
}

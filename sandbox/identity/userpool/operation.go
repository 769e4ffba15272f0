package userpool

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/wire"
)

// operations are the operations that the sandbox serves.
var operations = map[string]operation{
	"SignUp": public(inPool((*Pools).signUp)), "ConfirmSignUp": public(inPool((*Pools).confirmSignUp)),
	"ResendConfirmationCode":    public(inPool((*Pools).resendConfirmationCode)),
	"ForgotPassword":            public(inPool((*Pools).forgotPassword)),
	"ConfirmForgotPassword":     public(inPool((*Pools).confirmForgotPassword)),
	"InitiateAuth":              public(inPool((*Pools).initiateAuth)),
	"RespondToAuthChallenge":    public(inPool((*Pools).respond)),
	"GetTokensFromRefreshToken": public(inPool((*Pools).getTokensFromRefreshToken)),
	"RevokeToken":               public(inPool((*Pools).revokeToken)),

	"GetUser": public((*Pools).getUser), "DeleteUser": public((*Pools).deleteUser),
	"GlobalSignOut":                    public((*Pools).globalSignOut),
	"UpdateUserAttributes":             public((*Pools).updateUserAttributes),
	"DeleteUserAttributes":             public((*Pools).deleteUserAttributes),
	"GetUserAttributeVerificationCode": public((*Pools).getUserAttributeVerificationCode),
	"VerifyUserAttribute":              public((*Pools).verifyUserAttribute),
	"ChangePassword":                   public((*Pools).changePassword),
	"GetUserAuthFactors":               public((*Pools).getUserAuthFactors),
	"AssociateSoftwareToken":           public((*Pools).associateSoftwareToken),
	"VerifySoftwareToken":              public((*Pools).verifySoftwareToken),
	"SetUserMFAPreference":             public((*Pools).setUserMFAPreference),

	"ConfirmDevice": public((*Pools).unknownDevice), "ForgetDevice": public((*Pools).unknownDevice),
	"GetDevice":          public((*Pools).unknownDevice),
	"UpdateDeviceStatus": public((*Pools).unknownDevice), "ListDevices": public((*Pools).listDevices),

	"AdminCreateUser": signed(inPool((*Pools).adminCreateUser)), "AdminGetUser": signed(inPool((*Pools).adminGetUser)),
	"AdminDeleteUser":             signed((*Pools).adminDeleteUser),
	"AdminSetUserPassword":        signed(inPool((*Pools).adminSetUserPassword)),
	"AdminResetUserPassword":      signed(inPool((*Pools).adminResetUserPassword)),
	"AdminConfirmSignUp":          signed(inPool((*Pools).adminConfirmSignUp)),
	"AdminEnableUser":             signed((*Pools).adminEnableUser),
	"AdminDisableUser":            signed((*Pools).adminDisableUser),
	"AdminUpdateUserAttributes":   signed((*Pools).adminUpdateUserAttributes),
	"AdminDeleteUserAttributes":   signed((*Pools).adminDeleteUserAttributes),
	"AdminUserGlobalSignOut":      signed((*Pools).adminUserGlobalSignOut),
	"AdminSetUserMFAPreference":   signed((*Pools).adminSetUserMFAPreference),
	"AdminInitiateAuth":           signed(inPool((*Pools).adminInitiateAuth)),
	"AdminRespondToAuthChallenge": signed(inPool((*Pools).adminRespondToAuthChallenge)),
	"AdminAddUserToGroup":         signed((*Pools).adminAddUserToGroup),
	"AdminRemoveUserFromGroup":    signed((*Pools).adminRemoveUserFromGroup),
	"AdminListGroupsForUser":      signed(inPool((*Pools).adminListGroupsForUser)),

	"ListUsers": signed(inPool((*Pools).listUsers)), "ListUsersInGroup": signed(inPool((*Pools).listUsersInGroup)),
	"ListGroups": signed(inPool((*Pools).listGroups)), "GetGroup": signed(inPool((*Pools).getGroup)),
	"CreateGroup": signed(inPool((*Pools).refuseGroupChange)), "UpdateGroup": signed(inPool((*Pools).refuseGroupChange)),
	"DeleteGroup":            signed(inPool((*Pools).refuseGroupChange)),
	"DescribeUserPool":       signed(inPool((*Pools).describeUserPool)),
	"DescribeUserPoolClient": signed(inPool((*Pools).describeUserPoolClient)),
	"ListUserPools":          signed((*Pools).listUserPools),
	"ListUserPoolClients":    signed(inPool((*Pools).listUserPoolClients)),
}

// unservedPublic are the other operations of the cloud's API of 2016-04-18 that need no signature there.
var unservedPublic = []string{
	"CompleteWebAuthnRegistration", "DeleteWebAuthnCredential", "ListWebAuthnCredentials", "SetUserSettings",
	"StartWebAuthnRegistration", "UpdateAuthEventFeedback",
}

// IsPublic reports whether the cloud serves an operation without a signature of the AWS
// account.
func IsPublic(operation string) bool {
	return operations[operation].public || slices.Contains(unservedPublic, operation)
}

// Do runs an operation; input and output are JSON. The error is a *wire.Error if the pool
// refuses. Any other error is about the file or the keys.
func (p *Pools) Do(ctx context.Context, operation string, input []byte) (output []byte, err error) {
	served, found := operations[operation]
	switch {
	case found:
	case wire.IsOperation(operation):
		return nil, wire.Refuse("UnsupportedOperationException",
			"The sandbox does not serve %s: the project defines its user pool", operation)
	default:
		return nil, wire.Refuse("UnknownOperationException", "User pools have no such operation")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := served.run(p, input)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

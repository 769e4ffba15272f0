package userpool

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/wire"
)

// operations are the operations that the sandbox serves.
var operations = map[string]operation{
	"SignUp": public((*Pools).signUp), "ConfirmSignUp": public((*Pools).confirmSignUp),
	"ResendConfirmationCode":    public((*Pools).resendConfirmationCode),
	"ForgotPassword":            public((*Pools).forgotPassword),
	"ConfirmForgotPassword":     public((*Pools).confirmForgotPassword),
	"InitiateAuth":              public((*Pools).initiateAuth),
	"RespondToAuthChallenge":    public((*Pools).respondToAuthChallenge),
	"GetTokensFromRefreshToken": public((*Pools).getTokensFromRefreshToken), "RevokeToken": public((*Pools).revokeToken),

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

	"AdminCreateUser": signed((*Pools).adminCreateUser), "AdminGetUser": signed((*Pools).adminGetUser),
	"AdminDeleteUser":        signed((*Pools).adminDeleteUser),
	"AdminSetUserPassword":   signed((*Pools).adminSetUserPassword),
	"AdminResetUserPassword": signed((*Pools).adminResetUserPassword),
	"AdminConfirmSignUp":     signed((*Pools).adminConfirmSignUp), "AdminEnableUser": signed((*Pools).adminEnableUser),
	"AdminDisableUser":            signed((*Pools).adminDisableUser),
	"AdminUpdateUserAttributes":   signed((*Pools).adminUpdateUserAttributes),
	"AdminDeleteUserAttributes":   signed((*Pools).adminDeleteUserAttributes),
	"AdminUserGlobalSignOut":      signed((*Pools).adminUserGlobalSignOut),
	"AdminSetUserMFAPreference":   signed((*Pools).adminSetUserMFAPreference),
	"AdminInitiateAuth":           signed((*Pools).adminInitiateAuth),
	"AdminRespondToAuthChallenge": signed((*Pools).adminRespondToAuthChallenge),
	"AdminAddUserToGroup":         signed((*Pools).adminAddUserToGroup),
	"AdminRemoveUserFromGroup":    signed((*Pools).adminRemoveUserFromGroup),
	"AdminListGroupsForUser":      signed((*Pools).adminListGroupsForUser),

	"ListUsers": signed((*Pools).listUsers), "ListUsersInGroup": signed((*Pools).listUsersInGroup),
	"ListGroups": signed((*Pools).listGroups), "GetGroup": signed((*Pools).getGroup),
	"CreateGroup": signed((*Pools).refuseGroupChange), "UpdateGroup": signed((*Pools).refuseGroupChange),
	"DeleteGroup":            signed((*Pools).refuseGroupChange),
	"DescribeUserPool":       signed((*Pools).describeUserPool),
	"DescribeUserPoolClient": signed((*Pools).describeUserPoolClient),
	"ListUserPools":          signed((*Pools).listUserPools), "ListUserPoolClients": signed((*Pools).listUserPoolClients),
}

// The other operations of the cloud's API of 2016-04-18. The first list needs no signature
// there.
var (
	unservedPublic = []string{
		"CompleteWebAuthnRegistration", "DeleteWebAuthnCredential", "ListWebAuthnCredentials", "SetUserSettings",
		"StartWebAuthnRegistration", "UpdateAuthEventFeedback",
	}
	unservedSigned = []string{
		"AddCustomAttributes", "AddUserPoolClientSecret", "AdminDisableProviderForUser", "AdminForgetDevice",
		"AdminGetDevice", "AdminLinkProviderForUser",
		"AdminListDevices", "AdminListUserAuthEvents", "AdminSetUserSettings", "AdminUpdateAuthEventFeedback",
		"AdminUpdateDeviceStatus", "CreateIdentityProvider",
		"CreateManagedLoginBranding", "CreateResourceServer", "CreateTerms", "CreateUserImportJob", "CreateUserPool",
		"CreateUserPoolClient", "CreateUserPoolDomain",
		"DeleteIdentityProvider", "DeleteManagedLoginBranding", "DeleteResourceServer", "DeleteTerms", "DeleteUserPool",
		"DeleteUserPoolClient",
		"DeleteUserPoolClientSecret", "DeleteUserPoolDomain", "DescribeIdentityProvider", "DescribeManagedLoginBranding",
		"DescribeManagedLoginBrandingByClient",
		"DescribeResourceServer", "DescribeRiskConfiguration", "DescribeTerms", "DescribeUserImportJob",
		"DescribeUserPoolDomain", "GetCSVHeader",
		"GetIdentityProviderByIdentifier", "GetLogDeliveryConfiguration", "GetSigningCertificate", "GetUICustomization",
		"GetUserPoolMfaConfig",
		"ListIdentityProviders", "ListResourceServers", "ListTagsForResource", "ListTerms", "ListUserImportJobs",
		"ListUserPoolClientSecrets",
		"SetLogDeliveryConfiguration", "SetRiskConfiguration", "SetUICustomization", "SetUserPoolMfaConfig",
		"StartUserImportJob", "StopUserImportJob", "TagResource",
		"UntagResource", "UpdateIdentityProvider", "UpdateManagedLoginBranding", "UpdateResourceServer", "UpdateTerms",
		"UpdateUserPool", "UpdateUserPoolClient",
		"UpdateUserPoolDomain",
	}
)

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
	case slices.Contains(unservedPublic, operation), slices.Contains(unservedSigned, operation):
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

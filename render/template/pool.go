package template

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// The logical ids of what an environment has once.
const (
	userPoolID     = "UserPool"
	clientID       = "UserPoolClient"
	nativeClientID = "UserPoolNativeClient"
	domainID       = "UserPoolDomain"
	identityPoolID = "IdentityPool"
	attachmentID   = "IdentityPoolRoles"
	messageRoleID  = "MessageRole"
)

// countPool counts what a user pool needs.
func (p *plan) countPool() int {
	// The pool, the identity pool, the roles' attachment, the role of signed-in users.
	n := 4 + len(p.clients())
	if p.b.Auth.GuestsEnabled() {
		n++
	}
	const groupAndRole = 2
	n += groupAndRole*len(p.groups) + len(p.triggerFunctions())
	if p.sendsSMS() {
		n++
	}
	if auth := p.b.Auth; auth != nil && auth.OAuth != nil {
		n += 1 + len(auth.OAuth.IdentityProviders)
	}
	return n
}

// auth returns the definition of the user pool, which may be empty.
func (p *plan) auth() model.Auth {
	if p.b.Auth == nil {
		return model.Auth{}
	}
	return *p.b.Auth
}

// userPool makes the user pool, its groups, its client, and the identity pool with its roles.
func (r *renderer) userPool() {
	if r.sendsSMS() {
		r.messageRole()
	}
	r.root.add(resource{
		id: userPoolID, kind: "AWS::Cognito::UserPool", of: model.Ref{Kind: model.KindAuth}, is: "the user pool",
		kept:       r.env.Guarded || r.auth().Deletion != model.Delete,
		properties: r.poolProperties(),
	})
	if r.b.Auth != nil && r.b.Auth.OAuth != nil {
		r.hostedSignIn(r.b.Auth.OAuth)
	}
	r.triggerPermissions()
	for _, id := range r.clients() {
		r.client(id)
	}
	for i, g := range r.groups {
		// Precedence follows the order, so that a member's role is that of the first group.
		r.root.add(resource{
			id: logicalID("Group", g), kind: "AWS::Cognito::UserPoolGroup", of: model.Ref{Kind: model.KindGroup, Name: g},
			is: "the group " + phrase.Quote(g),
			properties: cfn.MapNode().
				WithText("GroupName", g).With("UserPoolId", cfn.Ref(userPoolID)).WithNumber("Precedence", i).
				With("RoleArn", cfn.GetAtt(roleID(access.Principal{Kind: access.Group, Group: g}), "Arn")),
		})
	}
	r.identityPool()
	r.callerRoles()
}

// poolProperties are the properties of the user pool, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpool.html
func (r *renderer) poolProperties() *cfn.Node {
	auth := r.auth()
	policy := model.PasswordPolicy{}.Whole()
	if auth.PasswordPolicy != nil {
		policy = auth.PasswordPolicy.Whole()
	}
	properties := cfn.MapNode().
		WithText("UserPoolName", r.suffixed(r.projectName())).
		With("UsernameConfiguration", cfn.MapNode().WithBool("CaseSensitive", false))
	// An address is the only name, unless users also choose one.
	addresses := r.addresses()
	if len(addresses) > 0 && slices.Contains(auth.UsernameAttributes, "username") {
		properties.WithTexts("AliasAttributes", addresses...)
	} else if len(addresses) > 0 {
		properties.WithTexts("UsernameAttributes", addresses...)
	}
	properties.
		WithTexts("AutoVerifiedAttributes", r.verified()...).
		With("AccountRecoverySetting", recovery(r.verified())).
		With("Schema", schemaOf(auth)).
		With("Policies", cfn.MapNode().With("PasswordPolicy", cfn.MapNode().
			WithNumber("MinimumLength", *policy.MinLength).
			WithBool("RequireNumbers", *policy.RequireNumbers).
			WithBool("RequireLowercase", *policy.RequireLowercase).
			WithBool("RequireUppercase", *policy.RequireUppercase).
			WithBool("RequireSymbols", *policy.RequireSymbols)))
	mfa, methods := r.mfa()
	properties.WithText("MfaConfiguration", mfa)
	if len(methods) > 0 {
		properties.WithTexts("EnabledMfas", methods...)
	}
	if r.sendsSMS() {
		properties.With("SmsConfiguration", cfn.MapNode().
			With("SnsCallerArn", cfn.GetAtt(messageRoleID, "Arn")).
			WithText("ExternalId", r.suffixed(r.projectName())))
	}
	withMessages(properties, auth.Messages)
	return properties.With("LambdaConfig", r.lambdaConfig()).With("UserPoolTags", cfn.MapNode().
		WithText("gatewright:application", r.application()).WithText("gatewright:environment", r.env.Name))
}

// withMessages adds the texts of messages to a pool.
func withMessages(pool *cfn.Node, texts map[string]string) {
	codes, invitation := cfn.MapNode(), cfn.MapNode()
	below := map[string]*cfn.Node{"": pool, "VerificationMessageTemplate": codes, "InviteMessageTemplate": invitation}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if text := model.MessageTexts[name]; texts[name] != "" {
			below[text.Above].WithText(text.Property, texts[name])
		}
	}
	if len(codes.Members) > 0 {
		pool.With("VerificationMessageTemplate", codes.WithText("DefaultEmailOption", "CONFIRM_WITH_CODE"))
	}
	if len(invitation.Members) > 0 {
		pool.With("AdminCreateUserConfig", cfn.MapNode().
			WithBool("AllowAdminCreateUserOnly", false).With("InviteMessageTemplate", invitation))
	}
}

// addresses are the attributes that users sign in with.
func (p *plan) addresses() []string {
	var addresses []string
	for _, a := range []string{"email", "phone_number"} {
		if slices.Contains(p.auth().UsernameAttributes, a) {
			addresses = append(addresses, a)
		}
	}
	return addresses
}

// verified are the addresses that the pool verifies with codes.
func (p *plan) verified() []string {
	if types := p.auth().UserVerificationTypes; len(types) > 0 {
		return types
	}
	return []string{"email"}
}

// recovery says where the code for a forgotten password goes: to a phone first, as in the sandbox.
func recovery(verified []string) *cfn.Node {
	mechanisms := cfn.ListNode()
	for _, a := range []string{"phone_number", "email"} {
		if slices.Contains(verified, a) {
			mechanisms.Items = append(mechanisms.Items, cfn.MapNode().
				WithText("Name", "verified_"+a).WithNumber("Priority", len(mechanisms.Items)+1))
		}
	}
	return cfn.MapNode().With("RecoveryMechanisms", mechanisms)
}

// schemaOf makes the attributes that a sign-up requires, and the custom ones; nil if there are none.
func schemaOf(auth model.Auth) *cfn.Node {
	all := auth.Schema()
	if len(all) == 0 {
		return nil
	}
	// Texts and truths alone: neither can fail.
	text, _ := json.Marshal(all)
	list, _ := cfn.ParseJSON("Schema", text)
	return list
}

// mfa is the rule about second factors. No method means both.
func (p *plan) mfa() (configuration string, methods []string) {
	auth := p.auth()
	switch auth.MFAConfiguration {
	case "OPTIONAL":
		configuration = "OPTIONAL"
	case "REQUIRED":
		configuration = "ON"
	default:
		return "OFF", nil
	}
	for _, m := range []struct{ word, name string }{{"SMS", "SMS_MFA"}, {"TOTP", "SOFTWARE_TOKEN_MFA"}} {
		if len(auth.MFAMethods) == 0 || slices.Contains(auth.MFAMethods, m.word) {
			methods = append(methods, m.name)
		}
	}
	return configuration, methods
}

// sendsSMS reports whether the pool sends messages to phones.
func (p *plan) sendsSMS() bool {
	_, methods := p.mfa()
	return slices.Contains(methods, "SMS_MFA") || slices.Contains(p.verified(), "phone_number")
}

// messageRole makes the role with which the pool sends messages to phones, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-sms-settings.html
func (r *renderer) messageRole() {
	trust := cfn.MapNode().
		WithText("Effect", "Allow").
		With("Principal", cfn.MapNode().WithText("Service", "cognito-idp.amazonaws.com")).
		WithText("Action", "sts:AssumeRole").
		With("Condition", cfn.MapNode().
			With("StringEquals", cfn.MapNode().
				WithText("sts:ExternalId", r.suffixed(r.projectName())).
				With("aws:SourceAccount", cfn.Ref("AWS::AccountId"))))
	r.root.add(resource{
		id: messageRoleID, kind: "AWS::IAM::Role", of: model.Ref{Kind: model.KindAuth},
		is: "the role with which the user pool sends messages to phones",
		properties: cfn.MapNode().
			With("AssumeRolePolicyDocument", policyDocument(trust)).
			With("Policies", cfn.ListNode(cfn.MapNode().
				WithText("PolicyName", "messages").
				With("PolicyDocument", policyDocument(statement("Allow", []string{"sns:Publish"}, cfn.TextNode("*")))))),
	})
}

// clients are the logical ids of the clients: of web apps, and of native apps if they have their own.
func (p *plan) clients() []string {
	if p.b.Auth.HasNativeClient() {
		return []string{clientID, nativeClientID}
	}
	return []string{clientID}
}

// client makes a client, whose ways to sign in are those of the sandbox, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolclient.html
func (r *renderer) client(id string) {
	name, is := r.suffixed(r.projectName()), "the client of the user pool"
	if id == nativeClientID {
		name, is = r.suffixed(r.projectName()+"-native"), is+" for native apps"
	}
	properties := cfn.MapNode().
		With("UserPoolId", cfn.Ref(userPoolID)).
		WithText("ClientName", name).
		WithBool("GenerateSecret", false).
		WithTexts("ExplicitAuthFlows", r.b.Auth.ClientFlows(r.b.TriggerAt(model.DefineAuthChallenge) != "")...).
		WithText("PreventUserExistenceErrors", "ENABLED").
		WithBool("EnableTokenRevocation", true)
	units := cfn.MapNode()
	lifetimes := r.b.Auth.Lifetimes()
	for _, token := range slices.Sorted(maps.Keys(lifetimes)) {
		properties.WithNumber(token+"TokenValidity", lifetimes[token].Count)
		units.WithText(token+"Token", lifetimes[token].Unit)
	}
	if len(lifetimes) > 0 {
		properties.With("TokenValidityUnits", units)
	}
	if auth := r.auth(); auth.OAuth != nil {
		withOAuth(properties, auth.OAuth)
	}
	r.root.add(resource{
		id: id, kind: "AWS::Cognito::UserPoolClient", of: model.Ref{Kind: model.KindAuth}, is: is, properties: properties,
	})
}

// identityPool makes the identity pool, which gives each user the role of the first group, and
// a user without groups the role of signed-in users, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/role-based-access-control.html
func (r *renderer) identityPool() {
	providers, mappings := cfn.ListNode(), cfn.MapNode()
	for i, id := range r.clients() {
		providers.Items = append(providers.Items, cfn.MapNode().
			With("ClientId", cfn.Ref(id)).
			With("ProviderName", cfn.GetAtt(userPoolID, "ProviderName")).
			WithBool("ServerSideTokenCheck", true))
		mappings.With([]string{"UserPool", "Native"}[i], cfn.MapNode().
			With("IdentityProvider", cfn.Sub("${"+userPoolID+".ProviderName}:${"+id+"}")).
			WithText("Type", "Token").
			WithText("AmbiguousRoleResolution", "AuthenticatedRole"))
	}
	r.root.add(resource{
		id: identityPoolID, kind: "AWS::Cognito::IdentityPool", of: model.Ref{Kind: model.KindAuth}, is: "the identity pool",
		kept: r.env.Guarded || r.auth().Deletion != model.Delete,
		properties: cfn.MapNode().
			WithText("IdentityPoolName", r.suffixed(r.projectName())).
			WithBool("AllowUnauthenticatedIdentities", r.b.Auth.GuestsEnabled()).
			With("CognitoIdentityProviders", providers),
	})
	roles := cfn.MapNode().With("authenticated", cfn.GetAtt(roleID(access.Principal{Kind: access.Authenticated}), "Arn"))
	if r.b.Auth.GuestsEnabled() {
		roles.With("unauthenticated", cfn.GetAtt(roleID(access.Principal{Kind: access.Guest}), "Arn"))
	}
	r.root.add(resource{
		id: attachmentID, kind: "AWS::Cognito::IdentityPoolRoleAttachment", of: model.Ref{Kind: model.KindAuth},
		is: "the roles of the identity pool",
		properties: cfn.MapNode().
			With("IdentityPoolId", cfn.Ref(identityPoolID)).
			With("Roles", roles).With("RoleMappings", mappings),
	})
}

// domainPrefix returns the prefix of a hosted domain: the first part of PREFIX.auth.REGION.amazoncognito.com, or a
// text without a dot. It is "" for any other domain.
func domainPrefix(domain, region string) string {
	prefix, rest, dotted := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(domain, "https://"), "/"), ".")
	if dotted && rest != "auth."+region+".amazoncognito.com" && rest != "auth-fips."+region+".amazoncognito.com" {
		return ""
	}
	return prefix
}

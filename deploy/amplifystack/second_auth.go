package amplifystack

import (
	"encoding/json"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// publicMFA translates Cognito's words for the file, as the Amplify tools do it.
var publicMFA = map[string]string{"OFF": "NONE", "ON": "REQUIRED"}

// requirements are the fields of a password policy by the words of an output.
var requirements = map[string]string{
	"REQUIRES_NUMBERS": "require_numbers", "REQUIRES_LOWERCASE": "require_lowercase",
	"REQUIRES_UPPERCASE": "require_uppercase", "REQUIRES_SYMBOLS": "require_symbols",
}

// defaultMinLength is Cognito's.
const defaultMinLength = "8"

// auth reads the outputs of
// https://github.com/aws-amplify/amplify-backend/blob/main/packages/backend-output-schemas/src/auth/v1.ts
func (p part) auth() error {
	auth := make(map[string]any)
	p.take(auth, map[string]string{
		"user_pool_id": "userPoolId", "user_pool_client_id": "webClientId", "identity_pool_id": "identityPoolId",
	})
	if region := p.region("authRegion"); region != "" {
		auth["aws_region"] = region
	}
	p.poolRegion("userPoolId", "_")
	p.poolRegion("identityPoolId", ":")
	for _, list := range []struct{ field, output string }{
		{"mfa_methods", "mfaTypes"},
		{"standard_required_attributes", "signupAttributes"},
		{"username_attributes", "usernameAttributes"},
		{"user_verification_types", "verificationMechanisms"},
	} {
		if p.values[list.output] == "" {
			continue
		}
		items, err := p.list(list.output)
		if err != nil {
			return err
		}
		// The schema has no empty list here: nothing but the username signs in.
		if len(items) > 0 || list.field != "username_attributes" {
			auth[list.field] = items
		}
	}
	if words := p.values["mfaConfiguration"]; words != "" {
		auth["mfa_configuration"] = words
		if public, ok := publicMFA[words]; ok {
			auth["mfa_configuration"] = public
		}
	}
	if guests := p.values["allowUnauthenticatedIdentities"]; guests != "" {
		if guests != "true" && guests != "false" {
			return p.r.malformed("allowUnauthenticatedIdentities", phrase.Quote(guests)+" is not true or false")
		}
		auth["unauthenticated_identities_enabled"] = guests == "true"
	}
	if err := p.passwordPolicy(auth); err != nil {
		return err
	}
	if err := p.oauth(auth); err != nil {
		return err
	}
	p.r.values["auth"] = auth
	return nil
}

// poolRegion takes the region at the start of a pool's id into account: client libraries use
// it, and not the field of the file.
func (p part) poolRegion(output, separator string) {
	if region, _, ok := strings.Cut(p.values[output], separator); ok && model.CheckRegion(region) == nil {
		p.r.regions = append(p.r.regions, namedRegion{output, region})
	}
}

func (p part) passwordPolicy(auth map[string]any) error {
	length := p.values["passwordPolicyMinLength"]
	if length == "" && p.values["passwordPolicyRequirements"] == "" {
		return nil
	}
	policy := map[string]any{"min_length": json.Number(defaultMinLength)}
	for _, field := range requirements {
		policy[field] = false
	}
	if length != "" {
		if strings.Trim(length, "0123456789") != "" || len(length) > 2 {
			return p.r.malformed("passwordPolicyMinLength", phrase.Quote(length)+" is not a whole number below 100")
		}
		policy["min_length"] = json.Number(strings.TrimLeft(length, "0"))
		if strings.TrimLeft(length, "0") == "" {
			policy["min_length"] = json.Number("0")
		}
	}
	if p.values["passwordPolicyRequirements"] != "" {
		words, err := p.list("passwordPolicyRequirements")
		if err != nil {
			return err
		}
		for _, word := range words {
			field, known := requirements[word.(string)]
			if !known {
				p.r.note("left out %s of the output passwordPolicyRequirements: not known to version %s of the file",
					phrase.Quote(word.(string)), model.ClientFileVersion)
				continue
			}
			policy[field] = true
		}
	}
	auth["password_policy"] = policy
	return nil
}

// oauth adds the section of the sign-in page; there is one if there are both lists of addresses to go to afterwards.
func (p part) oauth(auth map[string]any) error {
	in, out := split(p.values["oauthRedirectSignIn"]), split(p.values["oauthRedirectSignOut"])
	if len(in) == 0 || len(out) == 0 {
		return nil
	}
	oauth := map[string]any{
		"identity_providers": []any{}, "scopes": []any{}, "domain": p.values["oauthCognitoDomain"],
		"redirect_sign_in_uri": in, "redirect_sign_out_uri": out,
	}
	p.take(oauth, map[string]string{"response_type": "oauthResponseType"})
	for _, list := range []struct{ field, output string }{
		{"identity_providers", "socialProviders"},
		{"scopes", "oauthScope"},
	} {
		if p.values[list.output] == "" {
			continue
		}
		items, err := p.list(list.output)
		if err != nil {
			return err
		}
		oauth[list.field] = items
	}
	auth["oauth"] = oauth
	return nil
}

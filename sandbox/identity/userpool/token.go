package userpool

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/uuid"
	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool/record"
)

// scope is the scope of access tokens.
const scope = "aws.cognito.signin.user.admin"

// authenticationResult is AuthenticationResultType of the cloud's API.
type authenticationResult struct {
	AccessToken  string `json:"AccessToken"`
	IDToken      string `json:"IdToken"`
	RefreshToken string `json:"RefreshToken,omitempty"`
	ExpiresIn    int    `json:"ExpiresIn"`
	TokenType    string `json:"TokenType"`
}

// Tokens are the result of a sign-in. ExpiresIn is the life of ID and Access in seconds;
// Refresh is valid longer.
type Tokens struct {
	ID, Access, Refresh string
	ExpiresIn           int
}

// Issue gives a user tokens without a password or second factor, for the commands on this machine. It begins
// a session. The errors are UserNotFoundException, UserNotConfirmedException, and NotAuthorizedException for
// a user who is disabled or has to set a password first.
func (p *Pools) Issue(userPoolID, name string) (Tokens, error) {
	cfg, err := p.poolOf(userPoolID)
	if err != nil {
		return Tokens{}, err
	}
	var next outcome
	err = p.update(cfg, func(r record.Records) error {
		u, err := r.MustFind(name)
		switch {
		case err != nil:
			return err
		case u.Disabled:
			return record.ErrDisabled
		case u.Status == record.StatusUnconfirmed:
			return errUnconfirmed
		case u.Status != record.StatusConfirmed:
			return unauthorized("The user has to set a password first: the status is %s", u.Status)
		}
		s, err := r.NewSession(cfg.ClientID, u)
		next = outcome{user: u, session: s, issued: true}
		return err
	})
	if err != nil {
		return Tokens{}, err
	}
	result, err := p.finish(occasion{pool: cfg, client: cfg.ClientID}, next)
	if err != nil {
		return Tokens{}, err
	}
	auth := result.AuthenticationResult
	return Tokens{ID: auth.IDToken, Access: auth.AccessToken, Refresh: auth.RefreshToken, ExpiresIn: auth.ExpiresIn}, nil
}

// What tokens are for, in events.
const (
	tokensForSignIn      = "Authentication"
	tokensForNewPassword = "NewPasswordChallenge"
	tokensForRefresh     = "RefreshTokens"
)

// tokens signs an id token and an access token in a session, with the changes of the trigger.
func (p *Pools) tokens(o occasion, source string, u *record.User, s *record.Session) (*authenticationResult, error) {
	changes, err := p.beforeTokens(o, source, u)
	if err != nil {
		return nil, err
	}
	cfg, now := o.pool, p.now()
	event := uuid.New()
	accessLasts, idLasts, _ := cfg.Definition.Lasting()
	common := func(use string, lasts int) map[string]any {
		claims := map[string]any{
			"sub": u.Sub, "iss": p.options.Issuer(cfg.UserPoolID), "origin_jti": s.Origin, "event_id": event, "token_use": use,
			"auth_time": s.Since.Unix(), "iat": now.Unix(), "exp": now.Unix() + int64(lasts), "jti": uuid.New(),
		}
		if groups := cfg.GroupsOf(u.Groups); len(groups) > 0 {
			claims["cognito:groups"] = groups
		}
		return claims
	}
	access := common("access", accessLasts)
	access["client_id"], access["username"], access["scope"] = s.Client, u.Name, scope
	id := common("id", idLasts)
	id["aud"], id["cognito:username"] = s.Client, u.Name
	addClaims(u, cfg, id)
	changes.groups.apply(access, id)
	if err := errors.Join(changes.id.apply(id), changes.access.apply(access)); err != nil {
		return nil, err
	}

	result := &authenticationResult{ExpiresIn: accessLasts, TokenType: "Bearer"}
	if result.AccessToken, err = p.options.Keys.Sign(cfg.UserPoolID, access); err == nil {
		result.IDToken, err = p.options.Keys.Sign(cfg.UserPoolID, id)
	}
	if errors.Is(err, token.ErrLong) {
		err = invalid("The attributes and groups of this user make a token larger than %d KB: an administrator has "+
			"to remove some", token.Longest>>10).Because(err)
	}
	return result, err
}

// addClaims adds the user's claims to an id token: the attributes with the cloud's types, and the roles of
// the groups, of which the first is preferred. Attributes cannot override the pool's own claims.
func addClaims(u *record.User, cfg pool.Pool, claims map[string]any) {
	for name, value := range u.Attributes {
		if !slices.Contains(standardAttributes, name) && !strings.HasPrefix(name, model.CustomPrefix) {
			continue
		}
		switch name {
		case "sub":
		case "email_verified", "phone_number_verified":
			claims[name] = value == "true"
		case "updated_at":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil {
				claims[name] = n
			}
		case "address":
			claims[name] = map[string]any{"formatted": value}
		default:
			claims[name] = value
		}
	}
	groups := cfg.GroupsOf(u.Groups)
	if len(groups) == 0 {
		return
	}
	roles := groupRoles(cfg, groups)
	claims["cognito:roles"], claims["cognito:preferred_role"] = roles, roles[0]
}

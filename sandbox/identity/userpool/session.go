package userpool

import (
	"strings"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

var (
	errRefresh        = unauthorized("Invalid Refresh Token")
	errRefreshExpired = unauthorized("Refresh Token has expired")
	errRefreshRevoked = unauthorized("Refresh Token has been revoked")
)

// grantSession begins a session for a user who has passed all challenges, and clears the
// failures.
func (p *Pools) grantSession(r record.Records, client string, u *record.User) (outcome, error) {
	if err := r.ClearFailures(record.PasswordFailuresOf(u.Sub)); err != nil {
		return outcome{}, err
	}
	s, err := r.NewSession(client, u)
	return outcome{user: u, session: s}, err
}

type refreshInput struct {
	ClientID       string            `json:"ClientId"`
	RefreshToken   string            `json:"RefreshToken"`
	ClientMetadata map[string]string `json:"ClientMetadata"`
}

func (p *Pools) getTokensFromRefreshToken(cfg pool.Pool, in *refreshInput) (map[string]*authenticationResult, error) {
	result, err := p.refresh(occasion{cfg, in.ClientID, in.ClientMetadata}, in.RefreshToken)
	return map[string]*authenticationResult{"AuthenticationResult": result}, err
}

// refresh issues new tokens in a session. The refresh token stays the same.
func (p *Pools) refresh(o occasion, token string) (*authenticationResult, error) {
	var u *record.User
	var s *record.Session
	err := p.view(o.pool, func(r record.Records) (err error) {
		s, err = r.Refreshed(token)
		switch {
		case err != nil:
			return err
		case s == nil || s.Client != o.client:
			return errRefresh
		case s.Revoked:
			return errRefreshRevoked
		case !r.Now.Before(s.Until):
			return errRefreshExpired
		}
		u, err = r.BySub(s.Sub)
		switch {
		case err != nil:
			return err
		case u == nil:
			return errRefresh
		case u.Disabled:
			return record.ErrDisabled
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.tokens(o, tokensForRefresh, u, s)
}

type revokeInput struct {
	ClientID string `json:"ClientId"`
	Token    string `json:"Token"`
}

// revokeToken ends the session of a refresh token. It ignores an unknown one (RFC 7009, 2.2).
func (p *Pools) revokeToken(cfg pool.Pool, in *revokeInput) (*emptyOutput, error) {
	if strings.Count(in.Token, ".") == 2 {
		return nil, wire.Refuse("UnsupportedTokenTypeException", "Only refresh tokens can be revoked.")
	}
	return &emptyOutput{}, p.update(cfg, func(r record.Records) error {
		s, err := r.Refreshed(in.Token)
		switch {
		case err != nil || s == nil || s.Revoked:
			return err
		case s.Client != in.ClientID:
			return wire.Refuse("UnauthorizedException", "The token belongs to another client.")
		}
		s.Revoked = true
		return r.Write(record.SessionsBucket, s.Origin, s)
	})
}

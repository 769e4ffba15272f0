package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/identity"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/state"
)

// HeldUsers are the users of one environment, of a running sandbox or of a state folder,
// until Close.
type HeldUsers struct {
	pool   pool.Pool
	client *Client
	// pools and owner are nil if a sandbox runs.
	pools *identity.Service
	owner *state.Owner
}

// OpenUsers opens the users of an environment's pool. If no sandbox runs, the
// HeldUsers own the state folder until Close, the issuer in tokens begins with address, and
// deliver, which may be nil, is called for each code. A running sandbox shows codes itself.
func OpenUsers(
	ctx context.Context, folder string, p pool.Pool, address string, deliver func(userpool.Message),
) (*HeldUsers, error) {
	client, err := Connect(folder)
	if err == nil {
		h := &HeldUsers{pool: p, client: client}
		return h, h.checkServed(ctx)
	}
	if !errors.Is(err, ErrNotRunning) {
		return nil, err
	}
	owner, err := state.Own(folder)
	if err != nil {
		return nil, err
	}
	pools, err := openPools(folder, address, deliver, nil, nil, nil)
	if err != nil {
		return nil, errors.Join(err, owner.Release())
	}
	pools.Apply([]pool.Pool{p})
	return &HeldUsers{pool: p, pools: pools, owner: owner}, nil
}

// checkServed makes sure that the running sandbox serves the pool.
func (h *HeldUsers) checkServed(ctx context.Context) error {
	status, err := h.client.Status(ctx)
	if err != nil {
		return err
	}
	for _, s := range status.Pools {
		if s.Environment == h.pool.Environment {
			h.pool.UserPoolID, h.pool.ClientID, h.pool.IdentityPoolID = s.UserPoolID, s.ClientID, s.IdentityPoolID
			return nil
		}
	}
	return fmt.Errorf("the sandbox at %s serves no user pool of environment %s: it serves one environment from the "+
		"project's files, and the others after a push",
		status.Address, phrase.Quote(h.pool.Environment))
}

// Running reports whether a sandbox runs.
func (h *HeldUsers) Running() bool { return h.client != nil }

// Do carries out an operation of the user pool, such as AdminCreateUser, and sets
// UserPoolId in its input. The error is a *wire.Error if the pool refuses.
func (h *HeldUsers) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(input, &fields); err != nil || fields == nil {
		return nil, fmt.Errorf("the input of %s is not a JSON object", operation)
	}
	fields["UserPoolId"], _ = json.Marshal(h.pool.UserPoolID)
	input, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	switch {
	case h.client == nil && h.pools == nil:
		return nil, errors.New("the users are closed")
	case h.client == nil:
		return h.pools.Do(ctx, operation, input)
	}
	var answer usersAnswer
	if err := h.client.ask(ctx, http.MethodPost, usersPath, usersQuestion{operation, input}, &answer); err != nil {
		return nil, err
	}
	return answer.Output, answer.error()
}

// Tokens issues tokens for a user without a password.
func (h *HeldUsers) Tokens(ctx context.Context, name string) (userpool.Tokens, error) {
	if h.client == nil {
		return h.pools.Tokens(h.pool.UserPoolID, name)
	}
	var answer tokensAnswer
	if err := h.client.ask(ctx, http.MethodPost, tokensPath, tokensQuestion{h.pool.UserPoolID, name},
		&answer); err != nil {
		return userpool.Tokens{}, err
	}
	return answer.Tokens, answer.error()
}

// User finds a user by name, alias or sub.
func (h *HeldUsers) User(ctx context.Context, name string) (userpool.User, error) {
	if h.client == nil {
		return h.pools.User(h.pool.UserPoolID, name)
	}
	var answer tokensAnswer
	if err := h.client.ask(ctx, http.MethodPost, userPath, tokensQuestion{h.pool.UserPoolID, name}, &answer); err != nil {
		return userpool.User{}, err
	}
	return answer.User, answer.error()
}

// Roster reads all users, and the groups of the pool as it is served.
func (h *HeldUsers) Roster(ctx context.Context) (userpool.Roster, error) {
	if h.client == nil {
		return h.pools.Roster(h.pool.UserPoolID)
	}
	var answer rosterAnswer
	if err := h.client.ask(ctx, http.MethodPost, rosterPath, tokensQuestion{UserPoolID: h.pool.UserPoolID},
		&answer); err != nil {
		return userpool.Roster{}, err
	}
	return answer.Roster, answer.error()
}

// Close closes the users. A second call does nothing.
func (h *HeldUsers) Close() error {
	if h.pools == nil {
		return nil
	}
	err := errors.Join(h.pools.Close(), h.owner.Release())
	h.pools = nil
	return err
}

// Credentials issues credentials for signing requests to the APIs of an environment.
func (c *Client) Credentials(
	ctx context.Context, environment string, who identitypool.Signer,
) (identitypool.Credentials, error) {
	var answer credentialsAnswer
	if err := c.ask(ctx, http.MethodPost, credentialsPath, credentialsQuestion{environment, who}, &answer); err != nil {
		return identitypool.Credentials{}, err
	}
	return answer.Credentials, answer.error()
}

// Questions and answers of the control interface.
type (
	usersQuestion struct {
		Operation string          `json:"operation"`
		Input     json.RawMessage `json:"input"`
	}
	tokensQuestion struct {
		UserPoolID string `json:"userPoolId"`
		Name       string `json:"name"`
	}
	credentialsQuestion struct {
		Environment string              `json:"environment"`
		Who         identitypool.Signer `json:"who"`
	}
	usersAnswer struct {
		refused
		Output json.RawMessage `json:"output"`
	}
	tokensAnswer struct {
		refused
		Tokens userpool.Tokens `json:"tokens"`
		User   userpool.User   `json:"user"`
	}
	rosterAnswer struct {
		refused
		Roster userpool.Roster `json:"roster"`
	}
	credentialsAnswer struct {
		refused
		Credentials identitypool.Credentials `json:"credentials"`
	}
	// refused is a pool's refusal; Code is "" if the pool did not refuse.
	refused struct {
		Code    string `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
)

func (r refused) error() error {
	if r.Code == "" {
		return nil
	}
	return &wire.Error{Code: r.Code, Message: r.Message}
}

// refusedBy separates the refusal of a pool from other errors.
func refusedBy(err error) (refused, error) {
	var refusal *wire.Error
	if errors.As(err, &refusal) {
		return refused{refusal.Code, refusal.Message}, nil
	}
	return refused{}, err
}

package userpool

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/srp"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

// The sign-in flows (AuthFlowType of the cloud's API).
const (
	flowSRP           = "USER_SRP_AUTH"
	flowPassword      = "USER_PASSWORD_AUTH"
	flowChoice        = "USER_AUTH"
	flowCustom        = "CUSTOM_AUTH"
	flowRefresh       = "REFRESH_TOKEN_AUTH"
	flowRefreshToken  = "REFRESH_TOKEN"
	flowAdminNoSRP    = "ADMIN_NO_SRP_AUTH"
	flowAdminPassword = "ADMIN_USER_PASSWORD_AUTH"
)

var flows = []string{
	flowAdminNoSRP, flowAdminPassword, flowCustom, flowRefresh, flowRefreshToken, flowChoice,
	flowPassword, flowSRP,
}

// firstFactors are the choices of USER_AUTH.
var firstFactors = []string{"PASSWORD_SRP", "PASSWORD"}

var (
	errUnconfirmed = wire.Refuse("UserNotConfirmedException", "User is not confirmed.")
	errMustReset   = wire.Refuse("PasswordResetRequiredException", "Password reset required for the user")
)

type initiateAuthInput struct {
	ClientID       string            `json:"ClientId"`
	AuthFlow       string            `json:"AuthFlow"`
	AuthParameters map[string]string `json:"AuthParameters"`
	ClientMetadata map[string]string `json:"ClientMetadata"`
}

// authOutput is the answer to a step of a sign-in: the next challenge, or tokens.
type authOutput struct {
	ChallengeName        string                `json:"ChallengeName,omitempty"`
	Session              string                `json:"Session,omitempty"`
	ChallengeParameters  map[string]string     `json:"ChallengeParameters"`
	AvailableChallenges  []string              `json:"AvailableChallenges,omitempty"`
	AuthenticationResult *authenticationResult `json:"AuthenticationResult,omitempty"`
}

func (p *Pools) initiateAuth(cfg pool.Pool, in *initiateAuthInput) (*authOutput, error) {
	switch in.AuthFlow {
	case flowAdminNoSRP, flowAdminPassword:
		return nil, invalid("Initiate Auth method not supported.")
	}
	return p.signIn(cfg, in)
}

// checkFlow refuses a way to sign in that the client does not allow, in the words of the cloud, see
// https://github.com/floci-io/floci/pull/3974
func checkFlow(cfg pool.Pool, flow string) error {
	allow := "ALLOW_" + strings.Replace(flow, flowAdminNoSRP, flowAdminPassword, 1)
	refused := invalid("%s is not enabled for the client.", flow)
	switch flow {
	case flowRefresh, flowRefreshToken:
		return nil
	case flowPassword:
		refused = invalid("%s flow not enabled for this client", flow)
	case flowAdminPassword, flowAdminNoSRP:
		refused = invalid("Auth flow not enabled for this client")
	}
	allowed := cfg.Flows()
	if slices.Contains(allowed, allow) {
		return nil
	}
	var words []string
	for word, name := range model.AuthFlows {
		if name == allow || slices.Contains(allowed, name) {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return refused.Because(hint(cfg, "auth_flows", flow, "--auth-flows "+strings.Join(words, ",")))
}

// hint says which flags of update auth let a field have what is lacking.
func hint(cfg pool.Pool, field, lacking, flags string) wire.Hint {
	return wire.Hint(field + " in the definition of auth does not have " + phrase.Quote(lacking) + ": " +
		cfg.Command("gatewright update auth "+flags, overriding))
}

type adminInitiateAuthInput struct {
	poolInput
	initiateAuthInput
}

func (p *Pools) adminInitiateAuth(cfg pool.Pool, in *adminInitiateAuthInput) (*authOutput, error) {
	if in.AuthFlow == flowPassword {
		return nil, invalid("Initiate Auth method not supported.")
	}
	return p.signIn(cfg, &in.initiateAuthInput)
}

func (p *Pools) signIn(cfg pool.Pool, in *initiateAuthInput) (*authOutput, error) {
	if err := checkFlow(cfg, in.AuthFlow); err != nil {
		return nil, err
	}
	o, params := occasion{cfg, in.ClientID, in.ClientMetadata}, in.AuthParameters
	switch in.AuthFlow {
	case flowRefresh, flowRefreshToken:
		if err := needs(params, "REFRESH_TOKEN"); err != nil {
			return nil, err
		}
		result, err := p.refresh(o, params["REFRESH_TOKEN"])
		if err != nil {
			return nil, err
		}
		return &authOutput{AuthenticationResult: result}, nil
	case flowCustom:
		return p.signInCustom(o, params)
	case flowSRP:
		return p.signInBySRP(o, params)
	case flowChoice:
		return p.signInByChoice(o, params)
	}
	return p.signInByPassword(o, params)
}

// needs refuses missing parameters.
func needs(params map[string]string, names ...string) error {
	for _, name := range names {
		if params[name] == "" {
			return invalid("Missing required parameter %s", name)
		}
	}
	return nil
}

func (p *Pools) signInByPassword(o occasion, params map[string]string) (*authOutput, error) {
	if err := needs(params, "USERNAME", "PASSWORD"); err != nil {
		return nil, err
	}
	if err := p.migrate(o, "Authentication", params["USERNAME"], params["PASSWORD"]); err != nil {
		return nil, err
	}
	if err := p.beforeSignIn(o, params["USERNAME"]); err != nil {
		return nil, err
	}
	c, err := p.findClaimant(o.pool, params["USERNAME"])
	if err != nil {
		return nil, err
	}
	// InitiateAuth passes its metadata to the triggers before a sign-in, and to no later one.
	o.metadata = nil
	var next outcome
	err = p.verifyPassword(o.pool, c, params["PASSWORD"], errIncorrect,
		func(r record.Records, u *record.User) (err error) {
			next, err = p.afterPassword(r, attempt{client: o.client}, u)
			return err
		})
	if c.status == record.StatusReset && errors.Is(err, errIncorrect) {
		err = errMustReset
	}
	if err != nil {
		return nil, err
	}
	return p.finish(o, next)
}

// signInBySRP answers with the values from which the client proves that it knows the
// password. As in the cloud, the answer has no session: the secret block is used instead.
func (p *Pools) signInBySRP(o occasion, params map[string]string) (*authOutput, error) {
	if err := needs(params, "USERNAME", "SRP_A"); err != nil {
		return nil, err
	}
	if err := p.beforeSignIn(o, params["USERNAME"]); err != nil {
		return nil, err
	}
	return p.beginSRP(o.pool, attempt{client: o.client, srpA: params["SRP_A"], name: params["USERNAME"]})
}

// beginSRP begins the exchange of an attempt.
func (p *Pools) beginSRP(cfg pool.Pool, a attempt) (*authOutput, error) {
	c, err := p.findClaimant(cfg, a.name)
	if err != nil {
		return nil, err
	}
	if err := p.checkMayTry(cfg, c); err != nil {
		return nil, err
	}
	if c.status == record.StatusReset {
		return nil, errMustReset
	}
	exchange, err := srp.Begin(cfg.Name(), c.name, c.salt, c.verifier, a.srpA)
	if err != nil {
		return nil, invalid("Invalid SRP_A").Because(err)
	}
	block := exchange.SecretBlock()
	err = p.update(cfg, func(r record.Records) error {
		return r.SaveChallenge(block,
			record.Challenge{
				Step: record.StepPassword, Client: a.client, Sub: c.sub, Name: a.name, Exchange: exchange,
				Custom: a.custom, Rounds: a.rounds,
			})
	})
	if err != nil {
		return nil, err
	}
	return &authOutput{ChallengeName: record.StepPassword, ChallengeParameters: map[string]string{
		"SALT": exchange.Salt(), "SRP_B": exchange.ServerB(), "SECRET_BLOCK": block, "USERNAME": c.name,
		"USER_ID_FOR_SRP": c.name,
	}}, nil
}

// signInByChoice lets the client choose how to send the password.
func (p *Pools) signInByChoice(o occasion, params map[string]string) (*authOutput, error) {
	if err := needs(params, "USERNAME"); err != nil {
		return nil, err
	}
	switch params["PREFERRED_CHALLENGE"] {
	case "PASSWORD_SRP":
		return p.signInBySRP(o, params)
	case "PASSWORD":
		return p.signInByPassword(o, params)
	}
	var session string
	err := p.update(o.pool, func(r record.Records) (err error) {
		session, err = r.BeginChallenge(record.Challenge{Step: record.StepFirst, Client: o.client, Name: params["USERNAME"]})
		return err
	})
	if err != nil {
		return nil, err
	}
	return &authOutput{ChallengeName: record.StepFirst, Session: session, AvailableChallenges: firstFactors}, nil
}

// chooseFirst continues after signInByChoice.
func (p *Pools) chooseFirst(o occasion, in *respondInput) (*authOutput, error) {
	if err := needs(in.ChallengeResponses, "USERNAME", "ANSWER"); err != nil {
		return nil, err
	}
	err := p.update(o.pool, func(r record.Records) error {
		c, err := r.FindChallenge(in.Session, record.StepFirst, in.ClientID)
		if err != nil {
			return err
		}
		if record.Fold(c.Name) != record.Fold(in.ChallengeResponses["USERNAME"]) {
			return record.ErrSession
		}
		return r.EndChallenge(in.Session, c)
	})
	if err != nil {
		return nil, err
	}
	params := maps.Clone(in.ChallengeResponses)
	switch in.ChallengeResponses["ANSWER"] {
	case "PASSWORD_SRP":
		return p.signInBySRP(o, params)
	case "PASSWORD":
		return p.signInByPassword(o, params)
	}
	return nil, invalid("Invalid challenge: choose one of %s", strings.Join(firstFactors, ", "))
}

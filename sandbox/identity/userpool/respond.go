package userpool

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

// answerableSteps are the challenges that pools of the sandbox can give.
var answerableSteps = []string{
	record.StepCustom, record.StepFirst, record.StepSetup, record.StepNewPassword,
	record.StepPassword, record.StepSelect, record.StepSMS, record.StepTOTP,
}

type respondInput struct {
	ClientID           string            `json:"ClientId"`
	ChallengeName      string            `json:"ChallengeName"`
	Session            string            `json:"Session"`
	ChallengeResponses map[string]string `json:"ChallengeResponses"`
	ClientMetadata     map[string]string `json:"ClientMetadata"`
}

type adminRespondInput struct {
	poolInput
	respondInput
}

func (p *Pools) adminRespondToAuthChallenge(cfg pool.Pool, in *adminRespondInput) (*authOutput, error) {
	return p.respond(cfg, &in.respondInput)
}

// outcome is the result of a step of a sign-in: a challenge, or a session that gets tokens.
type outcome struct {
	output  authOutput
	message *Message
	user    *record.User
	session *record.Session
	// again is set if a function decides how the sign-in goes on.
	again *attempt
	// source says what the tokens are for, in the words of events; "" is a sign-in. issued
	// says that nobody signed in.
	source string
	issued bool
}

// finish answers with an outcome that is stored.
func (p *Pools) finish(o occasion, next outcome) (*authOutput, error) {
	if next.again != nil {
		return p.goOn(o, *next.again)
	}
	if err := p.send(o, "Authentication", next.message); err != nil {
		return nil, err
	}
	if next.session != nil {
		var err error
		if !next.issued {
			err = p.afterSignIn(o, next.user)
		}
		var result *authenticationResult
		if err == nil {
			result, err = p.tokens(o, cmp.Or(next.source, tokensForSignIn), next.user, next.session)
		}
		if err != nil {
			// Nobody gets the tokens of this session.
			return nil, cmp.Or(p.dropGranted(o.pool, next.session), err)
		}
		result.RefreshToken = next.session.RefreshToken
		next.output.AuthenticationResult = result
	}
	return &next.output, nil
}

func (p *Pools) respond(cfg pool.Pool, in *respondInput) (*authOutput, error) {
	o := occasion{pool: cfg, client: in.ClientID, metadata: in.ClientMetadata}
	switch in.ChallengeName {
	case record.StepFirst:
		return p.chooseFirst(o, in)
	case record.StepCustom:
		return p.answerCustom(o, in)
	}
	answer := map[string]func(record.Records, *respondInput) (outcome, error){
		record.StepPassword: p.answerPassword, record.StepNewPassword: p.answerNewPassword, record.StepSMS: p.answerFactor,
		record.StepTOTP:  p.answerFactor,
		record.StepSetup: p.answerSetup, record.StepSelect: p.answerSelect,
	}[in.ChallengeName]
	if err := needs(in.ChallengeResponses, "USERNAME"); err != nil {
		return nil, err
	}
	var next outcome
	err := p.update(cfg, func(r record.Records) (err error) {
		next, err = answer(r, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p.finish(o, next)
}

// answerPassword checks the SRP proof. Each exchange allows one attempt.
func (p *Pools) answerPassword(r record.Records, in *respondInput) (next outcome, err error) {
	params := in.ChallengeResponses
	if err := needs(params, "PASSWORD_CLAIM_SECRET_BLOCK", "TIMESTAMP", "PASSWORD_CLAIM_SIGNATURE"); err != nil {
		return next, err
	}
	block := params["PASSWORD_CLAIM_SECRET_BLOCK"]
	c, err := r.FindChallenge(block, record.StepPassword, in.ClientID)
	if errors.Is(err, record.ErrSession) {
		err = errIncorrect
	}
	if err != nil {
		return next, err
	}
	if err := r.EndChallenge(block, c); err != nil {
		return next, err
	}
	failures := record.PasswordFailuresOf(c.Sub)
	if c.Sub == "" {
		unknown, err := p.unknownUser(r.Pool, c.Name)
		if err != nil {
			return next, err
		}
		failures = unknown.passwordFailures
	}
	if waits, err := r.MustWait(failures); waits || err != nil {
		return next, cmp.Or[error](err, record.CommittedError{Err: record.ErrAttempts})
	}
	u, err := r.BySub(c.Sub)
	if err != nil {
		return next, err
	}
	proves := c.Exchange.Proves(block, params["TIMESTAMP"], params["PASSWORD_CLAIM_SIGNATURE"])
	// A password that was changed since has another salt.
	if !proves || u == nil || string(u.Salt) != string(c.Exchange.SaltBytes) || !nameMeans(r, params["USERNAME"], u, c) {
		return next,
			cmp.Or[error](r.CountFailure(failures, record.FreePasswordTries), record.CommittedError{Err: errIncorrect})
	}
	next, err = p.afterPassword(r, attemptOf(c), u)
	return next, commitRefusal(err)
}

// commitRefusal marks a refusal as one whose transaction is committed.
func commitRefusal(err error) error {
	if refused := new(wire.Error); errors.As(err, &refused) {
		return record.CommittedError{Err: err}
	}
	return err
}

// nameMeans reports whether the user name in an answer means the user of the sign-in, or is
// the name that the sign-in began with.
func nameMeans(r record.Records, name string, u *record.User, c *record.Challenge) bool {
	if record.Fold(name) == record.Fold(u.Name) || record.Fold(name) == record.Fold(c.Name) {
		return true
	}
	found, err := r.Find(name)
	return err == nil && found != nil && found.Sub == u.Sub
}

// afterPassword continues a sign-in whose password was right.
func (p *Pools) afterPassword(r record.Records, a attempt, u *record.User) (outcome, error) {
	switch {
	case u.Disabled:
		return outcome{}, record.ErrDisabled
	case u.Status == record.StatusReset:
		return outcome{}, errMustReset
	case u.Status == record.StatusUnconfirmed:
		return outcome{}, errUnconfirmed
	case u.Status == record.StatusForced && !r.Now.Before(u.TemporaryUntil):
		return outcome{}, unauthorized("Temporary password has expired and must be reset by an administrator.")
	case u.Status == record.StatusForced:
		return askNewPassword(r, a, u)
	}
	return p.secondFactor(r, a, u)
}

func askNewPassword(r record.Records, a attempt, u *record.User) (next outcome, err error) {
	required := []string{}
	for _, name := range missingAttributes(r.Pool, u.Attributes) {
		required = append(required, "userAttributes."+name)
	}
	names, err := json.Marshal(required)
	if err != nil {
		return next, err
	}
	values, err := json.Marshal(u.Attributes, json.Deterministic(true))
	if err != nil {
		return next, err
	}
	session, err := nextChallenge(r, a, record.StepNewPassword, u)
	next.output = authOutput{
		ChallengeName: record.StepNewPassword, Session: session,
		ChallengeParameters: map[string]string{
			"USER_ID_FOR_SRP": u.Name, "requiredAttributes": string(names), "userAttributes": string(values),
		},
	}
	return next, err
}

// answerNewPassword replaces a temporary password and takes the required attributes that
// the administrator did not set.
func (p *Pools) answerNewPassword(r record.Records, in *respondInput) (next outcome, err error) {
	params := in.ChallengeResponses
	if err := needs(params, "NEW_PASSWORD"); err != nil {
		return next, err
	}
	c, u, err := r.FindUserChallenge(in.Session, record.StepNewPassword, in.ClientID, params["USERNAME"])
	if err != nil {
		return next, err
	}
	var form constraints
	form.text("newPassword", params["NEW_PASSWORD"], passwordRule)
	if err := form.err(); err != nil {
		return next, err
	}
	if err := checkPassword(r.Pool, params["NEW_PASSWORD"]); err != nil {
		return next, err
	}
	var list []attribute
	for key, value := range params {
		if name, found := strings.CutPrefix(key, "userAttributes."); found {
			if before := u.Attributes[name]; before != "" && before != value && slices.Contains(record.AddressAttributes, name) {
				return next, unauthorized("Cannot modify an already provided %s", strings.TrimSuffix(name, "_number"))
			}
			list = append(list, attribute{name, value})
		}
	}
	form.attributes("userAttributes", list)
	if err := form.err(); err != nil {
		return next, err
	}
	values, err := readAttributes(writer{cfg: r.Pool}, list)
	if err == nil {
		err = setAttributes(u, r.Pool, values)
	}
	if err != nil {
		return next, err
	}
	if missing := missingAttributes(r.Pool, u.Attributes); len(missing) > 0 {
		return next, invalid("Invalid attributes given, %s is missing", missing[0])
	}
	u.Status = record.StatusConfirmed
	setPassword(u, r.Pool, params["NEW_PASSWORD"])
	if err := r.EndChallenge(in.Session, c); err != nil {
		return next, err
	}
	if err := r.SaveAndIndex(u); err != nil {
		return next, err
	}
	next, err = p.secondFactor(r, attemptOf(c), u)
	next.source = tokensForNewPassword
	return next, err
}

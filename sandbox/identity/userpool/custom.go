package userpool

import (
	"maps"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

// attempt is a sign-in that has begun.
type attempt struct {
	client string
	// custom says that a function defines the challenges. rounds are those that are over.
	custom bool
	rounds []record.Round
	// srpA is SRP_A of the request.
	srpA string
	// sub is the user's; "" is a name that no user has. name is the name that the client sent.
	sub, name string
}

// attemptOf is the sign-in of an unfinished challenge.
func attemptOf(c *record.Challenge) attempt {
	return attempt{client: c.Client, custom: c.Custom, rounds: c.Rounds, sub: c.Sub, name: c.Name}
}

// after is the attempt after another round.
func (a attempt) after(name string, right bool, metadata *string) attempt {
	a.rounds = append(append([]record.Round{}, a.rounds...), record.Round{Name: name, Right: right, Metadata: metadata})
	return a
}

// passedPassword is the attempt after its password was right.
func (a attempt) passedPassword() attempt {
	if !a.custom {
		return a
	}
	return a.after(record.StepPassword, true, nil)
}

// nextChallenge stores the next challenge of a user whose password was right.
func nextChallenge(r record.Records, a attempt, next string, u *record.User) (session string, err error) {
	return r.BeginChallenge(a.challenge(next, u))
}

// challenge is a challenge of an attempt, for a user whose password was right.
func (a attempt) challenge(step string, u *record.User) record.Challenge {
	return record.Challenge{Step: step, Client: a.client, Sub: u.Sub, Salt: u.Salt, Custom: a.custom, Rounds: a.rounds}
}

// passed ends a challenge that the user has passed: the user is signed in, or a function
// decides what is next.
func (p *Pools) passed(r record.Records, a attempt, name string, u *record.User) (outcome, error) {
	if !a.custom {
		return p.grantSession(r, a.client, u)
	}
	next := a.after(name, true, nil)
	next.sub = u.Sub
	return outcome{again: &next}, nil
}

var errNoCustom = invalid("Custom auth lambda trigger is not configured for the user pool.")

// signInCustom begins a sign-in whose challenges a function defines, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-challenge.html
func (p *Pools) signInCustom(o occasion, params map[string]string) (*authOutput, error) {
	if !hasTrigger(o.pool, model.DefineAuthChallenge) {
		return nil, errNoCustom
	}
	if err := needs(params, "USERNAME"); err != nil {
		return nil, err
	}
	a := attempt{client: o.client, custom: true, name: params["USERNAME"]}
	if first := params["CHALLENGE_NAME"]; first == "SRP_A" {
		if err := needs(params, "SRP_A"); err != nil {
			return nil, err
		}
		a.srpA = params["SRP_A"]
		a = a.after(first, true, nil)
	}
	u, err := p.lookUp(o.pool, a.name)
	if err != nil {
		return nil, err
	}
	if u != nil {
		a.sub = u.Sub
		if err := checkSignsIn(u); err != nil {
			return nil, err
		}
	}
	if err := p.beforeSignIn(o, a.name); err != nil {
		return nil, err
	}
	o.metadata = nil
	return p.goOn(o, a)
}

// checkSignsIn refuses a user who cannot sign in, whatever the challenges are.
func checkSignsIn(u *record.User) error {
	switch {
	case u.Disabled:
		return record.ErrDisabled
	case u.Status == record.StatusReset:
		return errMustReset
	case u.Status == record.StatusUnconfirmed:
		return errUnconfirmed
	}
	return nil
}

// goOn asks the function what is next in a sign-in, and does it.
func (p *Pools) goOn(o occasion, a attempt) (*authOutput, error) {
	if !hasTrigger(o.pool, model.DefineAuthChallenge) {
		return nil, errNoCustom
	}
	u, err := p.userOf(o.pool, a)
	if err != nil {
		return nil, err
	}
	var next struct {
		Challenge string `json:"challengeName"`
		Issue     bool   `json:"issueTokens"`
		Fail      bool   `json:"failAuthentication"`
	}
	m := a.moment(o.pool, model.DefineAuthChallenge, u)
	m.request["session"] = a.sessions()
	m.response = map[string]any{"challengeName": nil, "issueTokens": nil, "failAuthentication": nil}
	if err := p.call(o, m, &next); err != nil {
		return nil, err
	}
	switch {
	case next.Fail, next.Issue && u == nil:
		return nil, errIncorrect
	case next.Issue:
		return p.grantCustom(o, a)
	case next.Challenge == record.StepPassword && a.srpA != "":
		return p.beginSRP(o.pool, a)
	case next.Challenge == record.StepCustom:
		return p.askCustom(o, a, u)
	}
	return nil, errOutput
}

// userOf is the user of an attempt; nil for a name that no user has.
func (p *Pools) userOf(cfg pool.Pool, a attempt) (u *record.User, err error) {
	if a.sub == "" {
		return nil, nil
	}
	err = p.view(cfg, func(r record.Records) (err error) {
		u, err = r.BySub(a.sub)
		switch {
		case err != nil:
			return err
		case u == nil:
			return record.ErrSession
		}
		return checkSignsIn(u)
	})
	return u, err
}

// moment is a call about the challenges of an attempt.
func (a attempt) moment(cfg pool.Pool, at model.Moment, u *record.User) moment {
	m := moment{
		at: at, source: "Authentication", userName: a.name,
		request: map[string]any{"userAttributes": map[string]string{}, "userNotFound": u == nil},
	}
	if u != nil {
		m.userName, m.request["userAttributes"] = u.Name, eventAttributes(u, cfg)
	}
	return m
}

// sessions are the rounds for an event, never null.
func (a attempt) sessions() []record.Round { return append([]record.Round{}, a.rounds...) }

// grantCustom signs in a user for whom the function wants tokens.
func (p *Pools) grantCustom(o occasion, a attempt) (*authOutput, error) {
	var next outcome
	err := p.update(o.pool, func(r record.Records) error {
		u, err := r.BySub(a.sub)
		switch {
		case err != nil:
			return err
		case u == nil:
			return record.ErrSession
		}
		if err := checkSignsIn(u); err != nil {
			return err
		}
		next, err = p.grantSession(r, a.client, u)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p.finish(o, next)
}

// askCustom makes a challenge and asks the client for the answer.
func (p *Pools) askCustom(o occasion, a attempt, u *record.User) (*authOutput, error) {
	if !hasTrigger(o.pool, model.CreateAuthChallenge) {
		return nil, errNoCustom
	}
	var made struct {
		Public   map[string]string `json:"publicChallengeParameters"`
		Private  map[string]string `json:"privateChallengeParameters"`
		Metadata *string           `json:"challengeMetadata"`
	}
	m := a.moment(o.pool, model.CreateAuthChallenge, u)
	m.request["challengeName"], m.request["session"] = record.StepCustom, a.sessions()
	m.response = map[string]any{
		"publicChallengeParameters": nil, "privateChallengeParameters": nil,
		"challengeMetadata": nil,
	}
	if err := p.call(o, m, &made); err != nil {
		return nil, err
	}
	c := record.Challenge{
		Step: record.StepCustom, Client: a.client, Sub: a.sub, Name: a.name, Custom: true,
		Rounds: a.rounds, Private: made.Private, Metadata: made.Metadata,
	}
	if u != nil {
		c.Salt = u.Salt
	}
	var session string
	err := p.update(o.pool, func(r record.Records) (err error) {
		session, err = r.BeginChallenge(c)
		return err
	})
	if err != nil {
		return nil, err
	}
	shown := maps.Clone(made.Public)
	if shown == nil {
		shown = make(map[string]string)
	}
	if shown["USERNAME"] = a.name; u != nil {
		shown["USERNAME"] = u.Name
	}
	return &authOutput{ChallengeName: record.StepCustom, Session: session, ChallengeParameters: shown}, nil
}

// answerCustom has a function check the answer to its challenge, and goes on.
func (p *Pools) answerCustom(o occasion, in *respondInput) (*authOutput, error) {
	params := in.ChallengeResponses
	if err := needs(params, "USERNAME", "ANSWER"); err != nil {
		return nil, err
	}
	if !hasTrigger(o.pool, model.VerifyAuthChallengeResponse) {
		return nil, errNoCustom
	}
	var c *record.Challenge
	var u *record.User
	err := p.view(o.pool, func(r record.Records) (err error) {
		c, u, err = customChallenge(r, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	a := attemptOf(c)
	var checked struct {
		Right bool `json:"answerCorrect"`
	}
	m := a.moment(o.pool, model.VerifyAuthChallengeResponse, u)
	m.request["privateChallengeParameters"], m.request["challengeAnswer"] = c.Private, params["ANSWER"]
	m.response = map[string]any{"answerCorrect": nil}
	if err := p.call(o, m, &checked); err != nil {
		return nil, err
	}
	// Of two answers to one challenge, the first one counts.
	err = p.update(o.pool, func(r record.Records) error {
		again, _, err := customChallenge(r, in)
		if err != nil {
			return err
		}
		return r.EndChallenge(in.Session, again)
	})
	if err != nil {
		return nil, err
	}
	return p.goOn(o, a.after(record.StepCustom, checked.Right, c.Metadata))
}

// customChallenge finds the challenge of an answer, and its user, nil for a name that no
// user has.
func customChallenge(r record.Records, in *respondInput) (*record.Challenge, *record.User, error) {
	c, err := r.FindChallenge(in.Session, record.StepCustom, in.ClientID)
	if err != nil {
		return nil, nil, err
	}
	name := in.ChallengeResponses["USERNAME"]
	if c.Sub == "" {
		if record.Fold(name) != record.Fold(c.Name) {
			return nil, nil, record.ErrSession
		}
		return c, nil, nil
	}
	u, err := r.BySub(c.Sub)
	switch {
	case err != nil:
		return nil, nil, err
	case u == nil || string(u.Salt) != string(c.Salt) || !nameMeans(r, name, u, c):
		return nil, nil, record.ErrSession
	}
	return c, u, checkSignsIn(u)
}

package userpool

import (
	"cmp"
	"crypto/hmac"
	"slices"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/totp"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

var (
	errFactor = wire.Refuse("CodeMismatchException", "Invalid code received for user")
	errReused = wire.Refuse("ExpiredCodeException", "Your software token has already been used once.")
	errNoTOTP = wire.Refuse("SoftwareTokenMFANotFoundException", "Software Token MFA has not been enabled by the userPool")
)

// mfa is a pool's rule about second factors (`mfa_configuration` and `mfa_methods`, where
// no method means both).
type mfa struct{ required, sms, totp bool }

func mfaOf(cfg pool.Pool) mfa {
	if cfg.Definition == nil || cfg.Definition.MFAConfiguration == "" || cfg.Definition.MFAConfiguration == "NONE" {
		return mfa{}
	}
	methods := cfg.Definition.MFAMethods
	return mfa{
		required: cfg.Definition.MFAConfiguration == "REQUIRED",
		sms:      len(methods) == 0 || slices.Contains(methods, "SMS"),
		totp:     len(methods) == 0 || slices.Contains(methods, "TOTP"),
	}
}

// offered are the second factors of which a user has to give one. If the pool requires one,
// that includes factors which the user has but did not enable.
func (m mfa) offered(u *record.User) []string {
	sms := m.sms && u.Attributes["phone_number"] != ""
	authenticator := m.totp && u.MFA.Secret != ""
	if wanted := factorNames(sms && u.MFA.SMS, authenticator && u.MFA.TOTP); len(wanted) > 0 || !m.required {
		return wanted
	}
	return factorNames(sms, authenticator)
}

func factorNames(sms, authenticator bool) []string {
	var list []string
	if sms {
		list = append(list, record.StepSMS)
	}
	if authenticator {
		list = append(list, record.StepTOTP)
	}
	return list
}

// secondFactor asks for a second factor, or signs the user in if none is needed.
func (p *Pools) secondFactor(r record.Records, a attempt, u *record.User) (outcome, error) {
	rule := mfaOf(r.Pool)
	offered := rule.offered(u)
	switch {
	case len(offered) == 0 && rule.required:
		return askSetup(r, a, u, rule)
	case len(offered) == 0:
		return p.passed(r, a, record.StepPassword, u)
	case slices.Contains(offered, u.MFA.Preferred):
		return p.askFactor(r, a.passedPassword(), u, u.MFA.Preferred)
	case len(offered) == 1:
		return p.askFactor(r, a.passedPassword(), u, offered[0])
	}
	session, err := nextChallenge(r, a.passedPassword(), record.StepSelect, u)
	return outcome{output: authOutput{
		ChallengeName: record.StepSelect, Session: session,
		ChallengeParameters: map[string]string{
			"MFAS_CAN_CHOOSE": jsonList(offered), "USER_ID_FOR_SRP": u.Name,
		},
	}}, err
}

// askSetup requires the setup of a second factor. With SMS only, the challenge says so, and
// an administrator has to add the user's phone number.
func askSetup(r record.Records, a attempt, u *record.User, rule mfa) (outcome, error) {
	possible := factorNames(!rule.totp, rule.totp)
	session, err := nextChallenge(r, a.passedPassword(), record.StepSetup, u)
	return outcome{output: authOutput{
		ChallengeName: record.StepSetup, Session: session,
		ChallengeParameters: map[string]string{
			"MFAS_CAN_SETUP": jsonList(possible), "USER_ID_FOR_SRP": u.Name,
		},
	}}, err
}

// jsonList is a list as the value of a challenge parameter: JSON text.
func jsonList(names []string) string {
	text, _ := json.Marshal(names)
	return string(text)
}

func (p *Pools) askFactor(r record.Records, a attempt, u *record.User, factor string) (next outcome, err error) {
	c := a.challenge(factor, u)
	next.output = authOutput{ChallengeName: factor, ChallengeParameters: map[string]string{"USER_ID_FOR_SRP": u.Name}}
	if factor == record.StepSMS {
		next.message = newMessage(r.Pool, u, PurposeSignIn, "phone_number", newCode())
		if c.CodeHash, err = p.hashOfCode(r.Pool, u.Sub, PurposeSignIn, "", next.message.Code); err != nil {
			return next, err
		}
		next.output.ChallengeParameters["CODE_DELIVERY_DELIVERY_MEDIUM"] = mediumSMS
		next.output.ChallengeParameters["CODE_DELIVERY_DESTINATION"] = maskedPhone(next.message.To)
	}
	next.output.Session, err = r.BeginChallenge(c)
	return next, err
}

// answerSelect continues with the chosen factor.
func (p *Pools) answerSelect(r record.Records, in *respondInput) (next outcome, err error) {
	if err := needs(in.ChallengeResponses, "ANSWER"); err != nil {
		return next, err
	}
	c, u, err := r.FindUserChallenge(in.Session, record.StepSelect, in.ClientID, in.ChallengeResponses["USERNAME"])
	if err != nil {
		return next, err
	}
	chosen := in.ChallengeResponses["ANSWER"]
	if !slices.Contains(mfaOf(r.Pool).offered(u), chosen) {
		return next, invalid("Invalid MFA type: choose one of %s", jsonList(mfaOf(r.Pool).offered(u)))
	}
	if err := r.EndChallenge(in.Session, c); err != nil {
		return next, err
	}
	return p.askFactor(r, attemptOf(c), u, chosen)
}

// answerFactor checks the code of a text message or an authenticator app. The session stays
// valid after a wrong one.
func (p *Pools) answerFactor(r record.Records, in *respondInput) (next outcome, err error) {
	parameter := in.ChallengeName + "_CODE"
	if err := needs(in.ChallengeResponses, parameter); err != nil {
		return next, err
	}
	c, u, err := r.FindUserChallenge(in.Session, in.ChallengeName, in.ClientID, in.ChallengeResponses["USERNAME"])
	if err != nil {
		return next, err
	}
	if waits, err := r.MustWait(record.PasswordFailuresOf(u.Sub)); waits || err != nil {
		return next, cmp.Or[error](err, record.ErrAttempts)
	}
	typed := in.ChallengeResponses[parameter]
	if in.ChallengeName == record.StepSMS {
		hash, err := p.hashOfCode(r.Pool, u.Sub, PurposeSignIn, "", typed)
		if err != nil {
			return next, err
		}
		if !hmac.Equal(hash, c.CodeHash) {
			return next, r.WrongFactor(in.Session, c, errFactor)
		}
	} else {
		used, right := totp.Check(u.MFA.Secret, typed, r.Now, u.MFA.Used)
		if !right {
			if _, once := totp.Check(u.MFA.Secret, typed, r.Now, 0); once {
				return next, r.WrongFactor(in.Session, c, errReused)
			}
			return next, r.WrongFactor(in.Session, c, errFactor)
		}
		u.MFA.Used = used
		if err := r.SaveUser(u); err != nil {
			return next, err
		}
	}
	if err := r.EndChallenge(in.Session, c); err != nil {
		return next, err
	}
	return p.passed(r, attemptOf(c), in.ChallengeName, u)
}

// answerSetup signs in a user who has set up an authenticator app in this sign-in.
func (p *Pools) answerSetup(r record.Records, in *respondInput) (next outcome, err error) {
	c, u, err := r.FindUserChallenge(in.Session, record.StepSetup, in.ClientID, in.ChallengeResponses["USERNAME"])
	switch {
	case err != nil:
		return next, err
	case !c.Verified:
		return next, invalid("No MFA has been set up with this session: associate a software token and verify it")
	}
	if err := r.EndChallenge(in.Session, c); err != nil {
		return next, err
	}
	return p.passed(r, attemptOf(c), in.ChallengeName, u)
}

package userpool

import (
	"gatewright/sandbox/identity/totp"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

var errNotEnabled = wire.Refuse("EnableSoftwareTokenMFAException", "Code mismatch and fail enable Software Token MFA")

type associateInput struct {
	AccessToken string `json:"AccessToken" need:"Session"`
	Session     string `json:"Session"`
}

type associateOutput struct {
	SecretCode string `json:"SecretCode"`
	Session    string `json:"Session,omitempty"`
}

// associateSoftwareToken makes a secret for an authenticator app, for a signed-in user or for a sign-in that
// requires MFA setup. The secret is not used before verifySoftwareToken has accepted a code.
func (p *Pools) associateSoftwareToken(in *associateInput) (*associateOutput, error) {
	out := &associateOutput{SecretCode: totp.NewSecret()}
	if in.Session == "" {
		return out, p.updateCaller(in.AccessToken, func(r record.Records, u *record.User) error {
			if !mfaOf(r.Pool).totp {
				return errNoTOTP
			}
			u.MFA.Pending = out.SecretCode
			return r.SaveUser(u)
		})
	}
	err := p.updateSetup(in.Session, func(r record.Records, c *record.Challenge, u *record.User) (err error) {
		c.Secret, c.Verified = out.SecretCode, false
		out.Session, err = r.BeginChallenge(*c)
		return err
	})
	return out, err
}

type verifySoftwareTokenInput struct {
	AccessToken        string `json:"AccessToken" need:"Session"`
	Session            string `json:"Session"`
	UserCode           string `json:"UserCode"`
	FriendlyDeviceName string `json:"FriendlyDeviceName"`
}

type verifySoftwareTokenOutput struct {
	Status  string `json:"Status"`
	Session string `json:"Session,omitempty"`
}

// verifySoftwareToken accepts the first code of an authenticator app. During a sign-in it also makes TOTP the
// preferred factor; a signed-in user does that with SetUserMFAPreference.
func (p *Pools) verifySoftwareToken(in *verifySoftwareTokenInput) (*verifySoftwareTokenOutput, error) {
	out := &verifySoftwareTokenOutput{Status: "SUCCESS"}
	if in.Session == "" {
		return out, p.updateCaller(in.AccessToken, func(r record.Records, u *record.User) error {
			switch {
			case !mfaOf(r.Pool).totp:
				return errNoTOTP
			case u.MFA.Pending == "":
				return invalid("The software token has not been associated: ask for AssociateSoftwareToken first")
			}
			used, right := totp.Check(u.MFA.Pending, in.UserCode, r.Now, 0)
			if !right {
				return errNotEnabled
			}
			u.MFA.Secret, u.MFA.Pending, u.MFA.Used = u.MFA.Pending, "", used
			return r.SaveUser(u)
		})
	}
	err := p.updateSetup(in.Session, func(r record.Records, c *record.Challenge, u *record.User) (err error) {
		used, right := totp.Check(c.Secret, in.UserCode, r.Now, 0)
		if !right {
			return errNotEnabled
		}
		u.MFA.Secret, u.MFA.Pending, u.MFA.Used = c.Secret, "", used
		u.MFA.TOTP, u.MFA.Preferred = true, record.StepTOTP
		if err := r.SaveUser(u); err != nil {
			return err
		}
		c.Secret, c.Verified = "", true
		out.Session, err = r.BeginChallenge(*c)
		return err
	})
	return out, err
}

// updateSetup changes a sign-in that waits for MFA setup, and ends its session: the answer
// has the next one. The request names no pool, so the pool is the one that has the session.
func (p *Pools) updateSetup(
	session string, change func(r record.Records, c *record.Challenge, u *record.User) error,
) error {
	for _, cfg := range p.served.Load().order {
		known := false
		err := p.view(cfg, func(r record.Records) error {
			known = r.Get(record.ChallengesBucket, record.HashSecret(session)) != nil
			return nil
		})
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		return p.update(cfg, func(r record.Records) error {
			c := new(record.Challenge)
			found, err := r.Read(record.ChallengesBucket, record.HashSecret(session), c)
			switch {
			case err != nil:
				return err
			case !found || c.Step != record.StepSetup:
				return record.ErrSession
			case !r.Now.Before(c.Until):
				return record.ErrSessionExpired
			case !mfaOf(cfg).totp:
				return errNoTOTP
			}
			u, err := r.BySub(c.Sub)
			switch {
			case err != nil:
				return err
			case !c.CanContinue(u):
				return record.ErrSession
			case u.Disabled:
				return record.ErrDisabled
			case len(mfaOf(cfg).offered(u)) > 0:
				// A factor that was set up in the meantime must not be replaced with the
				// password alone.
				return record.ErrSession
			}
			if err := change(r, c, u); err != nil {
				return err
			}
			return r.EndChallenge(session, c)
		})
	}
	return record.ErrSession
}

// preference is SMSMfaSettingsType, SoftwareTokenMfaSettingsType and EmailMfaSettingsType
// of the cloud's API.
type preference struct {
	Enabled      bool `json:"Enabled"`
	PreferredMfa bool `json:"PreferredMfa"`
}

type preferences struct {
	SMS   *preference `json:"SMSMfaSettings"`
	TOTP  *preference `json:"SoftwareTokenMfaSettings"`
	Email *preference `json:"EmailMfaSettings"`
}

type setUserMFAPreferenceInput struct {
	AccessToken string `json:"AccessToken"`
	preferences
}

func (p *Pools) setUserMFAPreference(in *setUserMFAPreferenceInput) (*emptyOutput, error) {
	return &emptyOutput{},
		p.updateCaller(in.AccessToken,
			func(r record.Records, u *record.User) error { return setMFAPreference(r, u, in.preferences) })
}

type adminSetUserMFAPreferenceInput struct {
	poolAndUserInput
	preferences
}

func (p *Pools) adminSetUserMFAPreference(in *adminSetUserMFAPreferenceInput) (*emptyOutput, error) {
	return p.administer(&in.poolAndUserInput,
		func(r record.Records, u *record.User) error { return setMFAPreference(r, u, in.preferences) })
}

// setMFAPreference sets which second factors a user wants. Factors that are not named do
// not change.
func setMFAPreference(r record.Records, u *record.User, in preferences) error {
	rule := mfaOf(r.Pool)
	next := u.MFA
	on := func(p *preference) bool { return p != nil && p.Enabled }
	switch {
	case on(in.Email):
		return invalid("User does not have delivery config set to turn on EMAIL_OTP")
	case on(in.SMS) && (!rule.sms || u.Attributes["phone_number"] == ""):
		return invalid("User does not have delivery config set to turn on SMS_MFA")
	case on(in.TOTP) && (!rule.totp || u.MFA.Secret == ""):
		return invalid("User does not have delivery config set to turn on SOFTWARE_TOKEN_MFA")
	case on(in.SMS) && on(in.TOTP) && in.SMS.PreferredMfa && in.TOTP.PreferredMfa:
		return invalid("Only one MFA method can be preferred")
	}
	for _, each := range []struct {
		chosen *preference
		wanted *bool
		factor string
	}{{in.SMS, &next.SMS, record.StepSMS}, {in.TOTP, &next.TOTP, record.StepTOTP}} {
		if each.chosen == nil {
			continue
		}
		*each.wanted = each.chosen.Enabled
		switch {
		case each.chosen.Enabled && each.chosen.PreferredMfa:
			next.Preferred = each.factor
		case next.Preferred == each.factor:
			next.Preferred = ""
		}
	}
	u.MFA = next
	return r.SaveUser(u)
}

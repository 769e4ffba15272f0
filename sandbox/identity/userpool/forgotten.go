package userpool

import (
	"cmp"
	"errors"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

// forgotPassword sends a code. The cloud sends it to verified addresses only, and gives the same answer for
// others. Here the code is made in both cases, for developers who read the messages.
func (p *Pools) forgotPassword(cfg pool.Pool, in *clientAndUserInput) (*deliveryOutput, error) {
	o := occasion{cfg, in.ClientID, in.ClientMetadata}
	if err := p.migrate(o, "ForgotPassword", in.Username, ""); err != nil {
		return nil, err
	}
	var sent *Message
	err := p.update(cfg, func(r record.Records) error {
		u, err := r.Find(in.Username)
		switch {
		case err != nil:
			return err
		case u == nil || u.Disabled:
			return p.sendCodeToUnknown(r, in.Username)
		}
		sent, err = p.sendReset(r, u)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := p.send(o, "ForgotPassword", sent); err != nil {
		return nil, err
	}
	if sent.details() == nil {
		return p.pretendedDelivery(cfg, in.Username)
	}
	return &deliveryOutput{sent.details()}, nil
}

// sendReset makes a code for setting a new password, for the first verified address.
func (p *Pools) sendReset(r record.Records, u *record.User) (*Message, error) {
	if u.Status == record.StatusForced {
		return nil, unauthorized("User password cannot be reset in the current state.")
	}
	attribute := deliveryAttribute(r.Pool, u)
	for _, other := range []string{attribute, "email", "phone_number"} {
		if u.Attributes[other] != "" && u.Attributes[other+"_verified"] == "true" {
			attribute = other
			break
		}
	}
	sent, err := p.sendCode(r, u, PurposeReset, PurposeReset, attribute, codeLife)
	if err != nil {
		return nil, err
	}
	sent.Undeliverable = u.Attributes[attribute+"_verified"] != "true"
	return sent, r.SaveUser(u)
}

type confirmForgotPasswordInput struct {
	clientAndUserInput
	ConfirmationCode string `json:"ConfirmationCode"`
	Password         string `json:"Password"`
}

// confirmForgotPassword sets the password. It also ends the user's sessions, because
// somebody else may know the old password.
func (p *Pools) confirmForgotPassword(cfg pool.Pool, in *confirmForgotPasswordInput) (*emptyOutput, error) {
	if err := checkPassword(cfg, in.Password); err != nil {
		return nil, err
	}
	var confirmed *record.User
	err := p.update(cfg, func(r record.Records) error {
		u, err := r.Find(in.Username)
		switch {
		case err != nil:
			return err
		case u == nil || u.Disabled:
			return p.takeCodeOfUnknown(r, in.Username)
		}
		if _, err := p.takeCode(r, u, PurposeReset, in.ConfirmationCode); err != nil {
			return err
		}
		if u.Status == record.StatusReset {
			u.Status = record.StatusConfirmed
		}
		setPassword(u, cfg, in.Password)
		confirmed = u
		return cmp.Or(r.ClearFailures(record.PasswordFailuresOf(u.Sub)), r.EndSessions(u.Sub), r.SaveUser(u))
	})
	if err != nil {
		return nil, err
	}
	return &emptyOutput{},
		p.afterConfirmation(occasion{cfg, in.ClientID, in.ClientMetadata}, "ConfirmForgotPassword", confirmed)
}

type changePasswordInput struct {
	AccessToken      string `json:"AccessToken"`
	PreviousPassword string `json:"PreviousPassword"`
	ProposedPassword string `json:"ProposedPassword"`
}

// changePassword keeps the user's sessions, as in the cloud.
func (p *Pools) changePassword(in *changePasswordInput) (*emptyOutput, error) {
	caller, err := p.callerOf(in.AccessToken)
	if err != nil {
		return nil, err
	}
	if err := checkPassword(caller.pool, in.ProposedPassword); err != nil {
		return nil, err
	}
	c, err := p.findClaimant(caller.pool, caller.sub)
	if err != nil {
		return nil, err
	}
	err = p.verifyPassword(caller.pool, c, in.PreviousPassword, errIncorrect,
		func(r record.Records, u *record.User) error {
			setPassword(u, caller.pool, in.ProposedPassword)
			return cmp.Or(r.ClearFailures(record.PasswordFailuresOf(u.Sub)), r.SaveUser(u))
		})
	if errors.Is(err, record.ErrAttempts) {
		err = record.ErrLimit
	}
	return &emptyOutput{}, err
}

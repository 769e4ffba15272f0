package userpool

import (
	"cmp"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

type adminSetUserPasswordInput struct {
	poolAndUserInput
	Password  string `json:"Password"`
	Permanent bool   `json:"Permanent"`
}

// adminSetUserPassword sets a password, which the user has to replace unless it is
// permanent, and ends the user's sessions.
func (p *Pools) adminSetUserPassword(cfg pool.Pool, in *adminSetUserPasswordInput) (*emptyOutput, error) {
	if err := checkPassword(cfg, in.Password); err != nil {
		return nil, err
	}
	return p.administer(&in.poolAndUserInput, func(r record.Records, u *record.User) error {
		setPassword(u, cfg, in.Password)
		u.Status = record.StatusConfirmed
		if !in.Permanent {
			u.Status, u.TemporaryUntil = record.StatusForced, r.Now.Add(temporaryPasswordLife)
		}
		return cmp.Or(r.ClearFailures(record.PasswordFailuresOf(u.Sub)), r.EndSessions(u.Sub), r.SaveUser(u))
	})
}

// adminResetUserPassword invalidates the password, ends the sessions, and sends a code for
// setting a new password.
func (p *Pools) adminResetUserPassword(cfg pool.Pool, in *poolUserAndMetadataInput) (*emptyOutput, error) {
	var sent *Message
	out, err := p.administer(&in.poolAndUserInput, func(r record.Records, u *record.User) (err error) {
		switch {
		case u.Disabled:
			return record.ErrDisabled
		case u.Status == record.StatusUnconfirmed:
			return unauthorized("User password cannot be reset in the current state.")
		}
		if sent, err = p.sendReset(r, u); err != nil {
			return err
		}
		u.Status = record.StatusReset
		return cmp.Or(r.EndSessions(u.Sub), r.SaveUser(u))
	})
	if err != nil {
		return nil, err
	}
	return out, p.send(occasion{pool: cfg, metadata: in.ClientMetadata}, "ForgotPassword", sent)
}

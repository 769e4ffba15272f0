package userpool

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

type poolAndUserInput struct {
	UserPoolID string `json:"UserPoolId"`
	Username   string `json:"Username"`
}

// administer changes a user that an administrator names.
func (p *Pools) administer(
	in *poolAndUserInput, change func(r record.Records, u *record.User) error,
) (*emptyOutput, error) {
	cfg, err := p.poolOf(in.UserPoolID)
	if err != nil {
		return nil, err
	}
	return &emptyOutput{}, p.update(cfg, func(r record.Records) error {
		u, err := r.MustFind(in.Username)
		if err != nil {
			return err
		}
		return change(r, u)
	})
}

type adminCreateUserInput struct {
	poolAndUserInput
	UserAttributes         []attribute `json:"UserAttributes"`
	TemporaryPassword      string      `json:"TemporaryPassword"`
	ForceAliasCreation     bool        `json:"ForceAliasCreation"`
	MessageAction          string      `json:"MessageAction"`
	DesiredDeliveryMediums []string    `json:"DesiredDeliveryMediums"`
	triggerInput
}

// adminCreateUser adds a user with a temporary password. Required attributes may be
// missing: the user gives them at the first sign-in.
func (p *Pools) adminCreateUser(cfg pool.Pool, in *adminCreateUserInput) (map[string]userOutput, error) {
	password := in.TemporaryPassword
	if password == "" {
		password = makePassword(cfg)
	} else if err := checkPassword(cfg, password); err != nil {
		return nil, err
	}
	if in.MessageAction == "RESEND" {
		return p.resendInvitation(cfg, in, password)
	}
	u, err := newUser(cfg, in.Username, in.UserAttributes, true)
	if err != nil {
		return nil, err
	}
	o := occasion{pool: cfg, metadata: in.ClientMetadata}
	free := func(r record.Records) error { return checkFree(r, u, in.Username, "User account already exists") }
	// The function is not called for a name that is taken.
	if !in.ForceAliasCreation && hasTrigger(cfg, model.PreSignUp) {
		if err := p.view(cfg, free); err != nil {
			return nil, err
		}
	}
	// What it answers is not used for a user whom an administrator adds.
	if _, err := p.beforeSignUp(o, "AdminCreateUser", u, in.ValidationData); err != nil {
		return nil, err
	}
	setPassword(u, cfg, password)
	u.Status = record.StatusForced
	err = p.update(cfg, func(r record.Records) error {
		u.TemporaryUntil = r.Now.Add(temporaryPasswordLife)
		if in.ForceAliasCreation && record.NameRulesOf(cfg).ChosenName {
			if err := takeAliases(r, u); err != nil {
				return err
			}
		}
		if err := free(r); err != nil {
			return err
		}
		return r.AddUser(u)
	})
	if err != nil {
		return nil, err
	}
	if in.MessageAction != "SUPPRESS" {
		if err := p.send(o, "AdminCreateUser", invitation(cfg, u, password, in.DesiredDeliveryMediums)); err != nil {
			return nil, err
		}
	}
	return map[string]userOutput{"User": outputOf(u, nil)}, nil
}

// resendInvitation gives a user who never signed in a new temporary password.
func (p *Pools) resendInvitation(
	cfg pool.Pool, in *adminCreateUserInput, password string,
) (map[string]userOutput, error) {
	var sent *Message
	var out userOutput
	_, err := p.administer(&in.poolAndUserInput, func(r record.Records, u *record.User) error {
		if u.Status != record.StatusForced {
			return wire.Refuse("UnsupportedUserStateException", "Resend not possible. %s status is not FORCE_CHANGE_PASSWORD",
				printable(in.Username))
		}
		setPassword(u, r.Pool, password)
		u.TemporaryUntil = r.Now.Add(temporaryPasswordLife)
		sent = invitation(r.Pool, u, password, in.DesiredDeliveryMediums)
		err := r.SaveUser(u)
		out = outputOf(u, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	return map[string]userOutput{"User": out},
		p.send(occasion{pool: cfg, metadata: in.ClientMetadata}, "AdminCreateUser", sent)
}

// invitation carries a temporary password: by text message (the cloud's default), or by
// email if that is requested or the user has no phone number.
func invitation(cfg pool.Pool, u *record.User, password string, mediums []string) *Message {
	attribute := "phone_number"
	if u.Attributes[attribute] == "" || slices.Contains(mediums, mediumEmail) {
		attribute = "email"
	}
	return newMessage(cfg, u, PurposeTemporary, attribute, password)
}

type adminGetUserOutput struct {
	Username             string      `json:"Username"`
	UserAttributes       []attribute `json:"UserAttributes"`
	UserCreateDate       epoch       `json:"UserCreateDate"`
	UserLastModifiedDate epoch       `json:"UserLastModifiedDate"`
	Enabled              bool        `json:"Enabled"`
	UserStatus           string      `json:"UserStatus"`
	MFAOptions           []mfaOption `json:"MFAOptions,omitempty"`
	factorsOutput
}

func (p *Pools) adminGetUser(cfg pool.Pool, in *poolAndUserInput) (*adminGetUserOutput, error) {
	u, err := p.mustFind(cfg, in.Username)
	if err != nil {
		return nil, err
	}
	return &adminGetUserOutput{
		u.Name, attributesOf(u), epoch(u.Created), epoch(u.Modified), !u.Disabled, u.Status, mfaOptionsOf(u), factorsOf(u),
	}, nil
}

func (p *Pools) adminDeleteUser(in *poolAndUserInput) (*emptyOutput, error) {
	return p.administer(in, func(r record.Records, u *record.User) error { return r.DeleteUser(u) })
}

func (p *Pools) adminEnableUser(in *poolAndUserInput) (*emptyOutput, error) {
	return p.administer(in, func(r record.Records, u *record.User) error {
		u.Disabled = false
		return r.SaveUser(u)
	})
}

// adminDisableUser also ends the user's sessions: once enabled again, the user has to sign
// in again.
func (p *Pools) adminDisableUser(in *poolAndUserInput) (*emptyOutput, error) {
	return p.administer(in, func(r record.Records, u *record.User) error {
		u.Disabled = true
		return cmp.Or(r.EndSessions(u.Sub), r.SaveUser(u))
	})
}

func (p *Pools) adminUserGlobalSignOut(in *poolAndUserInput) (*emptyOutput, error) {
	return p.administer(in, func(r record.Records, u *record.User) error { return r.EndSessions(u.Sub) })
}

func (p *Pools) adminConfirmSignUp(cfg pool.Pool, in *poolUserAndMetadataInput) (*emptyOutput, error) {
	var confirmed *record.User
	out, err := p.administer(&in.poolAndUserInput, func(r record.Records, u *record.User) error {
		if u.Status != record.StatusUnconfirmed {
			return unauthorized("User cannot be confirmed. Current status is %s", u.Status)
		}
		u.Status = record.StatusConfirmed
		delete(u.Codes, PurposeSignUp)
		confirmed = u
		return r.SaveUser(u)
	})
	if err != nil {
		return nil, err
	}
	return out, p.afterConfirmation(occasion{pool: cfg, metadata: in.ClientMetadata}, "ConfirmSignUp", confirmed)
}

type adminUpdateUserAttributesInput struct {
	poolAndUserInput
	UserAttributes []attribute `json:"UserAttributes"`
}

func (p *Pools) adminUpdateUserAttributes(in *adminUpdateUserAttributesInput) (*emptyOutput, error) {
	return p.administer(&in.poolAndUserInput,
		func(r record.Records, u *record.User) error { return saveAttributes(r, u, in.UserAttributes, true) })
}

type adminDeleteUserAttributesInput struct {
	poolAndUserInput
	UserAttributeNames []string `json:"UserAttributeNames"`
}

func (p *Pools) adminDeleteUserAttributes(in *adminDeleteUserAttributesInput) (*emptyOutput, error) {
	for _, name := range in.UserAttributeNames {
		if strings.HasSuffix(name, "_verified") {
			return nil, invalid("Cannot delete %s: it is deleted with its address", printable(name))
		}
	}
	return p.administer(&in.poolAndUserInput, func(r record.Records, u *record.User) error {
		return saveAttributes(r, u, withoutValues(in.UserAttributeNames), true)
	})
}

package userpool

import (
	"cmp"
	"strings"

	"gatewright/internal/uuid"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

type signUpInput struct {
	ClientID       string      `json:"ClientId"`
	Username       string      `json:"Username"`
	Password       string      `json:"Password" need:"no"`
	UserAttributes []attribute `json:"UserAttributes"`
	triggerInput
}

type signUpOutput struct {
	UserConfirmed       bool             `json:"UserConfirmed"`
	UserSub             string           `json:"UserSub"`
	CodeDeliveryDetails *deliveryDetails `json:"CodeDeliveryDetails,omitempty"`
}

func (p *Pools) signUp(cfg pool.Pool, in *signUpInput) (*signUpOutput, error) {
	u, err := newUser(cfg, in.Username, in.UserAttributes, false)
	if err != nil {
		return nil, err
	}
	if err := checkRequired(cfg, u.Attributes); err != nil {
		return nil, err
	}
	if err := checkPassword(cfg, in.Password); err != nil {
		return nil, err
	}
	exists := func(r record.Records) error { return checkFree(r, u, in.Username, "User already exists") }
	if err := p.view(cfg, exists); err != nil {
		return nil, err
	}
	o := occasion{cfg, in.ClientID, in.ClientMetadata}
	given, err := p.beforeSignUp(o, "SignUp", u, in.ValidationData)
	if err != nil {
		return nil, err
	}
	u.Status = record.StatusUnconfirmed
	if err := given.apply(u); err != nil {
		return nil, err
	}
	setPassword(u, cfg, in.Password)
	var sent *Message
	err = p.update(cfg, func(r record.Records) (err error) {
		if err := exists(r); err != nil {
			return err
		}
		if u.Status == record.StatusConfirmed {
			return r.AddUser(u)
		}
		if sent, err = p.sendCode(r, u, PurposeSignUp, PurposeSignUp, deliveryAttribute(cfg, u), signUpCodeLife); err != nil {
			return err
		}
		return r.AddUser(u)
	})
	if err != nil {
		return nil, err
	}
	if u.Status == record.StatusConfirmed {
		return &signUpOutput{UserConfirmed: true, UserSub: u.Sub}, p.afterConfirmation(o, "ConfirmSignUp", u)
	}
	return &signUpOutput{UserSub: u.Sub, CodeDeliveryDetails: sent.details()}, p.send(o, "SignUp", sent)
}

// newUser is a user with attributes only. In a pool without chosen names, the name becomes
// an attribute.
func newUser(cfg pool.Pool, username string, list []attribute, administrator bool) (*record.User, error) {
	values, err := readAttributes(writer{cfg, administrator, true}, list)
	if err != nil {
		return nil, err
	}
	u := &record.User{Sub: uuid.New(), Name: username}
	names := record.NameRulesOf(cfg)
	if names.ChosenName {
		if err := names.CheckFree(username); err != nil {
			return nil, err
		}
	} else {
		attribute, err := names.Address(username)
		if err != nil {
			return nil, err
		}
		if value := values[attribute]; value != "" && record.Fold(value) != record.Fold(username) {
			return nil, invalid("The attribute %s must equal the user name", attribute)
		}
		values[attribute], u.Name = username, u.Sub
	}
	return u, setAttributes(u, cfg, values)
}

// checkFree refuses a new user whose name, or address to sign in with, is taken.
func checkFree(r record.Records, u *record.User, username, taken string) error {
	if u.Name != u.Sub {
		if r.Get(record.NamesBucket, record.Fold(username)) != nil {
			return wire.Refuse("UsernameExistsException", "%s", taken)
		}
		if other, err := r.BySub(record.Fold(username)); other != nil || err != nil {
			return cmp.Or[error](err, wire.Refuse("UsernameExistsException", "%s", taken))
		}
	}
	for _, key := range record.NameRulesOf(r.Pool).Aliases(u) {
		if r.Get(record.AliasesBucket, key) != nil {
			return wire.Refuse("UsernameExistsException", "An account with the given %s already exists.",
				strings.TrimSuffix(record.AttributeOf(key), "_number"))
		}
	}
	return nil
}

type confirmSignUpInput struct {
	clientAndUserInput
	ConfirmationCode   string `json:"ConfirmationCode"`
	ForceAliasCreation bool   `json:"ForceAliasCreation"`
}

func (p *Pools) confirmSignUp(cfg pool.Pool, in *confirmSignUpInput) (*emptyOutput, error) {
	var confirmed *record.User
	err := p.update(cfg, func(r record.Records) error {
		u, err := r.Find(in.Username)
		switch {
		case err != nil:
			return err
		case u == nil:
			// The same answer as for a wrong code.
			return errCode
		case u.Status != record.StatusUnconfirmed:
			return unauthorized("User cannot be confirmed. Current status is %s", u.Status)
		case u.Disabled:
			return record.ErrDisabled
		}
		sent, err := p.takeCode(r, u, PurposeSignUp, in.ConfirmationCode)
		if err != nil {
			return err
		}
		markVerified(u, sent)
		if in.ForceAliasCreation {
			if err := takeAliases(r, u); err != nil {
				return err
			}
		}
		u.Status = record.StatusConfirmed
		confirmed = u
		return r.SaveAndIndex(u)
	})
	if err != nil {
		return nil, err
	}
	return &emptyOutput{}, p.afterConfirmation(occasion{cfg, in.ClientID, in.ClientMetadata}, "ConfirmSignUp", confirmed)
}

// takeAliases moves a user's verified addresses from other users, who have to verify them
// again.
func takeAliases(r record.Records, u *record.User) error {
	for _, key := range record.NameRulesOf(r.Pool).Aliases(u) {
		sub := r.Get(record.AliasesBucket, key)
		if sub == nil || string(sub) == u.Sub {
			continue
		}
		other, err := r.BySub(string(sub))
		switch {
		case err != nil:
			return err
		case other == nil:
			continue
		}
		other.Attributes[record.AttributeOf(key)+"_verified"] = "false"
		if err := r.SaveAndIndex(other); err != nil {
			return err
		}
	}
	return nil
}

type clientAndUserInput struct {
	ClientID string `json:"ClientId"`
	Username string `json:"Username"`
	metadataInput
}

type deliveryOutput struct {
	CodeDeliveryDetails *deliveryDetails `json:"CodeDeliveryDetails,omitempty"`
}

func (p *Pools) resendConfirmationCode(cfg pool.Pool, in *clientAndUserInput) (*deliveryOutput, error) {
	var sent *Message
	err := p.update(cfg, func(r record.Records) error {
		u, err := r.Find(in.Username)
		switch {
		case err != nil || u == nil || u.Disabled:
			return err
		case u.Status != record.StatusUnconfirmed:
			return invalid("User is already confirmed.")
		}
		if sent, err = p.sendCode(r, u, PurposeSignUp, PurposeSignUp, deliveryAttribute(cfg, u), signUpCodeLife); err != nil {
			return err
		}
		return r.SaveUser(u)
	})
	if err != nil {
		return nil, err
	}
	if err := p.send(occasion{cfg, in.ClientID, in.ClientMetadata}, "ResendCode", sent); err != nil {
		return nil, err
	}
	if sent.details() == nil {
		return p.pretendedDelivery(cfg, in.Username)
	}
	return &deliveryOutput{sent.details()}, nil
}

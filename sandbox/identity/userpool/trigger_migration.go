package userpool

import (
	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

// migrated is the response of the trigger for users who are not in the pool.
type migrated struct {
	Attributes         map[string]string `json:"userAttributes"`
	FinalStatus        string            `json:"finalUserStatus"`
	ForceAliasCreation bool              `json:"forceAliasCreation"`
}

// migrate asks the trigger for a user whom the pool does not have, and adds the user. source
// is Authentication, with a password, or ForgotPassword. See
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-migrate-user.html
func (p *Pools) migrate(o occasion, source, name, password string) error {
	if !hasTrigger(o.pool, model.UserMigration) {
		return nil
	}
	if u, err := p.lookUp(o.pool, name); u != nil || err != nil {
		return err
	}
	request := map[string]any{"validationData": o.metadata, "userAttributes": nil}
	if password != "" {
		request["password"] = password
	}
	var given migrated
	err := p.call(o, moment{
		at: model.UserMigration, source: source, userName: name, request: request,
		response: map[string]any{
			"userAttributes": nil, "forceAliasCreation": nil, "finalUserStatus": nil,
			"messageAction": nil, "desiredDeliveryMediums": nil,
		},
	}, &given)
	if err != nil || len(given.Attributes) == 0 {
		return err
	}
	u, err := given.user(o.pool, name)
	if err != nil {
		return err
	}
	// Who has forgotten a password sets a new one with the code that follows.
	u.Status = record.StatusReset
	if password != "" {
		setPassword(u, o.pool, password)
		if given.FinalStatus == record.StatusConfirmed {
			u.Status = record.StatusConfirmed
		}
	} else {
		setPassword(u, o.pool, makePassword(o.pool))
	}
	return p.update(o.pool, func(r record.Records) error {
		if given.ForceAliasCreation {
			if err := takeAliases(r, u); err != nil {
				return err
			}
		}
		if err := checkFree(r, u, name, "User already exists"); err != nil {
			return err
		}
		return r.AddUser(u)
	})
}

// user makes the user. The attribute username is the user's name, if somebody signs in with
// an address.
func (m migrated) user(cfg pool.Pool, name string) (*record.User, error) {
	var list []attribute
	for key, value := range m.Attributes {
		switch key {
		case "username":
			if record.NameRulesOf(cfg).ChosenName && value != "" {
				name = value
			}
		case "sub", "cognito:user_status":
		default:
			list = append(list, attribute{key, value})
		}
	}
	u, err := newUser(cfg, name, list, true)
	if err != nil {
		return nil, errOutput.Because(err)
	}
	return u, nil
}

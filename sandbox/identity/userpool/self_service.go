package userpool

import (
	"maps"
	"slices"

	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

type tokenInput struct {
	AccessToken string `json:"AccessToken"`
}

// mfaOption is MFAOptionType of the cloud's API, which MFA preferences superseded.
type mfaOption struct {
	DeliveryMedium string `json:"DeliveryMedium"`
	AttributeName  string `json:"AttributeName"`
}

// factorsOutput are the second factors of a user.
type factorsOutput struct {
	PreferredMfaSetting string   `json:"PreferredMfaSetting,omitempty"`
	UserMFASettingList  []string `json:"UserMFASettingList,omitempty"`
}

func factorsOf(u *record.User) factorsOutput {
	return factorsOutput{u.MFA.Preferred, factorNames(u.MFA.SMS, u.MFA.TOTP)}
}

type getUserOutput struct {
	Username       string      `json:"Username"`
	UserAttributes []attribute `json:"UserAttributes"`
	MFAOptions     []mfaOption `json:"MFAOptions,omitempty"`
	factorsOutput
}

// viewCaller reads the user of an access token.
func (p *Pools) viewCaller(accessToken string) (caller, *record.User, error) {
	caller, err := p.callerOf(accessToken)
	if err != nil {
		return caller, nil, err
	}
	var u *record.User
	err = p.view(caller.pool, func(r record.Records) (err error) {
		u, err = caller.user(r)
		return err
	})
	return caller, u, err
}

// updateCaller changes the user of an access token.
func (p *Pools) updateCaller(accessToken string, change func(r record.Records, u *record.User) error) error {
	_, err := p.changeCaller(accessToken, change)
	return err
}

// changeCaller is updateCaller for what goes on with the caller.
func (p *Pools) changeCaller(accessToken string, change func(r record.Records, u *record.User) error) (caller, error) {
	caller, err := p.callerOf(accessToken)
	if err != nil {
		return caller, err
	}
	return caller, p.update(caller.pool, func(r record.Records) error {
		u, err := caller.user(r)
		if err != nil {
			return err
		}
		return change(r, u)
	})
}

func (p *Pools) getUser(in *tokenInput) (*getUserOutput, error) {
	_, u, err := p.viewCaller(in.AccessToken)
	if err != nil {
		return nil, err
	}
	return &getUserOutput{u.Name, attributesOf(u), mfaOptionsOf(u), factorsOf(u)}, nil
}

func mfaOptionsOf(u *record.User) []mfaOption {
	if !u.MFA.SMS {
		return nil
	}
	return []mfaOption{{mediumSMS, "phone_number"}}
}

func (p *Pools) deleteUser(in *tokenInput) (*emptyOutput, error) {
	return &emptyOutput{},
		p.updateCaller(in.AccessToken, func(r record.Records, u *record.User) error { return r.DeleteUser(u) })
}

func (p *Pools) globalSignOut(in *tokenInput) (*emptyOutput, error) {
	return &emptyOutput{},
		p.updateCaller(in.AccessToken, func(r record.Records, u *record.User) error { return r.EndSessions(u.Sub) })
}

type getUserAuthFactorsOutput struct {
	Username                  string   `json:"Username"`
	ConfiguredUserAuthFactors []string `json:"ConfiguredUserAuthFactors"`
	factorsOutput
}

func (p *Pools) getUserAuthFactors(in *tokenInput) (*getUserAuthFactorsOutput, error) {
	_, u, err := p.viewCaller(in.AccessToken)
	if err != nil {
		return nil, err
	}
	return &getUserAuthFactorsOutput{u.Name, []string{"PASSWORD"}, factorsOf(u)}, nil
}

type updateUserAttributesInput struct {
	AccessToken    string      `json:"AccessToken"`
	UserAttributes []attribute `json:"UserAttributes"`
	metadataInput
}

type updateUserAttributesOutput struct {
	CodeDeliveryDetailsList []*deliveryDetails `json:"CodeDeliveryDetailsList"`
}

// updateUserAttributes sends a code to a changed address if the pool verifies such addresses.
func (p *Pools) updateUserAttributes(in *updateUserAttributesInput) (*updateUserAttributesOutput, error) {
	out := &updateUserAttributesOutput{}
	var sent []*Message
	caller, err := p.changeCaller(in.AccessToken, func(r record.Records, u *record.User) error {
		before := maps.Clone(u.Attributes)
		if err := updateAttributes(r, u, in.UserAttributes, false); err != nil {
			return err
		}
		for _, name := range record.AddressAttributes {
			if u.Attributes[name] == before[name] || u.Attributes[name] == "" ||
				!slices.Contains(verifiedAddresses(r.Pool), name) {
				continue
			}
			m, err := p.sendCode(r, u, PurposeAttribute, attributeCode(name), name, codeLife)
			if err != nil {
				return err
			}
			sent = append(sent, m)
			out.CodeDeliveryDetailsList = append(out.CodeDeliveryDetailsList, m.details())
		}
		return r.SaveAndIndex(u)
	})
	if err != nil {
		return nil, err
	}
	return out, p.send(occasion{caller.pool, caller.client, in.ClientMetadata}, "UpdateUserAttribute", sent...)
}

// attributeCode is the key in user.Codes of a code that verifies an attribute.
func attributeCode(name string) string { return PurposeAttribute + " " + name }

type deleteUserAttributesInput struct {
	AccessToken        string   `json:"AccessToken"`
	UserAttributeNames []string `json:"UserAttributeNames"`
}

func (p *Pools) deleteUserAttributes(in *deleteUserAttributesInput) (*emptyOutput, error) {
	return &emptyOutput{}, p.updateCaller(in.AccessToken, func(r record.Records, u *record.User) error {
		return saveAttributes(r, u, withoutValues(in.UserAttributeNames), false)
	})
}

// withoutValues are the values that delete attributes.
func withoutValues(names []string) []attribute {
	list := make([]attribute, len(names))
	for i, name := range names {
		list[i].Name = name
	}
	return list
}

// updateAttributes changes attributes, or deletes those whose value is empty.
func updateAttributes(r record.Records, u *record.User, list []attribute, administrator bool) error {
	values, err := readAttributes(writer{cfg: r.Pool, administrator: administrator}, list)
	if err != nil {
		return err
	}
	before := maps.Clone(u.Attributes)
	if err := setAttributes(u, r.Pool, values); err != nil {
		return err
	}
	return checkRequiredStill(r.Pool, before, u.Attributes)
}

// saveAttributes is updateAttributes for a user who is saved then.
func saveAttributes(r record.Records, u *record.User, list []attribute, administrator bool) error {
	if err := updateAttributes(r, u, list, administrator); err != nil {
		return err
	}
	return r.SaveAndIndex(u)
}

// unknownDevice answers as a pool that does not remember devices.
func (p *Pools) unknownDevice(in *tokenInput) (*emptyOutput, error) {
	if _, err := p.callerOf(in.AccessToken); err != nil {
		return nil, err
	}
	return nil, wire.Refuse("ResourceNotFoundException", "Device does not exist.")
}

func (p *Pools) listDevices(in *tokenInput) (map[string][]emptyOutput, error) {
	_, err := p.callerOf(in.AccessToken)
	return map[string][]emptyOutput{"Devices": {}}, err
}

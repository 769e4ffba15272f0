package userpool

import (
	"slices"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

// verifiedAddresses are the addresses that a pool verifies with codes.
func verifiedAddresses(cfg pool.Pool) []string {
	if cfg.Definition == nil || len(cfg.Definition.UserVerificationTypes) == 0 {
		return []string{"email"}
	}
	return cfg.Definition.UserVerificationTypes
}

type attributeInput struct {
	AccessToken   string `json:"AccessToken"`
	AttributeName string `json:"AttributeName"`
	metadataInput
}

func (p *Pools) getUserAttributeVerificationCode(in *attributeInput) (*deliveryOutput, error) {
	if !slices.Contains(record.AddressAttributes, in.AttributeName) {
		return nil, errNotVerifiable
	}
	var sent *Message
	caller, err := p.changeCaller(in.AccessToken, func(r record.Records, u *record.User) (err error) {
		if u.Attributes[in.AttributeName] == "" {
			return invalid("User does not have the attribute %s", in.AttributeName)
		}
		if sent, err = p.sendCode(r, u, PurposeAttribute, attributeCode(in.AttributeName), in.AttributeName,
			codeLife); err != nil {
			return err
		}
		return r.SaveUser(u)
	})
	if err != nil {
		return nil, err
	}
	return &deliveryOutput{sent.details()},
		p.send(occasion{caller.pool, caller.client, in.ClientMetadata}, "VerifyUserAttribute", sent)
}

var errNotVerifiable = invalid("Only email and phone_number can be verified")

type verifyUserAttributeInput struct {
	AccessToken   string `json:"AccessToken"`
	AttributeName string `json:"AttributeName"`
	Code          string `json:"Code"`
}

func (p *Pools) verifyUserAttribute(in *verifyUserAttributeInput) (*emptyOutput, error) {
	if !slices.Contains(record.AddressAttributes, in.AttributeName) {
		return nil, errNotVerifiable
	}
	return &emptyOutput{}, p.updateCaller(in.AccessToken, func(r record.Records, u *record.User) error {
		sent, err := p.takeCode(r, u, attributeCode(in.AttributeName), in.Code)
		if err != nil {
			return err
		}
		markVerified(u, sent)
		return r.SaveAndIndex(u)
	})
}

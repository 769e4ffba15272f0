package userpool

import (
	"cmp"
	"crypto/hmac"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

const (
	// How long codes are valid.
	signUpCodeLife = 24 * time.Hour
	codeLife       = time.Hour

	codeDigits = 6
)

var (
	errCode        = wire.Refuse("CodeMismatchException", "Invalid verification code provided, please try again.")
	errCodeExpired = wire.Refuse("ExpiredCodeException", "Invalid code provided, please request a code again.")
)

// deliveryDetails is CodeDeliveryDetailsType of the cloud's API.
type deliveryDetails struct {
	Destination    string `json:"Destination"`
	DeliveryMedium string `json:"DeliveryMedium"`
	AttributeName  string `json:"AttributeName"`
}

// deliveryAttribute is the attribute that codes are sent to. Of the addresses that the pool verifies
// (`user_verification_types`) and the user has, the phone number comes first, as in the cloud.
func deliveryAttribute(cfg pool.Pool, u *record.User) string {
	types := verifiedAddresses(cfg)
	for _, attribute := range []string{"phone_number", "email"} {
		if slices.Contains(types, attribute) && u.Attributes[attribute] != "" {
			return attribute
		}
	}
	if slices.Contains(types, "email") {
		return "email"
	}
	return types[0]
}

// newMessage is a message to a user's address, which is the value of an attribute.
func newMessage(cfg pool.Pool, u *record.User, purpose, attribute, code string) *Message {
	medium, to := mediumEmail, u.Attributes[attribute]
	if attribute == "phone_number" {
		medium = mediumSMS
	}
	return &Message{
		Environment: cfg.Environment, UserPoolID: cfg.UserPoolID, User: u.Name, Purpose: purpose,
		Medium: medium, To: to, Code: code, Undeliverable: to == "", attributes: eventAttributes(u, cfg),
	}
}

// newCode is six random digits.
func newCode() string { return fmt.Sprintf("%0*d", codeDigits, random(1_000_000)) }

// sendCode puts a new code into a user, which the caller saves, and returns the message
// with it. An earlier code for the same purpose becomes invalid.
func (p *Pools) sendCode(
	r record.Records, u *record.User, purpose, key, attribute string, good time.Duration,
) (*Message, error) {
	m := newMessage(r.Pool, u, purpose, attribute, newCode())
	hash, err := p.hashOfCode(r.Pool, u.Sub, key, m.To, m.Code)
	if err != nil {
		return nil, err
	}
	if u.Codes == nil {
		u.Codes = make(map[string]record.Code)
	}
	u.Codes[key] = record.Code{Hash: hash, Until: r.Now.Add(good), Attribute: attribute, To: m.To}
	return m, nil
}

// takeCode checks a code and counts a wrong one. It removes a right one from the user,
// which the caller saves.
func (p *Pools) takeCode(r record.Records, u *record.User, key, typed string) (record.Code, error) {
	if waits, err := r.MustWait(record.CodeFailuresOf(u.Sub)); waits || err != nil {
		return record.Code{}, cmp.Or[error](err, record.ErrLimit)
	}
	sent, found := u.Codes[key]
	switch {
	case !found || !r.Now.Before(sent.Until):
		return record.Code{}, errCodeExpired
	case sent.Wrong >= record.CodeTries:
		return record.Code{}, record.ErrLimit
	}
	hash, err := p.hashOfCode(r.Pool, u.Sub, key, sent.To, typed)
	if err != nil {
		return record.Code{}, err
	}
	if !hmac.Equal(hash, sent.Hash) {
		sent.Wrong++
		u.Codes[key] = sent
		if err := r.CountFailure(record.CodeFailuresOf(u.Sub), record.FreeCodeTries); err != nil {
			return record.Code{}, err
		}
		return record.Code{}, cmp.Or[error](r.SaveUser(u), record.CommittedError{Err: errCode})
	}
	delete(u.Codes, key)
	return sent, r.ClearFailures(record.CodeFailuresOf(u.Sub))
}

// hashOfCode binds a code to its recipient, address and purpose.
func (p *Pools) hashOfCode(cfg pool.Pool, sub, key, to, code string) ([]byte, error) {
	return p.options.Keys.MAC("user pools: codes", cfg.UserPoolID, sub, key, to, code)
}

// markVerified marks the address that a code was sent to, if it is still the user's.
func markVerified(u *record.User, sent record.Code) {
	if sent.To != "" && u.Attributes[sent.Attribute] == sent.To {
		u.Attributes[sent.Attribute+"_verified"] = "true"
	}
}

// forgetCodesOf deletes the codes that were sent to an address.
func forgetCodesOf(u *record.User, attribute string) {
	for key, sent := range u.Codes {
		if sent.Attribute == attribute && sent.To != "" {
			delete(u.Codes, key)
		}
	}
}

// details describe a message to the client; nil if the cloud would not send it.
func (m *Message) details() *deliveryDetails {
	if m == nil || m.Undeliverable {
		return nil
	}
	if m.Medium == mediumSMS {
		return &deliveryDetails{maskedPhone(m.To), mediumSMS, "phone_number"}
	}
	return &deliveryDetails{maskedEmail(m.To), mediumEmail, "email"}
}

func maskedEmail(address string) string {
	local, domain, _ := strings.Cut(address, "@")
	return firstOf(local) + "***@" + firstOf(domain) + "***"
}

func maskedPhone(number string) string {
	shown := number[max(0, len(number)-4):]
	return "+" + strings.Repeat("*", max(0, len(number)-1-len(shown))) + shown
}

func firstOf(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return text[:size]
}

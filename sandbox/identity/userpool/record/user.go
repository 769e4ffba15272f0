package record

import (
	"strings"
	"time"

	"gatewright/sandbox/identity/wire"
)

// The states of users (UserStatusType of the cloud's API).
const (
	StatusUnconfirmed = "UNCONFIRMED"
	StatusConfirmed   = "CONFIRMED"
	StatusReset       = "RESET_REQUIRED"
	StatusForced      = "FORCE_CHANGE_PASSWORD"
)

// User is the record of a user in the file.
type User struct {
	// Pool is the ID of the user pool, "" in what older versions wrote.
	Pool     string    `json:"pool,omitempty"`
	Sub      string    `json:"sub"`
	Name     string    `json:"name"`
	Status   string    `json:"status"`
	Disabled bool      `json:"disabled,omitzero"`
	Created  time.Time `json:"created"`
	Modified time.Time `json:"modified"`
	// Attributes exclude sub.
	Attributes map[string]string `json:"attributes"`
	// Aliases are the user's keys in AliasesBucket.
	Aliases []string `json:"aliases,omitempty"`
	// Groups may include groups that the project no longer has.
	Groups   []string `json:"groups,omitempty"`
	Salt     []byte   `json:"salt,omitempty"`
	Verifier []byte   `json:"verifier,omitempty"`
	// TemporaryUntil is when a temporary password expires.
	TemporaryUntil time.Time `json:"temporaryUntil,omitzero"`
	// Codes are the codes that were sent, by purpose.
	Codes map[string]Code `json:"codes,omitempty"`
	MFA   factors         `json:"mfa,omitzero"`
}

// Code is a code that was sent, as a hash.
type Code struct {
	Hash  []byte    `json:"hash"`
	Until time.Time `json:"until"`
	Wrong int       `json:"wrong,omitzero"`
	// Attribute is the address that the code verifies. To is its value when the code was
	// sent.
	Attribute string `json:"attribute,omitempty"`
	To        string `json:"to,omitempty"`
}

// factors are a user's second factors.
type factors struct {
	// SMS and TOTP say that the user enabled them. Preferred is StepSMS, StepTOTP or "".
	SMS       bool   `json:"sms,omitzero"`
	TOTP      bool   `json:"totp,omitzero"`
	Preferred string `json:"preferred,omitempty"`
	// Secret is the secret of the verified authenticator app, Pending one during setup.
	Secret  string `json:"secret,omitempty"`
	Pending string `json:"pending,omitempty"`
	// Used is the time step of the last accepted code: no code is accepted twice.
	Used int64 `json:"used,omitzero"`
}

// errNoUser is the error for a user who does not exist.
var errNoUser = wire.Refuse("UserNotFoundException", "User does not exist.")

// BySub is the user with an id, or nil.
func (r Records) BySub(sub string) (*User, error) {
	u := new(User)
	if found, err := r.Read(UsersBucket, sub, u); !found {
		return nil, err
	}
	return u, nil
}

// Find is the user with a user name, sub or alias, regardless of case, or nil.
func (r Records) Find(name string) (*User, error) {
	folded := Fold(name)
	if sub := r.Get(NamesBucket, folded); sub != nil {
		return r.BySub(string(sub))
	}
	if u, err := r.BySub(folded); u != nil || err != nil {
		return u, err
	}
	for _, attribute := range AddressAttributes {
		if sub := r.Get(AliasesBucket, aliasKey(attribute, name)); sub != nil {
			return r.BySub(string(sub))
		}
	}
	return nil, nil
}

// MustFind is find for a user who must exist.
func (r Records) MustFind(name string) (*User, error) {
	u, err := r.Find(name)
	if u == nil && err == nil {
		err = errNoUser
	}
	return u, err
}

// AddUser stores a new user, whose name must be free.
func (r Records) AddUser(u *User) error {
	u.Created = r.Now
	if u.Name != u.Sub {
		if err := r.put(NamesBucket, Fold(u.Name), []byte(u.Sub)); err != nil {
			return err
		}
	}
	return r.SaveAndIndex(u)
}

// SaveAndIndex stores a user whose addresses may have changed. The error is
// AliasExistsException if one to sign in with is another user's.
func (r Records) SaveAndIndex(u *User) error {
	if err := r.indexAliases(u); err != nil {
		return err
	}
	return r.SaveUser(u)
}

// SaveUser stores a user whose addresses have not changed.
func (r Records) SaveUser(u *User) error {
	u.Modified = r.Now
	return r.writeUser(u)
}

// DeleteUser deletes a user and everything about the user.
func (r Records) DeleteUser(u *User) error {
	for _, alias := range u.Aliases {
		if err := r.remove(AliasesBucket, alias); err != nil {
			return err
		}
	}
	if u.Name != u.Sub {
		if err := r.remove(NamesBucket, Fold(u.Name)); err != nil {
			return err
		}
	}
	for _, t := range []FailureKey{PasswordFailuresOf(u.Sub), CodeFailuresOf(u.Sub)} {
		if err := r.ClearFailures(t); err != nil {
			return err
		}
	}
	if err := r.dropSessions(u.Sub); err != nil {
		return err
	}
	if err := r.indexSearch(u.Sub, nil); err != nil {
		return err
	}
	return r.remove(UsersBucket, u.Sub)
}

// Fold makes names comparable: user pools of the cloud ignore case by default.
func Fold(name string) string { return strings.ToLower(name) }

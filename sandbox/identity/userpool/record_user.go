package userpool

import (
	"strings"
	"time"

	"gatewright/sandbox/identity/wire"
)

// The states of users (UserStatusType of the cloud's API).
const (
	statusUnconfirmed = "UNCONFIRMED"
	statusConfirmed   = "CONFIRMED"
	statusReset       = "RESET_REQUIRED"
	statusForced      = "FORCE_CHANGE_PASSWORD"
)

// user is the record of a user in the file.
type user struct {
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
	// Aliases are the user's keys in aliasesBucket.
	Aliases []string `json:"aliases,omitempty"`
	// Groups may include groups that the project no longer has.
	Groups   []string `json:"groups,omitempty"`
	Salt     []byte   `json:"salt,omitempty"`
	Verifier []byte   `json:"verifier,omitempty"`
	// TemporaryUntil is when a temporary password expires.
	TemporaryUntil time.Time `json:"temporaryUntil,omitzero"`
	// Codes are the codes that were sent, by purpose.
	Codes map[string]code `json:"codes,omitempty"`
	MFA   factors         `json:"mfa,omitzero"`
}

// code is a code that was sent, as a hash.
type code struct {
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
	// SMS and TOTP say that the user enabled them. Preferred is stepSMS, stepTOTP or "".
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

// bySub is the user with an id, or nil.
func (r records) bySub(sub string) (*user, error) {
	u := new(user)
	if found, err := r.read(usersBucket, sub, u); !found {
		return nil, err
	}
	return u, nil
}

// find is the user with a user name, sub or alias, regardless of case, or nil.
func (r records) find(name string) (*user, error) {
	folded := fold(name)
	if sub := r.get(namesBucket, folded); sub != nil {
		return r.bySub(string(sub))
	}
	if u, err := r.bySub(folded); u != nil || err != nil {
		return u, err
	}
	for _, attribute := range addressAttributes {
		if sub := r.get(aliasesBucket, aliasKey(attribute, name)); sub != nil {
			return r.bySub(string(sub))
		}
	}
	return nil, nil
}

// mustFind is find for a user who must exist.
func (r records) mustFind(name string) (*user, error) {
	u, err := r.find(name)
	if u == nil && err == nil {
		err = errNoUser
	}
	return u, err
}

// addUser stores a new user, whose name must be free.
func (r records) addUser(u *user) error {
	u.Created = r.now
	if u.Name != u.Sub {
		if err := r.put(namesBucket, fold(u.Name), []byte(u.Sub)); err != nil {
			return err
		}
	}
	return r.saveAndIndex(u)
}

// saveAndIndex stores a user whose addresses may have changed. The error is
// AliasExistsException if one to sign in with is another user's.
func (r records) saveAndIndex(u *user) error {
	if err := r.indexAliases(u); err != nil {
		return err
	}
	return r.saveUser(u)
}

// saveUser stores a user whose addresses have not changed.
func (r records) saveUser(u *user) error {
	u.Modified = r.now
	return r.writeUser(u)
}

// deleteUser deletes a user and everything about the user.
func (r records) deleteUser(u *user) error {
	for _, alias := range u.Aliases {
		if err := r.remove(aliasesBucket, alias); err != nil {
			return err
		}
	}
	if u.Name != u.Sub {
		if err := r.remove(namesBucket, fold(u.Name)); err != nil {
			return err
		}
	}
	for _, t := range []failureKey{passwordFailuresOf(u.Sub), codeFailuresOf(u.Sub)} {
		if err := r.clearFailures(t); err != nil {
			return err
		}
	}
	if err := r.dropSessions(u.Sub); err != nil {
		return err
	}
	return r.remove(usersBucket, u.Sub)
}

// fold makes names comparable: user pools of the cloud ignore case by default.
func fold(name string) string { return strings.ToLower(name) }

package people

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/identity/userpool"
)

// New is a user to add.
type New struct {
	Name       string
	Attributes []Attribute
	Groups     []string
	Password   string
	// Temporary says that the user has to choose another password at the first sign-in.
	Temporary bool
}

// CheckName refuses a name that no user can have.
func CheckName(name string) error {
	if name == "" || !utf8.ValidString(name) {
		return fmt.Errorf("the name of a user must be text in UTF-8, not %s", phrase.Quote(name))
	}
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return fmt.Errorf("the name of a user cannot have spaces or control characters: %s", phrase.Quote(name))
	}
	return nil
}

// CheckPassword refuses a text that cannot be a password. The pool's policy is checked by the pool.
func CheckPassword(text string) error {
	if !utf8.ValidString(text) || len([]rune(text)) > LongestPassword {
		return fmt.Errorf("the password must be text in UTF-8 of at most %d characters", LongestPassword)
	}
	return nil
}

// CheckPolicy returns what the pool would say of a password that its policy refuses.
func (u *Users) CheckPolicy(name, password string) error {
	if err := CheckPassword(password); err != nil {
		return err
	}
	return u.Explain(context.Background(), name, userpool.CheckPassword(*u.Pool, password))
}

// Addresses returns the email address and phone number of a user of that name: what was given,
// or else the name, if users of the pool sign in with such an address.
func (u *Users) Addresses(name, email, phone string) (string, string) {
	if d := u.Pool.Definition; d != nil && !slices.Contains(d.UsernameAttributes, "username") {
		if email == "" && slices.Contains(d.UsernameAttributes, "email") && strings.Contains(name, "@") {
			email = name
		}
		if phone == "" && slices.Contains(d.UsernameAttributes, "phone_number") && strings.HasPrefix(name, "+") {
			phone = name
		}
	}
	return email, phone
}

// Verified adds that an address counts as verified, unless the attributes say whether it does.
func Verified(all []Attribute, address string) []Attribute {
	if verified := address + "_verified"; has(all, address) && !has(all, verified) {
		all = append(all, Attribute{Name: verified, Value: "true"})
	}
	return all
}

func has(all []Attribute, name string) bool {
	return slices.ContainsFunc(all, func(a Attribute) bool { return a.Name == name })
}

// Missing are the attributes that the pool requires at a sign-up and the user lacks. A user
// with a temporary password gives them at the first sign-in.
func (u *Users) Missing(of New) (missing []string) {
	if u.Pool.Definition == nil || of.Temporary {
		return nil
	}
	for _, required := range u.Pool.Definition.StandardRequiredAttributes {
		if required != "sub" && !has(of.Attributes, required) {
			missing = append(missing, required)
		}
	}
	return missing
}

// Add adds a user, confirmed and with a password and groups; addresses get no message. It
// returns the username in the pool. If a step fails, no user is added.
func (u *Users) Add(ctx context.Context, of New) (username string, err error) {
	var created struct{ User struct{ Username string } }
	attributes := of.Attributes
	if attributes == nil {
		attributes = []Attribute{}
	}
	err = u.AskOn(ctx, of.Name, of.Name, "AdminCreateUser", map[string]any{
		"UserAttributes": attributes, "TemporaryPassword": of.Password, "MessageAction": "SUPPRESS",
	}, &created)
	if err != nil {
		return "", err
	}
	username = created.User.Username
	err = u.complete(ctx, username, of)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		return username, nil
	}
	// The user is removed after an interrupt, too.
	if undo := u.AskOn(context.WithoutCancel(ctx), username, of.Name, "AdminDeleteUser", map[string]any{},
		nil); undo != nil {
		return "", fmt.Errorf("%w; and the incomplete user cannot be removed: %w", err, undo)
	}
	return "", err
}

// complete sets the password and the groups of the user that was made.
func (u *Users) complete(ctx context.Context, username string, of New) error {
	if !of.Temporary {
		if err := u.AskOn(ctx, username, of.Name, "AdminSetUserPassword",
			map[string]any{"Password": of.Password, "Permanent": true}, nil); err != nil {
			return err
		}
	}
	for _, group := range of.Groups {
		if err := u.AskOn(ctx, username, of.Name, "AdminAddUserToGroup", map[string]any{"GroupName": group},
			nil); err != nil {
			return err
		}
	}
	return nil
}

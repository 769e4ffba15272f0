package record

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/wire"
)

// AddressAttributes are the attributes that can be names of users and receive messages.
var AddressAttributes = []string{"email", "phone_number"}

// NameRules are a pool's rules about the names of users (`username_attributes` of the
// definition).
type NameRules struct {
	// Addresses are the attributes that users sign in with.
	Addresses []string
	// ChosenName says that users choose a user name, and can also sign in with verified
	// addresses. Otherwise an address is the only name, and the sub is the user name.
	ChosenName bool
}

// NameRulesOf are the rules of a pool.
func NameRulesOf(cfg pool.Pool) NameRules {
	n := NameRules{ChosenName: true}
	if cfg.Definition == nil {
		return n
	}
	names := cfg.Definition.UsernameAttributes
	for _, attribute := range AddressAttributes {
		if slices.Contains(names, attribute) {
			n.Addresses = append(n.Addresses, attribute)
		}
	}
	n.ChosenName = len(n.Addresses) == 0 || slices.Contains(names, "username")
	return n
}

// String identifies the rules that the indexes were made with.
func (n NameRules) String() string {
	if n.ChosenName {
		return "username " + strings.Join(n.Addresses, " ")
	}
	return strings.Join(n.Addresses, " ")
}

// Address is the attribute that a user name is a value of, in a pool without chosen names.
func (n NameRules) Address(username string) (attribute string, err error) {
	email, phone := slices.Contains(n.Addresses, "email"), slices.Contains(n.Addresses, "phone_number")
	switch {
	case email && IsEmail(username):
		return "email", nil
	case phone && IsPhone(username):
		return "phone_number", nil
	case email && phone:
		return "", wire.Refuse("InvalidParameterException", "Username should be either an email or a phone number.")
	case email:
		return "", wire.Refuse("InvalidParameterException", "Username should be an email.")
	}
	return "", wire.Refuse("InvalidParameterException", "Username should be a phone number.")
}

// CheckFree refuses a name that has the form of an address.
func (n NameRules) CheckFree(username string) error {
	switch {
	case slices.Contains(n.Addresses, "email") && IsEmail(username):
		return wire.Refuse("InvalidParameterException",
			"Username cannot be of email format, since user pool is configured for email alias.")
	case slices.Contains(n.Addresses, "phone_number") && IsPhone(username):
		return wire.Refuse("InvalidParameterException",
			"Username cannot be of phone number format, since user pool is configured for phone number alias.")
	}
	return nil
}

// Aliases are the keys of a user's addresses in AliasesBucket.
func (n NameRules) Aliases(u *User) []string {
	var keys []string
	for _, attribute := range n.Addresses {
		value := u.Attributes[attribute]
		if value != "" && (!n.ChosenName || u.Attributes[attribute+"_verified"] == "true") {
			keys = append(keys, aliasKey(attribute, value))
		}
	}
	return keys
}

// aliasKey is the key of an address in AliasesBucket.
func aliasKey(attribute, address string) string { return attribute + "\x00" + Fold(address) }

// indexAliases updates the index of a user's addresses. The error is AliasExistsException.
func (r Records) indexAliases(u *User) error {
	wanted := NameRulesOf(r.Pool).Aliases(u)
	for _, key := range wanted {
		if sub := r.Get(AliasesBucket, key); sub != nil && string(sub) != u.Sub {
			return aliasTaken(key)
		}
	}
	for _, key := range u.Aliases {
		if !slices.Contains(wanted, key) {
			if err := r.remove(AliasesBucket, key); err != nil {
				return err
			}
		}
	}
	for _, key := range wanted {
		if err := r.put(AliasesBucket, key, []byte(u.Sub)); err != nil {
			return err
		}
	}
	u.Aliases = wanted
	return nil
}

func aliasTaken(key string) error {
	return wire.Refuse("AliasExistsException", "An account with the given %s already exists.",
		strings.TrimSuffix(AttributeOf(key), "_number"))
}

// AttributeOf is the attribute of a key in AliasesBucket.
func AttributeOf(key string) string {
	attribute, _, _ := strings.Cut(key, "\x00")
	return attribute
}

// reindex makes the indexes of all users again after a change of the name rules, which the cloud does not
// allow, or changes of an older program. If several users have the same address, the oldest user keeps it.
func (r Records) reindex() error {
	if !r.IsStale() {
		return nil
	}
	var all []*User
	if err := r.Search(Search{}, "", func(u *User, _ string) bool {
		all = append(all, u)
		return true
	}); err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b *User) int { return a.Created.Compare(b.Created) })
	var found []string
	subs := make(map[string]string)
	for _, u := range all {
		before := u.Aliases
		u.Aliases = nil
		for _, key := range NameRulesOf(r.Pool).Aliases(u) {
			if _, taken := subs[key]; !taken {
				u.Aliases = append(u.Aliases, key)
				subs[key] = u.Sub
			}
		}
		found = slices.AppendSeq(found, maps.Keys(searchKeys(u)))
		if !slices.Equal(before, u.Aliases) {
			if err := r.putUser(u); err != nil {
				return err
			}
		}
	}
	if err := r.renew(AliasesBucket, slices.Collect(maps.Keys(subs)), subs); err != nil {
		return err
	}
	if err := r.renew(searchBucket, found, nil); err != nil {
		return err
	}
	return r.Bucket.Put(rulesKey, []byte(searchMark+NameRulesOf(r.Pool).String()))
}

// renew replaces what is in a bucket by keys with their values. It puts them in order: in a
// change a bucket is one long page, to the end of which a key is added at once.
func (r Records) renew(bucket []byte, keys []string, values map[string]string) error {
	if r.Bucket.Bucket(bucket) != nil {
		if err := r.Bucket.DeleteBucket(bucket); err != nil {
			return err
		}
	}
	b, err := r.Bucket.CreateBucket(bucket)
	if err != nil {
		return err
	}
	slices.Sort(keys)
	for _, key := range keys {
		if err := b.Put([]byte(key), []byte(values[key])); err != nil {
			return err
		}
	}
	return nil
}

// IsEmail reports whether a text has the form of an email address.
func IsEmail(text string) bool {
	local, domain, found := strings.Cut(text, "@")
	return found && local != "" && domain != "" && !strings.Contains(domain, "@") && IsVisible(local) && IsVisible(domain)
}

// IsPhone reports whether a text is a phone number with a country code (E.164).
func IsPhone(text string) bool {
	digits, plus := strings.CutPrefix(text, "+")
	return plus && len(digits) >= 5 && len(digits) <= 15 && IsDigits(digits)
}

// IsDigits reports whether a text has digits only.
func IsDigits(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// IsVisible reports whether a text has only letters, marks, symbols, digits and punctuation.
func IsVisible(text string) bool {
	for _, r := range text {
		if !unicode.In(r, unicode.L, unicode.M, unicode.S, unicode.N, unicode.P) || r == utf8.RuneError {
			return false
		}
	}
	return text != ""
}

package record

import (
	"errors"
	"slices"
	"strings"

	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/pages"
)

// Searchable are the attributes that a filter of ListUsers may name, and Membership. True ones are
// compared without regard to case. The cloud does not search custom attributes either.
var Searchable = map[string]bool{
	"username": true, "email": true, "preferred_username": true, "cognito:user_status": true, "status": true,
	"phone_number": false, "name": false, "given_name": false, "family_name": false, "sub": false, Membership: false,
}

// Search is which users are listed: those whose Attribute is Value, or begins with it. No
// Attribute is everybody, and Membership is the group that a user is in.
type Search struct {
	Attribute, Value string
	Begins           bool
}

// Membership is no attribute of a user, and a filter cannot name it: it has an equals sign.
const Membership = "in="

// longestSearched is the most bytes of a value in an index: no filter is longer.
const longestSearched = 1024

// searchMark begins the rules of a pool whose users are in searchBucket. An older program, which
// leaves that bucket as it is, replaces the rules with its first change.
const searchMark = "search "

// Holds reports whether a user is one of those.
func (s Search) Holds(u *User) bool {
	return s.Attribute == "" || slices.ContainsFunc(searched(u, s.Attribute), func(has string) bool {
		return has == s.Value || s.Begins && strings.HasPrefix(has, s.Value)
	})
}

// searched are a user's values of what is searched: at most one, except of groups.
func searched(u *User, attribute string) []string {
	if u == nil {
		return nil
	}
	value, known := u.Attributes[attribute]
	switch attribute {
	case Membership:
		return u.Groups
	case "username":
		value, known = u.Name, true
	case "sub":
		value, known = u.Sub, true
	case "cognito:user_status":
		value, known = u.Status, true
	case "status":
		if value, known = "Enabled", true; u.Disabled {
			value = "Disabled"
		}
	}
	switch {
	case !known:
		return nil
	case Searchable[attribute]:
		value = Fold(value)
	}
	return []string{value}
}

// searchKeys are the keys of a user, who may be nil, in searchBucket.
func searchKeys(u *User) map[string]bool {
	keys := make(map[string]bool)
	for attribute := range Searchable {
		for _, value := range searched(u, attribute) {
			keys[attribute+"\x00"+value[:min(len(value), longestSearched)]+"\x00"+u.Sub] = true
		}
	}
	return keys
}

// indexSearch changes the entries of a user, who is nil afterwards if deleted.
func (r Records) indexSearch(sub string, after *User) error {
	before, err := r.BySub(sub)
	if err != nil {
		return err
	}
	b := r.Bucket.Bucket(searchBucket)
	was, is := searchKeys(before), searchKeys(after)
	for key := range was {
		if !is[key] {
			err = errors.Join(err, b.Delete([]byte(key)))
		}
	}
	for key := range is {
		if !was[key] {
			err = errors.Join(err, b.Put([]byte(key), nil))
		}
	}
	return err
}

// index is the bucket to search in, nil if an older program has made changes since.
func index(b *pages.Bucket) *pages.Bucket {
	if !strings.HasPrefix(string(b.Get(rulesKey)), searchMark) {
		return nil
	}
	return b.Bucket(searchBucket)
}

// Search calls take for the users that a search finds, behind a place if it is not "", until take
// returns false. The place of a user is the sub; where the values differ, the value is before it.
func (r Records) Search(s Search, behind string, take func(u *User, place string) (more bool)) error {
	if r.Bucket == nil {
		return nil
	}
	users := r.Bucket.Bucket(UsersBucket)
	list, prefix, within, valued := users, "", "", strings.Contains(behind, "\x00")
	if b := index(r.Bucket); b != nil && s.Attribute != "" && (behind == "" || valued == s.Begins) {
		list, prefix = b, s.Attribute+"\x00"
		if within = prefix + s.Value; !s.Begins {
			within += "\x00"
			prefix = within
		}
	} else if valued {
		return wire.Refuse("InvalidParameterException", "Invalid pagination token.")
	}
	cursor := list.Cursor()
	for key, value := cursor.Seek([]byte(max(prefix+behind, within))); key != nil &&
		strings.HasPrefix(string(key), within); key, value = cursor.Next() {
		place := string(key[len(prefix):])
		if place == behind {
			continue
		}
		if list != users {
			value = users.Get([]byte(place[strings.LastIndexByte(place, 0)+1:]))
		}
		u := new(User)
		if err := r.Parse(UsersBucket, value, u); err != nil {
			return err
		}
		if s.Holds(u) && !take(u, place) {
			return nil
		}
	}
	return nil
}

package userpool_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/pages"
)

// listAll are the names of the users of all pages of a list, sorted.
func listAll(t *rapid.T, w *fixture, operation, token string, in object) []string {
	found := []string{}
	for {
		out, err := w.try(operation, in)
		if err != nil {
			t.Fatalf("%s %v: %v", operation, in, err)
		}
		for _, each := range out["Users"].([]any) {
			found = append(found, each.(object)["Username"].(string))
		}
		if in[token] = out[token]; in[token] == nil {
			slices.Sort(found)
			return found
		}
	}
}

// value is what a filter compares of a user.
func value(user object, attribute string) (text string, known bool) {
	folded := true
	switch attribute {
	case "username":
		text = user["Username"].(string)
	case "cognito:user_status":
		text = user["UserStatus"].(string)
	case "status":
		text = map[bool]string{true: "Enabled", false: "Disabled"}[user["Enabled"].(bool)]
	default:
		folded = attribute == "email" || attribute == "preferred_username"
		for _, each := range user["Attributes"].([]any) {
			if a := each.(object); a["Name"] == attribute {
				text, _ = a["Value"].(string)
				known = true
			}
		}
		if !known {
			return "", false
		}
	}
	if folded {
		text = strings.ToLower(text)
	}
	return text, true
}

var filtered = []string{
	"username", "email", "phone_number", "name", "given_name", "family_name", "preferred_username", "cognito:user_status", "status", "sub",
}

func TestFiltersFindWhatAScanFindsAfterAnyChanges(t *testing.T) {
	t.Parallel()
	outer := t
	groups := []string{"Admins", "Admin", "Ops"}
	rapid.Check(t, func(t *rapid.T) {
		w := newFixture(outer, nil, groups...)
		name := rapid.SampledFrom([]string{"ada", "Adam", "bob", "İda", "zoë", "adamant"})
		text := rapid.OneOf(rapid.SampledFrom([]string{"a", "A", "ab", "Ab", "a b", "é", "a\x00b", "a\x00", strings.Repeat("x", 2000), strings.Repeat("x", 1023) + "é"}),
			rapid.StringOfN(rapid.RuneFrom([]rune("aAbİ\x00")), 1, 4, -1))
		change := func(operation string, in object) { _, _ = w.try(operation, in) }
		attributes := func() []object {
			var all []string
			for range rapid.IntRange(0, 3).Draw(t, "attributes") {
				each := rapid.SampledFrom([]string{"name", "given_name", "family_name", "preferred_username", "email", "phone_number"}).Draw(t, "attribute")
				v := text.Draw(t, "value")
				switch each {
				case "email":
					v = rapid.SampledFrom([]string{"Ada@example.com", "ada@example.com", "b@example.com"}).Draw(t, "email")
				case "phone_number":
					v = rapid.SampledFrom([]string{"+4179123456", "+41791234567"}).Draw(t, "phone")
				}
				all = append(all, each+"="+v)
			}
			return list(all...)
		}
		check := func(*rapid.T) {
			users := w.do("ListUsers", object{})["Users"].([]any)
			attribute := rapid.SampledFrom(filtered).Draw(t, "filtered")
			wanted := rapid.SampledFrom([]string{"", "a", "confirmed", "FORCE_CHANGE_PASSWORD", "en", "disabled", "+4179123456"}).Draw(t, "wanted")
			if len(users) > 0 && rapid.Bool().Draw(t, "of a user") {
				wanted, _ = value(rapid.SampledFrom(users).Draw(t, "user").(object), attribute)
				wanted = string([]rune(wanted)[:min(len([]rune(wanted)), rapid.IntRange(0, 100).Draw(t, "length"))])
			}
			for _, operator := range []string{"=", "^="} {
				want := []string{}
				for _, each := range users {
					compared := wanted
					if !slices.Contains([]string{"phone_number", "name", "given_name", "family_name", "sub"}, attribute) {
						compared = strings.ToLower(compared)
					}
					has, known := value(each.(object), attribute)
					if known && (has == compared || operator == "^=" && strings.HasPrefix(has, compared)) {
						want = append(want, each.(object)["Username"].(string))
					}
				}
				slices.Sort(want)
				filter := attribute + " " + operator + ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(wanted) + `"`
				got := listAll(t, w, "ListUsers", "PaginationToken", object{"Filter": filter, "Limit": rapid.IntRange(1, 3).Draw(t, "limit")})
				if !slices.Equal(got, want) {
					t.Fatalf("%q gives %q, want %q", filter, got, want)
				}
			}
			for _, group := range groups {
				want := []string{}
				for _, each := range users {
					username := each.(object)["Username"].(string)
					of, _ := w.do("AdminListGroupsForUser", object{"Username": username})["Groups"].([]any)
					if slices.ContainsFunc(of, func(g any) bool { return g.(object)["GroupName"] == group }) {
						want = append(want, username)
					}
				}
				slices.Sort(want)
				if got := listAll(t, w, "ListUsersInGroup", "NextToken", object{"GroupName": group, "Limit": 1}); !slices.Equal(got, want) {
					t.Fatalf("%s has %q, want %q", group, got, want)
				}
			}
			if n := w.do("DescribeUserPool", object{})["UserPool"].(object)["EstimatedNumberOfUsers"]; n != float64(len(users)) {
				t.Fatalf("%v users are told of %d", n, len(users))
			}
		}
		changes := map[string]func(*rapid.T){
			"add": func(*rapid.T) {
				change("AdminCreateUser", object{
					"Username": name.Draw(t, "name"), "UserAttributes": attributes(), "MessageAction": "SUPPRESS", "TemporaryPassword": password,
				})
			},
			"change": func(*rapid.T) {
				change("AdminUpdateUserAttributes", object{"Username": name.Draw(t, "name"), "UserAttributes": attributes()})
			},
			"forget": func(*rapid.T) {
				change("AdminDeleteUserAttributes", object{"Username": name.Draw(t, "name"), "UserAttributeNames": []string{"name", "email"}})
			},
			"allow": func(*rapid.T) {
				change(rapid.SampledFrom([]string{"AdminDisableUser", "AdminEnableUser", "AdminResetUserPassword"}).Draw(t, "how"), object{"Username": name.Draw(t, "name")})
			},
			"group": func(*rapid.T) {
				change(rapid.SampledFrom([]string{"AdminAddUserToGroup", "AdminAddUserToGroup", "AdminRemoveUserFromGroup"}).Draw(t, "how"),
					object{"Username": name.Draw(t, "name"), "GroupName": rapid.SampledFrom(groups).Draw(t, "group")})
			},
			"delete": func(*rapid.T) { change("AdminDeleteUser", object{"Username": name.Draw(t, "name")}) },
			"reopen": func(*rapid.T) {
				w.stop()
				if !isWhole(t, w, nil) {
					t.Fatal("the users are not what was written")
				}
				w.open()
			},
			"change by an older program": func(*rapid.T) {
				w.stop()
				changeAsBefore(t, w)
				w.open()
			},
		}
		for range rapid.IntRange(1, 15).Draw(t, "changes") {
			changes[rapid.SampledFrom(slices.Sorted(maps.Keys(changes))).Draw(t, "change")](t)
		}
		for range 5 {
			check(t)
		}
		w.stop()
	})
}

// changeAsBefore changes a user as a program that knows no index of what is searched.
func changeAsBefore(t *rapid.T, w *fixture) {
	db := w.options().DB
	err := db.Update(func(tx *pages.Tx) error {
		root := tx.Bucket([]byte("user pools"))
		if root == nil || root.Bucket([]byte(poolID)) == nil {
			return nil
		}
		bucket := root.Bucket([]byte(poolID))
		users := bucket.Bucket([]byte("users"))
		if key, stored := users.Cursor().First(); key != nil {
			head, _, _ := strings.Cut(string(stored), `,"sum":`)
			before, after, found := strings.Cut(head, `"attributes":{`)
			if found && strings.HasPrefix(after, `}`) {
				head = before + `"attributes":{"family_name":"old"` + after
			}
			head = "{" + strings.TrimPrefix(strings.TrimPrefix(head, `{"pool":"`+poolID+`",`), "{")
			if err := users.Put(key, []byte(strings.TrimSuffix(head, "}")+"}")); err != nil {
				return err
			}
		}
		return bucket.Put([]byte("rules"), []byte("username "))
	})
	if err != nil {
		t.Fatal(err)
	}
	w.stop()
}

// isWhole reports whether the check of a file takes its users as what was written, after a change of
// what is searched.
func isWhole(t rapid.TB, w *fixture, change func(search *pages.Bucket) error) (whole bool) {
	err := w.options().DB.Update(func(tx *pages.Tx) error {
		if change != nil {
			if err := change(tx.Bucket([]byte("user pools")).Bucket([]byte(poolID)).Bucket([]byte("search"))); err != nil {
				return err
			}
		}
		whole = record.AreWhole(tx)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.stop()
	return whole
}

func TestAUserWhomNoFilterFindsIsDamage(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(search *pages.Bucket) error{
		"an entry is missing": func(search *pages.Bucket) error {
			key, _ := search.Cursor().First()
			return search.Delete(slices.Clone(key))
		},
		"an entry is of nobody": func(search *pages.Bucket) error { return search.Put([]byte("email\x00a\x00b"), nil) },
	} {
		w := newFixture(t, nil)
		w.addConfirmed("ada")
		w.stop()
		if isWhole(t, w, change) {
			t.Errorf("%s, and the users are taken as what was written", name)
		}
	}
}

// It counts allocations, so that it runs alone.
func TestWhatAFilterReadsDoesNotGrowWithThePool(t *testing.T) {
	few, more := manyUsers(t, 1000), manyUsers(t, 4000)
	for operation, ins := range map[string][]object{
		"ListUsers": {
			{"Filter": `email = "user00777@example.com"`},
			{"Filter": `email ^= "user0077"`},
			{"Filter": `status = "disabled"`},
			{"Filter": `sub ^= "00000777"`},
			{"Filter": `cognito:user_status = "CONFIRMED"`, "Limit": 5},
		},
		"ListUsersInGroup": {{"GroupName": "Admins", "Limit": 5}},
	} {
		for _, in := range ins {
			of := func(w *fixture) float64 { return testing.AllocsPerRun(3, func() { w.do(operation, in) }) }
			if a, b := of(few), of(more); b > 1.2*a {
				t.Errorf("%s %v: %v allocations with 1000 users, and %v with 4000", operation, in, a, b)
			}
		}
	}
}

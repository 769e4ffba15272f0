package people_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/people"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

const password = "Correct-horse-7!"

// open opens the users of a pool with three groups, of which nobody is a member.
func open(t *testing.T) *people.Users {
	t.Helper()
	b := &model.Backend{Project: model.Project{Name: "shop", ApplicationID: "app1", Region: "eu-west-1"}, Groups: []string{"Readers", "Editors", "Admins"}}
	b.Environments = []*model.Environment{{Name: "dev", Provider: model.Local}}
	u, err := people.Of(b, b.Environments[0])
	if err != nil {
		t.Fatal(err)
	}
	held, err := sandbox.OpenUsers(t.Context(), t.TempDir(), *u.Pool, "http://127.0.0.1:4280", nil)
	if err != nil {
		t.Fatal(err)
	}
	u.Held(held)
	t.Cleanup(func() {
		if err := u.Close(); err != nil {
			t.Error(err)
		}
	})
	return u
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, u *people.Users, of people.New) {
	t.Helper()
	of.Password = password
	_, err := u.Add(t.Context(), of)
	must(t, err)
}

func find(t *testing.T, u *people.Users, name string) userpool.User {
	t.Helper()
	user, err := u.Find(t.Context(), name)
	must(t, err)
	return user
}

func TestGroupsAreJoinedAndLeftTogetherOrNotAtAll(t *testing.T) {
	t.Parallel()
	u := open(t)
	add(t, u, people.New{Name: "emma", Groups: []string{"Editors"}})
	for _, of := range []struct {
		more, less, want []string
		changed          bool
	}{
		{[]string{"Admins", "Editors"}, []string{"Readers"}, []string{"Editors", "Admins"}, true},
		{[]string{"Admins"}, []string{"Readers"}, []string{"Editors", "Admins"}, false},
		{[]string{"Readers"}, []string{"Editors"}, []string{"Readers", "Admins"}, true},
		{nil, []string{"Admins", "Readers"}, nil, true},
	} {
		user, changed, err := u.Join(t.Context(), "emma", of.more, of.less)
		if err != nil || changed != of.changed || !slices.Equal(user.Groups, of.want) || !slices.Equal(find(t, u, "emma").Groups, of.want) {
			t.Errorf("more %q and less %q makes %q, changed %v, %v", of.more, of.less, user.Groups, changed, err)
		}
	}
	if _, _, err := u.Join(t.Context(), "emma", []string{"Admins", "Owners"}, nil); err == nil || !strings.Contains(err.Error(), "group Owners: is not in environment dev") || len(find(t, u, "emma").Groups) > 0 {
		t.Errorf("with an unknown group: %v, in %q", err, find(t, u, "emma").Groups)
	}
	if _, _, err := u.Join(t.Context(), "nobody", []string{"Admins"}, nil); !errors.Is(err, model.ErrUnknown) {
		t.Errorf("an unknown user: %v", err)
	}
}

func TestWhatIsDoneToAUserShowsInTheirState(t *testing.T) {
	t.Parallel()
	u := open(t)
	add(t, u, people.New{Name: "emma", Temporary: true, Attributes: []people.Attribute{{Name: "email", Value: "emma@example.com"}, {Name: "email_verified", Value: "true"}}})
	add(t, u, people.New{Name: "ned", Attributes: []people.Attribute{{Name: "email", Value: "ned@example.com"}, {Name: "email_verified", Value: "true"}}})
	state := func(name string) string {
		user := find(t, u, name)
		return people.StateWords(user.Status, user.Enabled)
	}
	for _, of := range []struct {
		do        func() error
		emma, ned string
	}{
		{func() error { return nil }, "temporary password", "confirmed"},
		{func() error { return u.Enable(t.Context(), "ned", false) }, "temporary password", "confirmed, disabled"},
		{func() error { return u.Enable(t.Context(), "ned", true) }, "temporary password", "confirmed"},
		{func() error { return u.SetPassword(t.Context(), "emma", password+"2", false) }, "confirmed", "confirmed"},
		{func() error { return u.SetPassword(t.Context(), "ned", password+"2", true) }, "confirmed", "temporary password"},
		{func() error { return u.ResetPassword(t.Context(), "emma") }, "must reset password", "temporary password"},
	} {
		must(t, of.do())
		if emma, ned := state("emma"), state("ned"); emma != of.emma || ned != of.ned {
			t.Errorf("emma is %q and ned %q, want %q and %q", emma, ned, of.emma, of.ned)
		}
	}
	if done, err := u.Confirm(t.Context(), "ned"); done || err == nil || !strings.Contains(err.Error(), "was added with a temporary password, so it needs no confirmation") {
		t.Errorf("one with a temporary password is confirmed: %v, %v", done, err)
	}
	must(t, u.SetPassword(t.Context(), "ned", password, false))
	if done, err := u.Confirm(t.Context(), "ned"); done || err != nil {
		t.Errorf("one who is confirmed is confirmed: %v, %v", done, err)
	}
	must(t, u.Remove(t.Context(), "emma"))
	if _, err := u.Find(t.Context(), "emma"); !errors.Is(err, model.ErrUnknown) {
		t.Errorf("who is removed is found: %v", err)
	}
	if find(t, u, "ned").Name != "ned" {
		t.Error("another one is removed")
	}
}

func TestUsersAreReadInPagesWithTheirOwnGroups(t *testing.T) {
	t.Parallel()
	u := open(t)
	const count = 61 // one more than a page
	want := make(map[string][]string)
	for i := range count {
		name := fmt.Sprintf("u%02d", i)
		var groups []string
		for n, group := range u.Groups {
			if i%(n+2) == 0 {
				groups = append(groups, group)
			}
		}
		add(t, u, people.New{Name: name, Groups: groups, Temporary: true})
		want[name] = groups
	}
	got, pages, from := make(map[string][]string), 0, ""
	for {
		users, next, err := u.Page(t.Context(), from)
		must(t, err)
		pages++
		for _, user := range users {
			if _, twice := got[user.Name]; twice {
				t.Errorf("%s is on two pages", user.Name)
			}
			got[user.Name] = user.Groups
		}
		if from = next; next == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || pages != 2 {
		t.Errorf("%d pages differ (-want +got):\n%s", pages, diff)
	}
	members, err := u.Memberships(t.Context())
	must(t, err)
	for name, groups := range want {
		if !slices.Equal(members[name], groups) {
			t.Errorf("%s is a member of %q, want %q", name, members[name], groups)
		}
	}
	all, err := u.Roster(t.Context())
	if err != nil || len(all) != count {
		t.Errorf("the roster has %d, %v", len(all), err)
	}
}

func TestAddressesAndWhatIsMissingFollowThePool(t *testing.T) {
	t.Parallel()
	of := func(definition *model.Auth) *people.Users {
		return &people.Users{Pool: &pool.Pool{Definition: definition}}
	}
	both := &model.Auth{UsernameAttributes: []string{"email", "phone_number"}}
	for _, c := range []struct {
		definition               *model.Auth
		name, email, phone, want string
	}{
		{both, "a@x", "", "", "a@x|"},
		{both, "+1", "", "", "|+1"},
		{both, "a@x", "b@x", "+2", "b@x|+2"},
		{both, "ann", "", "", "|"},
		{&model.Auth{UsernameAttributes: []string{"email"}}, "+1", "", "", "|"},
		{&model.Auth{UsernameAttributes: []string{"phone_number"}}, "a@x", "", "", "|"},
		{&model.Auth{UsernameAttributes: []string{"username", "email"}}, "a@x", "", "", "|"},
		{nil, "a@x", "", "+3", "|+3"},
	} {
		email, phone := of(c.definition).Addresses(c.name, c.email, c.phone)
		if got := email + "|" + phone; got != c.want {
			t.Errorf("of %q with %q and %q it is %s, want %s", c.name, c.email, c.phone, got, c.want)
		}
	}
	all := []people.Attribute{{Name: "email", Value: "a@x"}}
	if got := people.Verified(slices.Clone(all), "email"); !slices.Equal(got, append(all, people.Attribute{Name: "email_verified", Value: "true"})) {
		t.Errorf("it is %v", got)
	}
	said := append(all, people.Attribute{Name: "email_verified", Value: "false"})
	if got := people.Verified(slices.Clone(said), "email"); !slices.Equal(got, said) {
		t.Errorf("what was said is %v", got)
	}
	if got := people.Verified(slices.Clone(all), "phone_number"); !slices.Equal(got, all) {
		t.Errorf("without the address it is %v", got)
	}
	required := of(&model.Auth{StandardRequiredAttributes: []string{"email", "sub", "family_name", "locale"}})
	if got := required.Missing(people.New{Attributes: all}); !slices.Equal(got, []string{"family_name", "locale"}) {
		t.Errorf("missing are %q", got)
	}
	if got := required.Missing(people.New{Temporary: true}); got != nil {
		t.Errorf("with a temporary password missing are %q", got)
	}
	for name, fine := range map[string]bool{"emma": true, "": false, "a b": false, "a\tb": false, "a\x00": false, "\xff": false, "é": true} {
		if err := people.CheckName(name); (err == nil) != fine {
			t.Errorf("%q: %v", name, err)
		}
	}
	for text, fine := range map[string]bool{strings.Repeat("é", people.LongestPassword): true, strings.Repeat("é", people.LongestPassword+1): false, "\xff": false} {
		if err := people.CheckPassword(text); (err == nil) != fine {
			t.Errorf("a password of %d bytes: %v", len(text), err)
		}
	}
	p := &pool.Pool{Groups: []string{"Readers", "Admins"}}
	for want, groups := range map[string][]string{"none; acts as": nil, "Readers; acts as": {"Readers"}, "Readers, Admins; acts as": {"Readers", "Admins"}} {
		got := people.MembershipWords(p, groups)
		if !strings.HasPrefix(got, want) || strings.HasSuffix(got, ", the first of them") != (len(groups) > 1) {
			t.Errorf("of %q it says %q", groups, got)
		}
	}
}

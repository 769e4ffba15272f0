package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

// scripted stands for a pool in AWS: each operation has its answers, which it gives in turn, and then the
// last one again. An answer is an error, or JSON; {} without any.
type scripted struct {
	answers map[string][]any
	asked   []string
}

func (s *scripted) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.asked = append(s.asked, operation+" "+string(input))
	all := s.answers[operation]
	if len(all) == 0 {
		return []byte("{}"), nil
	}
	if len(all) > 1 {
		s.answers[operation] = all[1:]
	}
	if err, failed := all[0].(error); failed {
		return nil, err
	}
	return []byte(all[0].(string)), nil
}

// usersOf are the users of a pool that answers so, with three groups.
func usersOf(answers map[string][]any) (*Users, *scripted) {
	s := &scripted{answers: answers}
	p := &pool.Pool{Environment: "dev", Groups: []string{"Readers", "Editors", "Admins"}, Definition: &model.Auth{}}
	return &Users{Pool: p, Groups: p.Groups, Flags: " --env dev", held: &cloudUsers{s, p}}, s
}

func (s *scripted) check(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("it asks for other things (-want +got):\n%s", diff)
	}
	s.asked = nil
}

const (
	emmaMade = `{"User": {"Username": "u-1"}}`
	emmaGot  = `{"Username": "u-1", "Enabled": true, "UserStatus": "CONFIRMED", "UserCreateDate": 1700000000.25, "UserLastModifiedDate": 1700000001,
		"UserMFASettingList": ["SOFTWARE_TOKEN_MFA"], "PreferredMfaSetting": "SOFTWARE_TOKEN_MFA",
		"UserAttributes": [{"Name": "sub", "Value": "u-1"}, {"Name": "email", "Value": "emma@x"}]}`
)

func TestWhatAUserIsAddedWithIsAskedForInSteps(t *testing.T) {
	t.Parallel()
	const made = `AdminCreateUser {"MessageAction":"SUPPRESS","TemporaryPassword":"pw","UserAttributes":[],"Username":"emma"}`
	const removed = `AdminDeleteUser {"Username":"u-1"}`
	one := New{Name: "emma", Password: "pw", Groups: []string{"Readers", "Admins"}}
	u, s := usersOf(map[string][]any{"AdminCreateUser": {emmaMade}})
	if name, err := u.Add(t.Context(), one); name != "u-1" || err != nil {
		t.Errorf("the user is %q, %v", name, err)
	}
	set := `AdminSetUserPassword {"Password":"pw","Permanent":true,"Username":"u-1"}`
	join := func(group string) string { return `AdminAddUserToGroup {"GroupName":"` + group + `","Username":"u-1"}` }
	s.check(t, made, set, join("Readers"), join("Admins"))

	temporary := New{Name: "emma", Password: "pw", Temporary: true, Attributes: []Attribute{{Name: "email", Value: "emma@x"}}}
	if _, err := u.Add(t.Context(), temporary); err != nil {
		t.Error(err)
	}
	s.check(t, strings.Replace(made, "[]", `[{"Name":"email","Value":"emma@x"}]`, 1))

	refused := wire.Refuse("LimitExceededException", "Too many\n groups.")
	s.answers["AdminAddUserToGroup"] = []any{"{}", refused}
	name, err := u.Add(t.Context(), one)
	if name != "" || err == nil || err.Error() != "user emma: Too many groups" || !errors.Is(err, refused) {
		t.Errorf("a group that refuses: %q, %v", name, err)
	}
	s.check(t, made, set, join("Readers"), join("Admins"), removed)

	s.answers["AdminDeleteUser"] = []any{wire.Refuse("InternalErrorException", "No.")}
	if _, err = u.Add(t.Context(), one); err == nil || err.Error() != "user emma: Too many groups; and the incomplete user cannot be removed: user emma: No" {
		t.Errorf("a user who stays: %v", err)
	}
}

func TestGroupsThatWereChangedAreChangedBackIfAnotherRefuses(t *testing.T) {
	t.Parallel()
	u, s := usersOf(map[string][]any{
		"AdminGetUser": {emmaGot}, "AdminListGroupsForUser": {`{"Groups": [{"GroupName": "Editors"}]}`},
		"AdminRemoveUserFromGroup": {wire.Refuse("InternalErrorException", "No."), "{}"},
	})
	user, changed, err := u.Join(t.Context(), "emma@x", []string{"Admins", "Editors", "Readers"}, []string{"Editors"})
	if changed || err == nil || err.Error() != "user emma@x: No" || !slices.Equal(user.Groups, []string{"Editors"}) {
		t.Errorf("it makes %+v, changed %v, %v", user, changed, err)
	}
	do := func(operation, group string) string {
		return operation + ` {"GroupName":"` + group + `","Username":"u-1"}`
	}
	const enter, leave = "AdminAddUserToGroup", "AdminRemoveUserFromGroup"
	s.check(t, `AdminGetUser {"Username":"emma@x"}`, `AdminListGroupsForUser {"Limit":60,"Username":"u-1"}`,
		do(enter, "Admins"), do(enter, "Readers"), do(leave, "Editors"), do(leave, "Admins"), do(leave, "Readers"))
}

func TestWhatIsDoneToAUserIsAskedOfTheUserWhoIsFound(t *testing.T) {
	t.Parallel()
	for want, do := range map[string]func(*Users, context.Context) error{
		`AdminDisableUser {"Username":"u-1"}`:                                      func(u *Users, ctx context.Context) error { return u.Enable(ctx, "emma@x", false) },
		`AdminEnableUser {"Username":"u-1"}`:                                       func(u *Users, ctx context.Context) error { return u.Enable(ctx, "emma@x", true) },
		`AdminSetUserPassword {"Password":"p","Permanent":true,"Username":"u-1"}`:  func(u *Users, ctx context.Context) error { return u.SetPassword(ctx, "emma@x", "p", false) },
		`AdminSetUserPassword {"Password":"p","Permanent":false,"Username":"u-1"}`: func(u *Users, ctx context.Context) error { return u.SetPassword(ctx, "emma@x", "p", true) },
		`AdminResetUserPassword {"Username":"u-1"}`:                                func(u *Users, ctx context.Context) error { return u.ResetPassword(ctx, "emma@x") },
		`AdminDeleteUser {"Username":"u-1"}`:                                       func(u *Users, ctx context.Context) error { return u.Remove(ctx, "emma@x") },
		`AdminConfirmSignUp {"Username":"u-1"}`: func(u *Users, ctx context.Context) error {
			done, err := u.Confirm(ctx, "emma@x")
			if !done {
				err = errors.Join(err, errors.New("nothing is done"))
			}
			return err
		},
	} {
		u, s := usersOf(map[string][]any{"AdminGetUser": {strings.Replace(emmaGot, "CONFIRMED", "UNCONFIRMED", 1)}})
		if err := do(u, t.Context()); err != nil || s.asked[len(s.asked)-1] != want {
			t.Errorf("it ends with %v and asks\n%q\nwant\n%s", err, s.asked, want)
		}
	}
	u, _ := usersOf(map[string][]any{"AdminGetUser": {strings.Replace(emmaGot, "CONFIRMED", "FORCE_CHANGE_PASSWORD", 1)}})
	if done, err := u.Confirm(t.Context(), "emma"); done || fmt.Sprint(err) !=
		"user emma: was added with a temporary password, so it needs no confirmation; set a permanent one with: gatewright user passwd emma --env dev" {
		t.Errorf("with a temporary password: %v, %v", done, err)
	}
}

func TestAUserIsFoundByWhatThePoolDoesNotKnowAsAName(t *testing.T) {
	t.Parallel()
	const sub = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	gone := wire.Refuse(notFoundCode, "User does not exist.")
	for _, of := range []struct{ name, filter, attribute, is, want string }{
		{"emma@x", `email = \"emma@x\"`, "email", "Emma@X", "u-1"},
		{"emma@x", `email = \"emma@x\"`, "email", "emma@xy", "user emma@x: not found in environment dev; list the users with: gatewright user list --env dev"},
		{"+49", `phone_number = \"+49\"`, "phone_number", "+49", "u-1"},
		{sub, `sub = \"` + sub + `\"`, "sub", sub, "u-1"},
		{`a"\@x`, `email = \"a\\\"\\\\@x\"`, "email", `a\"\\@x`, "u-1"},
	} {
		u, s := usersOf(map[string][]any{
			"AdminGetUser": {gone, emmaGot}, "AdminListGroupsForUser": {`{"Groups": [{"GroupName": "Admins"}], "NextToken": "2"}`, `{"Groups": [{"GroupName": "Readers"}]}`},
			"ListUsers": {`{"Users": [{"Username": "u-1", "Attributes": [{"Name": "` + of.attribute + `", "Value": "` + of.is + `"}]}]}`, `{}`},
		})
		user, err := u.Find(t.Context(), of.name)
		if err != nil {
			user.Name = err.Error()
		}
		if want := `ListUsers {"Filter":"` + of.filter + `","Limit":60}`; user.Name != of.want || s.asked[1] != want {
			t.Errorf("%s finds %q and asks\n%s\nwant\n%s", of.name, user.Name, s.asked[1], want)
		}
		if of.want != "u-1" {
			continue
		}
		whole := userpool.User{
			Sub: "u-1", Name: "u-1", Groups: []string{"Readers", "Admins"}, Enabled: true, Status: "CONFIRMED", Attributes: map[string]string{"sub": "u-1", "email": "emma@x"},
			Created: time.Unix(1700000000, 250_000_000).UTC(), Modified: time.Unix(1700000001, 0).UTC(), Factors: []string{"SOFTWARE_TOKEN_MFA"}, PreferredFactor: "SOFTWARE_TOKEN_MFA",
		}
		if diff := cmp.Diff(whole, user); diff != "" {
			t.Error(diff)
		}
		s.check(t, s.asked[0], s.asked[1], `AdminGetUser {"Username":"u-1"}`, `AdminListGroupsForUser {"Limit":60,"Username":"u-1"}`,
			`AdminListGroupsForUser {"Limit":60,"NextToken":"2","Username":"u-1"}`)
	}
	for _, name := range []string{"", "a b", strings.Repeat("é", 129)} {
		u, s := usersOf(map[string][]any{"AdminGetUser": {emmaGot}})
		if _, err := u.Find(t.Context(), name); !errors.Is(err, model.ErrUnknown) || slices.ContainsFunc(s.asked, func(of string) bool { return strings.HasPrefix(of, "AdminGetUser") }) {
			t.Errorf("%q is asked for: %q, %v", name, s.asked, err)
		}
	}
	u, _ := usersOf(map[string][]any{"AdminGetUser": {emmaGot}})
	if _, err := u.Find(t.Context(), strings.Repeat("é", 128)); err != nil {
		t.Errorf("the longest name: %v", err)
	}
}

func TestGroupsAreInTheOrderOfTheirPrecedenceOverPages(t *testing.T) {
	t.Parallel()
	u, s := usersOf(map[string][]any{"ListGroups": {
		`{"Groups": [{"GroupName": "none"}, {"GroupName": "ten", "Precedence": 10}, {"GroupName": "b", "Precedence": 2}], "NextToken": "x"}`,
		`{"Groups": [{"GroupName": "first", "Precedence": 0}, {"GroupName": "a", "Precedence": 2}, {"GroupName": "last"}]}`,
	}})
	before := u.Pool
	if err := u.asServed(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"first", "b", "a", "ten", "none", "last"}
	if !slices.Equal(u.Groups, want) || !slices.Equal(u.Pool.Groups, want) || len(before.Groups) != 3 {
		t.Errorf("the groups are %q, those of the pool %q, and were %q", u.Groups, u.Pool.Groups, before.Groups)
	}
	s.check(t, `ListGroups {"Limit":60}`, `ListGroups {"Limit":60,"NextToken":"x"}`)
	if err := u.CheckServed([]string{"first", "Readers"}); fmt.Sprint(err) !=
		"group Readers: is not in environment dev as it is in AWS; push the environment with: gatewright push --env dev" {
		t.Errorf("a group that is not there: %v", err)
	}
}

func TestAllUsersAndMembersAreReadOverPages(t *testing.T) {
	t.Parallel()
	u, s := usersOf(map[string][]any{
		"ListUsersInGroup": {`{"Users": [{"Username": "b"}], "NextToken": "2"}`, `{"Users": [{"Username": "a"}]}`, `{}`, `{"Users": [{"Username": "a"}]}`},
		"ListUsers":        {`{"Users": [{"Username": "a", "Enabled": true}], "PaginationToken": "p"}`, `{"Users": [{"Username": "b"}, {"Username": "c"}]}`},
	})
	all, err := u.Roster(t.Context())
	var got []string
	for _, user := range all {
		got = append(got, fmt.Sprint(user.Name, user.Groups, user.Enabled))
	}
	if want := []string{"a[Readers Admins] true", "b[Readers] false", "c[] false"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("all are %q, %v", got, err)
	}
	s.check(t, `ListUsersInGroup {"GroupName":"Readers","Limit":60}`, `ListUsersInGroup {"GroupName":"Readers","Limit":60,"NextToken":"2"}`,
		`ListUsersInGroup {"GroupName":"Editors","Limit":60}`, `ListUsersInGroup {"GroupName":"Admins","Limit":60}`,
		`ListUsers {"Limit":60}`, `ListUsers {"Limit":60,"PaginationToken":"p"}`)
}

func TestEachRefusalOfThePoolSaysWhatToDo(t *testing.T) {
	t.Parallel()
	pages := []any{
		`{"Users": [{"Username": "u-1", "Attributes": [{"Name": "sub", "Value": "u-1"}, {"Name": "email", "Value": "emma@x.com"}]}], "PaginationToken": "2"}`,
		`{"Users": [{"Username": "guido", "Attributes": [{"Name": "email", "Value": "italy@shop.org"}]}]}`,
	}
	for _, of := range []struct{ name, code, message, want string }{
		{"emma", existsCode, "User account already exists", "user emma: User account already exists; see that user with: gatewright user show emma --env dev"},
		{"-emma", existsCode, "It is there", "user -emma: It is there; see that user with: gatewright user show --env dev -- -emma"},
		{"emma", passwordCode, "Too\n short.", "user emma: Too short; give one of at least 8 characters"},
		{"emma", parameterCode, "Attributes did not conform to the schema: x", "user emma: Attributes did not conform to the schema: x; give attributes with --email, --phone or --attribute NAME=VALUE"},
		{"emma", parameterCode, "Other.", "user emma: Other"},
		{"emma", notAuthorizedCode, "User is in FORCE_CHANGE_PASSWORD", "user emma: User is in FORCE_CHANGE_PASSWORD; set a permanent password with: gatewright user passwd emma --env dev"},
		{"emma", parameterCode, "RESET_REQUIRED", "user emma: RESET_REQUIRED; set a permanent password with: gatewright user passwd emma --env dev"},
		{"emma", notConfirmedCode, "Not confirmed", "user emma: Not confirmed; confirm the user with: gatewright user confirm emma --env dev"},
		{"emma", notAuthorizedCode, "User is disabled.", "user emma: User is disabled; enable the user with: gatewright user enable emma --env dev"},
		{"emma", notAuthorizedCode, "Password attempts exceeded", "user emma: Password attempts exceeded"},
		{"guidoo", notFoundCode, "x", "user guidoo: not found in environment dev; did you mean guido?"},
		{"italy@shop.og", notFoundCode, "x", "user italy@shop.og: not found in environment dev; did you mean guido?"},
		{"emma@x.cm", notFoundCode, "x", "user emma@x.cm: not found in environment dev; did you mean emma@x.com?"},
		{"gest", notFoundCode, "x", "user gest: not found in environment dev; did you mean guest?"},
		{"Admins", notFoundCode, "x", "user Admins: not found in environment dev; a group is written group:Admins"},
		{"somebody", notFoundCode, "x", "user somebody: not found in environment dev; list the users with: gatewright user list --env dev"},
	} {
		u, _ := usersOf(map[string][]any{"ListUsers": pages})
		u.Words = []string{"guest"}
		if err := u.Explain(t.Context(), of.name, wire.Refuse(of.code, "%s", of.message)); err.Error() != of.want {
			t.Errorf("%s of %s is\n%v\nwant\n%s", of.code, of.name, err, of.want)
		}
	}
	u, _ := usersOf(nil)
	own := errors.New("own")
	if err := u.Explain(t.Context(), "emma", own); err != own {
		t.Errorf("an error of another kind is %v", err)
	}
}

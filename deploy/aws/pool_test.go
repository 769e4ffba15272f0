package aws_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/deploy/people"
	"gatewright/deploy/remote"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/wire"
)

// usersInCloud opens the users of a fake of AWS, whose pool is that of a sandbox.
func usersInCloud(t *testing.T) (*cloudRoom, *people.Users) {
	t.Helper()
	b := cloudShop(t)
	for _, group := range []string{"Readers", "Admins"} {
		deploytest.Must(t, edit.AddGroup(b, group))
	}
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	reached := r.reached()
	p, _, err := remote.UserPoolOf(reached)
	deploytest.Must(t, err)
	// The pool of a sandbox has the ids of one.
	local, err := outputs.PoolOf(reached.Backend(), &model.Environment{Name: "dev", Provider: model.Local})
	deploytest.Must(t, err)
	local.Definition.UserPoolID, local.UserPoolID = p.UserPoolID, p.UserPoolID
	held, err := sandbox.OpenUsers(t.Context(), t.TempDir(), *local, "http://127.0.0.1:4280", nil)
	deploytest.Must(t, err)
	t.Cleanup(func() { deploytest.Must(t, held.Close()) })
	r.fake.Serve("cognito-idp", func(q awstest.Request) (any, error) {
		var in struct{ UserPoolID string }
		if err := q.Read(&in); err != nil || in.UserPoolID != p.UserPoolID {
			return nil, fmt.Errorf("%s is about the pool %q, %v", q.Action, in.UserPoolID, err)
		}
		answer, err := held.Do(context.Background(), q.Action, q.Body)
		if refused := (*wire.Error)(nil); errors.As(err, &refused) {
			return nil, &awstest.Refusal{Code: refused.Code, Message: refused.Message}
		}
		return answer, err
	})
	u, err := people.InCloud(t.Context(), reached)
	deploytest.Must(t, err)
	return r, u
}

const goodPassword = "Correct-horse-7!"

func TestUsersOfAPoolInTheCloudAreFoundByNameAddressAndSub(t *testing.T) {
	t.Parallel()
	r, u := usersInCloud(t)
	if !slices.Equal(u.Groups, []string{"Readers", "Admins"}) || !u.InAWS() || !u.Running() {
		t.Errorf("the groups are %v, in AWS %v", u.Groups, u.InAWS())
	}
	for _, one := range []struct{ name, email string }{{"emma", "emma@example.com"}, {"jane", "both@example.com"}, {"ned", "both@example.com"}} {
		_, err := u.Add(t.Context(), people.New{
			Name: one.name, Password: goodPassword, Groups: []string{"Admins"}, Attributes: []people.Attribute{{Name: "email", Value: one.email}},
		})
		deploytest.Must(t, err)
	}
	// Calls that are throttled are waited out.
	r.fake.Fail("AdminGetUser", "TooManyRequestsException", "Too many requests", 2)
	emma, err := u.Find(t.Context(), "emma")
	if err != nil || !slices.Equal(emma.Groups, []string{"Admins"}) || emma.Status != people.UserConfirmed || emma.Created.IsZero() {
		t.Fatalf("emma is %+v, %v", emma, err)
	}
	for _, name := range []string{"emma@example.com", emma.Sub} {
		if found, err := u.Find(t.Context(), name); err != nil || found.Name != "emma" {
			t.Errorf("%s finds %q, %v", name, found.Name, err)
		}
	}
	for name, want := range map[string]string{
		"both@example.com":   "2 users have this address: ",
		`x"or"@example.com\`: "not found in environment dev",
		"two words":          "not found in environment dev",
		"emm":                "did you mean emma?",
	} {
		_, err := u.Find(t.Context(), name)
		if got := fmt.Sprint(err); !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%s finds %s\nwant %s", name, got, want)
		}
	}
	all, err := u.Roster(t.Context())
	if err != nil || len(all) != 3 || !slices.Equal(all[0].Groups, []string{"Admins"}) {
		t.Errorf("all are %+v, %v", all, err)
	}
	if _, err := u.Tokens(t.Context(), "emma"); err == nil || !strings.Contains(err.Error(), "gatewright call GET /PATH --as emma --env dev") {
		t.Errorf("tokens: %v", err)
	}
}

func TestAUserInTheCloudIsAddedWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	r, u := usersInCloud(t)
	of := people.New{Name: "emma", Password: goodPassword, Groups: []string{"Readers", "Admins"}}
	for operation, fails := range map[string]struct{ code, message, want string }{
		"AdminCreateUser":      {"UserLambdaValidationException", "PreSignUp failed with error no.", "user emma: PreSignUp failed with error no"},
		"AdminSetUserPassword": {"InvalidPasswordException", "Password did not conform with policy: x", "user emma: Password did not conform with policy: x; give one of at least 8 characters"},
		"AdminAddUserToGroup":  {"AccessDeniedException", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: cognito-idp:AdminAddUserToGroup", "environment dev: ann may not do cognito-idp:AdminAddUserToGroup"},
	} {
		r.fake.Fail(operation, fails.code, fails.message, 1)
		_, err := u.Add(t.Context(), of)
		if err == nil || !strings.Contains(err.Error(), fails.want) || strings.Contains(err.Error(), goodPassword) {
			t.Errorf("%s fails with %v, want %s", operation, err, fails.want)
		}
		if _, err := u.Find(t.Context(), "emma"); !people.IsUnknown(err) && !errors.Is(err, model.ErrUnknown) {
			t.Errorf("after %s failed: %v", operation, err)
		}
	}
	// An interrupt between two steps removes the user, too.
	ctx, stop := context.WithCancel(t.Context())
	third := len(r.fake.Calls()) + 3
	r.fake.KillAt(third, awstest.BeforeHandling, stop)
	r.fake.CutAt(third, awstest.BeforeHandling)
	if _, err := u.Add(ctx, of); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted addition ends with %v", err)
	}
	if _, err := u.Find(t.Context(), "emma"); !errors.Is(err, model.ErrUnknown) {
		t.Errorf("after an interrupt: %v", err)
	}
	if _, err := u.Add(t.Context(), of); err != nil {
		t.Error(err)
	}
}

func TestAChangeOfAUserWhoseAnswerIsLostIsNotRepeated(t *testing.T) {
	t.Parallel()
	r, u := usersInCloud(t)
	emma := people.New{Name: "emma", Password: goodPassword}
	r.fake.CutAt(len(r.fake.Calls())+1, awstest.AfterHandling)
	if _, err := u.Add(t.Context(), emma); err == nil || strings.Contains(err.Error(), "already exists") || r.fake.Count("AdminCreateUser") != 1 {
		t.Errorf("asked %d times: %v", r.fake.Count("AdminCreateUser"), err)
	}
	// Reading is.
	before := r.fake.Count("AdminGetUser")
	r.fake.CutAt(len(r.fake.Calls())+1, awstest.AfterHandling)
	if _, err := u.Find(t.Context(), "emma"); err != nil || r.fake.Count("AdminGetUser") < before+2 {
		t.Errorf("AdminGetUser: asked %d times, %v", r.fake.Count("AdminGetUser")-before, err)
	}
}

func TestAUserWhoIsRemovedWhileAPageIsReadIsLeftOut(t *testing.T) {
	t.Parallel()
	r, u := usersInCloud(t)
	for _, name := range []string{"emma", "jane", "ned"} {
		_, err := u.Add(t.Context(), people.New{Name: name, Password: goodPassword, Groups: []string{"Readers"}})
		deploytest.Must(t, err)
	}
	r.fake.Fail("AdminListGroupsForUser", "UserNotFoundException", "User does not exist.", 1)
	page, next, err := u.Page(t.Context(), "")
	if err != nil || len(page) != 2 || next != "" {
		t.Errorf("the page has %d users, goes on at %q, %v", len(page), next, err)
	}
	for _, user := range page {
		if !slices.Equal(user.Groups, []string{"Readers"}) {
			t.Errorf("%s is in %v", user.Name, user.Groups)
		}
	}
}

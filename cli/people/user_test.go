package people

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"gatewright/cli/command"
	"gatewright/cli/users"
	"gatewright/deploy/people"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
)

// heldUsers opens the users of a pool with the given groups. The command also knows a group
// "lost", which the pool does not have.
func heldUsers(t *testing.T, groups ...string) (x *userCommand, out *bytes.Buffer) {
	t.Helper()
	out = new(bytes.Buffer)
	p := pool.Pool{
		Environment: "dev", Region: "eu-west-1", AccountID: "000000000000",
		UserPoolID: "eu-west-1_AbCdEfGhI", ClientID: "0123456789abcdefghijklmnop", IdentityPoolID: "eu-west-1:00000000-0000-4000-8000-000000000000",
		Definition: &model.Auth{}, Groups: groups,
	}
	held, err := sandbox.OpenUsers(t.Context(), t.TempDir(), p, "http://127.0.0.1:4280", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := held.Close(); err != nil {
			t.Error(err)
		}
	})
	return &userCommand{Session: users.Session{
		Streams: command.Streams{In: strings.NewReader(""), Out: out, Err: out}, Context: t.Context(), Users: (&people.Users{Pool: &p, Groups: append(groups, "lost")}).Held(held),
	}}, out
}

// add adds a user with a password and groups.
func add(x *userCommand, name string, groups ...string) error {
	_, err := x.Users.Add(x.Context, people.New{Name: name, Password: "correct-horse-7", Groups: groups})
	return err
}

func TestAUserWhoCannotJoinAGroupIsNotAdded(t *testing.T) {
	t.Parallel()
	x, _ := heldUsers(t, "Editors")
	if err := add(x, "emma", "Editors", "lost"); err == nil || !strings.Contains(err.Error(), "user emma: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a user in a group that the pool lacks: %v", err)
	}
	if user, err := x.Users.Find(t.Context(), "emma"); err == nil {
		t.Errorf("%s was added", user.Name)
	}
	if err := add(x, "emma", "Editors"); err != nil {
		t.Errorf("the name is not free: %v", err)
	}
}

func TestGroupsChangeAllOrNone(t *testing.T) {
	t.Parallel()
	x, _ := heldUsers(t, "Admins", "Editors", "Readers")
	if err := add(x, "emma", "Editors"); err != nil {
		t.Fatal(err)
	}
	if err := x.join("emma", []string{"Admins", "lost", "Readers"}, []string{"Editors"}); err == nil {
		t.Error("a group that the pool lacks is joined")
	}
	user, err := x.Users.Find(t.Context(), "emma")
	if err != nil || !slices.Equal(user.Groups, []string{"Editors"}) {
		t.Errorf("the groups are %q: %v", user.Groups, err)
	}
}

// TestUsersAreListedWholePages makes more users than one page holds.
func TestUsersAreListedWholePages(t *testing.T) {
	t.Parallel()
	x, out := heldUsers(t, "Editors")
	const many = people.ListLimit + 5
	for i := range many {
		groups := []string{}
		if i%2 == 0 {
			groups = append(groups, "Editors")
		}
		if err := add(x, "user"+string(rune('a'+i%26))+strings.Repeat("x", i/26), groups...); err != nil {
			t.Fatal(err)
		}
	}
	x.Users.Groups = []string{"Editors"}
	if err := x.list(""); err != nil {
		t.Fatal(err)
	}
	if all, members := strings.Count(out.String(), "\nuser"), strings.Count(out.String(), "Editors\n"); all != many || members != (many+1)/2 {
		t.Errorf("%d are listed, %d of them in Editors:\n%s", all, members, out)
	}
}

// TestNamesOfUsersSteerNoTerminal makes users whose names and attributes have control
// characters, as far as the pool accepts them.
func TestNamesOfUsersSteerNoTerminal(t *testing.T) {
	t.Parallel()
	x, out := heldUsers(t)
	if _, err := x.Users.Add(x.Context, people.New{
		Name: "emma", Password: "correct-horse-7", Attributes: []people.Attribute{{Name: "name", Value: "a\x1b[2J\u202eb"}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := x.show("emma"); err != nil {
		t.Fatal(err)
	}
	err := add(x, "a\x1b[2J b")
	if err == nil {
		t.Error("a name with a control character is taken")
	}
	if _, missing := x.Find("\x1b[2J\u202e"); missing == nil || strings.ContainsAny(missing.Error()+err.Error()+out.String(), "\x1b\u202e") {
		t.Errorf("%v\n%v\n%s", missing, err, out)
	}
}

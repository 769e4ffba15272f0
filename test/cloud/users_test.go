//go:build unix

package cloud

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gatewright/test/program"
	"gatewright/test/standin"
)

// password is one that the tests give users; it must be nowhere.
const password = "Correct-horse-7!"

// typing runs the program with a text as its standard input.
func (m *machine) typing(text string, code int, args ...string) (out, problems string) {
	m.t.Helper()
	cmd := exec.Command(program.Built(m.t), args...)
	cmd.Dir, cmd.Env, cmd.Stdin = m.dir, append(m.environment(), m.extra...), strings.NewReader(text)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	m.said.WriteString(stdout.String() + stderr.String())
	if got := cmd.ProcessState.ExitCode(); got != code {
		m.t.Fatalf("gatewright %q exits with %d, and should with %d:\n%s\n%s", args, got, code, stdout.String(), stderr.String())
	}
	return stdout.String(), stderr.String()
}

// inPool is a user as the stand-in has it.
type inPool struct {
	Name, Status string
	Enabled      bool
	Groups       []string
	Attributes   map[string]string
}

// userIn returns a user of the only pool of an account, as the stand-in has it; nil if there is
// none of the name.
func (m *machine) userIn(account, region, name string) *inPool {
	m.t.Helper()
	out := m.python(account, region, `
idp = client('cognito-idp')
pool = idp.list_user_pools(MaxResults=60)['UserPools'][0]['Id']
try:
    u = idp.admin_get_user(UserPoolId=pool, Username=argv[0])
except idp.exceptions.UserNotFoundException:
    print('null')
    sys.exit()
groups = [g['GroupName'] for g in idp.admin_list_groups_for_user(UserPoolId=pool, Username=argv[0])['Groups']]
print(json.dumps(dict(Name=u['Username'], Status=u['UserStatus'], Enabled=u['Enabled'], Groups=sorted(groups), Attributes={a['Name']: a['Value'] for a in u['UserAttributes']})))
`, name)
	var u *inPool
	if err := json.Unmarshal([]byte(out), &u); err != nil {
		m.t.Fatal(err)
	}
	return u
}

// signsIn reports whether a user of an account's pool signs in with a password.
func (m *machine) signsIn(account, region, name, password string) bool {
	m.t.Helper()
	return m.python(account, region, `
from pycognito.aws_srp import AWSSRP
idp = client('cognito-idp')
# The stand-in knows the account by the signature, which these calls do not need in AWS.
for call in ('InitiateAuth', 'RespondToAuthChallenge'):
    idp.meta.events.register_first('choose-signer.cognito-identity-provider.' + call, lambda **_: 'v4')
pool = idp.list_user_pools(MaxResults=60)['UserPools'][0]['Id']
app = idp.list_user_pool_clients(UserPoolId=pool, MaxResults=60)['UserPoolClients'][0]['ClientId']
try:
    r = AWSSRP(argv[0], argv[1], pool, app, client=idp).authenticate_user()
    print('AuthenticationResult' in r)
except idp.exceptions.ClientError as e:
    print(False)
`, name, password) == "True"
}

func TestUsersInAWSAreReadAndChanged(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		add group Readers
		update group --order Readers,Admins
		update env prod --guarded
		push --yes
		push --env prod --confirm prod
		env use dev
	`)
	m.take()
	prod := func(code int, args ...string) (string, string) {
		m.t.Helper()
		return m.run(code, append(append([]string{"user"}, args...), "--env", "prod")...)
	}

	// Nothing is asked of AWS before the name of a guarded environment is given.
	for _, args := range [][]string{
		{"add", "emma"}, {"passwd", "emma"}, {"confirm", "emma"}, {"enable", "emma"}, {"disable", "emma"}, {"groups", "emma", "--add", "Admins"}, {"remove", "emma", "--confirm", "emma"},
	} {
		_, refusal := prod(2, args...)
		oneLine(t, refusal, "environment prod is guarded; to ", "user emma give --confirm prod")
	}
	if calls := m.take(); len(calls) > 0 {
		t.Errorf("without the name of a guarded environment %v were called", standin.Services(calls))
	}
	// Nobody gets tokens there.
	_, refusal := m.run(1, "token", "emma", "--env", "prod")
	oneLine(t, refusal, "user emma: AWS gives tokens only to those who sign in", "gatewright call GET /PATH --as emma --env prod")

	// A user is added with password, groups and attributes.
	out, _ := m.typing(password+"\n", 0, "user", "add", "emma", "--email", "emma@example.com", "--group", "Admins", "--group", "Readers", "--password-stdin", "--env", "prod", "--confirm", "prod")
	if out != "added user emma, in Admins, Readers\n" {
		t.Errorf("add says %q", out)
	}
	u := m.userIn(prodAccount, "eu-west-1", "emma")
	if u == nil || u.Status != "CONFIRMED" || !u.Enabled || !slices.Equal(u.Groups, []string{"Admins", "Readers"}) || u.Attributes["email"] != "emma@example.com" || u.Attributes["email_verified"] != "true" {
		t.Fatalf("the stand-in has %+v", u)
	}
	if m.userIn(devAccount, "eu-central-1", "emma") != nil {
		t.Error("the user is in the other account, too")
	}
	if !m.signsIn(prodAccount, "eu-west-1", "emma", password) {
		t.Error("the user does not sign in with the password")
	}

	// What a user of an environment in AWS may do is asked of the pool there.
	if out, _ := m.run(1, "can", "emma", "GET", "/drafts", "--env", "prod"); !strings.Contains(out, "emma, in Readers, Admins") || !strings.Contains(out, "no entry for Readers") {
		t.Errorf("can says %s", out)
	}
	m.run(0, "can", "emma@example.com", "GET", "/items", "--env", "prod")
	_, refusal = m.run(1, "can", "emma", "GET", "/items", "--env", "dev")
	oneLine(t, refusal, "user emma: not found in environment dev", "gatewright user list --env dev")

	// The same user is found by name, address and sub; groups are in the pool's order.
	var shown []string
	for _, name := range []string{"emma", "emma@example.com", u.Attributes["sub"]} {
		out, _ := prod(0, "show", name)
		shown = append(shown, out)
	}
	if shown[0] != shown[1] || shown[0] != shown[2] || !strings.Contains(shown[0], "Readers, Admins; acts as members of Readers, the first of them") {
		t.Errorf("show says\n%s", strings.Join(shown, "\nand\n"))
	}
	_, refusal = prod(1, "show", `no"\@example.com`)
	oneLine(t, refusal, "not found in environment prod")
	_, refusal = prod(1, "show", "ema")
	oneLine(t, refusal, "did you mean emma?")

	// Refusals are told as of the sandbox's pool, and the user is as before.
	_, refusal = m.typing(password+"\n", 1, "user", "add", "emma", "--password-stdin", "--env", "prod", "--confirm", "prod")
	oneLine(t, refusal, "user emma: User account already exists; see that user with: gatewright user show emma --env prod")
	_, refusal = m.typing("short\n", 1, "user", "passwd", "emma", "--password-stdin", "--env", "prod", "--confirm", "prod")
	oneLine(t, refusal, "user emma: Password", "; give one of at least ")
	_, refusal = prod(1, "groups", "emma", "--add", "Admin", "--confirm", "prod")
	oneLine(t, refusal, "group Admin: not found; did you mean Admins?")

	// What only reads needs no name.
	if out, _ := prod(0, "groups", "emma"); out != "groups of emma: Readers, Admins; acts as members of Readers, the first of them\n" {
		t.Errorf("groups says %q", out)
	}
	prod(0, "groups", "emma@example.com", "--remove", "Readers", "--confirm", "prod")
	if out, _ := m.run(0, "user", "disable", "emma", "--env", "prod", "--confirm", "prod"); out != "user emma is disabled\n" {
		t.Errorf("disable says %q", out)
	}
	if u = m.userIn(prodAccount, "eu-west-1", "emma"); u.Enabled || !slices.Equal(u.Groups, []string{"Admins"}) {
		t.Errorf("the stand-in has %+v", u)
	}
	prod(0, "enable", "emma", "--confirm", "prod")
	m.typing("Another-horse-8!\n", 0, "user", "passwd", "emma", "--password-stdin", "--env", "prod", "--confirm", "prod")
	if !m.signsIn(prodAccount, "eu-west-1", "emma", "Another-horse-8!") || m.signsIn(prodAccount, "eu-west-1", "emma", password) {
		t.Error("the password is not the new one")
	}

	// A sign-up is confirmed, and all are listed, over several pages.
	m.python(prodAccount, "eu-west-1", `
idp = client('cognito-idp')
pool = idp.list_user_pools(MaxResults=60)['UserPools'][0]['Id']
app = idp.list_user_pool_clients(UserPoolId=pool, MaxResults=60)['UserPoolClients'][0]['ClientId']
# The stand-in finds other accounts by the signature, which a sign-up does not have.
idp.meta.events.register_first('choose-signer.cognito-identity-provider.SignUp', lambda **_: 'v4')
idp.sign_up(ClientId=app, Username='jane', Password=argv[0], UserAttributes=[dict(Name='email', Value='jane@example.com')])
for i in range(130):
    idp.admin_create_user(UserPoolId=pool, Username='many-%03d' % i, MessageAction='SUPPRESS')
    if i % 2:
        idp.admin_add_user_to_group(UserPoolId=pool, Username='many-%03d' % i, GroupName='Readers')
`, password)
	prod(0, "confirm", "jane", "--confirm", "prod")
	if u = m.userIn(prodAccount, "eu-west-1", "jane"); u.Status != "CONFIRMED" {
		t.Errorf("the stand-in has %+v", u)
	}
	_, refusal = prod(1, "confirm", "many-001", "--confirm", "prod")
	oneLine(t, refusal, "user many-001: was added with a temporary password", "gatewright user passwd many-001 --env prod")
	for _, tt := range []struct {
		args []string
		want int
	}{{nil, 132}, {[]string{"--group", "Readers"}, 65}} {
		out, _ := prod(0, append([]string{"list", "--json"}, tt.args...)...)
		var report struct {
			Environment string
			Users       []struct {
				Name   string
				Groups []string
			}
		}
		if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Users) != tt.want || report.Environment != "prod" {
			t.Errorf("list %v has %d users, want %d; %v", tt.args, len(report.Users), tt.want, err)
		}
		for _, u := range report.Users {
			if member := slices.Contains(u.Groups, "Readers"); u.Name == "many-001" && !member || u.Name == "many-002" && member {
				t.Errorf("%s is in %v", u.Name, u.Groups)
			}
		}
	}

	// Removal needs both names.
	_, refusal = prod(2, "remove", "emma", "--confirm", "prod")
	oneLine(t, refusal, "confirm with --confirm emma")
	prod(0, "remove", "emma", "--confirm", "emma", "--confirm", "prod")
	if m.userIn(prodAccount, "eu-west-1", "emma") != nil {
		t.Error("the user is still there")
	}
	// An environment that is not guarded does not ask.
	m.run(0, "user", "add", "ned", "--env", "dev")
	if m.userIn(devAccount, "eu-central-1", "ned") == nil {
		t.Error("the user was not added")
	}
	if strings.Contains(m.said.String(), password) || strings.Contains(m.said.String(), "Another-horse-8!") {
		t.Error("a password was printed")
	}
}

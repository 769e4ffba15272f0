package people

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/people"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
)

// wants is the tab of a pool that requires attributes.
func wants(t *testing.T, required ...string) *Tab {
	t.Helper()
	tab := peopled(t)
	users, pool := *tab.source.users, *tab.source.users.Pool
	auth := model.Auth{}
	if pool.Definition != nil {
		auth = *pool.Definition
	}
	auth.StandardRequiredAttributes = required
	pool.Definition, users.Pool = &auth, &pool
	tab.source.users = &users
	return tab
}

func TestEachLineOfTheFormIsItsPartOfTheUser(t *testing.T) {
	t.Parallel()
	tab := wants(t, "email", "family_name", "sub", "locale")
	tab.source.users.Pool.Definition.CustomAttributes = map[string]model.CustomAttribute{"plan": {Type: "string"}, "vip": {Type: "boolean"}}
	values := []string{" ada ", " ada@x.org ", " +44 ", "Admins\nEditors", "one", "two", temporary, " Lovelace ", " en ", " pro ", ""}
	f := tab.source.formOf(values)
	got := f.user(tab.source.users)
	want := people.New{
		Name: "ada", Password: "one", Temporary: true, Groups: []string{"Admins", "Editors"},
		Attributes: []people.Attribute{
			{Name: "email", Value: "ada@x.org"},
			{Name: "email_verified", Value: "true"},
			{Name: "phone_number", Value: "+44"},
			{Name: "phone_number_verified", Value: "true"},
			{Name: "family_name", Value: "Lovelace"},
			{Name: "locale", Value: "en"},
			{Name: "custom:plan", Value: "pro"},
		},
	}
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("the user differs (-want +got):\n%s", difference)
	}
	values = []string{"ada", "", "", "", "", "", permanent, "", "", "", ""}
	if difference := cmp.Diff(people.New{Name: "ada"}, tab.source.formOf(values).user(tab.source.users)); difference != "" {
		t.Errorf("the user of a name alone differs (-want +got):\n%s", difference)
	}
	// It begins with the group of the row, and asks again with all that was typed.
	for name, want := range map[string]string{"Editors": "Editors", "emma": ""} {
		at := slices.IndexFunc(tab.seen.rows, func(r *row) bool { return r.name == name })
		if got := tab.newUser(tab.seen.rows[at]); got.groups != want || got.temporary != permanent {
			t.Errorf("on %s the form begins with %+v", name, got)
		}
	}
	again := fmt.Sprint(f.name, f.email, f.phone, f.groups, f.password, f.again, f.temporary, f.more)
	if again != "adaada@x.org+44Admins\nEditorsonetwo"+temporary+"[ Lovelace   en   pro  ]" {
		t.Errorf("the form keeps %q", again)
	}
}

func TestAWrongUserIsRefusedAtItsLine(t *testing.T) {
	t.Parallel()
	tab := wants(t, "family_name", "phone_number")
	for name, of := range map[string]struct {
		values []string
		line   int
		want   string
	}{
		"a space":           {[]string{"a b", "", "+44", "", "", "", permanent, "x"}, nameLine, "cannot have spaces"},
		"a name in capital": {[]string{"EMMA", "", "+44", "", "", "", permanent, "x"}, nameLine, "there is a user of this name already"},
		"no phone":          {[]string{"ada", "", "", "", "", "", permanent, "x"}, phoneLine, "the pool requires the attribute phone_number"},
		"no family name":    {[]string{"ada", "", "+44", "", "", "", permanent, " "}, moreLines, "the pool requires the attribute family_name"},
		"a short password":  {[]string{"ada", "", "+44", "", "x", "x", permanent, "x"}, passwordLine, "Password"},
		"another password":  {[]string{"ada", "", "+44", "", "correct-Horse-7", "correct-Horse-8", permanent, "x"}, againLine, "the two passwords differ"},
		"nothing":           {[]string{"ada", "", "+44", "", "correct-Horse-7", "correct-Horse-7", permanent, "x"}, passwordLine, ""},
		"a made password":   {[]string{"ada", "", "+44", "", "", "", permanent, "x"}, passwordLine, ""},
	} {
		line, err := tab.checkUser(tab.source, of.values)
		if (err != nil) != (of.want != "") || err != nil && (line != of.line || !strings.Contains(err.Error(), of.want)) {
			t.Errorf("%s is refused at line %d with %v, want %d with %q", name, line, err, of.line, of.want)
		}
	}
	for names, want := range map[string]string{
		"": "a name such as", "username": "a name such as", "email": "an email address:", "phone_number": "a phone number such as", "phone_number email": "an email address or a phone number:",
	} {
		tab.source.users.Pool.Definition.UsernameAttributes = strings.Fields(names)
		if got := nameHint(tab.source.users); !strings.HasPrefix(got, want) {
			t.Errorf("for %q the hint is %q", names, got)
		}
	}
}

// TestAPoolThatIsReadInPartSaysSo has more users than were read, and groups that are not served.
func TestAPoolThatIsReadInPartSaysSo(t *testing.T) {
	t.Parallel()
	tab := many(t, 70)
	tab.seen.next, tab.seen.groups = "more", []string{"Admins"}
	tab.seen.rows = rowsOf(tab.seen)
	tab.layOut()
	var rows []string
	for _, r := range tab.seen.rows[71:] {
		rows = append(rows, strings.Join([]string{r.text, r.name, r.groups, r.state, fmt.Sprint(r.lacking)}, "|"))
	}
	want := []string{
		"70 users so far: enter reads the next ones||||false", "groups, in the order of precedence||||false", "|Admins|12 of those read|1st|false", "|Editors|24 of those read|not served|true",
	}
	if difference := cmp.Diff(want, rows); difference != "" {
		t.Errorf("the rows below the users differ (-want +got):\n%s", difference)
	}
	if got := tab.sumOf(tab.seen.rows); got != "70 users so far, 2 groups" {
		t.Errorf("the sum is %q", got)
	}
	lines := prose.Texts(tab.describe(tab.seen.rows[74]))
	if lines[0] != "24 members" || strings.Count(lines[1], "user") != 20 || !strings.HasSuffix(lines[1], ", and 4 more") || !strings.Contains(lines[2], "without the group: p pushes it") {
		t.Errorf("the details of a group that is not served are\n%s", strings.Join(lines, "\n"))
	}
}

// TestWhatAUserMayDoIsListedForThePathsOfTheEnvironment has an API that the environment does not
// have, and more paths than are listed.
func TestWhatAUserMayDoIsListedForThePathsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	tab := peopled(t)
	b := tab.board.Snap.Backend
	elsewhere := &access.API{Label: "elsewhere", Paths: []*access.Path{{Name: "/x", Function: "f", Access: access.Access{Setting: access.Open}}}}
	shop := *b.APIs[0]
	for i := range 12 {
		shop.Paths = append(shop.Paths[:len(shop.Paths):len(shop.Paths)], &access.Path{Name: fmt.Sprint("/more", i), Function: "f", Access: access.Access{Setting: access.Open}})
	}
	b.APIs = []*access.API{elsewhere, &shop}
	env := *tab.board.Snap.Env.Environment
	env.APIs = []string{"shop"}
	tab.board.Snap.Env.Environment = &env
	lines := prose.Texts(tab.mayDo(access.Principal{Kind: access.Authenticated}))
	if len(lines) != 15 || lines[1] != "  CRUD  /news of shop" || lines[3] != "  ·R··  /books/{isbn} of shop" || lines[13] != "  and 3 paths more: the tab Access has all" {
		t.Errorf("the paths are\n%s", strings.Join(lines, "\n"))
	}
	env.APIs = []string{"none"}
	if lines := prose.Texts(tab.mayDo(access.Principal{Kind: access.Authenticated})); strings.Join(lines, "\n") != "there is no path here" {
		t.Errorf("without an API it says\n%s", strings.Join(lines, "\n"))
	}
}

func TestWhatIsMissingToShowUsersIsSaidWithWhatToDo(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		change func(*Tab)
		want   string
	}{
		"unread":     {func(tab *Tab) { tab.seen = &reading{of: tab.source, unread: true} }, "no sandbox is running, and this dashboard is read-only: it shows the users of a running sandbox\nstart one with: gatewright sandbox --env dev"},
		"a problem":  {func(tab *Tab) { tab.seen = &reading{of: tab.source, problem: "it is locked"} }, "! it is locked"},
		"in AWS":     {func(tab *Tab) { tab.source.inCloud, tab.seen = true, &reading{unread: true} }, "the users of dev live in AWS: C asks there and shows them\nor run: gatewright user list --env dev\na sandbox has users of its own: ] looks at another environment"},
		"no pool":    {func(tab *Tab) { tab.source.users, tab.source.noPool = nil, "there is no pool" }, "there is no pool"},
		"not read":   {func(tab *Tab) { tab.seen = nil }, ""},
		"everything": {func(*Tab) {}, ""},
	} {
		tab := peopled(t)
		of.change(tab)
		if got := strings.Join(prose.Texts(tab.teach()), "\n"); got != of.want {
			t.Errorf("with %s it says\n%s\nwant\n%s", name, got, of.want)
		}
	}
}

func TestWhatIsNotPossibleWithAUserIsSaid(t *testing.T) {
	t.Parallel()
	tab := peopled(t)
	for name, want := range map[string]string{
		"emma": "", "Bob": "the user is disabled: enable the user first", "anna": "the user cannot sign in: not confirmed", "carl": "the user cannot sign in: temporary password", "Editors": "",
	} {
		at := slices.IndexFunc(tab.seen.rows, func(r *row) bool { return r.name == name })
		tab.List.To(tab.seen.rows[at].id)
		for _, b := range tab.Bindings() {
			if b.Label() == "call as" && b.Disabled != want {
				t.Errorf("calling as %s is not possible because %q, want %q", name, b.Disabled, want)
			}
		}
	}
}

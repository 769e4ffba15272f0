package people_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/cli/clitest"
	"gatewright/deploy/deploytest"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

func TestMain(m *testing.M) { frametest.Main(m) }

// shop is a project whose pool has the groups Admins and Editors.
func shop(t *testing.T) *clitest.Session {
	t.Helper()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop", "--app-id", "app1")
	s.Run(0, "add", "group", "Admins")
	s.Run(0, "add", "group", "Editors")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "read", "--group", "Admins=create,read")
	return s
}

// opened is the tab in a dashboard that may write.
func opened(t *testing.T, s *clitest.Session) *apptest.Terminal {
	t.Helper()
	return apptest.Open(t, s.Dir, "none", 110, 40, route.Dashboard{}).Tab("People")
}

// user is a user as the command user list reports it.
type user struct {
	Name, Status string
	Enabled      bool
	Groups       []string
	Attributes   map[string]string
}

// users are what the command user list reports.
func users(t *testing.T, s *clitest.Session) map[string]user {
	t.Helper()
	var report struct{ Users []user }
	apptest.Must(t, json.Unmarshal([]byte(s.Run(0, "user", "list", "--json")), &report))
	all := make(map[string]user)
	for _, u := range report.Users {
		all[u.Name] = u
	}
	return all
}

// TestUsersAreAddedAndChanged does it in a state that no sandbox owns, and in a sandbox, and
// asks the command what there is.
func TestUsersAreAddedAndChanged(t *testing.T) {
	for _, serves := range []bool{false, true} {
		t.Run(fmt.Sprint("a sandbox runs: ", serves), func(t *testing.T) {
			s := shop(t)
			if serves {
				deploytest.Serve(t, s.Dir)
			}
			term := opened(t, s)
			term.Shows("nobody yet: a adds a user, or run: gatewright user add NAME --env dev", "Admins", "0 members")
			term.Keys("a").Shows("New user of dev", "a name such as emma")
			term.Keys("a b", "ctrl+s").Shows("error: the name of a user cannot have spaces")
			term.Keys("backspace", "backspace", "backspace", "emma", "tab", "emma@x.org", "tab", "tab", "right", "space").Shows("[x] Editors")
			term.Keys("tab", "short", "ctrl+s").Shows("Password not long enough").Hides("short")
			term.Keys("-Horse-7", "ctrl+s").Shows("the two passwords differ")
			term.Keys("short-Horse-7", "ctrl+s").Shows("added user emma, in Editors; u undoes it", "emma@x.org").Hides("Horse")
			if u := users(t, s)["emma"]; !u.Enabled || u.Status != "CONFIRMED" || !slices.Equal(u.Groups, []string{"Editors"}) || u.Attributes["email_verified"] != "true" {
				t.Fatalf("the command lists %+v", u)
			}
			term.Keys("a", "emma", "ctrl+s").Shows("there is a user of this name already").Keys("esc")

			term.At("emma").Shows("acts as members of Editors", "·R··  /books of shop")
			term.Keys("space").Shows("disabled emma; u undoes it", "confirmed, disabled", "enable")
			if users(t, s)["emma"].Enabled {
				t.Error("emma is not disabled")
			}
			term.Keys("y").Shows("not available: the user is disabled, and gets no token").Keys("c").Shows("not available: the user is disabled")
			term.Keys("u").Shows("undid: disabled emma")
			if !users(t, s)["emma"].Enabled {
				t.Error("undo does not enable emma")
			}

			term.Keys("e", "enter").Shows("Groups of emma", "[x] Editors", "[ ] Admins").Keys("space", "enter")
			term.Shows("groups of emma: Admins, Editors; acts as members of Admins, the first of them", "CR··  /books of shop")
			if got := users(t, s)["emma"].Groups; !slices.Equal(got, []string{"Admins", "Editors"}) {
				t.Errorf("the groups are %q", got)
			}
			s.Run(0, "user", "groups", "emma", "--remove", "Editors")
			term.Keys("u").Shows("Leave this change as it is?", "nothing was undone: the user was changed meanwhile").Keys("esc")
			s.Run(0, "user", "groups", "emma", "--add", "Editors")
			term.Keys("u").Shows("undid: groups of emma")
			if got := users(t, s)["emma"].Groups; !slices.Equal(got, []string{"Editors"}) {
				t.Errorf("after undo the groups are %q", got)
			}

			term.Keys("e", "set", "enter").Shows("Another password of emma", "cannot be undone").Keys("enter", "enter")
			term.Shows("The password of emma", "It is shown only now", "emma has a new password").Keys("esc").Hides("shown only now")
			term.Keys("e", "reset", "enter").Shows("Reset the password of emma?", "This cannot be undone").Keys("tab", "enter").Shows("must reset password")
			term.Keys("u").Shows("Remove user emma again?").Keys("enter")
			if _, there := users(t, s)["emma"]; !there {
				t.Fatal("undo removes emma without a yes")
			}
			term.Keys("d").Shows("Remove user emma?", "cannot be undone", "Type emma to remove").Keys("emm", "enter").Shows("the name is not the same")
			term.Keys("a", "enter").Shows("removed user emma").Keys("esc").Shows("nobody yet")
			if len(users(t, s)) > 0 {
				t.Error("emma is there still")
			}
			term.Keys("u").Shows("Remove user emma again?").Keys("tab", "enter").Shows("nothing was undone: user emma: not found")
		})
	}
}

func TestAnAddedUserIsRemovedByUndoAfterAYes(t *testing.T) {
	s := shop(t)
	term := opened(t, s)
	term.Keys("a", "ada", "ctrl+s").Shows("The password of ada")
	term.Keys("esc", "u").Shows("Remove user ada again?").Keys("tab", "enter").Shows("undid: added user ada", "nobody yet")
	if len(users(t, s)) > 0 {
		t.Error("ada is there still")
	}
}

func TestATokenIsCopiedAndNotShown(t *testing.T) {
	s := shop(t)
	deploytest.Serve(t, s.Dir)
	s.Run(0, "user", "add", "emma", "--group", "Editors")
	term := opened(t, s).At("emma")
	copied := ""
	_, cmd := term.Model.Update(tea.KeyPressMsg{Code: 'y', Text: "y"})
	clipboard := fmt.Sprintf("%T", tea.SetClipboard("")())
	var run func(tea.Cmd)
	run = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		msg, ended := frametest.Await(cmd)
		if !ended || msg == nil {
			return
		}
		if fmt.Sprintf("%T", msg) == clipboard {
			copied = fmt.Sprint(msg)
			return
		}
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, one := range batch {
				run(one)
			}
			return
		}
		_, next := term.Model.Update(msg)
		run(next)
	}
	run(cmd)
	if strings.Count(copied, ".") != 2 || len(copied) < 300 {
		t.Fatalf("the clipboard gets %q", copied)
	}
	term.Shows("an id token of emma was sent to the clipboard: valid for 1 h, until 20").Hides(copied[:20])
	if logs := s.Run(0, "logs", ".identity"); strings.Contains(logs, copied[:40]) {
		t.Error("the token is in the log")
	}
}

func TestTheConsoleOpensWithTheUserOrAMemberOfTheGroup(t *testing.T) {
	s := shop(t)
	deploytest.Serve(t, s.Dir)
	s.Run(0, "user", "add", "emma", "--group", "Editors")
	term := opened(t, s).At("emma")
	term.Keys("c").Shows("› console", "user emma, signed, in Editors").Keys("esc", "esc")
	term.At("admins").Keys("c").Shows("› console", "a member of Admins")
}

func TestItIsAskedWhatAUserMayDo(t *testing.T) {
	s := shop(t)
	s.Run(0, "user", "add", "emma", "--group", "Admins")
	term := opened(t, s).At("emma")
	term.Keys("Q").Shows("May somebody send a request?", "group:Admins").Keys("ctrl+s").Shows("no path serves /")
	term.Keys("esc")
	deploytest.Serve(t, s.Dir)
	term.Keys("ctrl+r", "Q").Shows("user:emma").Keys("tab", "tab", "books", "ctrl+s").Shows("emma", "yes: members of Admins may read under /books")
}

func TestADashboardThatOnlyReadsShowsUsersOfARunningSandboxOnly(t *testing.T) {
	s := shop(t)
	s.Run(0, "user", "add", "emma")
	unchanged := apptest.Unchanged(t, s.Dir)
	term := apptest.OpenReadOnly(t, s.Dir, "none", 110, 30, route.Dashboard{}).Tab("People")
	term.Shows("no sandbox is running, and this dashboard is read-only", "start one with: gatewright sandbox --env dev").Hides("emma")
	unchanged()
	deploytest.Serve(t, s.Dir)
	term.Keys("ctrl+r").Shows("emma", "the users of dev in the running")
	term.At("emma")
	for _, key := range []string{"a", "e", "space", "d", "y"} {
		term.Keys(key).Shows("not available: this dashboard is read-only")
	}
}

func TestUsersOfAnEnvironmentInAWSAreShownWhenAPersonAsks(t *testing.T) {
	s := shop(t)
	s.Run(0, "add", "env", "prod", "--provider", "aws", "--account", "123456789012", "--region", "eu-west-1", "--branch", "main")
	term := apptest.Open(t, s.Dir, "none", 110, 30, route.Dashboard{Environment: "prod"}).Tab("People")
	term.Shows("the users of prod live in AWS: C asks there and shows them", "or run: gatewright user list --env prod")
	term.Keys("a").Shows("not available: the users of prod live in AWS: C shows them")
}

func TestAProjectWithoutAPoolSaysHowToGetOne(t *testing.T) {
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop", "--app-id", "app1")
	opened(t, s).Shows("the backend has no user pool", "gatewright add group NAME")
}

// times are those of the users, which differ at every run.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?`)

func TestPeopleLookAsTheirGoldens(t *testing.T) {
	s := shop(t)
	s.Run(0, "user", "add", "emma", "--email", "emma@example.com", "--group", "Editors", "--group", "Admins")
	s.Run(0, "user", "add", "bob", "--phone", "+441632960123", "--temporary")
	s.Run(0, "user", "add", "zoe", "--email", "zoe@example.com", "--group", "Editors")
	s.Run(0, "user", "disable", "zoe")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}} {
		term := apptest.Open(t, s.Dir, "none", size[0], size[1], route.Dashboard{}).Tab("People")
		at := func(name string, screen string) {
			t.Helper()
			text := times.ReplaceAllStringFunc(screen, func(s string) string { return "2026-03-01 12:00:00"[:len(s)] })
			frametest.Golden(t, fmt.Sprintf("%s_%dx%d", name, size[0], size[1]), strings.TrimRight(text, "\n")+"\n")
		}
		at("people", term.Screen())
		term.Keys("down", "down", "down")
		at("user", term.Screen())
		term.Keys("e")
		at("change", dialogIn(term.Screen(), "Change zoe"))
		term.Keys("esc", "a", "tab", "tab", "tab")
		at("new_user", dialogIn(term.Screen(), "New user"))
		term.Keys("esc", "G")
		at("group", term.Screen())
	}
}

// dialogIn is the box of a dialog on a screen: what it covers differs with the time.
func dialogIn(screen, title string) string {
	var box []string
	from, width := -1, 0
	for line := range strings.Lines(screen) {
		cells := []rune(strings.TrimRight(line, "\n"))
		if at := strings.Index(line, "╭ "+title); at >= 0 {
			from = len([]rune(line[:at]))
			width = slices.Index(cells[from:], '╮') + 1
		}
		if from < 0 {
			continue
		}
		box = append(box, string(cells[from:min(len(cells), from+width)]))
		if cells[from] == '╰' {
			break
		}
	}
	return strings.Join(box, "\n")
}

func TestThePaletteFindsUsersBeforeTheirTabWasOpened(t *testing.T) {
	s := shop(t)
	deploytest.Serve(t, s.Dir)
	s.Run(0, "user", "add", "emma", "--group", "Editors")
	term := apptest.Open(t, s.Dir, "none", 110, 40, route.Dashboard{})
	term.Keys("ctrl+p", "emma").Shows("▌            user          emma", "Editors")
	term.Keys("enter").Shows(" People ━", "▌   emma")
}

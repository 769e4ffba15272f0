package people

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/identity/userpool"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
)

// peopled is the tab with a user of each kind, of whom one is in several groups.
func peopled(t testing.TB) *Tab {
	t.Helper()
	b := board.New("", nil, "")
	b.Snap = boardtest.Snapshot(boardtest.Library(t, "Admins", "Editors"), "dev")
	tab := New(b)
	tab.source = sourceOf(b.Snap, true, tab.mu)
	at := func(day int) time.Time { return time.Date(2026, 3, day, 9, 30, 0, 0, time.Local) }
	tab.seen = &reading{of: tab.source, groups: []string{"Admins", "Editors"}, users: []userpool.User{
		{
			Name: "emma", Groups: []string{"Admins", "Editors"}, Enabled: true, Status: "CONFIRMED", Created: at(1), Modified: at(2),
			Attributes: map[string]string{"sub": "s", "name": "Em\x1bma", "email": "emma@example.com", "email_verified": "false", "phone_number": "+49"},
			Factors:    []string{"SOFTWARE_TOKEN_MFA", "SMS_MFA"}, PreferredFactor: "SMS_MFA",
		},
		{Name: "Bob", Groups: []string{"Editors"}, Status: "CONFIRMED", Created: at(1), Modified: at(5), Attributes: map[string]string{"phone_number": "+44", "phone_number_verified": "true"}},
		{Name: "anna", Enabled: true, Status: "UNCONFIRMED", Created: at(1), Modified: at(3)},
		{Name: "carl", Groups: []string{"Gone"}, Enabled: true, Status: "FORCE_CHANGE_PASSWORD", Created: at(1), Modified: at(4)},
	}}
	tab.seen.rows = rowsOf(tab.seen)
	tab.layOut()
	return tab
}

func TestAUserInSeveralGroupsActsAsTheFirstOfThemOnEveryLine(t *testing.T) {
	t.Parallel()
	tab := peopled(t)
	var rows []string
	for _, r := range tab.seen.rows {
		tone := map[prose.Tone]string{prose.Good: "good", prose.Bad: "bad", prose.Warning: "warning", prose.Muted: "muted"}[r.tone]
		rows = append(rows, strings.Join([]string{r.text, r.name, r.groups, r.state, tone, r.address, r.changed, fmt.Sprint(r.rank), strings.Join(r.members, "+")}, "|"))
	}
	want := []string{
		"users|||||||0|",
		"|anna|-|not confirmed|warning|-|2026-03-03 09:30|2|",
		"|Bob|Editors|confirmed, disabled|bad|+44|2026-03-05 09:30|1|",
		"|carl|Gone|temporary password|warning|-|2026-03-04 09:30|2|",
		"|emma|Admins, Editors|confirmed, MFA|good|emma@example.com|2026-03-02 09:30|0|",
		"groups, in the order of precedence|||||||0|",
		"|Admins|1 member|1st|muted|||0|emma",
		"|Editors|2 members|2nd|muted|||1|Bob+emma",
	}
	if difference := cmp.Diff(want, rows); difference != "" {
		t.Errorf("the rows differ (-want +got):\n%s", difference)
	}
	for name, want := range map[string]string{
		"emma": `confirmed, MFA
in Admins, Editors; acts as members of Admins, the first of them in the pool's order
email: emma@example.com (not verified)
name: Em␛ma
phone_number: +49
second factor: SOFTWARE_TOKEN_MFA, SMS_MFA, first SMS_MFA

under each path may (Q asks about one request):
  CRUD  /news of shop
  CR··  /books of shop
  ···D  /books/{isbn} of shop
`,
		"Bob": `confirmed, disabled
cannot sign in, and is refused with earlier tokens and credentials; space enables
acts as members of Editors
phone_number: +44
no second factor

once signed in:
under each path may (Q asks about one request):
  CRUD  /news of shop
  CR··  /books of shop
  ·RU·  /books/{isbn} of shop
`,
		"anna": `not confirmed
signed up and has not typed the code yet; e confirms without it
in no group, so acts as signed-in users
no second factor

once signed in:
under each path may (Q asks about one request):
  CRUD  /news of shop
  CR··  /books of shop
  ·R··  /books/{isbn} of shop
`,
		"Editors": `2 members
Bob, emma
2nd in the order: a member of several groups acts as the first of them

under each path may (Q asks about one request):
  CRUD  /news of shop
  CR··  /books of shop
  ·RU·  /books/{isbn} of shop
`,
	} {
		at := slices.IndexFunc(tab.seen.rows, func(r *row) bool { return r.name == name })
		text := strings.Join(prose.Texts(tab.describe(tab.seen.rows[at])), "\n")
		text, _, _ = strings.Cut(text, "\ncreated ")
		if difference := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(text)); difference != "" {
			t.Errorf("the details of %s differ (-want +got):\n%s", name, difference)
		}
	}
}

func TestAUserActsByTheOrderThatIsServed(t *testing.T) {
	t.Parallel()
	tab := peopled(t)
	// The definition has the groups the other way round already.
	tab.seen.groups = []string{"Editors", "Admins"}
	ranks := map[string]int{}
	for _, r := range rowsOf(tab.seen) {
		ranks[r.name] = r.rank
	}
	if ranks["emma"] != 0 || ranks["Bob"] != 0 || ranks["anna"] != 2 {
		t.Errorf("the ranks are %v", ranks)
	}
}

func TestEachOrderOfUsersIsByWhatItsNameSays(t *testing.T) {
	t.Parallel()
	tab := peopled(t)
	users := tab.seen.rows[1:5]
	var orders []string
	for _, sort := range tab.List.Sorts {
		rows := slices.Clone(users)
		if sort.Compare != nil {
			slices.SortStableFunc(rows, sort.Compare)
		}
		order := sort.Name + ":"
		for _, r := range rows {
			order += " " + r.name
		}
		orders = append(orders, order)
	}
	want := []string{"name: anna Bob carl emma", "acting group: emma Bob anna carl", "state: emma Bob anna carl", "last change: Bob carl anna emma"}
	if difference := cmp.Diff(want, orders); difference != "" {
		t.Errorf("the orders differ (-want +got):\n%s", difference)
	}
	var words []string
	for n := range 114 {
		if n%100 < 5 || n%100 > 9 && n%100 < 14 || n == 21 {
			words = append(words, ordinal(n))
		}
	}
	if got := strings.Join(words, " "); got != "0th 1st 2nd 3rd 4th 10th 11th 12th 13th 21st 100th 101st 102nd 103rd 104th 110th 111th 112th 113th" {
		t.Errorf("the places are %s", got)
	}
}

package flow_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/flow/matrix"
	"gatewright/model/access"
)

var (
	guests = access.Principal{Kind: access.Guest}
	users  = access.Principal{Kind: access.Authenticated}
)

func member(group string) access.Principal { return access.Principal{Kind: access.Group, Group: group} }

// edit returns what an edit made, which must have been possible.
func editing(t *testing.T) func(m matrix.Matrix, err error) matrix.Matrix {
	return func(m matrix.Matrix, err error) matrix.Matrix {
		t.Helper()
		must(t, err)
		return m
	}
}

// drawn draws a matrix: a row for each caller with letters, and words.
func drawn(m matrix.Matrix) string {
	lines := []string{string(m.Access.Setting)}
	for _, r := range m.Rows() {
		line := r.Who.String() + " " + r.Actions.Letters() + " " + m.Words(r)
		if r.Gained != 0 {
			line += " +" + r.Gained.Letters()
		}
		if r.Lost != 0 {
			line += " -" + r.Lost.Letters()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestAToggleChangesNothingButItsCell(t *testing.T) {
	t.Parallel()
	m := matrix.Matrix{Access: access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read)), Groups: []string{"Admins"}}
	m = editing(t)(m.Toggle(member("Admins"), access.Create))
	if got, want := drawn(m), "private\nguests ---- nothing\nsigned-in users -R-- read\nmembers of Admins CR-- create and read"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	m = editing(t)(m.WithoutEntry("Admins").Toggle(users, access.Delete))
	if got, want := drawn(m), "private\nguests ---- nothing\nsigned-in users -R-D read and delete\nmembers of Admins -R-D read and delete, as signed-in"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAnActionForGuestsLetsThemInAndTheLastShutsThemOut(t *testing.T) {
	t.Parallel()
	m := matrix.Matrix{Access: access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read))}
	m = editing(t)(m.Toggle(guests, access.Create))
	if m.Access.Setting != access.Protected || m.Row(guests).Actions != access.ActionSet(access.Create) {
		t.Errorf("with an action: %s", drawn(m))
	}
	m = editing(t)(m.Toggle(guests, access.Create))
	if m.Access.Setting != access.Private || m.Row(guests).Actions != 0 {
		t.Errorf("without: %s", drawn(m))
	}
	if m = m.NextMode(1); m.Row(guests).Actions != access.ActionSet(access.Read) {
		t.Errorf("the mode lets guests in and they may %s", m.Row(guests).Actions)
	}
	if m = m.NextMode(1).NextMode(-1).NextMode(-1).NextMode(-1); m.Access.Setting != access.Open || m.Row(guests).Actions != access.EveryAction {
		t.Errorf("at the other end: %s", drawn(m))
	}
	if _, err := m.Toggle(users, access.Read); err == nil || err.Error() != "access: the path is open to everybody; restrict it first, with the mode" {
		t.Errorf("a toggle of an open path gives %v", err)
	}
}

func TestSeveralGroupsAreAddedAtOnceAndRefusedTogether(t *testing.T) {
	t.Parallel()
	m := matrix.Matrix{Access: access.Access{Setting: access.Private}, Groups: []string{"Admins"}}
	added, first, err := m.AddGroups(" Editors, Admins\nBuyers")
	if err != nil || first != "Editors" || !slices.Equal(added.Groups, []string{"Admins", "Editors", "Buyers"}) || !slices.Equal(added.Made, []string{"Editors", "Buyers"}) {
		t.Errorf("added %v (%v), first %q, %v", added.Groups, added.Made, first, err)
	}
	for list, want := range map[string]string{
		"Editors, admins": "admins differs from Admins only in case", "Good, b/d": "b/d is not a name for a group", "Site Admins, Editors": `group: "Site Admins" is not a name for a group; use 1 to 64 of A-Z a-z 0-9 _ + = . @ -, and a comma between names`, " , ": "there is no name",
	} {
		if same, _, err := m.AddGroups(list); err == nil || !strings.Contains(err.Error(), want) || !same.Equal(m) {
			t.Errorf("%q gives %v", list, err)
		}
	}
	if _, err := added.WithoutGroup("Admins"); err == nil || !strings.Contains(err.Error(), "gatewright remove group Admins") {
		t.Errorf("a group of the pool is removed: %v", err)
	}
	moved := editing(t)(added.Move("Buyers", -1))
	if moved = editing(t)(moved.WithoutGroup("Editors")); !slices.Equal(moved.Groups, []string{"Admins", "Buyers"}) {
		t.Errorf("the groups are %v", moved.Groups)
	}
	ordered := editing(t)(added.WithOrder("Buyers, Admins"))
	if !slices.Equal(ordered.Groups, []string{"Buyers", "Admins"}) || !slices.Equal(ordered.Made, []string{"Buyers"}) {
		t.Errorf("in another order the groups are %v, made %v", ordered.Groups, ordered.Made)
	}
	for list, want := range map[string]string{"Buyers": "Admins is missing; name each of these once: Admins, Editors, Buyers", "Admins, Byers": "Byers is not a group"} {
		if same, err := added.WithOrder(list); err == nil || !strings.Contains(err.Error(), want) || !same.Equal(added) {
			t.Errorf("the order %q gives %v", list, err)
		}
	}
	fixed := matrix.Matrix{Groups: m.Groups, Fixed: "elsewhere"}
	if _, _, err := fixed.AddGroups("x"); err == nil || !strings.Contains(err.Error(), "elsewhere") {
		t.Errorf("a group is added where it cannot be: %v", err)
	}
}

func TestRowsSayWhatIsMoreAndLessThanBefore(t *testing.T) {
	t.Parallel()
	before := access.Access{Setting: access.Protected}.With(users, access.ActionSet(access.Create, access.Read)).With(guests, access.ActionSet(access.Read)).With(member("Gone"), access.EveryAction)
	m := matrix.Matrix{Access: before, Before: &before, Groups: []string{"Admins"}}
	if faults := m.Faults(); len(faults) > 0 {
		t.Errorf("the access as it is has faults: %v", faults)
	}
	m = editing(t)(m.Toggle(guests, access.Update))
	m = editing(t)(m.Toggle(users, access.Create))
	want := "protected\nguests -RU- read and update +--U-\nsigned-in users -R-- read -C---\n" +
		"members of Admins -R-- read, as signed-in -C---\nmembers of Gone CRUD everything"
	if got := drawn(m); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAnEntryThatAllowsNothingIsAFaultUnlessThePathHasIt(t *testing.T) {
	t.Parallel()
	before := access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read)).With(member("Banned"), 0)
	m := matrix.Matrix{Access: before, Before: &before, Groups: []string{"Banned", "Admins"}}
	m = editing(t)(m.ToggleRow(member("Admins")))
	if faults := m.Faults(); len(faults) > 0 {
		t.Errorf("what the path had is a fault: %v", faults)
	}
	m = editing(t)(m.ToggleRow(member("Admins")))
	if faults := m.Faults(); len(faults) != 1 || faults[0].Who != member("Admins") {
		t.Errorf("the faults are %v", faults)
	}
}

// TestTheMatrixShowsWhatIsDecided holds each row against the decisions of the router.
func TestTheMatrixShowsWhatIsDecided(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := matrix.Matrix{Access: access.Access{Setting: access.Private}, Groups: []string{"A", "B"}}
		for range rapid.IntRange(0, 20).Draw(t, "edits") {
			who := rapid.SampledFrom(m.Rows()).Draw(t, "row").Who
			switch rapid.IntRange(0, 3).Draw(t, "edit") {
			case 0:
				m = m.NextMode(rapid.SampledFrom([]int{-1, 1}).Draw(t, "mode"))
			case 1:
				m, _ = m.ToggleRow(who)
			default:
				before := m
				action := rapid.SampledFrom(access.AllActions).Draw(t, "action")
				m, _ = m.Toggle(who, action)
				if m.Access.Setting != access.Open && m.Row(who).Actions != before.Row(who).Actions^access.ActionSet(action) {
					t.Fatalf("%s of %s:\n%s\nafter\n%s", action, who, drawn(m), drawn(before))
				}
			}
		}
		router := access.NewRouter(&access.API{Label: "x", Paths: []*access.Path{{Name: "/a", Function: "f", Access: m.Access}}}, m.Groups, access.Terms{})
		for _, r := range m.Rows() {
			caller := access.Caller{SignedIn: r.Who.Kind != access.Guest}
			if r.Who.Kind == access.Group {
				caller.Groups = []string{r.Who.Group}
			}
			for _, action := range access.AllActions {
				for _, method := range (access.Terms{}).Methods(action) {
					if router.Decide(caller, method, "/a/1").Allowed != r.Actions.Has(action) {
						t.Fatalf("%s %s is decided otherwise than shown:\n%s", r.Who, method, drawn(m))
					}
				}
			}
		}
	})
}

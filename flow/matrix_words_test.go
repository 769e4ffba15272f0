package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow/matrix"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
)

func TestTheSentencesOfAMatrixSayWhoMayWhatAndWhatIsWorthALook(t *testing.T) {
	t.Parallel()
	private := access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read, access.Create)).With(guests, access.EveryAction)
	protected := access.Access{Setting: access.Protected}.With(users, access.ActionSet(access.Read)).With(guests, access.ActionSet(access.Read, access.Delete))
	for name, test := range map[string]struct {
		m    matrix.Matrix
		want string
	}{
		"signed-in users": {matrix.Matrix{Path: "/a", Access: private.With(member("Admins"), access.ActionSet(access.Delete)), Groups: []string{"Admins", "Editors"}}, `guests may do nothing
signed-in users may create and read
members of Admins may delete
members of Editors may create and read, as signed-in users
warning ! /a lets every signed-in user create and read, but not members of Admins
warning ! members of both Admins and Editors act as Admins and lose create, read`},
		"guests without an identity": {matrix.Matrix{Path: "/a", Access: protected, GuestsOff: true, Around: []string{"/b takes from it"}}, `guests may read and delete
signed-in users may read
wider ▲ /a lets guests delete, and not signed-in users
wider ▲ guests have no identity yet (unauthenticated_identities_enabled is false): this gives them one, for all paths
warning ! /b takes from it`},
		"everybody": {matrix.Matrix{Access: access.Access{Setting: access.Open}, Groups: []string{"Admins"}, GuestsOff: true}, `guests may do everything
signed-in users may do everything
members of Admins may do everything
wider ▲ the path is open to everybody in the world`},
		"an empty entry and nobody": {matrix.Matrix{Path: "/a", Access: access.Access{Setting: access.Private}.With(member("Admins"), 0), Groups: []string{"Admins"}}, `guests may do nothing
signed-in users may do nothing
members of Admins may do nothing`},
	} {
		var lines []string
		for _, line := range test.m.Sentences() {
			lines = append(lines, map[prose.Tone]string{prose.Wider: "wider ", prose.Warning: "warning "}[line.Tone]+line.Text)
		}
		if difference := cmp.Diff(test.want, strings.Join(lines, "\n")); difference != "" {
			t.Errorf("%s (-want +got):\n%s", name, difference)
		}
	}
}

func TestARowIsMarkedIfItIsMoreOpenThanItLooksOrBelowUsers(t *testing.T) {
	t.Parallel()
	rules := access.Access{Setting: access.Protected}.With(users, access.ActionSet(access.Read, access.Create)).With(guests, access.ActionSet(access.Read)).
		With(member("Less"), access.ActionSet(access.Read, access.Delete)).With(member("More"), access.EveryAction)
	marks := func(m matrix.Matrix) string {
		var all []string
		for _, r := range m.Rows() {
			all = append(all, fmt.Sprintf("%s place %d own %v open %v below %v", r.Who, r.Place, r.Own, m.MoreOpen(r), m.BelowUsers(r)))
		}
		return strings.Join(all, "\n")
	}
	m := matrix.Matrix{Access: rules, Groups: []string{"More", "Same", "Less"}}
	for name, test := range map[string]struct {
		m    matrix.Matrix
		want string
	}{
		"guests and users": {m, `guests place 0 own true open false below false
signed-in users place 0 own true open false below false
members of More place 1 own true open false below false
members of Same place 2 own false open false below false
members of Less place 3 own true open false below true`},
		"guests who may more": {editing(t)(m.Toggle(guests, access.Update)), `guests place 0 own true open true below false
signed-in users place 0 own true open false below false
members of More place 1 own true open false below false
members of Same place 2 own false open false below false
members of Less place 3 own true open false below true`},
		"signed-in users": {m.WithMode(access.Private), `guests place 0 own false open false below false
signed-in users place 0 own true open false below false
members of More place 1 own true open false below false
members of Same place 2 own false open false below false
members of Less place 3 own true open false below true`},
		"everybody": {m.WithMode(access.Open), `guests place 0 own false open true below false
signed-in users place 0 own false open false below false
members of More place 1 own false open false below false
members of Same place 2 own false open false below false
members of Less place 3 own false open false below false`},
	} {
		if difference := cmp.Diff(test.want, marks(test.m)); difference != "" {
			t.Errorf("%s (-want +got):\n%s", name, difference)
		}
	}
	last := m.Row(member("Less"))
	if last.Place != 3 || m.Row(guests).Place != 0 || m.Row(member("Else")).Place != 0 {
		t.Errorf("the places are %+v", last)
	}
}

func TestWhatChangedSinceAnEarlierStateIsSaidInOrder(t *testing.T) {
	t.Parallel()
	was := matrix.Matrix{Path: "/a", Access: access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read)), Groups: []string{"A", "B"}}
	for name, test := range map[string]struct {
		now  matrix.Matrix
		want string
	}{
		"nothing":              {was, ""},
		"opened":               {was.WithMode(access.Open), "everybody may do everything under /a"},
		"more and less":        {editing(t)(editing(t)(was.Toggle(users, access.Create)).Toggle(users, access.Read)), "signed-in users may create under /a, signed-in users may no longer read under /a"},
		"an entry of the same": {editing(t)(was.Set(member("B"), access.ActionSet(access.Read))), "members of B have an entry of their own under /a"},
		"another order":        {editing(t)(was.Move("A", 1)), "the order of the groups is B, A"},
		"groups and access": {func() matrix.Matrix {
			m, _, _ := was.AddGroups("C,D")
			return editing(t)(m.Toggle(guests, access.Read))
		}(), "guests may read under /a, the groups C, D added"},
	} {
		if got := test.now.Since(was); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	restricted := was
	restricted.Path = ""
	if got := restricted.Since(was.WithMode(access.Open)); !strings.HasPrefix(got, "the path is restricted, guests may no longer ") {
		t.Errorf("restricted: %s", got)
	}
	if got := fmt.Sprint(matrix.GroupsSince([]string{"A", "B"}, []string{"C"})); got != "[the group C added the groups A, B removed]" {
		t.Errorf("other groups: %s", got)
	}
}

func TestEditsOfAMatrixLeaveTheEarlierOneAsItWas(t *testing.T) {
	t.Parallel()
	m, _, err := matrix.Matrix{Path: "/a", Access: access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read)), Groups: []string{"A", "B", "C"}}.AddGroups("D, E")
	must(t, err)
	m = editing(t)(m.ToggleRow(member("D")))
	before := drawn(m) + fmt.Sprint(m.Groups, m.Made)
	editing(t)(m.Move("E", -1))
	editing(t)(m.Move("D", 1))
	editing(t)(m.WithoutGroup("D"))
	editing(t)(m.WithOrder("E, C, B, A"))
	editing(t)(m.Toggle(users, access.Read))
	m.WithoutEntry("D")
	m.WithMode(access.Protected)
	_, _, err = m.AddGroups("F")
	must(t, err)
	if after := drawn(m) + fmt.Sprint(m.Groups, m.Made); after != before {
		t.Errorf("it is\n%s\nwas\n%s", after, before)
	}
	ends := editing(t)(editing(t)(m.Move("A", -1)).Move("E", 1))
	if !slices.Equal(ends.Groups, m.Groups) {
		t.Errorf("beyond the ends the order is %v", ends.Groups)
	}
	fixed := matrix.Matrix{Groups: m.Groups, Fixed: "elsewhere"}
	if _, err := fixed.Move("B", 1); err == nil || err.Error() != "groups: the groups cannot be ordered here; elsewhere" {
		t.Errorf("a move where the groups are fixed: %v", err)
	}
	if _, err := fixed.WithOrder("E, D, C, B, A"); err == nil || err.Error() != "groups: the groups cannot be ordered here; elsewhere" {
		t.Errorf("an order where the groups are fixed: %v", err)
	}
	if !m.Equal(m) || m.Equal(m.WithMode(access.Open)) || m.Equal(m.WithoutEntry("D")) || m.Equal(editing(t)(m.Move("B", 1))) {
		t.Error("equal are those that are not, or the other way round")
	}
}

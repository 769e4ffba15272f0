package assertion_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/assertion"
)

// told is all of an outcome, in a line for each part.
func told(o assertion.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d decisions, keep %q\n", o.Text, o.Decisions, o.Keep)
	if o.Because != "" {
		fmt.Fprintf(&b, "  because %s\n", o.Because)
	}
	if o.Err != nil {
		fmt.Fprintf(&b, "  error, unknown %v: %v\n", errors.Is(o.Err, model.ErrUnknown), o.Err)
	}
	for _, x := range o.Broken {
		fmt.Fprintf(&b, "  %s, anybody %v, %s %s of %s %s: allowed %v\n", x.Who, x.Anybody, x.Method, x.Raw, x.API, x.Path, x.Decision.Allowed)
	}
	for _, note := range o.Notes {
		fmt.Fprintf(&b, "  note: %s\n", note)
	}
	return b.String()
}

func TestAnOutcomeSaysAllOfATest(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Groups = append(b.Groups, "two words")
	// The requests of the second API are shorter by a segment, and by letters.
	b.APIs = append(b.APIs, &access.API{Label: "staff", Paths: []*access.Path{
		{Name: "/a-path-with-a-long-name", Function: "staff", Access: access.Access{Setting: access.Open}},
		{Name: "/b/c", Function: "staff", Access: access.Access{Setting: access.Private, Grants: []access.Grant{
			{To: access.Principal{Kind: access.Group, Group: "Readers"}, Actions: access.ActionSet(access.Read)},
		}}},
		{Name: "/b/c/d", Function: "staff", Access: access.Access{Setting: access.Private, Grants: []access.Grant{
			{To: access.Principal{Kind: access.Group, Group: "Readers"}, Actions: access.ActionSet(access.Read)},
		}}},
	}})
	c := assertion.NewChecker(b)
	var got strings.Builder
	for _, text := range []string{
		"guests never DELETE under /admin because it is theirs",
		"nobody but Admins may DELETE under /books",
		"signed-in users but Admins and Editors never update under /books",
		"no path is open but /health",
		"no path is open of API staff",
		"no path is open",
		"guests never GET",
		"Readers may read",
		"Readers may GET /b/c of API staff",
		"Editors and Readers may update /books",
		"guests may only read of API shop",
		"guests may only read under /books of API shop",
		"guests never GET /bokks",
		"guests never GET /nothing/like/it",
		"guests may GET /nothing/like/it",
		"nobodys never GET /books",
		"Nobody-we-know never GET /books",
		"two wrds never GET /books",
		`"two wrds" never GET /books`,
		"guests never GET /books of API ship",
		"guests never GET /books of API elsewhere",
	} {
		got.WriteString(told(c.Check(text)))
	}
	const want = `guests never DELETE under /admin because it is theirs: 1 decisions, keep []
  because it is theirs
nobody but Admins may DELETE under /books: 10 decisions, keep ["Admins"]
signed-in users but Admins and Editors never update under /books: 6 decisions, keep ["Admins" "Editors"]
no path is open but /health: 6 decisions, keep []
  guests, anybody true, GET /a-path-with-a-long-name of staff /a-path-with-a-long-name: allowed true
no path is open of API staff: 3 decisions, keep []
  guests, anybody true, GET /a-path-with-a-long-name of staff /a-path-with-a-long-name: allowed true
no path is open: 7 decisions, keep []
  guests, anybody true, GET /health of shop /health: allowed true
  guests, anybody true, GET /a-path-with-a-long-name of staff /a-path-with-a-long-name: allowed true
guests never GET: 7 decisions, keep []
  guests, anybody false, GET /books of shop /books: allowed true
  guests, anybody true, GET /health of shop /health: allowed true
  guests, anybody true, GET /a-path-with-a-long-name of staff /a-path-with-a-long-name: allowed true
Readers may read: 7 decisions, keep []
  members of Readers, anybody false, GET /admin of shop /admin: allowed false
  members of Readers, anybody false, GET /books/1/lock of shop /books/{isbn}/lock: allowed false
  note: members of both Readers and Admins act as Admins, and may not GET /b/c
  note: members of both Readers and Editors act as Editors, and may not GET /b/c
Readers may GET /b/c of API staff: 1 decisions, keep []
  note: members of both Readers and Admins act as Admins, and may not GET /b/c
  note: members of both Readers and Editors act as Editors, and may not GET /b/c
Editors and Readers may update /books: 2 decisions, keep []
  members of Readers, anybody false, PUT /books of shop /books: allowed false
guests may only read of API shop: 12 decisions, keep []
  guests, anybody true, POST /health of shop /health: allowed true
  guests, anybody true, PUT /health of shop /health: allowed true
  guests, anybody true, DELETE /health of shop /health: allowed true
guests may only read under /books of API shop: 14 decisions, keep []
  guests, anybody true, GET /health of shop /health: allowed true
  guests, anybody true, POST /health of shop /health: allowed true
  guests, anybody true, PUT /health of shop /health: allowed true
  guests, anybody true, DELETE /health of shop /health: allowed true
guests never GET /bokks: 0 decisions, keep []
  note: no path serves a request of this test, so it passes whatever the access rules are; did you mean /books?
guests never GET /nothing/like/it: 0 decisions, keep []
  note: no path serves a request of this test, so it passes whatever the access rules are
guests may GET /nothing/like/it: 0 decisions, keep []
  error, unknown true: no path serves a request of this test; correct its path, or add the path
nobodys never GET /books: 0 decisions, keep []
  error, unknown true: group nobodys: not found; correct the test, or add the group
Nobody-we-know never GET /books: 0 decisions, keep []
  error, unknown true: group Nobody-we-know: not found; correct the test, or add the group
two wrds never GET /books: 0 decisions, keep []
  error, unknown false: column 5 of the test expects may, may only, may no more than or never after the callers; a test is a sentence such as: guests never DELETE
"two wrds" never GET /books: 0 decisions, keep []
  error, unknown true: group "two wrds": not found; did you mean "two words"?
guests never GET /books of API ship: 0 decisions, keep []
  error, unknown true: API ship: not found; did you mean shop?
guests never GET /books of API elsewhere: 0 decisions, keep []
  error, unknown true: API elsewhere: not found; there is shop, staff
`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, got.String())
	}
}

func TestTheRequestOfAnOutcomeHasTheFewestSegments(t *testing.T) {
	t.Parallel()
	b := &model.Backend{APIs: []*access.API{{Label: "shop", Paths: []*access.Path{{Name: "/", Function: "f", Access: access.Access{Setting: access.Open}}}}}}
	o := assertion.NewChecker(b).Check("guests never GET /a/b and /a-long-name-of-one-segment")
	if len(o.Broken) != 1 || o.Broken[0].Raw != "/a-long-name-of-one-segment" {
		t.Errorf("%+v", o)
	}
}

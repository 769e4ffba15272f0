package people

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// pagesOfUsers answers lists of users in pages of a size.
type pagesOfUsers struct {
	size  int
	asked []string
}

func (p *pagesOfUsers) Do(_ context.Context, operation string, input []byte) ([]byte, error) {
	var in map[string]any
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	token := "PaginationToken"
	if operation == "ListUsersInGroup" {
		token = "NextToken"
	}
	p.asked = append(p.asked, fmt.Sprint(operation, " ", in["GroupName"], " ", in["Limit"], " ", in[token]))
	from := 0
	if at, ok := in[token].(string); ok {
		_, _ = fmt.Sscan(at, &from)
	}
	var users []User
	for i := from; i < min(from+p.size, 7); i++ {
		users = append(users, User{Username: fmt.Sprint("u", i)})
	}
	out := map[string]any{"Users": users}
	if from+p.size < 7 {
		out[token] = fmt.Sprint(from + p.size)
	}
	return json.Marshal(out)
}

func TestUsersAreListedOnceInPagesOfAnySize(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"", "Admins"} {
		for size := 1; size < 9; size++ {
			p := &pagesOfUsers{size: size}
			var names []string
			if err := ListUsers(t.Context(), p, group, func(page []User) bool {
				for _, u := range page {
					names = append(names, u.Username)
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(names, " "); got != "u0 u1 u2 u3 u4 u5 u6" || len(p.asked) != (7+size-1)/size {
				t.Errorf("in pages of %d it lists %s, asked %q", size, got, p.asked)
			}
		}
	}
	p := &pagesOfUsers{size: 2}
	if err := ListUsers(t.Context(), p, "Admins", func([]User) bool { return len(p.asked) < 2 }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"ListUsersInGroup Admins 60 <nil>", "ListUsersInGroup Admins 60 2"}; !slices.Equal(p.asked, want) {
		t.Errorf("until somebody has enough it asks %q", p.asked)
	}
	for want, u := range map[string]User{
		"emma": {Username: "emma", Attributes: []Attribute{{"sub", "1"}, {"email", "e@x"}}}, "e@x": {Username: "1", UserAttributes: []Attribute{{"sub", "1"}, {"email", "e@x"}, {"phone_number", "+1"}}},
		"+1": {Username: "1", Attributes: []Attribute{{"sub", "1"}, {"phone_number", "+1"}}}, "1": {Username: "1", Attributes: []Attribute{{"sub", "1"}}},
	} {
		if got := ShownName(u.Username, u.Values()); got != want {
			t.Errorf("%+v is shown as %s, want %s", u, got, want)
		}
	}
}

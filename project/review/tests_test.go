package review_test

import (
	"strings"
	"testing"

	"gatewright/project"
	"gatewright/project/review"
)

const testFile = "../" + project.AccessTestFile

// tested is the shop with access tests.
func tested(tests string, changes ...string) map[string]string {
	return with(with(shop, changes...), testFile, `{"version": 1, "tests": [`+tests+`]}`)
}

// broken are the access tests of a review, a line each.
func broken(r *review.Review) string {
	var lines []string
	for _, one := range r.Tests {
		lines = append(lines, one.Name+" "+one.Text)
	}
	return strings.Join(lines, "\n")
}

func TestAccessTestsThatBreakAreNamed(t *testing.T) {
	t.Parallel()
	const guests, users = `"guests never update"`, `"signed-in users may read /books"`
	opened := strings.Replace(shop[shopFile], `"guest": ["read"]`, `"guest": ["read", "update"]`, 1)
	switchedOn := strings.Replace(shop["auth.json"], "false", "true", 1)
	open := []string{shopFile, opened, "auth.json", switchedOn}
	for _, test := range []struct {
		name       string
		base, head map[string]string
		want       string
	}{
		{"nothing", tested(guests), tested(guests), ""},
		{"one breaks", tested(guests + "," + users), tested(guests+","+users, open...), "guests never update PUT /books as a guest is allowed: guests may update under /books"},
		{"it was broken before", tested(guests, open...), tested(guests, open...), ""},
		{"a new one does not hold", tested(users, open...), tested(users+","+guests, open...), "guests never update is new and fails: PUT /books as a guest is allowed: guests may update under /books"},
		{"it is removed with what breaks it", tested(guests + "," + users), tested(users, open...), "guests never update is removed and would now fail: PUT /books as a guest is allowed: guests may update under /books"},
		{"their file is removed", tested(guests), with(shop, open...), "guests never update is removed and would now fail: PUT /books as a guest is allowed: guests may update under /books"},
		{"one cannot be decided", tested(guests), tested(guests + `, "guests neverr"`), "guests neverr is new and fails: cannot be decided: column 8"},
		{"their file is broken", tested(guests), tested(guests + "}"), "access tests cannot be read: access.test.json:1:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := broken(of(t, state(t, project.Native, test.base), state(t, project.Native, test.head), ""))
			if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) || strings.Contains(got, "\n") {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestARemovedTestThatHoldsIsNoted(t *testing.T) {
	t.Parallel()
	r := of(t, state(t, project.Native, tested(`"guests never update"`)), state(t, project.Native, shop), "")
	if len(r.Tests) != 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], `the access test "guests never update" is removed; it would still pass`) {
		t.Errorf("%v, %v", r.Tests, r.Notes)
	}
	if len(r.Files) != 1 || r.Files[0] != (review.File{Path: project.AccessTestFile, Change: "delete"}) {
		t.Errorf("the files are %v", r.Files)
	}
}

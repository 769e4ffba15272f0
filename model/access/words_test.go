package access_test

import (
	"testing"

	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func TestAccessIsDescribedInOneLine(t *testing.T) {
	t.Parallel()
	guestsUnderPrivate := accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read), accesstest.ToGuests(access.Read)).Access
	guestsUnderPrivate.Setting = access.Private
	for want, access := range map[string]access.Access{
		"open to everybody": accesstest.Open("/a", "f").Access,
		"guests: read; signed-in users: create, read; members of Admins: all": accesstest.Restricted("/a", "f", accesstest.ToGuests(access.Read), accesstest.ToGroup("Admins", access.AllActions...), accesstest.ToUsers(access.Create, access.Read)).Access,
		`members of B: nothing; members of "A\x1b": delete`:                   accesstest.Restricted("/a", "f", accesstest.ToGroup("B"), accesstest.ToGroup("A\x1b", access.Delete)).Access,
		"nobody has access":     accesstest.Restricted("/a", "f").Access,
		"signed-in users: read": guestsUnderPrivate,
	} {
		if got := access.String(); got != want {
			t.Errorf("%+v is %q, want %q", access.Grants, got, want)
		}
	}
	for setting, want := range map[access.Setting]string{
		access.Open: "open to everybody", access.Private: "signed-in users and groups", access.Protected: "signed-in users, groups and guests", "a\nb": `"a\nb"`,
	} {
		if got := setting.Words(); got != want {
			t.Errorf("%q is %q", setting, got)
		}
	}
}

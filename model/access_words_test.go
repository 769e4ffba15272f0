package model_test

import (
	"testing"

	"gatewright/model"
	"gatewright/model/accesstest"
)

func TestAccessIsDescribedInOneLine(t *testing.T) {
	t.Parallel()
	guestsUnderPrivate := accesstest.Restricted("/a", "f", accesstest.ToUsers(model.Read), accesstest.ToGuests(model.Read)).Access
	guestsUnderPrivate.Setting = model.Private
	for want, access := range map[string]model.Access{
		"open to everybody": accesstest.Open("/a", "f").Access,
		"guests: read; signed-in users: create, read; members of Admins: all": accesstest.Restricted("/a", "f", accesstest.ToGuests(model.Read), accesstest.ToGroup("Admins", model.AllActions...), accesstest.ToUsers(model.Create, model.Read)).Access,
		`members of B: nothing; members of "A\x1b": delete`:                   accesstest.Restricted("/a", "f", accesstest.ToGroup("B"), accesstest.ToGroup("A\x1b", model.Delete)).Access,
		"nobody has access":     accesstest.Restricted("/a", "f").Access,
		"signed-in users: read": guestsUnderPrivate,
	} {
		if got := access.String(); got != want {
			t.Errorf("%+v is %q, want %q", access.Grants, got, want)
		}
	}
	for setting, want := range map[model.Setting]string{
		model.Open: "open to everybody", model.Private: "signed-in users and groups", model.Protected: "signed-in users, groups and guests", "a\nb": `"a\nb"`,
	} {
		if got := setting.Words(); got != want {
			t.Errorf("%q is %q", setting, got)
		}
	}
}

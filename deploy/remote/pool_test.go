package remote

import (
	"testing"
)

func TestOnlyWhatReadsAPoolIsAskedAgain(t *testing.T) {
	t.Parallel()
	for operation, want := range map[string]bool{
		"ListUsers": true, "ListGroups": true, "GetGroup": true, "DescribeUserPool": true, "AdminListGroupsForUser": true, "AdminGetUser": true,
		"AdminCreateUser": false, "AdminDeleteUser": false, "AdminAddUserToGroup": false, "AdminSetUserPassword": false, "AdminResetUserPassword": false, "SignUp": false,
	} {
		if got := onlyReads(operation); got != want {
			t.Errorf("%s only reads: %t", operation, got)
		}
	}
}

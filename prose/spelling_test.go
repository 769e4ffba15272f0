package prose_test

import (
	"strings"
	"testing"

	"gatewright/spelling"
)

func TestTheNearestWordIsTheOneMeant(t *testing.T) {
	t.Parallel()
	allowed := []string{"oauth", "user_pool_id", "username_attributes", "code", "token", "NONE", "to", "b"}
	tests := []struct{ word, want string }{
		{"oath", "oauth"},
		{"aouth", "oauth"},
		{"OAuth", "oauth"},
		{"userPoolId", "user_pool_id"},
		{"user-pool-ids", "user_pool_id"},
		{"username_atributes", "username_attributes"},
		{"none", "NONE"},
		{"cod", "code"},
		{"xyz", ""},
		{"", ""},
		{"é", ""},
		{"x", ""},
		{"te", "to"},
		{"a", ""},
		{strings.Repeat("oauth", 1000), ""},
	}
	for _, test := range tests {
		if got := spelling.Nearest(test.word, allowed); got != test.want {
			t.Errorf("the nearest to %.20q is %q, want %q", test.word, got, test.want)
		}
	}
}

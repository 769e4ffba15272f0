package prose_test

import (
	"strings"
	"testing"

	"gatewright/internal/text/spelling"
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

func TestTheDistanceOfWordsCountsTheirSlips(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b           string
		distance, slip int
		near           bool
	}{
		{"", "", 0, 0, true},
		{"", "abc", 3, 0, false},
		{"abc", "", 3, 0, false},
		{"abcd", "abdc", 1, 1, true},
		{"abcd", "bacd", 1, 1, true},
		{"ab", "ba", 1, 1, true},
		{"ca", "abc", 3, 3, false},
		{"kitten", "sitting", 3, 3, false},
		{"kitten", "sittin", 2, 2, true},
		{"abcdefgh", "abcxyzgh", 3, 3, false},
		{"abcdefghi", "abcxyzghi", 3, 3, true},
		{"abcdef", "abcd", 2, 2, true},
		{"abcdef", "abc", 3, 0, false},
		{"A_b-C", "abc", 4, 0, true},
		{strings.Repeat("a", 100), strings.Repeat("a", 99), 1, 1, true},
		{strings.Repeat("a", 101), strings.Repeat("a", 101), 0, 0, false},
	} {
		slips, near := spelling.Slips(tt.a, tt.b)
		if got := spelling.Distance(tt.a, tt.b); got != tt.distance || slips != tt.slip || near != tt.near {
			t.Errorf("%.10q and %.10q are %d apart, with %d slips, near %v", tt.a, tt.b, got, slips, near)
		}
	}
	many := make([]string, 1000)
	many[0], many[1], many[2] = "codes", "cods", "core"
	if got := spelling.Nearest("code", many); got != "codes" {
		t.Errorf("of several that are as near, it is %q", got)
	}
	if got := spelling.Nearest("code", append(many, "code")); got != "" {
		t.Errorf("of too many, it is %q", got)
	}
}

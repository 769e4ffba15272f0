package people_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/cli/clitest"
)

// TestAMadePasswordIsOneThatThePoolTakes adds users under every policy.
func TestAMadePasswordIsOneThatThePoolTakes(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "add", "group", "Admins")
	for i, length := range []int{6, 8, 16, 17, 99} {
		s.Run(0, "update", "auth", fmt.Sprintf("--password-policy-min-length=%d", length), "--password-policy-require-numbers",
			"--password-policy-require-lowercase", "--password-policy-require-uppercase", "--password-policy-require-symbols")
		for n := range 4 {
			name := fmt.Sprintf("user-%d-%d", i, n)
			out := s.Run(0, "user", "add", name)
			_, password, found := strings.Cut(strings.TrimSpace(out), "\npassword: ")
			if !found || len(password) != max(16, length) || strings.ContainsAny(password, " '\"$\\`!") || strings.HasPrefix(password, "-") {
				t.Errorf("the password of a policy of %d characters is %q", length, out)
			}
		}
	}
}

package ship_test

import (
	"strings"
	"testing"

	"gatewright/cli/clitest"
)

func TestFollowingAPushTakesNothingOver(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "update", "env", "dev", "--provider", "aws", "--region", "eu-central-1")
	for _, flag := range []string{"--adopt", "--adopt-pool=eu-central-1_AbCdEfGhI"} {
		if text := s.Run(2, "push", "--watch", flag); !strings.Contains(text, "--watch follows a push that goes on, and takes over nothing") || strings.Count(text, "\n") > 1 {
			t.Errorf("with %s it says %q", flag, text)
		}
		if text := s.Run(2, "push", "--hot", flag); !strings.Contains(text, "--hot changes the code of functions alone") {
			t.Errorf("with --hot and %s it says %q", flag, text)
		}
	}
	s.Run(0, "update", "env", "dev", "--provider", "local")
	if text := s.Run(2, "push", "--adopt-pool", "eu-central-1_AbCdEfGhI"); !strings.Contains(text, "are for environments of AWS") {
		t.Errorf("a push to this machine says %q", text)
	}
}

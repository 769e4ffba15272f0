package inspect_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/awstest"
)

func TestAReviewAsksAWSWhatIsDeployed(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	s := newSession(t)
	s.Environ = fake.Env()
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "update", "env", "dev", "--provider", "aws", "--region", "eu-central-1")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "all")
	if text := s.Run(3, "review", "--against", "deployed", "--fail-on", "widened"); !strings.Contains(text, "▲ signed-in users may now create, read, update and delete under /books") {
		t.Errorf("before the first push:\n%s", text)
	}
	s.Run(0, "push", "--yes")
	// What this machine remembers does not count.
	if err := os.RemoveAll(filepath.Join(s.Dir, ".gatewright")); err != nil {
		t.Fatal(err)
	}
	if text := s.Run(0, "review", "--against", "deployed", "--env", "dev", "--fail-on", "widened"); !strings.Contains(text, "review: nothing changes\n") {
		t.Errorf("after the push:\n%s", text)
	}
	s.Run(0, "update", "path", "shop", "/books", "--guest", "read")
	text := s.Run(3, "review", "--against", "deployed", "--env", "dev", "--fail-on", "widened", "--prove")
	for _, want := range []string{
		"▲ guests may now read under /books (GET /books)\n",
		"not proved: GET /books by a guest: no response (the sources of what is deployed of dev are not on this machine) before, ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

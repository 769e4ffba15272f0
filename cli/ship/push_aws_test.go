package ship_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
)

// times are those that a fake of AWS says.
var times = regexp.MustCompile(`(20\d\d-\d\d-\d\d[ T])?\d\d:\d\d:\d\d(Z| UTC)`)

// told runs the commands of a story, and compares all that they print with it. A line that begins
// with $ has the exit code and a command; what it prints follows. Nobody compares what a command in
// a line with % prints.
func told(t *testing.T, s *clitest.Session, story string) {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(story) {
		if command, ok := strings.CutPrefix(line, "% "); ok {
			if printed := s.Run(0, strings.Fields(command)...); strings.Contains(printed, ": null") {
				t.Errorf("%s prints null:
%s", command, printed)
			}
			b.WriteString(line)
		}
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			var code int
			_, _ = fmt.Sscan(command, &code)
			printed := times.ReplaceAllString(s.Run(code, strings.Fields(command)[1:]...), "TIME")
			b.WriteString(line + archives.ReplaceAllString(printed, ""))
		}
	}
	if diff := cmp.Diff(strings.Split(story, "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("%s\n%s", diff, b.String())
	}
}

// archives are made in any order, and are those of an earlier test with the same sources or new.
var archives = regexp.MustCompile(`(?m)^function \S+: its archive is .*
`)

const shopOnAWS = `% init --name shop --app-id d1shop --region eu-central-1
% update env dev --provider aws
% add group Admins
% add table loans --partition-key id
% add api shop --path /books --function books --new-function plain --auth read --guest read --group Admins=all
% add env prod --provider aws --region eu-west-1 --guarded --api shop
% env use dev
`

// TestAPushToAWSSaysWhatItDoes tells the first push of an environment.
func TestAPushToAWSSaysWhatItDoes(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Environ = awstest.New(t, awstest.Options{}).Env()
	told(t, s, shopOnAWS+`$ 0 push --dry-run
$ 2 push
$ 2 push --env prod --yes
$ 0 push --yes
$ 0 push --yes
$ 0 status
$ 0 env show
`)
}

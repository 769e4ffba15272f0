package run

import (
	"errors"
	"testing"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy/cloudlog"
	"gatewright/sandbox/logs"
)

func TestAFollowerThatCannotGoOnSaysHowNoLineIsLost(t *testing.T) {
	t.Parallel()
	over := errors.New("the sign-in has expired; run: aws sso login")
	stopped := &cloudlog.Stopped{Since: time.Date(2026, 11, 26, 13, 3, 5, 120e6, time.UTC), Err: over}
	err := goesOn(command.Streams{Zone: time.FixedZone("CET", 3600)}, stopped, logs.Query{Environment: "prod", Functions: []string{"books", "a b"}, Request: "r1"}, cloudLogs{follow: true, asJSON: true})
	const want = "the sign-in has expired; run: aws sso login; then go on from 2026-11-26 14:03:05 CET with: " +
		"gatewright logs books 'a b' --env prod -f --since 2026-11-26T13:03:05.120Z --request r1 --json"
	if !errors.Is(err, over) || err.Error() != want {
		t.Errorf("it says %v", err)
	}
	var since command.Since
	if err := since.Set("2026-11-26T13:03:05.120Z"); err == nil && !since.Before(time.Now()).Equal(stopped.Since) {
		t.Error("the time of the command is another one")
	}
	if other := errors.New("other"); goesOn(command.Streams{}, other, logs.Query{}, cloudLogs{}) != other {
		t.Error("another error is changed")
	}
}

package request

import (
	"context"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/deploytest"
	"gatewright/flow/request/requesttest"
)

// A request that nobody waits for any more was sent all the same: its function goes on.
func TestARequestWithoutAnAnswerIsInTheHistory(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	deploytest.Serve(t, dir)
	s, err := Read(dir)
	must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	f := Form{Environment: "dev", API: "shop", Path: "/open", Method: "POST", Query: "wait=20000"}
	x, err := s.Send(ctx, f)
	if err == nil || !x.Unanswered || x.Answer.Status != 0 {
		t.Fatalf("%+v %v", x, err)
	}
	must(t, s.Record(x))
	s, err = Read(dir)
	must(t, err)
	options, _ := s.Earlier(f)
	if len(options) != 1 || options[0].Title != "POST /open?wait=20000" || !strings.HasPrefix(options[0].Detail, "no answer, ") || options[0].Disabled != "" {
		t.Errorf("%+v", options)
	}
	if x, err := s.Send(context.Background(), Form{Environment: "dev", API: "gone", Path: "/open", Method: "GET"}); err == nil || x.Unanswered {
		t.Errorf("what is not sent counts as sent: %+v %v", x, err)
	}
}

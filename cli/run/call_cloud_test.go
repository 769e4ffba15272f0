package run

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"gatewright/cli/command"
	"gatewright/model"
)

func TestAGuardedEnvironmentIsAskedAboutOnceForAllRequests(t *testing.T) {
	t.Parallel()
	prod := &model.Environment{Name: "prod", Provider: model.AWS, Guarded: true}
	for want, methods := range map[string][]string{
		"<nil>": {"GET", "GET"},
		"environment prod is guarded; to send a PUT request to it give --confirm prod":            {"GET", "PUT"},
		"environment prod is guarded; to send 3 requests to it: DELETE, POST give --confirm prod": {"POST", "GET", "DELETE", "POST"},
	} {
		var out, err bytes.Buffer
		x := &callCommand{streams: command.Streams{In: strings.NewReader(""), Out: &out, Err: &err}}
		if got := fmt.Sprint(x.allow(prod, methods...)); got != want {
			t.Errorf("%v: %s\nwant %s", methods, got, want)
		}
	}
	open := &model.Environment{Name: "dev", Provider: model.AWS}
	if err := new(callCommand).allow(open, "DELETE"); err != nil {
		t.Errorf("an environment that is not guarded: %v", err)
	}
}

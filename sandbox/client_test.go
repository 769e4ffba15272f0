package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
	"gatewright/sandbox/traffic"
)

func TestAClientReadsTheCallsOfASandbox(t *testing.T) {
	t.Parallel()
	s, _ := bareSite(t)
	client := s.connect()
	// No function is called for these.
	for _, path := range []string{"/first?a=1", "/second", "/third"} {
		s.get(path)
	}
	read := func(q traffic.Query) string {
		t.Helper()
		var all []string
		must(t, client.Requests(t.Context(), q, false, func(c traffic.Call) error {
			all = append(all, c.Target)
			return nil
		}))
		return strings.Join(all, " ")
	}
	for _, row := range []struct {
		query traffic.Query
		want  string
	}{
		{traffic.Query{}, "/first?a=1 /second /third"},
		{traffic.Query{Environment: "dev"}, "/first?a=1 /second /third"},
		{traffic.Query{Environment: "qa"}, ""},
		{traffic.Query{After: 1}, "/second /third"},
		{traffic.Query{Last: 1}, "/third"},
	} {
		if got := read(row.query); got != row.want {
			t.Errorf("%+v: %s, want %s", row.query, got, row.want)
		}
	}
	full := errors.New("full")
	if err := client.Requests(t.Context(), traffic.Query{}, false, func(traffic.Call) error { return full }); !errors.Is(err, full) {
		t.Errorf("the error of its user is %v", err)
	}
	detail, err := client.Request(t.Context(), 2)
	kept, _ := s.traffic.Detail(2)
	if diff := cmp.Diff(kept, detail); err != nil || diff != "" || detail.Target != "/second" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	const gone = "call 4 is no longer kept: the sandbox keeps the last 10000"
	if _, err := client.Request(t.Context(), 4); err == nil || err.Error() != gone {
		t.Errorf("the fourth: %v", err)
	}
	report, err := client.Traffic(t.Context(), traffic.All)
	if err != nil || report.Window != traffic.All || len(report.Whole) != 1 || report.Whole[0].Calls != 3 || report.Whole[0].Refused != 3 || report.Kept != 3 {
		t.Errorf("%v, %+v", err, report)
	}
	if _, err := client.Traffic(t.Context(), "2h"); err == nil || err.Error() != "window is not 5m, 1h or all" {
		t.Errorf("another window: %v", err)
	}
	// Who follows gets the next call too, until the sandbox ends.
	seen, ended := make(chan string, 10), make(chan error, 1)
	go func() {
		ended <- client.Requests(context.Background(), traffic.Query{After: 2}, true, func(c traffic.Call) error {
			seen <- c.Target
			return nil
		})
	}()
	if first := <-seen; first != "/third" {
		t.Errorf("the first is %s", first)
	}
	s.get("/fourth")
	if next := <-seen; next != "/fourth" {
		t.Errorf("the next is %s", next)
	}
	s.end()
	if err := <-ended; err != nil {
		t.Errorf("following ends with %v", err)
	}
}

func TestTheControlInterfaceRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	s, _ := bareSite(t)
	for _, row := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", requestsPath, "", 400, "after is not the number of a call"},
		{"GET", requestsPath + "?after=-1", "", 400, "after is not the number of a call"},
		{"GET", requestsPath + "?after=0&last=-1", "", 400, "last is not a number of calls"},
		{"GET", requestsPath + "?after=0&last=x", "", 400, "last is not a number of calls"},
		{"GET", requestPath + "?number=x", "", 400, "number is not the number of a call"},
		{"GET", requestPath + "?number=1", "", 404, "call 1 is no longer kept: the sandbox keeps the last 10000"},
		{"GET", trafficPath, "", 400, "window is not 5m, 1h or all"},
		{"GET", logsPath + "?since=noon", "", 400, "since is not a time"},
		{"GET", logsPath + "?last=-1", "", 400, "last is not a number of lines"},
		{"GET", logsPath + "?last=x", "", 400, "last is not a number of lines"},
		{"POST", testPath, `{`, 400, "unexpected end of JSON input"},
		{"POST", testPath, `{"Environment":"dev","Label":"shop","Method":"GET","Path":"items"}`, 422, "path: items does not start with /; give one such as /items/1"},
		{"POST", usersPath, `[]`, 400, "json: cannot unmarshal array into Go value of type sandbox.usersQuestion"},
		{"POST", rosterPath, strings.Repeat(" ", maxQuestion+1), 400, "http: request body too large"},
		{"POST", stopPath, "", 501, "this sandbox can be stopped only where it was started"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), row.method, s.run.Control+row.path, strings.NewReader(row.body))
		must(t, err)
		r.Header.Set(tokenHeader, s.run.Token)
		response, err := http.DefaultClient.Do(r)
		must(t, err)
		body, err := io.ReadAll(response.Body)
		must(t, err)
		response.Body.Close()
		var refused failure
		must(t, json.Unmarshal(body, &refused))
		if response.StatusCode != row.status || refused.Error != row.want || response.Header.Get("Cache-Control") != "no-store" || response.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %d %s %v, want %d %s", row.method, row.path, response.StatusCode, body, response.Header, row.status, row.want)
		}
	}
}

// The same is answered by a running sandbox, and from its file when it has ended.
func TestUsersAreTheSameOfARunningSandboxAndOfItsFile(t *testing.T) {
	t.Parallel()
	s, events := bareSite(t)
	dev := *poolOfTest("dev")
	h, err := OpenUsers(t.Context(), s.state, pool.Pool{Environment: "dev"}, "", nil)
	must(t, err)
	if !h.Running() {
		t.Error("the sandbox is not seen")
	}
	do := func(h *HeldUsers, operation, input string) {
		t.Helper()
		_, err := h.Do(t.Context(), operation, []byte(input))
		must(t, err)
	}
	do(h, "AdminCreateUser", `{"UserPoolId":"other","Username":"ada","TemporaryPassword":"Correct-horse 7"}`)
	if all := events.since(); len(all) != 1 || all[0].Kind != EventCode || !strings.Contains(all[0].Text, "Correct-horse 7") {
		t.Errorf("the events are %+v", all)
	}
	var refused *wire.Error
	if _, err := h.Tokens(t.Context(), "ada"); !errors.As(err, &refused) || refused.Code != "NotAuthorizedException" || !strings.Contains(refused.Message, "FORCE_CHANGE_PASSWORD") {
		t.Errorf("tokens before a password: %v", err)
	}
	do(h, "AdminSetUserPassword", `{"Username":"ada","Password":"Correct-horse 8","Permanent":true}`)
	do(h, "AdminAddUserToGroup", `{"Username":"ada","GroupName":"Editors"}`)
	given, err := h.Tokens(t.Context(), "ada")
	if err != nil || given.ID == "" || given.Access == "" || given.Refresh == "" || given.ExpiresIn != 3600 {
		t.Errorf("%+v, %v", given, err)
	}
	ada, err := h.User(t.Context(), "ada")
	if err != nil || ada.Name != "ada" || !slices.Equal(ada.Groups, []string{"Editors"}) || !ada.Enabled {
		t.Errorf("%+v, %v", ada, err)
	}
	if _, err := h.User(t.Context(), "bob"); !errors.As(err, &refused) || refused.Code != "UserNotFoundException" {
		t.Errorf("bob: %v", err)
	}
	if _, err := h.Do(t.Context(), "AdminGetUser", []byte(`[]`)); err == nil || err.Error() != "the input of AdminGetUser is not a JSON object" {
		t.Errorf("a list: %v", err)
	}
	roster, err := h.Roster(t.Context())
	if diff := cmp.Diff(userpool.Roster{Users: []userpool.User{ada}, Groups: dev.Groups}, roster); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	must(t, h.Close())
	keys, err := s.connect().Credentials(t.Context(), "dev", identitypool.Signer{User: "ada"})
	if err != nil || keys.AccessKeyID == "" || keys.SecretKey == "" || keys.SessionToken == "" {
		t.Errorf("%+v, %v", keys, err)
	}
	if _, err := s.connect().Credentials(t.Context(), "dev", identitypool.Signer{User: "bob"}); !errors.As(err, &refused) {
		t.Errorf("credentials of bob: %v", err)
	}
	const unserved = "serves no user pool of environment qa: it serves one environment from the project's files, and the others after a push"
	for what, look := range map[string]func() error{
		"opening": func() error {
			_, err := OpenUsers(t.Context(), s.state, pool.Pool{Environment: "qa"}, "", nil)
			return err
		},
		"a look": func() error { _, err := GlanceAtUsers(t.Context(), s.state, pool.Pool{Environment: "qa"}); return err },
	} {
		if err := look(); err == nil || err.Error() != "the sandbox at "+s.Address()+" "+unserved {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, running := range []bool{true, false} {
		if !running {
			s.end()
		}
		users, err := GlanceAtUsers(t.Context(), s.state, dev)
		if diff := cmp.Diff([]userpool.User{ada}, users); err != nil || diff != "" {
			t.Errorf("running %t: %v (-want +got):\n%s", running, err, diff)
		}
	}
	if users, err := GlanceAtUsers(t.Context(), t.TempDir(), dev); err != nil || users != nil {
		t.Errorf("without a file: %v, %v", users, err)
	}
	other := t.TempDir()
	must(t, os.MkdirAll(state.UsersFile(other), 0o700))
	if _, err := GlanceAtUsers(t.Context(), other, dev); err == nil || !strings.Contains(err.Error(), "which is not a file; remove it") {
		t.Errorf("a folder: %v", err)
	}
}

func TestLinesOfTheLogAreChosenAsAsked(t *testing.T) {
	t.Parallel()
	s, _ := bareSite(t)
	began := time.Date(2026, 11, 29, 4, 0, 0, 123_000_000, time.UTC)
	for i, text := range []string{"one", "two", "three", "four"} {
		s.Logs().Append(logs.Line{
			Time: began.Add(time.Duration(i) * time.Second), Environment: "dev", Function: []string{"a", "b"}[i%2], Request: "r" + text, Level: []logs.Level{logs.Info, logs.Info, logs.Error}[i%3], Text: text,
		})
	}
	client := s.connect()
	for _, row := range []struct {
		query logs.Query
		want  string
	}{
		{logs.Query{Environment: "dev"}, "one two three four"},
		{logs.Query{Environment: "qa"}, ""},
		{logs.Query{Environment: "dev", Function: "b"}, "two four"},
		{logs.Query{Environment: "dev", Functions: []string{"a", "b"}, Last: 3}, "two three four"},
		{logs.Query{Environment: "dev", Functions: []string{"a"}}, "one three"},
		{logs.Query{Environment: "dev", Request: "rtwo"}, "two"},
		{logs.Query{Environment: "dev", Since: began.Add(2 * time.Second)}, "three four"},
		{logs.Query{Environment: "dev", Notable: true}, "three"},
		{logs.Query{Environment: "dev", Functions: []string{"a", "b"}, Each: 1}, "three four"},
	} {
		var got []string
		must(t, client.Logs(t.Context(), row.query, false, func(l logs.Line) error {
			got = append(got, l.Text)
			return nil
		}))
		if strings.Join(got, " ") != row.want {
			t.Errorf("%+v: %v, want %s", row.query, got, row.want)
		}
	}
}

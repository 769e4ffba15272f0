package sandbox

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/cloud"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
)

// told are the events of a sandbox.
type told struct {
	mu  sync.Mutex
	all []Event
}

func (e *told) note(event Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, event)
}

// since returns the events since the last call.
func (e *told) since() []Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := e.all
	e.all = nil
	return all
}

// bareSite is a sandbox with an API and a user pool, and no function that could be called.
func bareSite(t *testing.T) (*site, *told) {
	t.Helper()
	events := new(told)
	s := &site{t: t, state: t.TempDir(), folder: t.TempDir()}
	f, err := Start(Options{State: s.state, Notify: events.note})
	must(t, err)
	s.Sandbox = f
	t.Cleanup(s.end)
	env := s.environment()
	env.Functions, env.Pool = nil, poolOfTest("dev")
	must(t, f.Apply(Config{Environments: []Environment{env}}))
	events.since()
	return s, events
}

func TestCodesAreToldAndTemporaryPasswordsAreNotLogged(t *testing.T) {
	t.Parallel()
	s, events := bareSite(t)
	const to = "ada@example.com"
	for _, row := range []struct {
		message      userpool.Message
		event, inLog string // the log has what the event has where it is ""
	}{
		{userpool.Message{Purpose: userpool.PurposeReset, User: "ada", Code: "123456", To: to}, "the code for the " + userpool.PurposeReset + " of ada is 123456; the cloud would send it to ada@example.com", ""},
		{
			userpool.Message{Purpose: userpool.PurposeSignUp, User: "ada l", Code: "000001", Undeliverable: true},
			`the code for the ` + userpool.PurposeSignUp + ` of "ada l" is 000001; the cloud would send none, since the user has no address for it`, "",
		},
		{
			userpool.Message{Purpose: userpool.PurposeReset, User: "ada", Code: "123456", To: to, Text: "Take 123456!", Subject: "Your code", Note: "shortened"},
			"the code for the " + userpool.PurposeReset + ` of ada is 123456; the cloud would send it to ada@example.com; shortened, in the message "Take 123456!", with the subject "Your code"`, "",
		},
		{
			userpool.Message{Purpose: userpool.PurposeTemporary, User: "ada", Code: "Secret-1", To: to, Text: "Take Secret-1!", Subject: "Hi"},
			`the temporary password of ada is Secret-1; the cloud would send it to ada@example.com, in the message "Take Secret-1!", with the subject Hi`,
			`the temporary password of ada is in the sandbox's output; the cloud would send it to ada@example.com, with the subject Hi`,
		},
	} {
		row.message.Environment = "dev"
		s.showCode(row.message)
		if diff := cmp.Diff([]Event{{Kind: EventCode, Environment: "dev", Text: row.event}}, events.since()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		lines := s.Logs().Read(logs.Query{Environment: "dev", Function: logs.Identity})
		last := lines[len(lines)-1]
		if row.inLog == "" {
			row.inLog = row.event
		}
		if last.Text != row.inLog || last.Level != logs.Info {
			t.Errorf("the log has %+v, want %s", last, row.inLog)
		}
	}
}

func TestWhatFunctionsAskOfTheCloudIsToldOnceAndLoggedEachTime(t *testing.T) {
	t.Parallel()
	s, events := bareSite(t)
	env := s.environment()
	env.ValuesFile = "values.json"
	s.cloud.Apply([]Environment{env})
	caller := cloud.Caller{Environment: "dev", Function: "items"}
	const file = "; write it into values.json as "
	want := []string{
		`the parameter /shop/key has no value on this machine` + file + `{"/shop/key": "value"}`,
		`the secret "a\nb" has no value on this machine` + file + `{"a\nb": "value"}`,
		"refused: " + cloud.Request{Service: "s3", Action: "PutObject"}.Text(),
	}
	for range 2 {
		s.cloud.missing(caller, "ssm", "/shop/key")
		s.cloud.missing(caller, "secretsmanager", "a\nb")
		s.cloud.refused(caller, cloud.Request{Service: "s3", Action: "PutObject"})
		s.cloud.say(caller, onlyOnce, "only once")
	}
	var got, logged []string
	for _, e := range events.since() {
		if e.Kind != EventCloud || e.Environment != "dev" || e.Function != "items" {
			t.Errorf("the event is %+v", e)
		}
		got = append(got, e.Text)
	}
	if diff := cmp.Diff(append(slices.Clone(want), "only once"), got); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	for _, l := range s.Logs().Read(logs.Query{Environment: "dev", Function: "items"}) {
		logged = append(logged, l.Text)
	}
	if diff := cmp.Diff(slices.Concat(want, []string{"only once"}, want), logged); diff != "" {
		t.Errorf("logged (-want +got):\n%s", diff)
	}
	// A program that is no function is told about in the log of the gateway; without a file of
	// values the folder is named.
	s.cloud.missing(cloud.Caller{}, "ssm", "key")
	lines := s.Logs().Read(logs.Query{Function: logs.Gateway})
	const program = `a program: the parameter key has no value on this machine; write it into the file of secrets in .gatewright/secrets as {"key": "value"}`
	if len(lines) == 0 || lines[len(lines)-1].Text != program || len(events.since()) != 0 {
		t.Errorf("the log of the gateway has %+v", lines)
	}
}

func TestOnlyWhatIsNewOfAPoolIsTold(t *testing.T) {
	t.Parallel()
	s, events := bareSite(t)
	env := s.environment()
	env.Functions, env.Pool = nil, poolOfTest("dev")
	env.Pool.Definition = &model.Auth{OAuth: &model.OAuth{}}
	for i, want := range [][]Event{{{
		Kind: EventPool, Environment: "dev",
		Text: "the sandbox serves neither the sign-in page of oauth nor other identity providers: its users sign in with their passwords",
	}}, nil} {
		must(t, s.Apply(Config{Environments: []Environment{env}}))
		if diff := cmp.Diff(want, events.since()); diff != "" {
			t.Errorf("time %d (-want +got):\n%s", i+1, diff)
		}
	}
	s.tellBreach(gateway.Breach{Environment: "dev", API: "my shop", Text: "GET /items breaks it"})
	if diff := cmp.Diff([]Event{{Kind: EventContract, Environment: "dev", Text: `API "my shop": GET /items breaks it`}}, events.since()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatHoldsASandboxUpIsNamedWithWhatEndsIt(t *testing.T) {
	t.Parallel()
	end := state.EndCommand(7)
	for _, row := range []struct {
		err  error
		want string
	}{
		{&state.RunningError{}, "a sandbox of this project is running; end it first, with ctrl+c where it runs"},
		{&state.RunningError{PID: 7}, "a sandbox of this project is running as process 7; end it first, with ctrl+c where it runs or: " + end},
		{&state.RunningError{PID: 7, Address: "http://127.0.0.1:1"}, "a sandbox of this project is running as process 7 at http://127.0.0.1:1; end it first, with ctrl+c where it runs or: " + end},
		{&state.RunningError{PID: 7, Command: "sandbox"}, "a sandbox of this project is running as process 7; end it first, with ctrl+c where it runs or: " + end},
		{&state.RunningError{PID: 7, Command: "table import"}, "gatewright table import is running as process 7 and uses the sandbox's data; wait until it ends, or end it with: " + end},
		{&PortError{Port: 80}, "port 80 is taken by another program; end that first, or give another port with --port"},
		{&PortError{Port: 80, Holder: "nginx (7)", Free: 81}, "port 80 is taken by nginx (7); end that first, or give a free one: --port 81"},
	} {
		if row.err.Error() != row.want {
			t.Errorf("%q, want %q", row.err, row.want)
		}
	}
}

package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/rights"
	"gatewright/sandbox/function"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/sandbox/trigger"
	"gatewright/test/await"
)

// unasked is a handler for calls that no request asks for: it does what its event says.
const unasked = `exports.handler = async (event) => {
  console.log("event", JSON.stringify(event));
  switch (event.do) {
  case "throw": throw new Error("no, by tell-nobody");
  case "exit": process.exit(3);
  }
  return { of: event.id || (event.Records || []).length };
};`

// kept are the calls that a sandbox remembers since a number, without times and ids.
func (s *site) kept(since uint64) (all []string, last uint64) {
	last = since
	for _, c := range s.traffic.Calls(traffic.Query{After: since}) {
		last = c.Number
		if c.Request == "" && c.Function != "nobody" || c.Took <= 0 || c.Time.IsZero() {
			s.t.Errorf("the call is %+v", c)
		}
		all = append(all, fmt.Sprintf("%s %s/%s by %s, %s, allowed %t, failed %t: %s", c.Kind, c.Environment, c.Function, c.Who.Kind, c.Who.Rule, c.Who.Allowed, c.Failed, c.Why))
	}
	return all, last
}

func TestCallsThatNoRequestAskedForEndAsTheirCallerExpects(t *testing.T) {
	t.Parallel()
	events := new(told)
	s := openSite(t, Options{Notify: events.note})
	s.write(unasked)
	last := uint64(0)
	next := func() (all []string) {
		all, last = s.kept(last)
		return all
	}
	// A pool does not wait long, and a worker may take its time to start.
	s.get("/items")
	next()
	const exits = "RequestId: ID Error: Runtime exited with error: exit status 3"
	for _, row := range []struct {
		do, function, answer string
		pool, stream         string // what the pool and the stream get as their error
		noFunction           bool
		failed               string
	}{
		{do: "", function: testFunction, answer: `{"of":7}`},
		{do: "throw", function: testFunction, pool: "no, by tell-nobody", stream: "no, by tell-nobody", failed: "function items ended with an error"},
		{
			do: "exit", function: testFunction, pool: exits,
			stream: "function items of environment dev: its process ended during the call (exit status 3); its log has the last output",
			failed: "function items of environment dev: its process ended during the call (exit status 3); its log has the last output",
		},
		{
			do: "", function: "nobody", pool: userpool.ErrNoFunction.Error(), noFunction: true,
			stream: "function nobody of environment dev: the function does not exist; check its name, or add it",
			failed: "function nobody of environment dev: the function does not exist; check its name, or add it",
		},
	} {
		event := fmt.Appendf(nil, `{"do":%q,"id":7}`, row.do)
		name := row.do + " of " + row.function
		isAs := func(err error, want string) bool {
			if err == nil || want == "" {
				return err == nil && want == ""
			}
			text := err.Error()
			if at := strings.Index(text, "RequestId: "); at == 0 {
				text = "RequestId: ID" + text[strings.Index(text, " Error"):]
			}
			return text == want
		}
		called := func(kind traffic.Kind, rule string) []string {
			return []string{fmt.Sprintf("%s dev/%s by nobody, %s, allowed true, failed %t: %s", kind, row.function, rule, row.failed != "", row.failed)}
		}
		events.since()
		answer, err := s.callTrigger(userpool.TriggerCall{Environment: "dev", Function: row.function, At: model.Moment("preSignUp"), Event: event})
		if string(answer) != row.answer || !isAs(err, row.pool) || errors.Is(err, userpool.ErrNoFunction) != row.noFunction {
			t.Errorf("%s: the pool gets %s, %v", name, answer, err)
		}
		if of := (*userpool.FunctionError)(nil); errors.As(err, &of) != (row.pool != "" && !row.noFunction) {
			t.Errorf("%s: the error of the pool is %#v", name, err)
		}
		if diff := cmp.Diff(called(traffic.Trigger, "the trigger preSignUp of the user pool"), next()); diff != "" {
			t.Errorf("%s, for the pool: %s", name, diff)
		}
		wantTold := []string(nil)
		if row.noFunction {
			wantTold = []string{"dev nobody: the trigger preSignUp of the user pool failed: the function does not exist"}
		}
		if diff := cmp.Diff(wantTold, ofKind(events.since(), EventTrigger)); diff != "" {
			t.Errorf("%s: told is %s", name, diff)
		}
		answer, err = s.callStream(trigger.Mapping{Environment: "dev", Resource: "notes", StreamTrigger: model.StreamTrigger{Function: row.function}}, event)
		if row.answer != "" && string(answer) != row.answer || !isAs(err, row.stream) {
			t.Errorf("%s: the stream gets %s, %v", name, answer, err)
		}
		if diff := cmp.Diff(called(traffic.Trigger, "a trigger of the table notes"), next()); diff != "" {
			t.Errorf("%s, for the stream: %s", name, diff)
		}
	}
	log := ""
	for _, l := range s.Logs().Read(logs.Query{Environment: "dev", Function: logs.Identity}) {
		log += fmt.Sprintln(l.Level, l.Text)
	}
	if want := "ERROR the trigger preSignUp of the user pool failed: the function does not exist (function nobody)\n"; log != want {
		t.Errorf("the log of the pools is %q", log)
	}
	// A schedule has the region and the account of its environment.
	events.since()
	s.fire(trigger.Entry{Environment: "dev", Function: testFunction}, time.Date(2026, 11, 29, 7, 5, 0, 0, time.UTC))
	s.fire(trigger.Entry{Environment: "dev", Function: "nobody"}, time.Date(2026, 11, 29, 7, 5, 0, 0, time.UTC))
	if diff := cmp.Diff([]string{
		"schedule dev/items by nobody, the schedule of the function, allowed true, failed false: ",
		"schedule dev/nobody by nobody, the schedule of the function, allowed true, failed true: function nobody of environment dev: the function does not exist; check its name, or add it",
	}, next()); diff != "" {
		t.Error(diff)
	}
	got := ofKind(events.since(), EventSchedule)
	if len(got) != 1 || !strings.HasPrefix(got[0], "dev nobody: the scheduled call of ") || !strings.HasSuffix(got[0], " failed: function nobody of environment dev: the function does not exist; check its name, or add it") {
		t.Errorf("told is %q", got)
	}
	var lines []string
	for _, l := range s.Logs().Read(logs.Query{Environment: "dev", Function: testFunction}) {
		if strings.Contains(l.Text, "aws.events") {
			lines = append(lines, l.Text)
		}
	}
	var event struct{ Region, Account, Time string }
	if len(lines) != 1 || json.Unmarshal([]byte(strings.TrimPrefix(lines[0], "event ")), &event) != nil || event.Region != "eu-west-1" || event.Account != "000000000000" || event.Time != "2026-11-29T07:05:00Z" {
		t.Errorf("the event of the schedule is %q", lines)
	}
}

// ofKind are the events of a kind, a line each.
func ofKind(events []Event, kind string) (lines []string) {
	for _, e := range events {
		if e.Kind == kind {
			lines = append(lines, e.Environment+" "+e.Function+": "+e.Text)
		}
	}
	return lines
}

func TestAFunctionGetsTheChangesOfItsTable(t *testing.T) {
	t.Parallel()
	events := new(told)
	s := openSite(t, Options{Notify: events.note})
	s.write(unasked)
	env := s.environment()
	env.Tables = []Table{{Name: "notes-dev", Definition: &model.Table{
		Name: "notes", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Triggers: []model.StreamTrigger{{Function: testFunction, From: model.FromOldest}},
	}}}
	must(t, s.Apply(Config{Environments: []Environment{env}}))
	must(t, Ask(t.Context(), s.store, "PutItem", map[string]any{"TableName": "notes-dev", "Item": map[string]any{"id": map[string]string{"S": "one"}}}, nil))
	s.awaitLine("eventSourceARN")
	await.Until(t, "that the call is remembered", func() bool { return len(s.traffic.Calls(traffic.Query{})) > 0 })
	want := []string{"trigger dev/items by nobody, a trigger of the table notes, allowed true, failed false: "}
	if got, _ := s.kept(0); !slices.Equal(got, want) {
		t.Errorf("remembered is %q", got)
	}
	for _, l := range s.Logs().Read(logs.Query{Function: testFunction}) {
		if strings.Contains(l.Text, "eventSourceARN") && !strings.Contains(l.Text, "arn:aws:dynamodb:eu-west-1:000000000000:table/notes-dev/stream/") {
			t.Errorf("the event is %s", l.Text)
		}
	}
	s.reportStream(trigger.Mapping{Environment: "dev", StreamTrigger: model.StreamTrigger{Function: testFunction}}, "failed by tell-nobody")
	told := ofKind(events.since(), EventTrigger)
	if want := []string{"dev items: failed by " + model.Redacted}; !slices.Equal(told, want) {
		t.Errorf("told is %q", told)
	}
	all := s.Logs().Read(logs.Query{Function: testFunction})
	if l := all[len(all)-1]; l.Level != logs.Warn || l.Text != "failed by "+model.Redacted || l.Environment != "dev" {
		t.Errorf("logged is %+v", l)
	}
}

func TestTheChangesOfAnotherServicesTablesAreNotRead(t *testing.T) {
	t.Parallel()
	events := new(told)
	state := t.TempDir()
	f, err := Start(Options{State: state, Notify: events.note, TableEndpoint: "http://127.0.0.1:1"})
	must(t, err)
	s := &site{Sandbox: f, t: t, state: state, folder: t.TempDir()}
	t.Cleanup(s.end)
	must(t, os.Mkdir(filepath.Join(s.folder, "src"), 0o755))
	env := s.environment()
	env.Functions = []function.Spec{}
	env.Tables = []Table{{Name: "notes-dev", Definition: &model.Table{Name: "notes", Triggers: []model.StreamTrigger{{Function: testFunction}}}}}
	must(t, f.Apply(Config{Environments: []Environment{env}}))
	want := []string{"dev items: is not called with the changes of the table notes: another service has the tables, at http://127.0.0.1:1"}
	if got := ofKind(events.since(), EventTrigger); !slices.Equal(got, want) {
		t.Errorf("told is %q", got)
	}
}

func TestWhatWillBeCalledIsMadeReadyBefore(t *testing.T) {
	t.Parallel()
	s, events := bareSite(t)
	env := s.environment()
	env.Functions, env.Pool = nil, poolOfTest("dev")
	// A program without a go.mod cannot be made ready, which is told.
	for _, name := range []string{"of-path", "of-schedule", "called", "assumed", "of-table", "of-pool", "unused"} {
		folder := filepath.Join(s.folder, name)
		must(t, os.MkdirAll(filepath.Join(folder, "src"), 0o755))
		env.Functions = append(env.Functions, function.Spec{Environment: "dev", Name: name, Runtime: model.Go, Folder: folder, Region: "eu-west-1", AccountID: "000000000000"})
	}
	env.APIs[0].Definition.Paths[0].Function = "of-path"
	env.Schedules = []trigger.Entry{{Environment: "dev", Function: "of-schedule"}}
	arn := func(name string) []string {
		return []string{"arn:aws:lambda:eu-west-1:000000000000:function:" + name + "-dev"}
	}
	env.Grants = map[string][]cfn.Statement{
		"of-path": {{Effect: "Allow", Actions: []string{rights.InvokeFunction}, Resources: arn("called")}},
		"unused":  {{Effect: "Allow", Actions: []string{rights.InvokeFunction}, Resources: arn("assumed"), Partly: true}},
	}
	env.Tables = []Table{{Name: "notes-dev", Definition: &model.Table{
		Name: "notes", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Triggers: []model.StreamTrigger{{Function: "of-table"}},
	}}}
	env.Pool.Triggers = map[model.Moment]string{"preSignUp": "of-pool"}
	must(t, s.Apply(Config{Environments: []Environment{env}}))
	want := []string{"called", "of-path", "of-pool", "of-schedule", "of-table"}
	var names []string
	await.Until(t, "that all are looked at", func() bool {
		for _, line := range ofKind(events.since(), function.EventWarning) {
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "dev "), ":")
			names = append(names, name)
		}
		return len(names) >= len(want)
	})
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Errorf("made ready are %q, want %q", names, want)
	}
}

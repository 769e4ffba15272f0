package model

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withTriggers is a backend whose user pool and table call functions.
func withTriggers(t *testing.T) *Backend {
	t.Helper()
	b := &Backend{}
	for _, name := range []string{"audit", "check"} {
		if err := b.AddFunction(&Function{Name: name, Runtime: NodeJS}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.SetTrigger(PreSignUp, "check"); err != nil {
		t.Fatal(err)
	}
	if err := b.AddTable(&Table{Name: "orders", PartitionKey: Key{"id", StringKey}, Triggers: []StreamTrigger{{Function: "audit"}, {Function: "check", BatchSize: 5}}}); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAMomentIsReadRegardlessOfCase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Moment{"preSignUp": PreSignUp, "PreSignup": PreSignUp, "PRETOKENGENERATIONV2": PreTokenGenerationV2} {
		if got, err := ParseMoment(text); err != nil || got != want {
			t.Errorf("%s is %s, %v", text, got, err)
		}
	}
	if _, err := ParseMoment("presignup1"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "did you mean preSignUp?") {
		t.Errorf("a moment that is none is refused with %v", err)
	}
	if PreTokenGenerationV2.Title() != "PreTokenGeneration" || VerifyAuthChallengeResponse.Title() != "VerifyAuthChallengeResponse" {
		t.Error("the titles are not the cloud's")
	}
}

func TestATriggerNeedsItsFunction(t *testing.T) {
	t.Parallel()
	b := withTriggers(t)
	before := slices.Clone(b.Triggers)
	if err := b.SetTrigger(PostConfirmation, "nobody"); !errors.Is(err, ErrUnknown) {
		t.Errorf("a function that does not exist is refused with %v", err)
	}
	if err := b.SetTrigger(PreTokenGeneration, "check"); err != nil {
		t.Error(err)
	}
	if err := b.SetTrigger(PreTokenGenerationV2, "audit"); err != nil || b.TriggerAt(PreTokenGeneration) != "" {
		t.Errorf("both moments before tokens are kept: %v %v", b.Triggers, err)
	}
	if err := b.SetTrigger(PreTokenGenerationV2, ""); err != nil || !slices.Equal(b.Triggers, before) {
		t.Errorf("the triggers are %v, %v", b.Triggers, err)
	}
}

func TestTriggersFollowTheirFunctions(t *testing.T) {
	t.Parallel()
	b := withTriggers(t)
	check := Ref{Kind: KindFunction, Name: "check"}
	want := []Ref{{Kind: KindTable, Name: "orders"}, {Kind: KindAuth}}
	if diff := cmp.Diff(want, b.Uses(check)); diff != "" {
		t.Error(diff)
	}
	if err := b.Remove(check, false); !errors.Is(err, ErrInUse) {
		t.Errorf("a function in use is removed: %v", err)
	}
	was := *b
	if err := b.Rename(check, "gate"); err != nil || b.TriggerAt(PreSignUp) != "gate" || b.Table("orders").Trigger("gate").BatchSize != 5 {
		t.Errorf("after the rename there are %v and %v, %v", b.Triggers, b.Table("orders").Triggers, err)
	}
	if was.TriggerAt(PreSignUp) != "check" || was.Table("orders").Trigger("check") == nil {
		t.Error("the backend before the rename has changed")
	}
	if err := b.Remove(Ref{Kind: KindFunction, Name: "gate"}, true); err != nil || len(b.Triggers) != 0 || len(b.Table("orders").Triggers) != 1 {
		t.Errorf("after the removal there are %v and %v, %v", b.Triggers, b.Table("orders").Triggers, err)
	}
}

func TestChangesOfTriggersAreReasons(t *testing.T) {
	t.Parallel()
	was, now := withTriggers(t), withTriggers(t)
	if got := Diff(was, now); slices.ContainsFunc(got, func(d Difference) bool { return d.Operation == ToUpdate }) {
		t.Errorf("equal backends differ: %v", got)
	}
	for _, step := range []error{now.SetTrigger(PreSignUp, "audit"), now.SetTrigger(UserMigration, "check")} {
		if step != nil {
			t.Fatal(step)
		}
	}
	table := *now.Table("orders")
	table.StreamView = "KEYS_ONLY"
	table.Triggers = []StreamTrigger{{Function: "check", BatchSize: 6}}
	if err := now.UpdateTable(&table); err != nil {
		t.Fatal(err)
	}
	var reasons []string
	for _, d := range Diff(was, now) {
		reasons = append(reasons, d.Reasons...)
	}
	want := []string{
		"stream NEW_AND_OLD_IMAGES -> KEYS_ONLY", "calls function check in another way", "no longer calls function audit",
		"trigger preSignUp check -> audit", "trigger userMigration check is new",
	}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Error(diff)
	}
}

func TestTheTriggersOfATableAreChecked(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		table Table
		want  string
	}{
		{Table{Triggers: []StreamTrigger{{Function: "audit"}, {Function: "audit"}}}, "the function audit is listed twice"},
		{Table{Triggers: []StreamTrigger{{Function: "audit", BatchSize: MaxBatchSize + 1}}}, "the batch size is 10001"},
		{Table{Triggers: []StreamTrigger{{Function: "audit", BatchWindow: -1}}}, "the batch window in seconds is -1"},
		{Table{Triggers: []StreamTrigger{{Function: "audit", Attempts: MaxAttempts + 1}}}, "the number of attempts is 10002"},
		{Table{Triggers: []StreamTrigger{{Function: "audit", From: "AT_TIMESTAMP"}}}, "AT_TIMESTAMP is not a position in a stream"},
		{Table{StreamView: "SOME"}, "SOME is not what a stream can have"},
		{Table{Triggers: []StreamTrigger{{Function: "nobody"}}}, "names the function nobody, which does not exist"},
	} {
		b := withTriggers(t)
		row.table.Name, row.table.PartitionKey = "items", Key{"id", StringKey}
		if err := b.AddTable(&row.table); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v is refused with %v, want %s", row.table.Triggers, err, row.want)
		}
	}
}

func TestAPoolThatExistsAlreadyIsNotGivenTriggers(t *testing.T) {
	t.Parallel()
	b := withTriggers(t)
	b.Auth = &Auth{UserPoolID: "eu-west-1_x", UserPoolClientID: "y", Region: "eu-west-1"}
	found := false
	for _, p := range b.Check() {
		found = found || p.Pointer == "/triggers" && p.Level == Warning && strings.Contains(p.Text, "are called by the sandbox only")
	}
	if !found {
		t.Errorf("nothing says that a push does not set them: %v", b.Check())
	}
	b.Triggers = nil
	if b.Auth = nil; b.UsesUserPool() {
		t.Error("there is a pool without a reason")
	}
	b.Triggers = []Trigger{{At: PreSignUp, Function: "check"}}
	if !b.UsesUserPool() {
		t.Error("there is no pool for the trigger")
	}
}

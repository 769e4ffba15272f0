package model_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/check"
	"gatewright/model/diff"
	"gatewright/model/edit"
)

// withTriggers is a backend whose user pool and table call functions.
func withTriggers(t *testing.T) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	for _, name := range []string{"audit", "check"} {
		if err := edit.AddFunction(b, &model.Function{Name: name, Runtime: model.NodeJS}); err != nil {
			t.Fatal(err)
		}
	}
	if err := edit.SetTrigger(b, model.PreSignUp, "check"); err != nil {
		t.Fatal(err)
	}
	if err := edit.AddTable(b, &model.Table{Name: "orders", PartitionKey: model.Key{"id", model.StringKey}, Triggers: []model.StreamTrigger{{Function: "audit"}, {Function: "check", BatchSize: 5}}}); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAMomentIsReadRegardlessOfCase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]model.Moment{"preSignUp": model.PreSignUp, "PreSignup": model.PreSignUp, "PRETOKENGENERATIONV2": model.PreTokenGenerationV2} {
		if got, err := model.ParseMoment(text); err != nil || got != want {
			t.Errorf("%s is %s, %v", text, got, err)
		}
	}
	if _, err := model.ParseMoment("presignup1"); !errors.Is(err, model.ErrUnknown) || !strings.Contains(err.Error(), "did you mean preSignUp?") {
		t.Errorf("a moment that is none is refused with %v", err)
	}
	if model.PreTokenGenerationV2.Title() != "PreTokenGeneration" || model.VerifyAuthChallengeResponse.Title() != "VerifyAuthChallengeResponse" {
		t.Error("the titles are not the cloud's")
	}
}

func TestATriggerNeedsItsFunction(t *testing.T) {
	t.Parallel()
	b := withTriggers(t)
	before := slices.Clone(b.Triggers)
	if err := edit.SetTrigger(b, model.PostConfirmation, "nobody"); !errors.Is(err, model.ErrUnknown) {
		t.Errorf("a function that does not exist is refused with %v", err)
	}
	if err := edit.SetTrigger(b, model.PreTokenGeneration, "check"); err != nil {
		t.Error(err)
	}
	if err := edit.SetTrigger(b, model.PreTokenGenerationV2, "audit"); err != nil || b.TriggerAt(model.PreTokenGeneration) != "" {
		t.Errorf("both moments before tokens are kept: %v %v", b.Triggers, err)
	}
	if err := edit.SetTrigger(b, model.PreTokenGenerationV2, ""); err != nil || !slices.Equal(b.Triggers, before) {
		t.Errorf("the triggers are %v, %v", b.Triggers, err)
	}
}

func TestTriggersFollowTheirFunctions(t *testing.T) {
	t.Parallel()
	b := withTriggers(t)
	check := model.Ref{Kind: model.KindFunction, Name: "check"}
	want := []model.Ref{{Kind: model.KindTable, Name: "orders"}, {Kind: model.KindAuth}}
	if diff := cmp.Diff(want, edit.Uses(b, check)); diff != "" {
		t.Error(diff)
	}
	if err := edit.Remove(b, check, false); !errors.Is(err, model.ErrInUse) {
		t.Errorf("a function in use is removed: %v", err)
	}
	was := *b
	if err := edit.Rename(b, check, "gate"); err != nil || b.TriggerAt(model.PreSignUp) != "gate" || b.Table("orders").Trigger("gate").BatchSize != 5 {
		t.Errorf("after the rename there are %v and %v, %v", b.Triggers, b.Table("orders").Triggers, err)
	}
	if was.TriggerAt(model.PreSignUp) != "check" || was.Table("orders").Trigger("check") == nil {
		t.Error("the backend before the rename has changed")
	}
	if err := edit.Remove(b, model.Ref{Kind: model.KindFunction, Name: "gate"}, true); err != nil || len(b.Triggers) != 0 || len(b.Table("orders").Triggers) != 1 {
		t.Errorf("after the removal there are %v and %v, %v", b.Triggers, b.Table("orders").Triggers, err)
	}
}

func TestChangesOfTriggersAreReasons(t *testing.T) {
	t.Parallel()
	was, now := withTriggers(t), withTriggers(t)
	if got := diff.Backends(was, now); slices.ContainsFunc(got, func(d diff.Difference) bool { return d.Operation == diff.ToUpdate }) {
		t.Errorf("equal backends differ: %v", got)
	}
	for _, step := range []error{edit.SetTrigger(now, model.PreSignUp, "audit"), edit.SetTrigger(now, model.UserMigration, "check")} {
		if step != nil {
			t.Fatal(step)
		}
	}
	table := *now.Table("orders")
	table.StreamView = "KEYS_ONLY"
	table.Triggers = []model.StreamTrigger{{Function: "check", BatchSize: 6}}
	if err := edit.UpdateTable(now, &table); err != nil {
		t.Fatal(err)
	}
	var reasons []string
	for _, d := range diff.Backends(was, now) {
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
		table model.Table
		want  string
	}{
		{model.Table{Triggers: []model.StreamTrigger{{Function: "audit"}, {Function: "audit"}}}, "the function audit is listed twice"},
		{model.Table{Triggers: []model.StreamTrigger{{Function: "audit", BatchSize: model.MaxBatchSize + 1}}}, "the batch size is 10001"},
		{model.Table{Triggers: []model.StreamTrigger{{Function: "audit", BatchWindow: -1}}}, "the batch window in seconds is -1"},
		{model.Table{Triggers: []model.StreamTrigger{{Function: "audit", Attempts: model.MaxAttempts + 1}}}, "the number of attempts is 10002"},
		{model.Table{Triggers: []model.StreamTrigger{{Function: "audit", From: "AT_TIMESTAMP"}}}, "AT_TIMESTAMP is not a position in a stream"},
		{model.Table{StreamView: "SOME"}, "SOME is not a stream view type"},
		{model.Table{Triggers: []model.StreamTrigger{{Function: "nobody"}}}, "names the function nobody, which does not exist"},
	} {
		b := withTriggers(t)
		row.table.Name, row.table.PartitionKey = "items", model.Key{"id", model.StringKey}
		if err := edit.AddTable(b, &row.table); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v is refused with %v, want %s", row.table.Triggers, err, row.want)
		}
	}
}

func TestAPoolThatExistsAlreadyIsNotGivenTriggers(t *testing.T) {
	t.Parallel()
	b := withTriggers(t)
	b.Auth = &model.Auth{UserPoolID: "eu-west-1_x", UserPoolClientID: "y", Region: "eu-west-1"}
	found := false
	for _, p := range check.Backend(b) {
		found = found || p.Pointer == "/triggers" && p.Level == model.Warning && strings.Contains(p.Text, "are called only by the sandbox")
	}
	if !found {
		t.Errorf("nothing says that a push does not set them: %v", check.Backend(b))
	}
	b.Triggers = nil
	if b.Auth = nil; b.UsesUserPool() {
		t.Error("there is a pool without a reason")
	}
	b.Triggers = []model.Trigger{{At: model.PreSignUp, Function: "check"}}
	if !b.UsesUserPool() {
		t.Error("there is no pool for the trigger")
	}
}

package amplifystack

import (
	"errors"
	"strings"
	"testing"
)

// The names are those that the Amplify tools give, measured with backend-cli 1.10.0.
func TestNamesOfStacksAreThoseOfTheAmplifyTools(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{StackName("d123", "main"), "amplify-d123-main-branch-a4282c0f63"},
		{StackName("nope", "feature/x_y"), "amplify-nope-featurexy-branch-15a87b95b7"},
		{StackName("d2abcxyz", "___"), "amplify-d2abcxyz--branch-cfe9f07206"},
		{SandboxStackName("my-app", "root"), "amplify-myapp-root-sandbox-689e262978"},
		{SandboxStackName("my-app", "me"), "amplify-myapp-me-sandbox-edb480bb7f"},
		{SandboxStackName("@scope/näme", "user.name"), "amplify-scopenme-username-sandbox-bd738128a6"},
	} {
		if tt.got != tt.want {
			t.Errorf("it is %s, not %s", tt.got, tt.want)
		}
	}
	if long := StackName(strings.Repeat("a", 300), strings.Repeat("b", 300)); len(long) != longestName-1 {
		t.Errorf("it has %d characters", len(long))
	}
}

func TestTheStackOfABranchIsTheOnlyRootStackWithItsTags(t *testing.T) {
	t.Parallel()
	tags := map[string]string{applicationTag: "d1", branchTag: "main"}
	mine := Stack{Name: "one", Tags: tags}
	others := []Stack{
		{Name: "nested", Tags: tags, Parent: "arn:one"},
		{Name: "gone", Tags: tags, Status: "DELETE_COMPLETE"},
		{Name: "none"},
		{Name: "branch", Tags: map[string]string{applicationTag: "d1", branchTag: "dev"}},
	}
	got, err := StackOfBranch(append(others, mine), "d1", "main")
	if err != nil || got.Name != "one" {
		t.Errorf("it is %q, %v", got.Name, err)
	}
	if _, err := StackOfBranch(others, "d1", "main"); !errors.Is(err, ErrNoStack) {
		t.Errorf("without one: %v", err)
	}
	_, err = StackOfBranch(append(others, mine, Stack{Name: "two\x1b[2J", Tags: tags}), "d1", "main")
	if !errors.Is(err, ErrSeveral) || strings.Contains(err.Error(), "\x1b") || !strings.Contains(err.Error(), "one") {
		t.Errorf("with two: %v", err)
	}
}

package index_test

import (
	"crypto/sha512"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/deploy/index"
)

func TestStackNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	for _, tt := range []struct{ applicationID, branch, want string }{
		{"d123", "main", "gatewright-d123-main-branch-a4282c0f63"},
		{"app1", "feature/x_y", "gatewright-app1-featurexy-branch-c391a5a7a6"},
		{"d2abcxyz", "release/1.0", "gatewright-d2abcxyz-release10-branch-0631fa4d98"},
		{"näme", "größe", "gatewright-nme-gre-branch-93357e9f82"},
		{"", "___", "gatewright---branch-f75b1d2431"},
		{long, strings.Repeat("y", 200), "gatewright-" + long[:47] + "-" + strings.Repeat("y", 50) + "-branch-f8d3c365a6"},
		{long, "", "gatewright-" + long[:97] + "--branch-ef978e23dc"},
	} {
		if got := index.StackName(tt.applicationID, tt.branch); got != tt.want {
			t.Errorf("StackName(%q, %q) = %s, want %s", tt.applicationID, tt.branch, got, tt.want)
		}
	}
}

func TestEveryStackNameIsValidAndFollowsTheRule(t *testing.T) {
	t.Parallel()
	valid := regexp.MustCompile(`^[A-Za-z][-A-Za-z0-9]{0,127}$`)
	odd := regexp.MustCompile(`[^A-Za-z0-9]`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z0-9/_.-]{0,140}`))
		id, branch := text.Draw(t, "application id"), text.Draw(t, "branch")
		got := index.StackName(id, branch)
		if err := index.ValidStack(got); err != nil || !valid.MatchString(got) {
			t.Fatalf("%q is not valid: %v", got, err)
		}
		hash := sha512.New()
		_, _ = fmt.Fprint(hash, id, branch)
		short := fmt.Sprintf("%.50s", odd.ReplaceAllString(branch, ""))
		rest := fmt.Sprintf("-%s-branch-%.10s", short, fmt.Sprintf("%x", hash.Sum(nil)))
		want := fmt.Sprintf("gatewright-%.*s%s", 127-len("gatewright-")-len(rest), odd.ReplaceAllString(id, ""), rest)
		if got != want {
			t.Fatalf("StackName(%q, %q) = %s, want %s", id, branch, got, want)
		}
	})
}

func TestStacksOfOneApplicationDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		branch := rapid.StringMatching(`[a-z/_.-]{1,80}`)
		a, b := branch.Draw(t, "a"), branch.Draw(t, "b")
		if a != b && index.StackName("app1", a) == index.StackName("app1", b) {
			t.Fatalf("%q and %q are the same stack", a, b)
		}
	})
}

func TestInvalidStackNamesAreRefused(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]bool{
		"a": true, "My-Stack-1": true, strings.Repeat("a", 128): true,
		"": false, "1a": false, "-a": false, "a_b": false, "a/b": false, "../a": false, "ä": false, "a\n": false, strings.Repeat("a", 129): false,
	} {
		err := index.ValidStack(name)
		if valid != (err == nil) || err != nil && (!errors.Is(err, index.ErrRequest) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

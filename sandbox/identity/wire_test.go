package identity_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"gatewright/sandbox/identity/wire"
)

func TestErrorHasCodeAndMessage(t *testing.T) {
	t.Parallel()
	err := wire.Refuse("ResourceNotFoundException", "IdentityPool '%s' not found.", "a")
	if err.Code != "ResourceNotFoundException" || err.Message != "IdentityPool 'a' not found." {
		t.Errorf("the refusal is %+v", err)
	}
	if got, want := err.Error(), "ResourceNotFoundException: IdentityPool 'a' not found."; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if err.Unwrap() != nil {
		t.Errorf("the error has a reason: %v", err.Unwrap())
	}
}

func TestReasonIsHiddenFromClients(t *testing.T) {
	t.Parallel()
	plain := wire.Refuse("NotAuthorizedException", "Access Token has expired")
	reasoned := plain.Because(fmt.Errorf("it is over: %w", io.EOF))
	if !errors.Is(reasoned, io.EOF) || reasoned.Error() != plain.Error() {
		t.Errorf("the refusal %q hides %v", reasoned, reasoned.Unwrap())
	}
	if errors.Is(plain, io.EOF) {
		t.Error("Because changed the original")
	}
	var found *wire.Error
	if !errors.As(fmt.Errorf("asking: %w", reasoned), &found) || found.Code != plain.Code {
		t.Errorf("the refusal is not found in what wraps it: %v", found)
	}
}

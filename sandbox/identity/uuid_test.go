package identity_test

import (
	"regexp"
	"testing"

	"gatewright/internal/uuid"
)

func TestNewUUIDsAreRandomAndOfVersion4(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := make(map[string]bool)
	for range 100 {
		id := uuid.New()
		if !form.MatchString(id) || seen[id] {
			t.Errorf("%q is not a new UUID of version 4", id)
		}
		seen[id] = true
	}
}

func TestAUUIDKeepsTheBytesThatItIsMadeOf(t *testing.T) {
	t.Parallel()
	id := [16]byte{0, 1, 2, 3, 4, 5, 0xff, 7, 0xff, 9, 10, 11, 12, 13, 14, 15}
	if got, want := uuid.V4(id), "00010203-0405-4f07-bf09-0a0b0c0d0e0f"; got != want {
		t.Errorf("V4 is %q, want %q", got, want)
	}
	if got, want := uuid.V8(id), "00010203-0405-8f07-bf09-0a0b0c0d0e0f"; got != want {
		t.Errorf("V8 is %q, want %q", got, want)
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		uuid.New()
	}
}

package lock

import "testing"

func TestALockSaysWhichCommandHoldsItAndNoneOfItsValues(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"":             {"gatewright"},
		"sandbox":      {"gatewright", "sandbox", "--port", "0"},
		"table import": {"gatewright", "table", "import", "books", "books.jsonl"},
		"user":         {"gatewright", "user", "--password=Secret1!"},
	} {
		if got := commandOf(args); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
	if got := commandOf(nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

package ship

import (
	"strings"
	"testing"

	"gatewright/cli/command"
)

func TestAFailedComparisonIsNotSaidToHaveFoundNothing(t *testing.T) {
	t.Parallel()
	r := driftReport{compared: "0 resources, the template"}
	if text := r.text(0, command.Palette{}); text != "drift: none found; compared were 0 resources, the template\n" {
		t.Errorf("without differences it says %q", text)
	}
	r.failed = true
	if text := r.text(0, command.Palette{}); strings.Contains(text, "none") || !strings.Contains(text, "drift: not all resources could be compared; compared were 0 resources, the template") {
		t.Errorf("of a failed comparison it says %q", text)
	}
}

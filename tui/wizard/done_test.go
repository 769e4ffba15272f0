package wizard_test

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/test/depth"
	"gatewright/tui/layout"
	"gatewright/tui/wizard"
)

// TestAShellReadsABrokenCommandAsOneLine gives broken command lines to a real shell.
func TestAShellReadsABrokenCommandAsOneLine(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		depth.Lacks(t, "sh", err)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := []string{"printf", model.ShellWord(`<%s>\n`)}
		want := ""
		for _, word := range rapid.SliceOfN(rapid.StringMatching(`[a-z '\\{}/-]{1,30}`), 1, 12).Draw(t, "words") {
			// A word that begins with a hyphen may be an option of printf.
			words = append(words, model.ShellWord("x"+word))
			want += "<x" + word + ">\n"
		}
		w := rapid.IntRange(1, 80).Draw(t, "width")
		lines := wizard.BrokenCommand(strings.Join(words, " "), w)
		got, err := exec.Command(shell, "-c", strings.Join(lines, "\n      ")).Output()
		if err != nil || string(got) != want {
			t.Fatalf("%q gives\n%s%v, want\n%s", lines, got, err, want)
		}
		for _, line := range lines {
			if layout.Width(line) > w+len(` \`) && strings.Count(strings.TrimSuffix(line, ` \`), " ") > 0 && !strings.Contains(line, "'") {
				t.Fatalf("%q is wider than %d cells", line, w)
			}
		}
	})
}

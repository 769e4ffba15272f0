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

func TestACommandIsBrokenBetweenItsWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		command string
		w       int
		want    string
	}{
		{"a bc def", 80, "a bc def"},
		{"a bc def", 8, "a bc def"},
		{"a bc def", 7, `a bc \|def`},
		{"a bc def", 4, `a bc \|def`},
		{"a bc def", 3, `a \|bc \|def`},
		{"a bc def", 1, `a \|bc \|def`},
		{`a 'b c' d`, 5, `a \|'b c' \|d`},
		{`a 'b'\'' c' d`, 12, `a 'b'\'' c' \|d`},
		{`a b\ c d`, 4, `a \|b\ c \|d`},
		{`a 'b\' c`, 6, `a 'b\' \|c`},
		{"名前 b", 5, `名前 \|b`},
	} {
		if got := strings.Join(wizard.BrokenCommand(tt.command, tt.w), "|"); got != tt.want {
			t.Errorf("%s in %d cells is %s, want %s", tt.command, tt.w, got, tt.want)
		}
	}
}

package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/tui/layout"
)

// TestHelpFitsATerminalWithThreeExamples walks all commands: --help is at most 23 lines of 80 columns, which
// leave one for the prompt, and every example is a command line that its command takes.
func TestHelpFitsATerminalWithThreeExamples(t *testing.T) {
	t.Parallel()
	everyCommand(t, func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		path := cmd.CommandPath()
		text := command.Brief(cmd, 0)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > 23 {
			t.Errorf("%s: %d lines\n%s", path, len(lines), text)
		}
		for _, line := range lines {
			if layout.Width(line) > 80 {
				t.Errorf("%s: %d columns: %s", path, layout.Width(line), line)
			}
		}
		if about, _, _ := strings.Cut(text, "\n\n"); strings.Count(about, "\n") > 3 || !strings.HasSuffix(about, ".") && cmd.Long != "" && !strings.Contains(about, ": gatewright ") {
			t.Errorf("%s: it begins with a paragraph of more than four lines, or without an end: %s", path, about)
		}
		if words := len(strings.Fields(cmd.Short)); words < 3 || words > 11 || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: %d words in %q", path, words, cmd.Short)
		}
		if _, use, _ := strings.Cut(text, "\nUsage: "); strings.HasPrefix(strings.SplitN(use, "\n", 3)[1], " ") {
			t.Errorf("%s: the usage is more than a line", path)
		}
		_, examples, _ := strings.Cut(text, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		if n := len(strings.Split(examples, "\n")); n != 3 {
			t.Errorf("%s: %d examples:\n%s", path, n, examples)
		}
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			checkExample(t, path, line)
		}
	})
}

// checkExample checks each command line of the program in a line for the shell.
func checkExample(t *testing.T, path, line string) {
	t.Helper()
	if line != "" && !strings.HasPrefix(line, "  ") {
		t.Errorf("%s: an example that is not set further in: %q", path, line)
	}
	found := line == ""
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("|&", r) }) {
		before, part, ok := strings.Cut(part, "gatewright ")
		if strings.HasSuffix(before, "(") {
			part, _, _ = strings.Cut(part, ")")
		}
		if !ok {
			continue
		}
		found = true
		part, _, _ = strings.Cut(part, "  #")
		for _, redirection := range []string{" > ", " >> ", " < "} {
			part, _, _ = strings.Cut(part, redirection)
		}
		var args []string
		for _, word := range regexp.MustCompile(`(?:[^\s'"]|'[^']*'|"[^"]*")+`).FindAllString(part, -1) {
			args = append(args, strings.Trim(word, `'"`))
		}
		cmd, rest, err := NewRoot(command.Streams{}, args...).Find(args)
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err == nil {
			err = cmd.ValidateArgs(cmd.Flags().Args())
		}
		if err != nil || cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
			t.Errorf("%s: the example %q is wrong: %v", path, line, err)
		}
	}
	if !found {
		t.Errorf("%s: an example without the program: %q", path, line)
	}
}
